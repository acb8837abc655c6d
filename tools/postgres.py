"""A PostgreSQL server of its own, for as long as somebody needs it: found on this machine, started on a free port, and thrown away."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_PLACES = (
    "/usr/lib/postgresql/*/bin",
    "/usr/pgsql-*/bin",
    "/opt/homebrew/opt/postgresql*/bin",
    "/usr/local/opt/postgresql*/bin",
)
_SPEED = "-c fsync=off -c synchronous_commit=off -c full_page_writes=off -c max_connections=80 -c autovacuum=off"


def find_server() -> Path | None:
    """Give the folder of the newest server's programs; None where there is none."""
    on_path = shutil.which("initdb")
    if on_path:
        return Path(on_path).parent
    found = [folder for place in _PLACES for folder in Path("/").glob(place[1:]) if (folder / "initdb").exists()]
    return max(
        found,
        key=lambda folder: [int(part) for part in str(folder).replace("-", "/").split("/") if part.isdigit()],
        default=None,
    )


@contextmanager
def running_server(programs: Path) -> Iterator[str]:
    """Run a server and give its address as `DATABASE_URL` takes it."""
    with tempfile.TemporaryDirectory(prefix="smista-pg-") as folder:
        data = Path(folder) / "data"
        owner = _owner_of(Path(folder))
        _run(
            owner,
            programs / "initdb",
            "--pgdata",
            data,
            "--username",
            "smista",
            "--auth",
            "trust",
            "--encoding",
            "UTF8",
            "--no-sync",
        )
        port = _free_port()
        options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 {_SPEED}"
        _run(
            owner, programs / "pg_ctl", "--pgdata", data, "--wait", "--log", data / "log", "--options", options, "start"
        )
        try:
            yield f"postgres://smista@127.0.0.1:{port}/postgres"
        finally:
            _run(owner, programs / "pg_ctl", "--pgdata", data, "--wait", "--mode", "immediate", "stop")


def _owner_of(folder: Path) -> list[str]:
    """The server refuses to run as root: then it runs as whoever its package made, or as nobody."""
    if os.geteuid() != 0:
        return []
    name = next((user for user in ("postgres", "nobody") if _exists(user)), "nobody")
    shutil.chown(folder, name)
    return ["setpriv", "--reuid", name, "--regid", str(pwd.getpwnam(name).pw_gid), "--clear-groups"]


def _exists(user: str) -> bool:
    try:
        pwd.getpwnam(user)
    except KeyError:
        return False
    return True


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _run(owner: list[str], *command: object) -> None:
    # Output goes to a file and not to a pipe: the server inherits it, and a pipe would never end.
    with tempfile.TemporaryFile() as output:
        done = subprocess.run([*owner, *map(str, command)], stdout=output, stderr=output, cwd="/", check=False)
        if done.returncode:
            output.seek(0)
            raise RuntimeError(f"{command[0]} failed: {output.read().decode(errors='replace').strip()}")
