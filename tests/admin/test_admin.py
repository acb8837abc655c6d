"""The audit: every recorded entity, for staff alone, without a change and without content."""

from uuid import uuid4

import pytest
from django.apps import apps
from django.contrib.admin import site
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from selection.actions.decrypt_pause import begin_pause
from selection.actions.import_bundle import import_bundle
from selection.actions.open_turn import cache, open_turn
from selection.actions.record_run import record_run
from selection.admin.read_only import ReadOnlyAdmin
from selection.demo import story
from selection.keyholder import SessionKey, seal_bundle
from selection.models import AuditEntry, SelectionRun, SessionContextReference, SessionRunInput
from tests.conftest import HOST, client_of
from tests.sealed import rows_of

pytestmark = pytest.mark.django_db
ENTITIES = sorted(
    model._meta.model_name
    for model, page in site._registry.items()
    if isinstance(page, ReadOnlyAdmin) and model._meta.model_name
)
REFERENCES = "/admin/selection/sessioncontextreference/"


@pytest.fixture
def recorded(ada: User, turns: list[SessionRunInput]) -> None:
    for row in turns:
        record_run(ada, row, open_turn(row).outcome, uuid4())
    sealed = rows_of(import_bundle(ada, seal_bundle(story(), SessionKey.fresh())))[0]
    begin_pause(ada, sealed, open_turn(sealed).outcome, keep=True)


@pytest.mark.usefixtures("recorded")
@pytest.mark.parametrize("entity", ENTITIES)
def test_each_entity_is_shown_and_cannot_be_changed(as_auditor: Client, entity: str) -> None:
    page = as_auditor.get(f"/admin/selection/{entity}/")
    assert page.status_code == 200
    assert as_auditor.get(f"/admin/selection/{entity}/?q=src%00").status_code == 200
    assert as_auditor.get(f"/admin/selection/{entity}/add/").status_code == 403
    first = page.context["cl"].result_list[0]
    change = reverse(f"admin:selection_{entity}_change", args=[first.pk])
    shown = as_auditor.get(change)
    assert shown.status_code == 200
    assert b'name="_save"' not in shown.content
    assert as_auditor.post(change, {}).status_code == 403
    for content in (b"Every endpoint asks for a scope", b"not-a-real-password", b"What does this service do"):
        assert content not in page.content
        assert content not in shown.content


def test_the_audit_is_for_staff(as_ada: Client) -> None:
    assert as_ada.get(REFERENCES).status_code == 302


@pytest.mark.usefixtures("recorded")
@pytest.mark.parametrize(
    "query",
    [
        "included__exact=1",
        "kind__exact=file",
        "reason_code__exact=duplicate",
        "required__exact=1",
        "restricted__exact=1",
        "destination__exact=local",
        "q=src/auth/tokens.py",
    ],
)
def test_references_are_filtered_and_searched(as_auditor: Client, query: str) -> None:
    found = as_auditor.get(f"{REFERENCES}?{query}").context["cl"].result_count
    assert 0 < found < SessionContextReference.objects.count()


