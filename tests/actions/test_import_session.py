"""Importing a recording: what is stored is what was read, all of it or nothing; and a recording that grew goes on where its session ends."""

import random
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User

from selection.actions.export_bundle import export_bundle
from selection.actions.gather_turn import gather_turn
from selection.actions.import_bundle import import_bundle
from selection.actions.import_session import ImportedSession, import_session
from selection.actions.record_run import record_run
from selection.actions.store_recording import store_recording
from selection.actions.watch import Cancelled, Phase, Progress, Watch
from selection.documents.bundle import BundleMessage, SessionBundle
from selection.documents.errors import InvalidDocument
from selection.engine import select
from selection.engine.codes import Role
from selection.importers import read_session
from selection.importers.parts import Part
from selection.models import (
    ModelDescriptor,
    SelectionRun,
    Session,
    SessionMessage,
    SessionMessageContent,
    SessionRunInput,
    SessionRunInputContent,
)
from tests.importers.harm import HARMS
from tests.importers.samples import SAMPLES, Sample, lines

pytestmark = pytest.mark.django_db
TABLES = (
    Session,
    SessionMessage,
    SessionMessageContent,
    SessionRunInput,
    SessionRunInputContent,
    ModelDescriptor,
)
each_sample = pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: f"{sample.format}:{sample.name}")


@pytest.fixture
def user() -> User:
    return User.objects.create_user("ann")


def brought(user: User, data: bytes, **options: Any) -> ImportedSession:
    return import_session(user, "recording", BytesIO(data), **options)


def rows_stored() -> dict[str, int]:
    return {table.__name__: table._default_manager.count() for table in TABLES}


def comparable(bundle: SessionBundle) -> Any:
    """A bundle without the keys that storing makes."""
    return bundle.messages, bundle.turns, bundle.models, bundle.session.title, bundle.session.created_at


@each_sample
def test_what_is_stored_part_by_part_is_what_the_whole_would_store(user: User, sample: Sample) -> None:
    streamed = brought(user, sample.data).session
    whole = import_bundle(user, read_session("recording", sample.data).bundle)
    assert comparable(export_bundle(streamed)) == comparable(export_bundle(whole))
    kept = ("position", "recorded_at", "after_message__position")
    timed = SessionRunInput.objects.filter(recorded_at__isnull=False)
    for columns, rows in ((kept, SessionRunInput.objects.all()), (("position", "created_at"), timed)):
        streamed_rows, whole_rows = (
            list(rows.filter(session=each).values_list(*columns)) for each in (streamed, whole)
        )
        assert streamed_rows == whole_rows


def told_of(data: bytes) -> tuple[SessionBundle | None, list[str]]:
    """Read a file whole; or tell why it is refused."""
    try:
        return read_session("recording", data).bundle, []
    except InvalidDocument as error:
        return None, [str(fault) for fault in error.faults]


@each_sample
@pytest.mark.parametrize("harm", HARMS, ids=lambda harm: harm.__name__)
def test_a_harmed_file_is_stored_as_it_is_read_or_not_at_all(
    user: User, sample: Sample, harm: Callable[[bytes, random.Random], bytes]
) -> None:
    chance = random.Random(f"{sample.format}{sample.name}{harm.__name__}")  # noqa: S311 - repeatable, no secret
    for _ in range(6):
        data = harm(sample.data, chance)
        Session.objects.all().delete()
        wanted, faults = told_of(data)
        if wanted is None:
            with pytest.raises(InvalidDocument) as refused:
                brought(user, data)
            assert [str(fault) for fault in refused.value.faults] == faults
            assert set(rows_stored().values()) == {0}
            continue
        stored = export_bundle(brought(user, data).session)
        assert len(stored.messages) == len(wanted.messages)
        assert [message.content for message in stored.messages] == [message.content for message in wanted.messages]
        assert [turn.input for turn in stored.turns] == [turn.input for turn in wanted.turns]


@pytest.mark.parametrize("after", [0, 1, 3, 2_500])
def test_an_error_in_the_middle_leaves_nothing(user: User, after: int) -> None:
    def parts() -> Iterator[Part]:
        for number in range(after):
            yield BundleMessage(id=f"m{number}", role=Role.TOOL, content="x" * 20_000)
        raise InvalidDocument([])

    with pytest.raises(InvalidDocument):
        store_recording(user, parts())
    assert set(rows_stored().values()) == {0}


