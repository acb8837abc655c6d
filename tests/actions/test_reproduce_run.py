"""A recorded run is selected again: identical, different at a row that is named, or impossible for a reason that is."""

from uuid import uuid4

import pytest
from django.contrib.auth.models import User

from selection.actions.open_turn import cache, open_turn
from selection.actions.record_run import record_run
from selection.actions.reproduce_run import Verdict, reproduce_run
from selection.models import ModelDescriptor, SelectionRun, SessionContextReference, SessionRunInput
from tests.tampering import without_guards

pytestmark = pytest.mark.django_db


def recorded(user: User, row: SessionRunInput) -> SelectionRun:
    return record_run(user, row, open_turn(row).outcome, uuid4())


def test_every_turn_of_the_demo_is_reproduced(ada: User, turns: list[SessionRunInput]) -> None:
    for row in turns:
        run = recorded(ada, row)
        cache.clear()
        assert reproduce_run(run).verdict is Verdict.IDENTICAL


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("included", False, "in included"),
        ("reason", "Because.", "in reason"),
        ("estimated_tokens", 1, "in estimated tokens"),
        ("path", None, "in path"),
    ],
)
def test_a_row_that_was_changed_is_named(
    ada: User, turns: list[SessionRunInput], field: str, value: object, said: str
) -> None:
    run = recorded(ada, turns[2])
    row = run.references.filter(included=True, path__isnull=False).order_by("position")[0]
    with without_guards():
        SessionContextReference.objects.filter(pk=row.pk).update(**{field: value})
    found = reproduce_run(run)
    assert (found.verdict, found.row) == (Verdict.DIFFERS, row.position + 1)
    assert said in found.sentence


def test_a_row_that_is_gone_is_named(ada: User, turns: list[SessionRunInput]) -> None:
    run = recorded(ada, turns[2])
    with without_guards():
        SessionContextReference.objects.filter(run=run, position=run.references.count() - 1).delete()
    assert reproduce_run(run).row == run.references.count() + 1


def test_a_decision_that_was_changed_is_told(ada: User, turns: list[SessionRunInput]) -> None:
    run = recorded(ada, turns[2])
    with without_guards():
        SelectionRun.objects.filter(pk=run.pk).update(used_tokens=1)
    run.refresh_from_db()
    assert reproduce_run(run).sentence.endswith("the decision differs in used tokens.")


def test_a_catalog_that_changed_makes_it_impossible(ada: User, turns: list[SessionRunInput]) -> None:
    run = recorded(ada, turns[2])
    ModelDescriptor.objects.filter(session=run.session).update(max_context_tokens=9)
    cache.clear()
    found = reproduce_run(run)
    assert found.verdict is Verdict.IMPOSSIBLE
    assert "the catalog of models changed" in found.sentence


def test_an_older_engine_is_named(ada: User, turns: list[SessionRunInput]) -> None:
    run = recorded(ada, turns[2])
    run.engine_version = "0.0"
    assert "The engine was 0.0" in reproduce_run(run).sentence