@pytest.mark.usefixtures("recorded")
@pytest.mark.parametrize("entity", ENTITIES)
def test_a_list_asks_few_queries_and_counts_nothing(
    as_auditor: Client, entity: str, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(12) as captured:
        as_auditor.get(f"/admin/selection/{entity}/")
    asked = [query["sql"].upper() for query in captured.captured_queries]
    assert [sql for sql in asked if "LIMIT 101" in sql]
    assert not [sql for sql in asked if "COUNT(" in sql or "DISTINCT" in sql or "OFFSET" in sql]


@pytest.mark.usefixtures("recorded")
@pytest.mark.parametrize("entity", ["sessioncontextreference", "traceevent", "auditentry"])
def test_pages_follow_each_other_and_lead_back(
    as_auditor: Client, entity: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = apps.get_model("selection", entity)
    monkeypatch.setattr(site.get_model_admin(model), "list_per_page", 7)
    order = ("-created_at", "-pk") if entity == "sessioncontextreference" else ("-pk",)
    address, seen = "?", []
    while address:
        changes = as_auditor.get(f"/admin/selection/{entity}/{address}").context["cl"]
        seen += [row.pk for row in changes.result_list]
        address, newer = changes.older, changes.newer
    expected = list(model._default_manager.order_by(*order).values_list("pk", flat=True))
    assert seen == expected
    last = len(changes.result_list)
    back = as_auditor.get(f"/admin/selection/{entity}/{newer}").context["cl"]
    assert [row.pk for row in back.result_list] == expected[-last - 7 : -last]
    assert back.older
    for wrong in ("place=x", "place=older~~x", "place=newer~~1", f"place=older~~{uuid4()}", "e=1&place="):
        assert as_auditor.get(f"/admin/selection/{entity}/?{wrong}").status_code in {200, 302}


@pytest.mark.usefixtures("recorded")
def test_lists_lead_from_a_run_to_what_is_of_it(as_auditor: Client) -> None:
    text = as_auditor.get("/admin/selection/selectionrun/").content.decode()
    run = SelectionRun.objects.latest("created_at")
    for entity in ("sessioncontextreference", "sessionroutingdecision", "traceevent"):
        address = f"/admin/selection/{entity}/?run__id__exact={run.pk}"
        assert address in text
        found = as_auditor.get(address).context["cl"].result_list
        assert {row.run_id for row in found} == {run.pk}
    assert f"/audit/runs/{run.pk}/" in text
    found = as_auditor.get(f"/admin/selection/selectionrun/?session__id__exact={run.session_id}").context["cl"]
    assert {row.session_id for row in found.result_list} == {run.session_id}


@pytest.mark.usefixtures("recorded")
def test_rows_are_found_by_their_keys(as_auditor: Client) -> None:
    run = SelectionRun.objects.latest("created_at")
    entry = AuditEntry.objects.get(run=run.pk)
    for entity, term in (
        ("selectionrun", run.pk), ("sessionroutingdecision", run.pk), ("traceevent", run.pk), ("auditentry", run.pk),
        ("auditentry", entry.sequence), ("session", run.session_id), ("sessionruninput", run.run_input_id),
    ):  # fmt: skip
        found = as_auditor.get(f"/admin/selection/{entity}/", {"q": str(term)}).context["cl"].result_list
        assert found, entity
        assert len(found) <= 12, entity
        assert not as_auditor.get(f"/admin/selection/{entity}/", {"q": "no such thing"}).context["cl"].result_list


def test_that_restricted_names_were_read_leaves_an_entry_without_them(
    as_auditor: Client, auditor: User, ada: User, turns: list[SessionRunInput]
) -> None:
    rows = SessionContextReference.objects.filter(restricted=True)
    for allowed in (False, True):
        turns[3].policy["privacy"]["record_restricted"] = "allow" if allowed else "deny"
        turns[3].save()
        cache.clear()
        record_run(ada, turns[3], open_turn(turns[3]).outcome, uuid4())
        as_auditor.get(REFERENCES)
        named = [str(key) for key in rows.filter(path__isnull=False).values_list("pk", flat=True)]
        entries = AuditEntry.objects.filter(kind="read_restricted")
        assert entries.exists() == bool(named) == allowed
    (entry,) = entries
    assert (entry.user, sorted(entry.payload["references"])) == (auditor, sorted(named))
    assert ".env" not in str(entry.payload)
    as_auditor.get(reverse("admin:selection_sessioncontextreference_change", args=[named[0]]))
    assert AuditEntry.objects.filter(kind="read_restricted").count() == 2


def test_no_page_of_the_audit_shows_a_title(as_auditor: Client, ada: User, turns: list[SessionRunInput]) -> None:
    record_run(ada, turns[2], open_turn(turns[2]).outcome, uuid4())
    for entity in ENTITIES:
        first = site._registry[apps.get_model("selection", entity)].model._default_manager.first()
        shown = [f"/admin/selection/{entity}/"]
        shown += [reverse(f"admin:selection_{entity}_change", args=[first.pk])] if first else []
        for address in shown:
            assert b"refactor the auth" not in as_auditor.get(address).content, address


SEEN = {"sessioncontextreference", "selectionrun", "sessionroutingdecision", "traceevent", "auditentry"}


def member(name: str, *, staff: bool, group: bool) -> Client:
    user = User.objects.create_user(name, is_staff=staff)
    if group:
        user.groups.add(Group.objects.get(name="auditor"))
    return client_of(user)


@pytest.mark.usefixtures("recorded")
@pytest.mark.parametrize("entity", ENTITIES)
def test_who_may_see_what(as_auditor: Client, as_ada: Client, entity: str) -> None:
    expected = {
        "nobody": (Client(headers=HOST), 302),
        "a user": (as_ada, 302),
        "a user of the group": (member("gus", staff=False, group=True), 302),
        "staff": (member("stan", staff=True, group=False), 403),
        "an auditor": (member("aud", staff=True, group=True), 200 if entity in SEEN else 403),
        "a superuser": (as_auditor, 200),
    }
    key = apps.get_model("selection", entity)._default_manager.values_list("pk", flat=True).first()
    change = reverse(f"admin:selection_{entity}_change", args=[key])
    for who, (client, status) in expected.items():
        assert client.get(f"/admin/selection/{entity}/").status_code == status, who
        assert client.get(change).status_code == status, who
        for address in (f"/admin/selection/{entity}/add/", change, change.replace("change", "delete")):
            assert client.post(address, {"post": "yes"}).status_code in {302, 403}, (who, address)
        acted = client.post(
            f"/admin/selection/{entity}/", {"action": "delete_selected", "_selected_action": [str(key)]}
        )
        assert acted.status_code in {200, 302, 403}, who
    assert apps.get_model("selection", entity)._default_manager.filter(pk=key).exists()