def long_codex(turns: int) -> bytes:
    rows: list[dict[str, Any]] = [
        {"timestamp": "2026-03-01T10:00:00Z", "type": "session_meta", "payload": {"id": "c1", "cwd": "/srv/demo"}}
    ]
    for number in range(turns):
        for role, kind in (("user", "input_text"), ("assistant", "output_text")):
            content = [{"type": kind, "text": f"{role} {number} {'word ' * 4_000}"}]
            payload = {"type": "message", "role": role, "content": content}
            rows.append({"timestamp": "2026-03-01T10:00:01Z", "type": "response_item", "payload": payload})
    return lines(*rows)


def test_progress_is_told_and_calling_it_off_leaves_nothing(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("selection.actions.watch._SECONDS", 0)
    told: list[Progress] = []
    data = long_codex(100)
    brought(user, data, watch=Watch(told.append))
    assert {progress.phase for progress in told} == {Phase.CHECKING, Phase.STORING}
    assert all(0 <= progress.percent <= 100 and progress.size == len(data) for progress in told)
    assert told[-1].percent == 100
    Session.objects.all().delete()

    def call_off(progress: Progress) -> None:
        if progress.phase is Phase.STORING and progress.percent > 50:
            raise Cancelled

    with pytest.raises(Cancelled):
        brought(user, data, watch=Watch(call_off))
    assert set(rows_stored().values()) == {0}


GROWN = [sample for sample in SAMPLES if read_session("recording", sample.data).report.source]


def test_most_formats_name_their_sessions() -> None:
    assert {sample.format for sample in GROWN} >= {"claude-code", "codex", "gemini", "copilot", "pi"}


def test_a_session_that_grew_goes_on_and_keeps_its_recorded_runs(user: User) -> None:
    first = brought(user, long_codex(2))
    turn = SessionRunInput.objects.filter(session=first.session).order_by("position")[1]
    record_run(user, turn, select(gather_turn(turn)), uuid4())
    before = export_bundle(first.session)
    again = brought(user, long_codex(5))
    assert again.session.pk == first.session.pk
    assert again.grown
    assert any("6 messages and 3 turns were added" in line for line in again.lines)
    after = export_bundle(again.session)
    assert after.messages[:4] == before.messages
    assert after.turns[:2] == before.turns
    assert comparable(after) == comparable(read_session("recording", long_codex(5)).bundle)
    assert SelectionRun.objects.filter(session=first.session, run_input=turn).count() == 1
    assert brought(user, long_codex(5)).again


def test_a_session_whose_history_changed_stands_beside_the_earlier_one(user: User) -> None:
    first = brought(user, long_codex(3))
    other = brought(user, long_codex(4).replace(b"user 1", b"user one"))
    assert other.session.pk != first.session.pk
    assert not other.grown
    assert any("another history" in line for line in other.lines)
    assert SessionMessage.objects.filter(session=first.session).count() == 6
    assert SessionMessage.objects.filter(session=other.session).count() == 8


def long_claude(session: str, count: int) -> bytes:
    def row(number: int) -> dict[str, Any]:
        message = {"role": "user", "content": f"prompt {number}"}
        return {"type": "user", "uuid": f"u{number}", "sessionId": session, "message": message}

    return lines(*(row(number) for number in range(count)))


def test_imp_25_a_copy_that_goes_on_is_a_session_of_its_own_that_says_from_where(user: User) -> None:
    first = brought(user, long_claude("a", 5))
    second = brought(user, long_claude("b", 8))
    assert second.session.pk != first.session.pk
    assert (second.session.continues, second.session.shared_messages) == (first.session, 5)
    assert any("first 5 messages are also in a session" in line for line in second.lines)
    other = brought(User.objects.create_user("bob"), long_claude("c", 6))
    assert other.session.continues is None
    first.session.delete()
    second.session.refresh_from_db()
    assert second.session.continues is None


def test_double_count_the_same_session_in_two_files_is_one(user: User) -> None:
    brought(user, long_claude("a", 5))
    assert brought(user, long_claude("a", 8)).grown
    assert Session.objects.count() == 1


def test_a_shorter_recording_takes_nothing_away(user: User) -> None:
    first = brought(user, long_codex(4))
    shorter = brought(user, long_codex(2))
    assert shorter.session.pk != first.session.pk
    assert SessionMessage.objects.filter(session=first.session).count() == 8


def test_a_session_of_somebody_else_never_grows(user: User) -> None:
    brought(user, long_codex(2))
    other = brought(User.objects.create_user("bob"), long_codex(3))
    assert not other.grown
    assert SessionMessage.objects.filter(session__user=user).count() == 4
