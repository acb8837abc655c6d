"""The export of references: everything that matches, as the screen shows it, on every database the same; what a spreadsheet would run is text."""

import csv
import io
import json
import zipfile
from datetime import UTC
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User

from selection.actions.audit.export_references import export_references
from selection.actions.audit.question import Match, Question, Sent
from selection.actions.exports import verify_export
from selection.models import AuditEntry, SessionContextReference, SessionRunInput
from tests.recording import record
from tests.tampering import without_guards

pytestmark = pytest.mark.django_db
HOSTILE = (
    "=cmd|' /C calc'!A0", "+1+1", "-2", "@SUM(A1)", "\tx", "\rx", "\nx", 'a"b,c\nd', "é\u2028\u202e\U0001f600", "\\.", "a\\b", "\x01\x02",
)  # fmt: skip
DEFUSED = HOSTILE[:7]


@pytest.fixture
def rows(ada: User, turns: list[SessionRunInput]) -> list[SessionContextReference]:
    for turn in turns[:6]:
        record(ada, turn)
    found = list(SessionContextReference.objects.select_related("user").order_by("-created_at", "-id"))
    with without_guards():
        for row, path in zip(found, HOSTILE, strict=False):
            SessionContextReference.objects.filter(pk=row.pk).update(path=path, model=path)
    return list(SessionContextReference.objects.select_related("user").order_by("-created_at", "-id"))


def values_of(row: SessionContextReference) -> dict[str, Any]:
    return {
        "created_at": row.created_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
        "user": row.user.get_username(),
        "session": str(row.session_id),
        "run": str(row.run_id),
        "position": row.position,
        "kind": row.kind,
        "path": row.path,
        "included": row.included,
        "reason_code": row.reason_code,
        "estimated_tokens": row.estimated_tokens,
        "required": row.required,
        "restricted": row.restricted,
        "model": row.model,
        "destination": row.destination,
    }


def exported(user: User, question: Question, form: str, folder: Path) -> tuple[str, dict[str, Any], Path]:
    path = folder / "export.zip"
    path.write_bytes(b"".join(export_references(user, question, form)))
    with zipfile.ZipFile(path) as archive:
        manifest = json.loads(archive.read("manifest.json"))
        return archive.read(f"references.{form}").decode(), manifest, path


def test_ndjson_holds_every_row_as_it_is(ada: User, rows: list[SessionContextReference], tmp_path: Path) -> None:
    text, manifest, path = exported(ada, Question(), "ndjson", tmp_path)
    lines = [json.dumps(values_of(row), ensure_ascii=False, separators=(",", ":")) for row in rows]
    assert text == "".join(f"{line}\n" for line in lines)
    assert manifest["count"] == len(rows)
    assert verify_export(path)[1] == ""


def test_csv_holds_every_row_and_no_formula(ada: User, rows: list[SessionContextReference], tmp_path: Path) -> None:
    text, manifest, path = exported(ada, Question(), "csv", tmp_path)
    names, *lines = csv.reader(io.StringIO(text, newline=""))
    assert names == list(values_of(rows[0])) == manifest["columns"]
    for row, line in zip(rows, lines, strict=True):
        held = dict(zip(names, line, strict=True))
        for name, value in values_of(row).items():
            said = "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
            assert held[name] == (f"'{said}" if value in DEFUSED else said)
    assert verify_export(path)[1] == ""


def test_the_manifest_and_the_chain_know_an_export(
    ada: User, rows: list[SessionContextReference], tmp_path: Path
) -> None:
    question = Question(path="=cmd", match=Match.PREFIX, included=rows[0].included)
    _, manifest, _ = exported(ada, question, "csv", tmp_path)
    assert manifest["filter"] == {"path": "=cmd", "match": "prefix", "included": rows[0].included}
    ended, began = AuditEntry.objects.order_by("-sequence")[:2]
    assert (began.kind, ended.kind) == ("export", "export_ended")
    assert manifest["chain_head"] == {"sequence": began.sequence, "digest": began.digest}
    assert ended.payload == {"began": began.sequence, "count": 1, "sha256": manifest["sha256"]}
    assert "=cmd" not in str(began.payload)


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("manifest.json", '"count": 1', '"count": 2'),
        ("references.ndjson", "false", "null"),
        ("manifest.json", '"restricted"', '"restrictive"'),
    ],
)
def test_what_was_changed_afterwards_does_not_verify(
    ada: User, rows: list[SessionContextReference], tmp_path: Path, name: str, old: str, new: str
) -> None:
    form = "csv" if old == '"restricted"' else "ndjson"
    _, _, path = exported(ada, Question(path=rows[0].path or "", included=rows[0].included), form, tmp_path)
    with zipfile.ZipFile(path) as archive:
        held = {each: archive.read(each).decode() for each in archive.namelist()}
    assert old in held[name]
    held[name] = held[name].replace(old, new)
    with zipfile.ZipFile(path, "w") as archive:
        for each, text in held.items():
            archive.writestr(each, text)
    assert verify_export(path)[1] != ""


def test_an_export_that_nobody_takes_to_its_end_says_only_that_it_began(
    ada: User, rows: list[SessionContextReference]
) -> None:
    assert rows
    pieces = export_references(ada, Question(), "csv")
    next(iter(pieces))
    assert AuditEntry.objects.order_by("-sequence")[0].kind == "export"


@pytest.mark.parametrize("form", ["csv", "ndjson"])
def test_only_what_matches_is_exported(
    ada: User, rows: list[SessionContextReference], tmp_path: Path, form: str
) -> None:
    for question in (
        Question(sent=Sent.ANYWHERE),
        Question(path="SRC/", match=Match.CONTAINS),
        Question(kind="file", included=False),
        Question(path="src/auth/tokens.py"),
    ):
        _, manifest, path = exported(ada, question, form, tmp_path)
        expected = [
            row
            for row in rows
            if (question.sent is None or row.destination)
            and question.path.lower() in (row.path or "").lower()
            and (not question.kind or (row.kind == "file" and not row.included))
        ]
        assert manifest["count"] == len(expected) > 0
        assert verify_export(path)[1] == ""


def test_nothing_is_an_export_too(ada: User, tmp_path: Path) -> None:
    text, manifest, path = exported(ada, Question(), "ndjson", tmp_path)
    assert (text, manifest["count"], verify_export(path)[1]) == ("", 0, "")
