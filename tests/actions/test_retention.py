"""Retention: what was previewed goes, and nothing else; what remains verifies, and says what went."""

from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from selection.actions.audit.partitions import keep_partitions
from selection.actions.audit.retention import ExtentChanged, Scope, apply_retention, preview_retention
from selection.actions.audit.verify import verify_audit
from selection.actions.delete_session import delete_session
from selection.actions.import_bundle import import_bundle
from selection.demo import story
from selection.models import (
    AuditEntry,
    AuditTally,
    RecordedPath,
    SelectionRun,
    Session,
    SessionContextReference,
    SessionRunInput,
    UserMemory,
)
from tests.recording import record
from tests.tampering import without_guards

pytestmark = pytest.mark.django_db
LONG_AGO = datetime(2026, 1, 31, 23, 59, tzinfo=UTC)


@pytest.fixture
def runs(ada: User, turns: list[SessionRunInput]) -> list[SelectionRun]:
    old = [record(ada, row, LONG_AGO + timedelta(minutes=place)) for place, row in enumerate(turns[:3])]
    return [*old, *(record(ada, row) for row in turns[2:5])]


def test_what_was_previewed_goes_and_the_rest_verifies(ada: User, runs: list[SelectionRun]) -> None:
    scope = Scope(before=LONG_AGO + timedelta(days=1))
    extent = preview_retention(scope)
    kept = set(SessionContextReference.objects.filter(run__in=runs[3:]).values_list("pk", flat=True))
    assert (extent.runs, extent.first) == (3, LONG_AGO)
    gone = apply_retention(ada, scope, extent.rows)
    assert gone == extent
    assert set(SessionContextReference.objects.values_list("pk", flat=True)) == kept
    assert SessionRunInput.objects.filter(pk=runs[0].run_input_id).exists()
    found = verify_audit()
    assert (found.whole, found.runs, found.removed) == (True, 3, 3)
    entry = AuditEntry.objects.get(kind="retention")
    assert (entry.actor, entry.payload["entries"], entry.payload["went"]["runs"]) == ("ada", [[1, 3]], 3)


def test_the_tally_and_the_paths_are_those_of_what_remains(ada: User, runs: list[SelectionRun]) -> None:
    apply_retention(ada, Scope(before=LONG_AGO + timedelta(days=1)))
    named = set(SessionContextReference.objects.filter(path__isnull=False).values_list("path", flat=True))
    assert set(RecordedPath.objects.values_list("path", flat=True)) == named
    assert (
        sum(row.references for row in AuditTally.objects.filter(user_id=0)) == SessionContextReference.objects.count()
    )
    assert not AuditTally.objects.filter(day=LONG_AGO.date()).exists()
    assert runs


def test_what_changed_since_the_preview_is_previewed_again(ada: User, runs: list[SelectionRun]) -> None:
    scope = Scope(sessions=(runs[0].session_id,))
    extent = preview_retention(scope)
    record(ada, runs[0].run_input)
    with pytest.raises(ExtentChanged, match="changed since it was previewed"):
        apply_retention(ada, scope, extent.rows)
    assert Session.objects.filter(pk=runs[0].session_id).exists()


def test_a_session_goes_whole_and_what_is_remembered_of_its_user_stays(ada: User, runs: list[SelectionRun]) -> None:
    other = import_bundle(ada, story())
    kept = record(ada, SessionRunInput.objects.filter(session=other)[0])
    memories = UserMemory.objects.count()
    delete_session(Session.objects.get(pk=runs[0].session_id))
    assert list(SelectionRun.objects.all()) == [kept]
    assert UserMemory.objects.count() == memories > 0
    found = verify_audit()
    assert (found.whole, found.runs, found.removed) == (True, 1, 6)


def test_a_row_that_retention_removed_and_that_is_there_again_is_named(ada: User, runs: list[SelectionRun]) -> None:
    run = SelectionRun.objects.get(pk=runs[0].pk)
    apply_retention(ada, Scope(before=LONG_AGO + timedelta(days=1)))
    with without_guards():
        run.save(force_insert=True)
    assert f"the run ({run.pk}) is there, although retention removed it" in str(verify_audit().breaks[0])


def test_a_run_taken_out_with_no_retention_is_named(runs: list[SelectionRun]) -> None:
    with without_guards():
        SessionContextReference.objects.filter(run=runs[1])._raw_delete("default")
    assert f"reference 1 is missing, of run {runs[1].pk}" in str(verify_audit().breaks[0])


def test_the_command_previews_and_then_removes(runs: list[SelectionRun]) -> None:
    def said(*arguments: str) -> str:
        out = StringIO()
        call_command("retain", *arguments, stdout=out)
        return out.getvalue()

    assert said("--before", "2026-02-02").startswith("would remove 3 runs with ")
    assert SelectionRun.objects.count() == len(runs)
    told = said("--before", "2026-02-02", "--apply")
    assert told.startswith("removed 3 runs with ")
    assert "from 2026-01-31 to 2026-02-01" in told
    assert said("--older-than", "30").startswith("would remove 0 runs")
    for days in ("0", "9999999"):
        with pytest.raises(CommandError, match="--older-than"):
            call_command("retain", "--older-than", days)


def test_the_audit_is_verified_and_anchored_by_commands(
    runs: list[SelectionRun], tmp_path: Path, settings: object
) -> None:
    out = StringIO()
    key, file = tmp_path / "keys" / "audit.key", tmp_path / "anchors"
    call_command("anchor_audit", "--make-key", str(key), stdout=out)
    public = out.getvalue().strip()
    settings.AUDIT_KEY = str(key)  # type: ignore[attr-defined]
    call_command("anchor_audit", "--file", str(file), stdout=out)
    call_command("verify_audit", "--anchors", str(file), "--public-key", public, stdout=out)
    assert "1 anchors met" in out.getvalue()
    assert "verified" in out.getvalue()
    with pytest.raises(CommandError, match=r"anchors:1: the signature does not hold"):
        call_command("verify_audit", "--anchors", str(file), "--public-key", "A" * 43 + "=")
    file.write_text(file.read_text().replace('"sequence": 6', '"sequence": 5'))
    with pytest.raises(CommandError, match=r"anchors:1: the signature does not hold"):
        call_command("verify_audit", "--anchors", str(file))
    for line, why in (("{}", "is no anchor"), ('{"sequence": 1, "digest": "x"}', "is not signed")):
        file.write_text(line)
        with pytest.raises(CommandError, match=why):
            call_command("verify_audit", "--anchors", str(file), "--public-key", public)
    with without_guards():
        SessionContextReference.objects.filter(run=runs[2], position=0).update(reason="Because.")
    with pytest.raises(CommandError, match="not as it was recorded"):
        call_command("verify_audit", stdout=out)
    assert "entry 3: reference 1 (" in out.getvalue()
    assert AuditEntry.objects.order_by("-sequence")[0].payload["first_break"].startswith("entry 3: reference 1")


def test_what_falls_outside_of_the_months_moves_where_it_belongs(ada: User, turns: list[SessionRunInput]) -> None:
    record(ada, turns[0], LONG_AGO)
    made = keep_partitions()
    assert made in ([], ["session_context_reference_2026_01"])
    assert keep_partitions() == []
    assert verify_audit().whole
