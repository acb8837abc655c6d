"""The commands of a key's holder: make a key, seal a session, open a turn."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from selection.demo import story
from selection.documents.bundles import read_bundle, write_bundle
from selection.keyholder import read_key_file
from selection.management.people import local_owner
from selection.models import SelectionRun, Session
from tests.leaks import found_at_rest, spellings_of_key, spellings_of_text
from tests.sealed import rows_of

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> tuple[str, str]:
    out, err = StringIO(), StringIO()
    call_command(*arguments, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


@pytest.fixture
def key(tmp_path: Path) -> Path:
    path = tmp_path / "keys" / "mine.key"
    run("keygen", "--output", str(path))
    return path


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    path = tmp_path / "plain.json"
    with path.open("wb") as out:
        write_bundle(story(), out)
    return path


@pytest.fixture
def turns(key: Path, bundle: Path, tmp_path: Path) -> list[str]:
    sealed = tmp_path / "sealed.json"
    run("seal_session", str(bundle), "--key", str(key), "--output", str(sealed))
    run("import_session", str(sealed))
    session = Session.objects.get(user=local_owner())
    assert (session.encrypted, session.key_id) == (True, read_key_file(key).key_id)
    return [str(row.pk) for row in rows_of(session)]


def test_keygen_prints_what_the_key_is_called_and_never_the_key(tmp_path: Path) -> None:
    path = tmp_path / "keys" / "one.key"
    out, err = run("keygen", "--output", str(path))
    assert out.strip() == read_key_file(path).key_id
    assert path.read_text().strip() not in out + err
    with pytest.raises(CommandError, match="never overwritten"):
        run("keygen", "--output", str(path))


def test_keygen_has_a_place_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    out, _ = run("keygen")
    [path] = (tmp_path / ".smista" / "keys").iterdir()
    assert path.name == f"{out.strip()}.key"
    assert path.parent.stat().st_mode & 0o777 == 0o700


def test_a_session_is_sealed_to_a_file_of_its_owner(key: Path, bundle: Path, tmp_path: Path) -> None:
    sealed = tmp_path / "sealed.json"
    _, err = run("seal_session", str(bundle), "--key", str(key), "--output", str(sealed))
    assert sealed.stat().st_mode & 0o777 == 0o600
    assert "in clear stay the title" in err
    assert read_bundle(sealed.read_bytes()).session.key_id == read_key_file(key).key_id
    with pytest.raises(CommandError, match=r"session\.key_id: the session is sealed already"):
        run("seal_session", str(sealed), "--key", str(key))


def test_a_sealed_session_goes_to_standard_output(key: Path, bundle: Path) -> None:
    out, _ = run("seal_session", str(bundle), "--key", str(key))
    assert read_bundle(out).session.key_id == read_key_file(key).key_id


@pytest.mark.parametrize("what", ["no bundle", "no key", "not a bundle", "not a key"])
def test_what_cannot_be_sealed_is_told_with_its_place(key: Path, bundle: Path, tmp_path: Path, what: str) -> None:
    wrong = tmp_path / "wrong"
    if what.startswith("not"):
        wrong.write_text("{}")
        wrong.chmod(0o600)
    given = (wrong, key) if what.endswith("bundle") else (bundle, wrong)
    with pytest.raises(CommandError, match=f"{wrong}: "):
        run("seal_session", str(given[0]), "--key", str(given[1]))


def test_a_turn_is_opened_in_the_terminal(key: Path, turns: list[str]) -> None:
    out, err = run("open_turn", turns[2], "--key", str(key))
    assert "status: awaiting_approval" in out
    assert "opened 19 rows" in err
    prompt, _ = run("open_turn", turns[2], "--key", str(key), "--prompt")
    assert json.loads(prompt)["messages"][-1]["content"] == story().turns[2].input.text


def test_an_opened_turn_is_recorded_without_content(key: Path, turns: list[str]) -> None:
    _, err = run("open_turn", turns[2], "--key", str(key), "--record")
    assert "recorded 22 references" in err
    assert SelectionRun.objects.get().opened
    assert found_at_rest(spellings_of_text("Keep functions small")) == []
    assert found_at_rest(spellings_of_key(read_key_file(key).data)) == []


def test_a_wrong_key_opens_nothing_and_names_every_row(turns: list[str], tmp_path: Path) -> None:
    other = tmp_path / "keys" / "other.key"
    run("keygen", "--output", str(other))
    with pytest.raises(CommandError, match=r"(?s)19 of 19 rows do not open:.*message:m1: is sealed with another key"):
        run("open_turn", turns[2], "--key", str(other))


def test_a_turn_of_somebody_else_is_not_there(key: Path, turns: list[str], ada: object) -> None:
    del ada
    with pytest.raises(CommandError, match="no turn"):
        run("open_turn", turns[2], "--key", str(key), "--user", "ada")


def test_the_demo_prints_the_key_of_its_sealed_session_each_time(tmp_path: Path, settings: pytest.MonkeyPatch) -> None:
    settings.DATA_DIR = tmp_path  # type: ignore[attr-defined]
    first, _ = run("demo")
    again, _ = run("demo")
    path = tmp_path / "keys" / "demo.key"
    assert path.read_text().strip() in first
    assert again.count("\n") == 1
    assert path.read_text().strip() in again
    path.unlink()
    gone, _ = run("demo")
    assert "is gone; delete that session" in gone
