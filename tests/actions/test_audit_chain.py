"""The chain: whatever is changed, taken out, put in or reordered among recorded rows is found and named; the database refuses it in the first place."""

import json
import os
import random
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import Group, User
from django.db import IntegrityError, connection, transaction
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from selection.actions.audit.adopt import adopt_runs
from selection.actions.audit.chain import GENESIS, head, note
from selection.actions.audit.guards import removal
from selection.actions.audit.verify import Anchor, Verified, note_verification, prove_run, verify_audit
from selection.actions.open_turn import open_turn
from selection.actions.record_run import record_run
from selection.actions.replays import Chosen, make_replay
from selection.models import (
    AuditEntry,
    AuditKind,
    SelectionRun,
    SessionContextReference,
    SessionRoutingDecision,
    SessionRunInput,
    TraceEvent,
    TraceEventContent,
)
from tests.conftest import client_of
from tests.tampering import without_guards

pytestmark = pytest.mark.django_db
RECORDED: tuple[type[Model], ...] = (
    SessionContextReference,
    SelectionRun,
    SessionRoutingDecision,
    TraceEvent,
    TraceEventContent,
    AuditEntry,
)
TEXT = """
version = 1
[privacy]
restricted_paths = ["src/**"]
[routing.default]
model = "anthropic/claude-sonnet"
"""
TAMPERINGS = int(os.environ.get("SMISTA_TAMPERINGS", "250"))


@pytest.fixture
def recorded(ada: User, turns: list[SessionRunInput]) -> list[SelectionRun]:
    return [record_run(ada, row, open_turn(row).outcome, uuid4()) for row in turns[:5]]


