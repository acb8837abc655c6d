"""The commands: thin, exact in what they print, and clear in what they refuse."""

import json
import zipfile
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import CommandError

from selection.actions.import_bundle import import_bundle
from selection.demo import story
from selection.documents.bundles import read_bundle
from selection.documents.turn import read_turn, write_turn
from selection.engine.values import AttachedFile, Attachments, TurnInput, UserInput
from selection.models import Session
from tests.importers.samples import SAMPLES

TURN = TurnInput(
    input=UserInput(text="hello"),
    attachments=Attachments(files=(AttachedFile(path="a\x1b[31m\u202e.py", content="x" * 40, required=True),)),
    policy=story().turns[0].policy,
    models=story().models,
    credentials=("anthropic",),
)


def run(*arguments: str, **options: Any) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out, **options)
    return out.getvalue()


@pytest.fixture
def turn(tmp_path: Path) -> Path:
    place = tmp_path / "turn.json"
    place.write_text(json.dumps(write_turn(TURN)))
    return place


def test_select_prints_the_ledger_as_a_person_reads_it(turn: Path) -> None:
    told = run("select", str(turn))
    assert told.startswith("`anthropic/claude-sonnet` serves this turn, as the default route says.")
    assert "Required: the client marked this file as required." in told
    assert "effective budget 4,608" in told


def test_a_terminal_is_never_given_control_characters(turn: Path) -> None:
    told = run("select", str(turn))
    assert "\x1b" not in told
    assert "\u202e" not in told
    assert "a\\u001b[31m\\u202e.py" in told


def test_select_prints_json_in_the_vectors_shape(turn: Path) -> None:
    outcome = json.loads(run("select", str(turn), "--json"))
    assert outcome["model"] == "anthropic/claude-sonnet"
    assert outcome["budget"]["used"] == 10
    assert set(outcome) >= {
        "classification",
        "route",
        "attempts",
        "candidates",
        "ranking",
        "included",
        "excluded",
        "reasons",
    }


def test_select_refuses_what_is_no_turn_with_places(tmp_path: Path) -> None:
    place = tmp_path / "turn.json"
    place.write_text('{"input": {"text": "a"}, "workspace": {"root": 1}}')
    with pytest.raises(CommandError, match=r"workspace\.root: is not text"):
        run("select", str(place))
    with pytest.raises(CommandError, match="no such file"):
        run("select", str(tmp_path / "absent.json"))


@pytest.mark.django_db
def test_import_and_export_round_trip(tmp_path: Path, ada: User) -> None:
    import_bundle(ada, story())
    first = Session.objects.get()
    run("export_session", str(first.pk), user="ada", output=tmp_path / "out.json")
    assert read_bundle((tmp_path / "out.json").read_bytes()) == story()
    told = run("import_session", str(tmp_path / "out.json"), user="ada")
    assert "12 turns" in told
    assert read_bundle(run("export_session", str(Session.objects.exclude(pk=first.pk).get().pk), user="ada")) == story()


@pytest.mark.django_db
def test_one_bad_file_is_told_and_the_others_are_imported(tmp_path: Path, ada: User) -> None:
    bad, good = tmp_path / "bad.json", tmp_path / "good.jsonl"
    bad.write_text("{}")
    good.write_text('{"type":"user","uuid":"u","sessionId":"s","message":{"role":"user","content":"hello"}}\n')
    errors = StringIO()
    with pytest.raises(CommandError, match="1 of 2 files were not imported"):
        run("import_session", str(bad), str(good), user="ada", stderr=errors)
    assert "not a recording of a known format; it looks like a JSON object" in errors.getvalue()
    assert Session.objects.owned_by(ada).count() == 1


@pytest.mark.django_db
def test_of_a_folder_all_files_are_tried_and_what_is_no_session_does_not_fail(tmp_path: Path, ada: User) -> None:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "README.md").write_text("nothing of the kind")
    sample = next(sample for sample in SAMPLES if sample.format == "codex")
    (tmp_path / "deep" / "er" / "a.jsonl").write_bytes(sample.data)
    with zipfile.ZipFile(tmp_path / "more.zip", "w") as packed:
        packed.writestr("b\x1b[31m.jsonl", sample.data.replace(b"thanks", b"bye"))
    told, errors = run("import_session", str(tmp_path), user="ada", stderr=(heard := StringIO())), heard.getvalue()
    assert told.splitlines()[-1] == "1 refused, 2 imported"
    assert "README.md: not a recording" in errors
    assert "deep/er/a.jsonl: session" in told
    assert "\x1b" not in told + errors
    assert Session.objects.owned_by(ada).count() == 2
    assert "2 known" in run("import_session", str(tmp_path), user="ada", stderr=StringIO())


@pytest.mark.django_db
def test_a_folder_without_a_session_fails(tmp_path: Path, ada: User) -> None:  # noqa: ARG001 - whose it would be
    (tmp_path / "README.md").write_text("nothing of the kind")
    with pytest.raises(CommandError, match="1 of 1 files were not imported"):
        run("import_session", str(tmp_path), user="ada", stderr=StringIO())


@pytest.mark.django_db
def test_calling_an_import_off_leaves_nothing(tmp_path: Path, ada: User, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("selection.actions.watch.Watch.heed", interrupt)
    (tmp_path / "a.jsonl").write_bytes(SAMPLES[0].data)
    with pytest.raises(CommandError, match="called off: nothing of the file at hand was stored") as stopped:
        run("import_session", str(tmp_path / "a.jsonl"), user="ada")
    assert stopped.value.returncode == 130
    assert not Session.objects.owned_by(ada).exists()


class Terminal(StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        """It is."""
        return True


@pytest.mark.django_db
def test_a_terminal_shows_how_far_a_file_is(tmp_path: Path, ada: User, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ARG001 - whose it becomes
    monkeypatch.setattr("selection.actions.watch._SECONDS", 0)
    (tmp_path / "a.jsonl").write_bytes(SAMPLES[0].data)
    run("import_session", str(tmp_path / "a.jsonl"), user="ada", stderr=(heard := Terminal()))
    assert "a.jsonl: reading and storing, 100 % of 0 MB" in heard.getvalue()


@pytest.mark.django_db
def test_another_users_session_does_not_exist_for_export(session: Session, eve: User) -> None:
    with pytest.raises(CommandError, match="no session"):
        run("export_session", str(session.pk), user=eve.username)
    with pytest.raises(CommandError, match="no user is called `nobody`"):
        run("export_session", str(session.pk), user="nobody")


@pytest.mark.django_db
def test_the_demo_loads_once() -> None:
    assert "12 turns" in run("demo")
    assert "loaded" not in run("demo")
    owner = User.objects.get(username="owner")
    assert owner.is_superuser
    assert not owner.has_usable_password()
    assert Session.objects.owned_by(owner).count() == 3


@pytest.mark.django_db
def test_a_sign_in_link_names_the_server() -> None:
    assert run("sign_in_link", at="http://127.0.0.1:9000/").startswith("http://127.0.0.1:9000/sign-in/link/?sesame=")


def test_a_turn_document_reads_back_equal() -> None:
    assert read_turn(json.dumps(write_turn(TURN))) == TURN
