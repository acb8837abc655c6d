"""The pages of the audit: what they answer, what they say that they cannot tell, and what reading them leaves behind."""

import re
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from selection.actions.audit import search
from selection.actions.audit.retention import Scope, apply_retention
from selection.actions.audit.verify import Anchor, note_verification, verify_audit
from selection.actions.open_turn import cache
from selection.models import AuditEntry, AuditView, SelectionRun, SessionContextReference, SessionRunInput
from selection.pages.audit import references as references_page
from selection.pages.audit.retention import AT_ONCE
from selection.tasks import remove_retained
from tests.conftest import client_of
from tests.recording import record
from tests.tampering import without_guards

pytestmark = pytest.mark.django_db
REFERENCES = "/audit/references/"
BEGAN = datetime(2026, 3, 1, 10, tzinfo=UTC)
HOSTILE = "<script>alert(1)</script>\u202e{{ 7|add:1 }}"


@pytest.fixture
def runs(ada: User, turns: list[SessionRunInput]) -> list[SelectionRun]:
    return [record(ada, row, BEGAN + timedelta(days=place)) for place, row in enumerate(turns)]


@pytest.fixture
def reader() -> User:
    """An auditor who is neither staff nor the owner of anything."""
    user = User.objects.create_user("aud")
    user.groups.add(Group.objects.get(name="auditor"))
    return user


@pytest.fixture
def as_reader(reader: User) -> Client:
    return client_of(reader)


def text_of(client: Client, address: str, **asked: object) -> str:
    answer = client.get(f"{address}?{urlencode(asked)}" if asked else address)
    assert answer.status_code == 200, answer.status_code
    return unescape(answer.content.decode())


def test_the_first_page_says_what_holds_and_what_cannot_be_told(as_reader: Client, runs: list[SelectionRun]) -> None:
    assert "Never verified" in text_of(as_reader, "/audit/")
    note_verification(None, verify_audit(), by="verify_audit")
    text = text_of(as_reader, "/audit/")
    assert "Whole when last verified" in text
    assert "No anchor was met" in text
    assert "Whether the newest entries were taken off, together with their rows, cannot be told without one" in text
    entry = AuditEntry.objects.get(sequence=2)
    note_verification(None, verify_audit([Anchor(sequence=2, digest=entry.digest, place="anchors:1")]), by="x")
    assert "No anchor was met" not in text_of(as_reader, "/audit/")
    with without_guards():
        SessionContextReference.objects.filter(run=runs[1], position=2).update(included=True, reason="Because.")
    note_verification(None, verify_audit(), by="verify_audit")
    text = text_of(as_reader, "/audit/")
    assert "Not as it was recorded" in text
    assert f"of run {runs[1].pk}" in text


@pytest.mark.usefixtures("runs")
def test_a_path_that_went_to_a_remote_model_is_found_with_every_time(as_reader: Client) -> None:
    sent = SessionContextReference.objects.filter(destination="remote", path__isnull=False)
    path = sent.values_list("path", flat=True)[0]
    assert path
    page = as_reader.get(REFERENCES, {"path": path, "sent": "remote"}).context["page"]
    assert {row.held.pk for row in page.rows} == set(sent.filter(path=path).values_list("pk", flat=True))
    assert page.first == sent.filter(path=path).earliest("created_at").created_at


@pytest.mark.usefixtures("runs")
def test_an_empty_answer_says_under_what_it_proves_something(as_reader: Client) -> None:
    text = text_of(as_reader, REFERENCES, path="no/such.py", sent="remote")
    nameless = SessionContextReference.objects.filter(restricted=True, path=None)
    assert nameless.exists()
    assert "Restricted references are recorded without their names" in text
    assert f"{nameless.filter(destination='remote').count()} of these went to a remote model" in text


