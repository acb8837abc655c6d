"""Read the environment: a value that is wrong stops the start with the name of its variable, never with a guess."""

import secrets
from pathlib import Path

import environ
from django.core.exceptions import ImproperlyConfigured

LOOPBACK = frozenset({"127.0.0.1", "localhost", "[::1]", "::1"})
_SWITCH = {"on": True, "1": True, "true": True, "yes": True, "off": False, "0": False, "false": False, "no": False}
_SHORTEST_KEY = 50


def read_switch(env: environ.Env, name: str, *, default: bool) -> bool:
    """Read `on` or `off`."""
    raw = env.str(name, default="on" if default else "off").strip().lower()
    if raw not in _SWITCH:
        raise ImproperlyConfigured(f"{name}: `{raw}` is neither `on` nor `off`")
    return _SWITCH[raw]


def read_number(env: environ.Env, name: str, *, default: int, least: int) -> int:
    """Read a whole number that is at least `least`."""
    raw = env.str(name, default=str(default)).strip()
    if not raw.isascii() or not raw.isdigit() or int(raw) < least:
        raise ImproperlyConfigured(f"{name}: `{raw}` is not a whole number of at least {least}")
    return int(raw)


def read_database(env: environ.Env, name: str, *, default: Path) -> dict[str, object]:
    """Read a database address; SQLite at `default` where there is none."""
    if not env.str(name, default=""):
        return {"ENGINE": "django.db.backends.sqlite3", "NAME": str(default)}
    try:
        found: dict[str, object] = dict(env.db(name))
    except Exception as error:
        raise ImproperlyConfigured(f"{name}: not a database address such as `postgres://user@host/name`") from error
    if str(found.get("ENGINE")).rsplit(".", 1)[-1] not in {"sqlite3", "postgresql"}:
        raise ImproperlyConfigured(f"{name}: only `postgres://` and `sqlite://` addresses are supported")
    return found


def require_https_beyond_loopback(hosts: list[str], *, https: bool) -> None:
    """Refuse cookies in clear anywhere but on the machine itself."""
    beyond = sorted(set(hosts) - LOOPBACK)
    if beyond and not https:
        raise ImproperlyConfigured(f"SMISTA_HTTPS: `off` is refused while SMISTA_ALLOWED_HOSTS names `{beyond[0]}`")


def read_secret_key(env: environ.Env, name: str, *, kept_at: Path, hosts: list[str]) -> str:
    """Read the secret key; on the machine itself one is made once and kept beside the data."""
    given = str(env.str(name, default=""))
    if given:
        if len(given) < _SHORTEST_KEY:
            raise ImproperlyConfigured(f"{name}: shorter than {_SHORTEST_KEY} characters")
        return given
    if set(hosts) - LOOPBACK:
        raise ImproperlyConfigured(
            f"{name}: needed as soon as SMISTA_ALLOWED_HOSTS names another host than this machine"
        )
    return kept_at.read_text(encoding="ascii") if kept_at.exists() else _make_key(kept_at)


def _make_key(kept_at: Path) -> str:
    kept_at.parent.mkdir(parents=True, exist_ok=True)
    key = secrets.token_urlsafe(64)
    fresh = kept_at.with_suffix(f".{secrets.token_hex(4)}")
    fresh.touch(mode=0o600)
    fresh.write_text(key, encoding="ascii")
    # Whoever comes first wins, so that two processes that start together share one key.
    try:
        kept_at.hardlink_to(fresh)
    except FileExistsError:
        key = kept_at.read_text(encoding="ascii")
    finally:
        fresh.unlink()
    return key
