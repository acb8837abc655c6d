"""Bring into the chain what was recorded before there was one: each run gets its entry, in the order in which the runs were made."""

from collections.abc import Iterator, Sequence
from typing import Any, Final
from uuid import UUID

from django.apps import apps
from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import Exists, OuterRef

from selection.actions.audit.chain import append_run, lock_chain, note
from selection.actions.audit.recorded import REFERENCE, ModelOf, RecordedRows, cover, read_recorded
from selection.actions.audit.tally import Counted, add_to_tally, remember_paths, sums_of
from selection.models import AuditKind

_AT_ONCE: Final = 100


def _model(name: str) -> Any:
    return apps.get_model("selection", name)


def adopt_runs(model_of: ModelOf = _model) -> int:
    """Give an entry to each run that has none; give how many there were. `model_of` are the models as a migration knows them."""
    runs: Any = model_of("SelectionRun")
    chained = model_of("AuditEntry")._default_manager.filter(run=OuterRef("pk"))  # noqa: SLF001 - the documented default
    waiting = runs.objects.filter(~Exists(chained)).order_by("created_at", "id").values_list("pk", flat=True)
    people = {person.pk: person for person in get_user_model().objects.only("pk", "username")}
    keys = list(waiting)
    for some in _cut(keys):
        with transaction.atomic():
            _adopt(some, people, model_of)
    return len(keys)


def _adopt(keys: Sequence[UUID], people: Any, model_of: ModelOf) -> None:
    found = read_recorded(keys, model_of)
    counted = [_counted(values) for rows in found.values() for values in rows.references]
    lock_chain()
    for key, rows in found.items():
        user, session = _owner(rows)
        append_run(people.get(user), key, session, cover(rows))
    add_to_tally(sums_of(counted))
    remember_paths(row.path for row in counted if row.path is not None)


def _owner(rows: RecordedRows) -> tuple[int, UUID]:
    _, user, session, *_ = rows.runs[0]
    return user, session


def _counted(values: Sequence[Any]) -> Counted:
    row = dict(zip(REFERENCE, values, strict=True))
    tokens = row["estimated_tokens"]
    names = ("user_id", "created_at", "model", "destination", "kind", "included", "reason_code", "restricted", "path")
    return Counted(tokens=tokens, **{name: row[name] for name in names})


def _cut(keys: Sequence[UUID]) -> Iterator[Sequence[UUID]]:
    for start in range(0, len(keys), _AT_ONCE):
        yield keys[start : start + _AT_ONCE]


def reveals_into_entries(model_of: ModelOf) -> None:
    """Turn what earlier versions traced of people who revealed content into entries."""
    contents: Any = model_of("TraceEventContent")
    people = {person.pk: person for person in get_user_model().objects.only("pk", "username")}
    told = contents.objects.filter(event__run=None).select_related("event").order_by("event__created_at")
    for content in told.iterator():
        event, payload = content.event, dict(content.payload)
        payload.pop("action", None)
        payload["at"] = event.created_at.isoformat()
        note(AuditKind.REVEAL, people.get(event.user_id), payload, session=event.session_id)
    keys = list(contents.objects.filter(event__run=None).values_list("pk", flat=True))
    contents.objects.filter(pk__in=keys).delete()
    model_of("TraceEvent")._default_manager.filter(run=None).delete()  # noqa: SLF001 - the documented default