@pytest.mark.usefixtures("runs")
def test_the_turns_of_a_policy_version_and_what_a_model_saw(as_reader: Client) -> None:
    run = SelectionRun.objects.filter(destination="local").latest("created_at")
    assert run.policy_version_id
    page = as_reader.get("/audit/runs/", {"version": str(run.policy_version_id)}).context["page"]
    decided = SelectionRun.objects.filter(policy_version=run.policy_version_id)
    assert [row.held for row in page.rows] == list(decided.order_by("-created_at", "-id"))
    day = run.created_at.date().isoformat()
    asked = {"model": run.model or "", "sent": "anywhere", "since": day, "until": day}
    rows = as_reader.get(REFERENCES, asked).context["page"].rows
    assert {row.held.run_id for row in rows} == {run.pk}
    assert all(row.held.destination for row in rows)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"user": "nobody"}, "there is no user `nobody`"),
        ({"since": "2026-02-31"}, "valid date"),
        ({"since": "2026-02-02", "until": "2026-02-01"}, "before the first day"),
        ({"session": "x"}, "valid UUID"),
        ({"kind": "secret"}, "valid choice"),
        ({"path": "a\0b"}, "Null characters"),
        ({"path": "a" * 5_000}, "at most"),
        ({"sent": "away", "place": "older~x~y"}, "valid choice"),
    ],
)
def test_what_cannot_be_asked_is_told(as_reader: Client, asked: dict[str, str], told: str) -> None:
    answer = as_reader.get(REFERENCES, asked)
    assert answer.status_code == 422
    assert told in unescape(answer.content.decode())


