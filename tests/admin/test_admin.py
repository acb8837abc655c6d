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
from selection.models import AuditEntry, SessionContextReference, SessionRunInput
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
        "model=ollama/qwen2.5-coder",
        "q=src/auth",
    ],
)
def test_references_are_filtered_and_searched(as_auditor: Client, query: str) -> None:
    found = as_auditor.get(f"{REFERENCES}?{query}").context["cl"].result_count
    assert 0 < found < SessionContextReference.objects.count()


@pytest.mark.usefixtures("recorded")
def test_a_list_asks_few_queries_and_counts_no_further_than_a_person_pages(
    as_auditor: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(14) as captured:
        as_auditor.get(REFERENCES)
    counts = [query["sql"] for query in captured.captured_queries if "COUNT(" in query["sql"].upper()]
    assert counts
    assert all("LIMIT" in sql for sql in counts)


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
