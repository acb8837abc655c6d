"""The audit: every recorded entity, for staff alone, without a change and without content."""

from uuid import uuid4

import pytest
from django.contrib.admin import site
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from selection.actions.decrypt_pause import begin_pause
from selection.actions.import_bundle import import_bundle
from selection.actions.open_turn import open_turn
from selection.actions.record_run import record_run
from selection.admin.read_only import ReadOnlyAdmin
from selection.demo import story
from selection.keyholder import SessionKey, seal_bundle
from selection.models import SessionContextReference, SessionRunInput
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
