"""The gate, fastest first: format, lint, types, import walls, migrations, deployment checks, tests on both databases, and in a browser.

What this machine cannot run is left out and named at the end; with `CI=true` nothing may be left out.
"""

import argparse
import os
import secrets
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tools.chromium import find_chromium  # noqa: E402
from tools.postgres import find_server, running_server  # noqa: E402

BIN = Path(sys.executable).parent
CODE = ("selection", "smista_site", "tests", "tools", "benchmarks", "manage.py")
DEPLOYED = {
    "SMISTA_ALLOWED_HOSTS": "inspector.example",
    "SMISTA_SECRET_KEY": secrets.token_urlsafe(64),
    "SMISTA_HTTPS": "on",
}


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the gate."""

    name: str
    command: tuple[str, ...]
    environment: dict[str, str]


def static_steps() -> list[Step]:
    """Give the steps that run no test."""
    python = str(BIN / "python")
    return [
        Step("format", (str(BIN / "ruff"), "format", "--check", "--quiet", "."), {}),
        Step("lint", (str(BIN / "ruff"), "check", "--quiet", "."), {}),
        Step("types", (str(BIN / "mypy"), "--no-error-summary", *CODE), {"DJANGO_SETTINGS_MODULE": "tests.settings"}),
        Step("import walls", (str(BIN / "lint-imports"), "--no-cache"), {}),
        Step("migrations", (python, "manage.py", "makemigrations", "--check", "--dry-run"), {"SMISTA_HTTPS": "off"}),
        Step(
            "deployment", (python, "-Wdefault", "manage.py", "check", "--deploy", "--fail-level", "WARNING"), DEPLOYED
        ),
    ]


def tests(name: str, *arguments: str, **environment: str) -> Step:
    """Give a step that runs tests."""
    return Step(name, (str(BIN / "python"), "-m", "pytest", *arguments), environment)


STORING = tuple(f"tests/browser/test_{name}.py" for name in ("first_steps", "sealed", "work"))


def run(step: Step) -> bool:
    """Run one step and say how it went."""
    began = time.monotonic()
    done = subprocess.run(step.command, cwd=ROOT, env=os.environ | step.environment, check=False)
    print(
        f"{'ok    ' if done.returncode == 0 else 'FAILED'} {step.name} ({time.monotonic() - began:.0f} s)", flush=True
    )
    return done.returncode == 0


def main() -> int:
    """Run the gate; 0 when everything that can run here passes."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--static", action="store_true", help="leave the tests out")
    left_out: list[str] = []
    with ExitStack() as stack:
        steps: list[Callable[[], Step | None]] = [partial(_given, step) for step in static_steps()]
        if not arguments.parse_args().static:
            steps += [
                lambda: tests("tests on SQLite", "-n", "2", "-m", "not browser"),
                lambda: _on_postgres(stack, left_out),
                lambda: _in_browser("browser tests on SQLite", left_out),
                lambda: _in_browser("browser tests on PostgreSQL", left_out, stack),
            ]
        passed = all(run(step) for make in steps if (step := make()) is not None)
    for reason in left_out:
        print(f"left out: {reason}")
    return 0 if passed and not (left_out and os.environ.get("CI") == "true") else 1


def _given(step: Step) -> Step:
    return step


def _postgres(stack: ExitStack, left_out: list[str]) -> str | None:
    """Give the address of a server that runs until `stack` closes, the same for every step."""
    programs = find_server()
    if programs is None:
        left_out.append("tests on PostgreSQL: no server is installed (such as the package `postgresql`)")
        return None
    return stack.enter_context(running_server(programs))


def _on_postgres(stack: ExitStack, left_out: list[str]) -> Step | None:
    address = _postgres(stack, left_out)
    if address is None:
        return None
    # The engine and the documents know no database: an import contract holds them to it, and one run tells as much as two.
    apart = ("--ignore=tests/engine", "--ignore=tests/documents")
    return tests("tests on PostgreSQL", "-n", "2", "-m", "not browser", *apart, DATABASE_URL=address)


def _in_browser(name: str, left_out: list[str], stack: ExitStack | None = None) -> Step | None:
    chromium = find_chromium()
    if chromium is None:
        left_out.append(f"{name}: no Chromium is installed (such as the package `chromium`)")
        return None
    environment = {"SMISTA_CHROMIUM": chromium}
    if stack is not None:
        address = _postgres(stack, left_out)
        if address is None:
            return None
        # What a page shows is nothing to the database: the walks that store something are enough, the other pages are asked on both without a browser.
        environment |= {"DATABASE_URL": address, "SMISTA_AXE": "off"}
        return tests(name, "-n", "2", "-m", "browser", *STORING, **environment)
    return tests(name, "-n", "2", "-m", "browser", **environment)


if __name__ == "__main__":
    sys.exit(main())