@contextmanager
def undone() -> Iterator[None]:
    """Undo at the end what the block does."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.mark.usefixtures("recorded")
def test_what_was_recorded_verifies() -> None:
    found = verify_audit()
    assert found.whole
    assert (found.runs, found.head) == (5, head())
    assert found.rows == sum(model._default_manager.count() for model in RECORDED[:4])


def test_an_empty_chain_verifies() -> None:
    assert verify_audit().whole
    assert head().digest == GENESIS


@pytest.mark.usefixtures("recorded")
@pytest.mark.parametrize("model", RECORDED)
def test_the_database_refuses_a_change_and_a_removal(model: type[Model]) -> None:
    rows = model._default_manager.all()
    column = next(field.name for field in model._meta.concrete_fields if field.name not in {"id", "pk"})
    with pytest.raises(IntegrityError, match="never changed"), transaction.atomic():
        rows.update(**{column: rows.values_list(column, flat=True)[0]})
    with pytest.raises(IntegrityError, match="retention alone"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {model._meta.db_table}")  # noqa: S608 - a name of our own


@pytest.mark.usefixtures("recorded")
def test_not_even_retention_changes_a_row_or_removes_an_entry() -> None:
    with pytest.raises(IntegrityError, match="never changed"), removal():
        SessionContextReference.objects.update(position=1)
    with pytest.raises(IntegrityError, match="retention alone"), removal():
        AuditEntry.objects.all().delete()


@pytest.mark.parametrize("model", [SessionContextReference, TraceEvent])
def test_nothing_is_added_to_a_run_that_was_recorded(recorded: list[SelectionRun], model: type[Model]) -> None:
    row = model._default_manager.filter(run=recorded[0])[0]
    row.pk, row.position = uuid4(), 9_999  # type: ignore[attr-defined]
    with pytest.raises(IntegrityError, match="nothing is added"), transaction.atomic():
        row.save(force_insert=True)


@pytest.mark.usefixtures("recorded")
def test_emptying_a_table_is_refused() -> None:
    statement = "TRUNCATE {} CASCADE" if connection.vendor == "postgresql" else "DELETE FROM {}"
    tables = ["session_context_reference", "audit_entry", "selection_run"]
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute(
                "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'session_context_reference'::regclass"
            )
            parts = [row[0] for row in cursor.fetchall()]
            assert len(parts) >= 13
            tables += parts
        for table in tables:
            with pytest.raises(IntegrityError, match="retention alone"), transaction.atomic():
                cursor.execute(statement.format(table))


def other(value: Any, chance: random.Random) -> Any:
    match value:
        case bool():
            return not value
        case int():
            return value + chance.choice((-1, 1)) if value else 1
        case bytes() | memoryview():
            return b"12345678" + bytes(value)
        case dict():
            return {**value, "and": 1}
        case str():
            return value[:-1] if value else "x"
    return [*value, 1]


def change(row: Any, chance: random.Random) -> str:
    """Change one column of a row; gives what the break must name."""
    kept = {"id", "run", "event", "user", "session", "run_input", "duplicate_of", "policy_version", "idempotency_key"}
    kept |= {"kind", "status", "error", "destination", "event_type", "reason_code", "sequence", "created_at"}
    names = [field.name for field in row._meta.concrete_fields if field.name not in kept]
    while True:
        name = chance.choice(names)
        value = getattr(row, name)
        changed = "x" if value is None else other(value, chance)
        changed = value + 500 if name == "position" else changed
        if changed != value and not (isinstance(changed, int) and changed < 0):
            break
    numbers = {"used_tokens", "required_tokens", "effective_budget", "reply_reserve", "rank", "window"}
    changed = 3 if changed == "x" and name in numbers else changed
    type(row)._default_manager.filter(pk=row.pk).update(**{name: changed})
    return named(row)


def named(row: Any) -> str:
    return f"entry {row.sequence}:" if isinstance(row, AuditEntry) else str(row.pk)


def take_out(row: Any, _chance: random.Random) -> str:
    """Delete one row alone."""
    with connection.cursor() as cursor:
        key = row.pk if connection.vendor == "postgresql" or isinstance(row.pk, int) else row.pk.hex
        cursor.execute(f"DELETE FROM {row._meta.db_table} WHERE {row._meta.pk.column} = %s", [key])  # noqa: S608 - names of our own
    match row:
        case AuditEntry():
            return "before it is missing"
        case SelectionRun():
            return f"the run is missing, of run {row.pk}"
        case SessionRoutingDecision():
            return f"the routing decision is missing, of run {row.run_id}"
        case TraceEventContent():
            return f"{row.pk}) was changed"
    return f"{row.position + 1} is missing, of run {row.run_id}"


def put_in(row: Any, _chance: random.Random) -> str:
    """Insert a copy of a row with a key of its own."""
    if isinstance(row, AuditEntry):
        row.sequence, row.run, row.kind = AuditEntry.objects.count() + 1, None, "sign_in"
    elif isinstance(row, TraceEventContent):
        return change(row, _chance)
    else:
        row.pk = uuid4()
        if isinstance(row, SelectionRun):
            row.idempotency_key = uuid4()
        elif isinstance(row, SessionRoutingDecision):
            row.run_id = _other_run(row)
            SessionRoutingDecision.objects.filter(run_id=row.run_id)._raw_delete("default")
        else:
            row.position += 1_000
    row.save(force_insert=True)
    return named(row)


def _other_run(row: SessionRoutingDecision) -> Any:
    return SelectionRun.objects.exclude(pk=row.run_id).values_list("pk", flat=True)[0]


def reorder(row: Any, _chance: random.Random) -> str:
    """Swap the places of two rows of a run, or of two entries."""
    if isinstance(row, SessionContextReference | TraceEvent):
        rows: Any = type(row)._default_manager
        neighbour = rows.filter(run=row.run_id).exclude(pk=row.pk)[0]
        for key, place in ((row.pk, 99_999), (neighbour.pk, row.position), (row.pk, neighbour.position)):
            rows.filter(pk=key).update(position=place)
        return f"of run {row.run_id}"
    if isinstance(row, AuditEntry):
        sequence = 1 if row.sequence != 1 else 2
        for old, new in ((row.sequence, 99_999), (sequence, row.sequence), (99_999, sequence)):
            AuditEntry.objects.filter(pk=old).update(sequence=new)
        return "was changed"
    return change(row, _chance)


def test_whatever_is_tampered_with_is_found_and_named(ada: User, recorded: list[SelectionRun]) -> None:
    note(AuditKind.SIGN_IN, ada, {})
    # The newest entry is last, and its removal is what an anchor is for.
    anchor = Anchor(sequence=head().sequence, digest=head().digest, place="here")
    kinds: tuple[Callable[[Any, random.Random], str], ...] = (change, take_out, put_in, reorder)
    keys = {model: list(model._default_manager.values_list("pk", flat=True)) for model in RECORDED}
    for seed in range(TAMPERINGS):
        chance = random.Random(seed)  # noqa: S311 - seeded, nothing secret
        with undone(), without_guards():
            model = chance.choice(RECORDED)
            row = model._default_manager.get(pk=chance.choice(keys[model]))
            tamper = chance.choice(kinds)
            is_last = isinstance(row, AuditEntry) and row.sequence == anchor.sequence and tamper is take_out
            expected = "the newest entries are gone" if is_last else tamper(row, chance)
            if is_last:
                take_out(row, chance)
            found = [str(each) for each in verify_audit([anchor], most=50).breaks]
            assert any(expected in each for each in found), (seed, tamper.__name__, expected, found)
    assert verify_audit([anchor]).whole
    assert recorded


def test_truncation_is_found_against_an_anchor_and_not_without(recorded: list[SelectionRun]) -> None:
    end = Anchor(sequence=head().sequence, digest=head().digest, place="anchors:1")
    with undone(), without_guards():
        for model in (TraceEventContent, TraceEvent, SessionRoutingDecision, SessionContextReference):
            field = "event__run" if model is TraceEventContent else "run"
            rows = model._default_manager.filter(**{field: recorded[-1].pk})
            rows._raw_delete("default") if model is not TraceEventContent else rows.delete()
        AuditEntry.objects.filter(sequence=end.sequence)._raw_delete("default")
        SelectionRun.objects.filter(pk=recorded[-1].pk)._raw_delete("default")
        found = verify_audit(most=50).breaks
        assert [each for each in found if "tally" not in each.what] == []
        assert "the newest entries are gone" in str(verify_audit([end]).breaks[0])


def test_a_chain_made_anew_is_found_against_an_anchor(recorded: list[SelectionRun]) -> None:
    end = Anchor(sequence=head().sequence, digest=head().digest, place="anchors:1")
    with undone(), without_guards():
        SessionContextReference.objects.filter(run=recorded[0], position=0).update(reason="Because.")
        AuditEntry.objects.all()._raw_delete("default")
        adopt_runs()
        assert [each for each in verify_audit(most=50).breaks if "tally" not in each.what] == []
        assert "not the one that was anchored" in str(verify_audit([end]).breaks[0])


def test_one_run_is_verified_by_itself(recorded: list[SelectionRun]) -> None:
    proof = prove_run(recorded[1].pk)
    assert proof.entry is not None
    assert (proof.entry.sequence, proof.broken, proof.removed) == (2, None, False)
    with undone(), without_guards():
        SessionContextReference.objects.filter(run=recorded[1], position=3).update(included=True, reason="Because.")
        assert "reference 4 (" in str(prove_run(recorded[1].pk).broken)
    assert prove_run(uuid4()).entry is None


def test_a_verification_leaves_an_entry_that_tells_what_it_covered(ada: User, recorded: list[SelectionRun]) -> None:
    found: Verified = verify_audit()
    entry = note_verification(ada, found)
    assert entry.payload["runs"] == len(recorded)
    assert entry.payload["first_break"] == ""
    assert verify_audit().whole


def test_a_sign_in_leaves_an_entry(ada: User) -> None:
    client_of(ada)
    entry = AuditEntry.objects.get()
    assert (entry.kind, entry.actor, entry.payload) == ("sign_in", "ada", {})


def test_an_auditor_may_see_what_was_recorded_and_change_nothing() -> None:
    codes = set(Group.objects.get(name="auditor").permissions.values_list("codename", flat=True))
    assert "audit" in codes
    assert {"view_sessioncontextreference", "view_selectionrun", "view_auditentry"} <= codes
    assert all(code == "audit" or code.startswith("view_") for code in codes)


def test_exports_and_replays_leave_entries(as_ada: Client, ada: User, turns: list[SessionRunInput]) -> None:
    session = turns[0].session_id
    as_ada.get(reverse("pages:export", args=[session]))
    replay = make_replay(ada, "try", TEXT, Chosen())
    address = reverse("pages:replay_export", args=[replay.pk, "turns", "csv"])
    archive = b"".join(as_ada.get(address).streaming_content)  # type: ignore[attr-defined]
    with zipfile.ZipFile(BytesIO(archive)) as held:
        manifest = json.loads(held.read("manifest.json"))
    told = [(entry.kind, entry.payload) for entry in AuditEntry.objects.exclude(kind="sign_in").order_by("sequence")]
    assert [kind for kind, _ in told] == ["export", "policy_preview", "export"]
    assert told[0][1] == {"what": "session", "form": "json"}
    assert told[1][1] == {"replay": str(replay.pk), "policy_digest": replay.digest, "turns": len(turns)}
    assert manifest["chain_head"] == {"sequence": head().sequence, "digest": head().digest}
    assert verify_audit().whole
