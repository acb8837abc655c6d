"""An export is everything that the list matches, as the screen shows it, and no cell of it runs."""

import csv
import io
import json
import zipfile
from pathlib import Path
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client

from selection.actions.exports import cell, verify_export
from selection.actions.open_turn import open_turn
from selection.actions.record_run import record_run
from selection.models import AuditEntry, SelectionRun, SessionContextReference, SessionRunInput
from tests.tampering import without_guards

pytestmark = pytest.mark.django_db
EXPORT = "/admin/selection/sessioncontextreference/export/"


@pytest.fixture
def run(ada: User, turns: list[SessionRunInput]) -> SelectionRun:
    return record_run(ada, turns[0], open_turn(turns[0]).outcome, uuid4())


def references(run: SelectionRun, count: int, *, included: bool, begin: int = 0) -> None:
    shared = {"run": run, "session": run.session, "user": run.user, "kind": "file", "required": False}
    SessionContextReference.objects.bulk_create(
        SessionContextReference(
            **shared,
            position=10_000 + begin + number,
            path=f"src/{number}.py",
            included=included,
            restricted=False,
            estimated_tokens=1,
            score=0,
            reason="",
        )
        for number in range(count)
    )


def sent(client: Client, address: str, folder: Path) -> str:
    """Give the rows of an export, which verifies."""
    answer = client.get(address)
    assert answer.status_code == 200
    path = folder / "export.zip"
    path.write_bytes(b"".join(answer.streaming_content))  # type: ignore[attr-defined]
    manifest, wrong = verify_export(path)
    assert wrong == ""
    ended = AuditEntry.objects.latest("sequence")
    assert (ended.kind, ended.payload["sha256"]) == ("export_ended", manifest["sha256"])
    with zipfile.ZipFile(path) as archive:
        return archive.read(manifest["rows"]).decode()


def test_export_page_all_that_matches_is_exported_not_the_page(
    as_auditor: Client, run: SelectionRun, tmp_path: Path
) -> None:
    with without_guards():
        SessionContextReference.objects.all().delete()
        references(run, 1_234, included=True)
    rows = list(csv.DictReader(io.StringIO(sent(as_auditor, f"{EXPORT}csv/", tmp_path))))
    assert len(rows) == 1_234
    assert {row["path"] for row in rows} == {f"src/{number}.py" for number in range(1_234)}
    assert (
        len(
            sent(
                as_auditor,
                f"{EXPORT}ndjson/?place=older~2026-01-01T00:00:00%2B00:00~01a23936-f676-7189-8005-4393e8a8d4c9",
                tmp_path,
            ).splitlines()
        )
        == 1_234
    )


def test_export_unfiltered_the_filter_of_the_screen_is_that_of_the_export(
    as_auditor: Client, run: SelectionRun, tmp_path: Path
) -> None:
    with without_guards():
        SessionContextReference.objects.all().delete()
        references(run, 10, included=True)
        references(run, 3, included=False, begin=100)
    rows = [json.loads(line) for line in sent(as_auditor, f"{EXPORT}ndjson/?included__exact=0", tmp_path).splitlines()]
    assert [row["included"] for row in rows] == [False] * 3
    assert len(sent(as_auditor, f"{EXPORT}ndjson/?q=src/7.py", tmp_path).splitlines()) == 1
    page = as_auditor.get("/admin/selection/sessioncontextreference/?included__exact=0").content.decode()
    assert 'href="export/csv/?included__exact=0"' in page


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\t=1", "\r=1", "\n=1"])
def test_a_formula_stays_text(as_auditor: Client, run: SelectionRun, text: str, tmp_path: Path) -> None:
    with without_guards():
        SessionContextReference.objects.update(path=text)
    rows = list(csv.DictReader(io.StringIO(sent(as_auditor, f"{EXPORT}csv/", tmp_path), newline="")))
    assert {row["path"] for row in rows} == {f"'{text}"}
    assert cell(-1) == -1
    assert run.references.exists()


def test_an_export_is_for_staff_who_may_see_the_list(as_ada: Client, client: Client, run: SelectionRun) -> None:
    assert run.references.exists()
    assert as_ada.get(f"{EXPORT}csv/").status_code == 302
    client.force_login(User.objects.create_user("clerk", is_staff=True))
    assert client.get(f"{EXPORT}csv/", headers={"host": "127.0.0.1"}).status_code in {403, 404}


def test_what_cannot_be_read_is_refused(as_auditor: Client) -> None:
    assert as_auditor.get(f"{EXPORT}xlsx/").status_code == 404
    assert as_auditor.get(f"{EXPORT}csv/?nothing_like_it=1").status_code == 400