@pytest.mark.usefixtures("runs")
def test_pages_follow_each_other_and_lead_back(as_reader: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(references_page, "ROWS_A_PAGE", 20)
    expected = list(SessionContextReference.objects.filter(kind="file").order_by("-created_at", "-id"))
    address, seen, newer = f"{REFERENCES}?kind=file", [], ""
    while address:
        page = as_reader.get(address).context["page"]
        seen += [row.held for row in page.rows]
        address, newer = page.older, page.newer
    assert seen == expected
    assert "kind=file" in newer
    back = as_reader.get(newer).context["page"]
    assert back.rows[-1].held in expected
    assert len(back.rows) == 20


@pytest.mark.usefixtures("runs")
def test_a_part_of_too_many_paths_asks_which(as_reader: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (search, references_page):
        monkeypatch.setattr(module, "MOST_PATHS", 2)
    monkeypatch.setattr(search.paths_like, "__defaults__", (2,))
    page = as_reader.get(REFERENCES, {"path": "SRC", "match": "contains"}).context["page"]
    assert (len(page.paths), page.rows) == (2, ())
    path, href = page.paths[0]
    assert {row.held.path for row in as_reader.get(href).context["page"].rows} == {path}


@pytest.mark.usefixtures("runs")
def test_counts_are_a_fragment_to_htmx_and_a_page_to_others(as_reader: Client) -> None:
    page = as_reader.get(f"{REFERENCES}counts/", {"kind": "file"})
    fragment = as_reader.get(f"{REFERENCES}counts/", {"kind": "file"}, headers={"HX-Request": "true"})
    assert b"<html" in page.content
    assert b"<html" not in fragment.content
    total = SessionContextReference.objects.filter(kind="file").count()
    assert page.context["page"].facets.total == total
    (kind,) = [values for name, values in page.context["page"].shown if name == "kind"]
    assert {value.words: value.count for value in kind}["file"] == total
    assert [value.href for value in kind if value.current] == [REFERENCES]
    assert as_reader.get(f"{REFERENCES}counts/", {"kind": "x"}).status_code == 404


def test_reading_restricted_names_leaves_an_entry(
    as_reader: Client, reader: User, ada: User, turns: list[SessionRunInput]
) -> None:
    turns[3].policy["privacy"]["record_restricted"] = "allow"
    turns[3].save()
    cache.clear()
    run = record(ada, turns[3])
    named = SessionContextReference.objects.filter(restricted=True, path__isnull=False)
    assert named.exists()
    for address in (f"{REFERENCES}?restricted=yes", f"/audit/runs/{run.pk}/"):
        before = AuditEntry.objects.filter(kind="read_restricted").count()
        assert str(named[0].path) in text_of(as_reader, address)
        entry = AuditEntry.objects.filter(kind="read_restricted").latest("sequence")
        assert AuditEntry.objects.filter(kind="read_restricted").count() == before + 1
        assert entry.user == reader
        assert set(entry.payload["references"]) == {str(row.pk) for row in named}
    text_of(as_reader, f"{REFERENCES}?restricted=no")
    assert AuditEntry.objects.filter(kind="read_restricted").count() == 2


def test_a_run_is_held_against_its_entry(
    as_reader: Client, as_ada: Client, ada: User, runs: list[SelectionRun]
) -> None:
    address = f"/audit/runs/{runs[2].pk}/"
    text = text_of(as_reader, address)
    assert "Yes." in text
    assert "open the turn" not in text
    with without_guards():
        SessionContextReference.objects.filter(run=runs[2], position=0).update(estimated_tokens=7)
    text = text_of(as_reader, address)
    assert "No." in text
    assert "reference 1 (" in text
    apply_retention(ada, Scope(before=BEGAN + timedelta(days=2)))
    assert "Its rows were removed by retention" in text_of(as_reader, f"/audit/runs/{runs[0].pk}/")
    assert as_reader.get(f"/audit/runs/{uuid4()}/").status_code == 404
    assert as_ada.get(address).status_code == 403


def test_a_run_that_lost_its_decision_still_opens(as_reader: Client, runs: list[SelectionRun]) -> None:
    with without_guards():
        runs[0].routing_decision.delete()
    assert "the routing decision is missing" in text_of(as_reader, f"/audit/runs/{runs[0].pk}/")


@pytest.mark.usefixtures("runs")
def test_the_chain_is_told_in_sentences(as_reader: Client) -> None:
    assert as_reader.get(reverse("pages:audit_export"), {"form": "csv"}).getvalue()
    text = text_of(as_reader, "/audit/entries/")
    assert "began to export: references as csv" in text
    assert f"exported {SessionContextReference.objects.count()} rows" in text
    only = as_reader.get("/audit/entries/", {"kind": "run"}).context["page"].rows
    assert {row.held.kind for row in only} == {"run"}
    before = as_reader.get("/audit/entries/", {"before": "3"}).context["page"].rows
    assert [row.held.sequence for row in before] == [2, 1]


@pytest.mark.usefixtures("runs")
def test_a_search_is_kept_under_an_address(as_reader: Client, reader: User, as_auditor: Client) -> None:
    kept = as_reader.post("/audit/views/", {"name": "files out", "query": "kind=file&included=no&place=x&evil=1"})
    assert kept.headers["location"] == f"{REFERENCES}?kind=file&included=no"
    view = AuditView.objects.get(user=reader)
    assert "files out" in text_of(as_reader, "/audit/")
    assert as_reader.get(f"/audit/views/{view.pk}/").headers["location"] == kept.headers["location"]
    assert as_auditor.get(f"/audit/views/{view.pk}/").status_code == 404
    assert as_auditor.post(f"/audit/views/{view.pk}/delete/").status_code == 404
    as_reader.post("/audit/views/", {"name": "files out", "query": "kind=diff"})
    view.refresh_from_db()
    assert view.query == "kind=diff"
    as_reader.post(f"/audit/views/{view.pk}/delete/")
    assert not AuditView.objects.exists()


def test_retention_removes_what_was_previewed_and_nothing_else(
    as_reader: Client, as_auditor: Client, ada: User, runs: list[SelectionRun]
) -> None:
    assert as_reader.get("/audit/retention/").status_code == 403
    day = (BEGAN + timedelta(days=3)).date()
    page = as_auditor.get("/audit/retention/", {"before": day.isoformat()}).context["page"]
    assert page.extent.runs == 3
    asked = {"before": day.isoformat(), "rows": page.extent.rows}
    assert as_auditor.post("/audit/retention/", {**asked, "rows": page.extent.rows - 1}).status_code == 409
    assert SelectionRun.objects.count() == len(runs)
    as_auditor.post("/audit/retention/", asked)
    assert set(SelectionRun.objects.all()) == set(runs[3:])
    assert "retention removed" in text_of(as_auditor, "/audit/retention/")
    session = str(runs[3].session_id)
    page = as_auditor.get("/audit/retention/", {"session": session}).context["page"]
    as_auditor.post("/audit/retention/", {"session": session, "rows": page.extent.rows})
    assert not SelectionRun.objects.filter(user=ada).exists()
    assert verify_audit().whole


@pytest.mark.parametrize("asked", [{"before": "x"}, {"before": "2999-01-01"}, {"before": "2026-01-01", "session": uuid4()}, {"session": ""}])  # fmt: skip
def test_a_retention_that_cannot_be_is_told(as_auditor: Client, asked: dict[str, str]) -> None:
    assert as_auditor.get("/audit/retention/", asked).status_code == 422
    assert as_auditor.post("/audit/retention/", {**asked, "rows": "0"}).status_code == 422


def test_a_large_retention_is_left_to_a_worker(
    as_auditor: Client, auditor: User, runs: list[SelectionRun], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[Any, ...]] = []
    monkeypatch.setattr(type(remove_retained), "enqueue", lambda _, *given: asked.append(given))
    as_auditor.post("/audit/retention/", {"before": "2026-03-03", "rows": AT_ONCE + 1})
    ((user, scope, rows),) = asked
    assert (user, rows) == (auditor.pk, AT_ONCE + 1)
    assert SelectionRun.objects.count() == len(runs)
    remove_retained.func(user, scope, rows)
    assert SelectionRun.objects.count() == len(runs)
    page = as_auditor.get("/audit/retention/", {"before": "2026-03-03"}).context["page"]
    remove_retained.func(user, scope, page.extent.rows)
    assert set(SelectionRun.objects.all()) == set(runs[2:])


def test_hostile_names_are_shown_and_never_run(as_reader: Client, runs: list[SelectionRun]) -> None:
    with without_guards():
        SessionContextReference.objects.filter(run=runs[0]).update(path=HOSTILE, model=HOSTILE, destination="remote")
        SelectionRun.objects.filter(pk=runs[0].pk).update(model=HOSTILE, destination="remote")
        AuditEntry.objects.filter(sequence=1).update(actor=HOSTILE)
    addresses = (
        REFERENCES, f"{REFERENCES}?{urlencode({'path': HOSTILE})}", f"{REFERENCES}counts/", "/audit/", "/audit/runs/",
        f"/audit/runs/{runs[0].pk}/", "/audit/entries/",
    )  # fmt: skip
    for address in addresses:
        content = as_reader.get(address).content.decode()
        assert "<script>alert" not in content, address
        # A field of the form holds what was asked as it was asked.
        assert "\u202e" not in re.sub(r'value="[^"]*"', "", content), address


@pytest.mark.usefixtures("runs")
def test_every_page_asks_at_most_a_dozen_queries(
    as_reader: Client, runs: list[SelectionRun], django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for address in (
        "/audit/", REFERENCES, f"{REFERENCES}?path=src/auth/tokens.py&sent=remote", f"{REFERENCES}counts/",
        f"{REFERENCES}?model=ollama/qwen2.5-coder&sent=anywhere", "/audit/runs/", f"/audit/runs/?version={runs[0].policy_version_id}",
        "/audit/entries/", f"{REFERENCES}?path=no/such&sent=remote", f"/audit/runs/{runs[0].pk}/",
    ):  # fmt: skip
        with django_assert_max_num_queries(12):
            assert as_reader.get(address).status_code == 200
