"""Settings come from the environment: what is wrong stops the start and is named; the defaults are safe."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
OWN = {"DATABASE_URL", *(name for name in os.environ if name.startswith("SMISTA_"))}
KEY = "k" * 50


def start(tmp_path: Path, code: str = "pass", **environment: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if name not in OWN}
    clean |= {"SMISTA_DATA_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "smista_site.settings"} | environment
    return subprocess.run(
        [sys.executable, "-c", f"from smista_site import settings; {code}"],
        cwd=ROOT,
        env=clean,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("environment", "says"),
    [
        ({"SMISTA_DEBUG": "maybe"}, "SMISTA_DEBUG: `maybe` is neither `on` nor `off`"),
        ({"SMISTA_MAX_IMPORT_MB": "lots"}, "SMISTA_MAX_IMPORT_MB: `lots` is not a whole number of at least 1"),
        ({"SMISTA_MAX_IMPORT_MB": "0"}, "SMISTA_MAX_IMPORT_MB: `0` is not a whole number of at least 1"),
        ({"SMISTA_SECRET_KEY": "short"}, "SMISTA_SECRET_KEY: shorter than 50 characters"),
        ({"SMISTA_ALLOWED_HOSTS": "inspector.example"}, "SMISTA_SECRET_KEY: needed as soon as"),
        ({"SMISTA_ALLOWED_HOSTS": "inspector.example", "SMISTA_HTTPS": "off", "SMISTA_SECRET_KEY": KEY}, "SMISTA_HTTPS: `off` is refused"),
        ({"DATABASE_URL": "mysql://somewhere/else"}, "DATABASE_URL: only `postgres://` and `sqlite://`"),
    ],
    ids=["switch", "number", "too small", "short key", "no key", "in clear", "database"],
)  # fmt: skip
def test_a_wrong_value_stops_the_start_and_is_named(tmp_path: Path, environment: dict[str, str], says: str) -> None:
    done = start(tmp_path, **environment)
    assert done.returncode != 0
    assert says in done.stderr


def test_the_defaults_are_safe(tmp_path: Path) -> None:
    told = start(
        tmp_path,
        "print(settings.DEBUG, settings.ALLOWED_HOSTS, settings.SESSION_COOKIE_SECURE, settings.CSRF_COOKIE_SECURE, settings.SECURE_SSL_REDIRECT)",
    )
    assert told.stdout.strip() == "False ['127.0.0.1', 'localhost', '[::1]'] True True True"


def test_a_key_is_made_once_kept_and_readable_by_its_owner_alone(tmp_path: Path) -> None:
    first, second = (start(tmp_path, "print(settings.SECRET_KEY)").stdout for _ in range(2))
    assert first == second
    assert len(first.strip()) >= 50
    assert (tmp_path / "secret_key").stat().st_mode & 0o077 == 0


def test_postgresql_is_chosen_by_its_address(tmp_path: Path) -> None:
    told = start(
        tmp_path, "print(settings.DATABASES['default']['ENGINE'])", DATABASE_URL="postgres://user@127.0.0.1/name"
    )
    assert told.stdout.strip() == "django.db.backends.postgresql"


def test_deployed_modules_import_each_other_by_the_names_that_pages_use(tmp_path: Path) -> None:
    done = start(
        tmp_path,
        "import django; from django.conf import settings; django.setup(); settings.STATIC_ROOT = settings.DATA_DIR / 'static';"
        "from django.core.management import call_command; call_command('collectstatic', verbosity=0, interactive=False)",
        SMISTA_ALLOWED_HOSTS="inspector.example",
        SMISTA_SECRET_KEY=KEY,
    )
    assert done.returncode == 0, done.stderr
    named = {
        path.name: re.findall(r'from "(.+?)"', path.read_text())
        for folder in ("selection", "vendor/noble-ciphers")
        for path in (tmp_path / "static" / folder).rglob("*.js")
        if re.search(r"\.[0-9a-f]{12}\.js$", path.name)
    }
    imported = [name for names in named.values() for name in names]
    assert len(imported) > 5
    assert all(Path(name).name in named for name in imported)
