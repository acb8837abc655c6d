"""Search what was recorded: the rows that a `Question` names, newest first, by an index for each question, however many there are.

What none of the indexes leads to is looked for only on days that the tally says hold enough of it. The three ready-made questions never rest on the tally: a
path in prompts to remote models, the runs of a policy version, and what a model saw are answered by the rows alone.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final

from django.db import connection
from django.db.models import Q, QuerySet, Sum, Value
from django.db.models.functions import Left
from django.db.models.lookups import Exact

from selection.actions.audit.paging import Place
from selection.actions.audit.question import Match, Question, Sent, properties_of, sent_of, span_of
from selection.models import EVERYBODY, INDEXED_PATH, AuditTally, RecordedPath, SelectionRun, SessionContextReference

References = QuerySet[SessionContextReference]
# A part of a path may be a part of so many paths; of more, the question is to be put more exactly.
MOST_PATHS: Final = 200
# Each the smallest name that is greater than the last: as many looks into the index as there are models, not as there are runs.
_MODELS: Final = """
    WITH RECURSIVE known(model) AS (
        SELECT min(model) FROM selection_run
        UNION ALL
        SELECT (SELECT min(model) FROM selection_run WHERE model > known.model) FROM known WHERE known.model IS NOT NULL
    )
    SELECT model FROM known WHERE model IS NOT NULL"""


def known_models() -> list[str]:
    """Give the names of the models that any recorded run names, in order."""
    with connection.cursor() as cursor:
        cursor.execute(_MODELS)
        return [row[0] for row in cursor.fetchall()]


def models_of_provider(provider: str) -> list[str]:
    """Give the names of the recorded models of a provider."""
    return [name for name in known_models() if name.partition("/")[0] == provider]


def paths_like(question: Question, most: int = MOST_PATHS) -> list[str]:
    """Give the recorded paths that match, in order, and at most one more than `most`."""
    if question.match is Match.EXACT:
        return [question.path]
    how = "path__startswith" if question.match is Match.PREFIX else "path__icontains"
    found = RecordedPath.objects.filter(**{how: question.path}).order_by("path")
    return list(found.values_list("path", flat=True)[: most + 1])


def references_of(question: Question, paths: Sequence[str] = ()) -> References:
    """Give the references that a `Question` names; `paths` are those that its path stands for."""
    return at_paths(SessionContextReference.objects.filter(_where(question)), paths if question.path else None)


def at_paths(rows: References, paths: Sequence[str] | None) -> References:
    """Keep those that name one of `paths`; all of them for None."""
    if paths is None:
        return rows
    if len(paths) == 1:
        return rows.filter(path_is(paths[0]))
    heads = rows.alias(head=Left("path", INDEXED_PATH))
    return heads.filter(head__in=sorted({path[:INDEXED_PATH] for path in paths}), path__in=list(paths))


def path_is(path: str) -> Q:
    """Give the condition that the path is this one. Its beginning is said on its own, since that is what the index holds."""
    return Q(Exact(Left("path", INDEXED_PATH), Value(path[:INDEXED_PATH])), path=path)


def runs_of(question: Question) -> QuerySet[SelectionRun]:
    """Give the runs that a `Question` names; what it says of single references is not asked of runs."""
    of_a_run = Question(
        session=question.session, user=question.user, model=question.model, provider=question.provider, version=question.version,
        sent=question.sent, since=question.since, until=question.until,
    )  # fmt: skip
    return SelectionRun.objects.filter(_of_owner(of_a_run), _of_models(of_a_run), _of_version(of_a_run, "")).filter(
        span_of(of_a_run), sent_of(of_a_run.sent)
    )


def _where(question: Question) -> Q:
    return (
        _of_owner(question)
        & properties_of(question.without("model"))
        & _of_models(question)
        & _of_version(question, "run__")
        & span_of(question)
        & sent_of(question.sent)
    )


def _of_owner(question: Question) -> Q:
    said = {"session": question.session, "user": question.user}
    return Q(**{name: value for name, value in said.items() if value is not None})


def _of_models(question: Question) -> Q:
    if question.provider:
        names = models_of_provider(question.provider)
        return Q(model__in=[name for name in names if question.model in {"", name}])
    return Q(model=question.model) if question.model else Q()


def _of_version(question: Question, prefix: str) -> Q:
    return Q(**{f"{prefix}policy_version": question.version}) if question.version is not None else Q()


def narrowed(question: Question, rows: References, place: Place | None, most: int) -> References:
    """Keep to the days from `place` on in which, by the tally, there are `most` of the rows, so that nobody looks through years for what is rare."""
    if _has_index(question):
        return rows
    days = _days_with(question, place, most)
    if days is None:
        return rows.none()
    first, last = days
    return rows.filter(created_at__gte=_midnight(first), created_at__lt=_midnight(last + timedelta(days=1)))


def _has_index(question: Question) -> bool:
    """Tell whether an index leads to the rows, or whether there is a row in every place."""
    if question.path or question.session is not None or question.version is not None:
        return True
    rest = question.without("user", "since", "until")
    led = (Question(), Question(restricted=True), Question(model=question.model, sent=Sent.ANYWHERE))
    return rest == led[0] or (question.user is None and rest in led[1:])


def _days_with(question: Question, place: Place | None, most: int) -> tuple[date, date] | None:
    """Give the first and the last day that hold so many; of the day of `place` it is not known on which side of it they are."""
    newer = place is not None and place.newer
    tally = tally_of(question).filter(_from(place)).values("day").order_by("day" if newer else "-day")
    found: list[date] = []
    held = 0
    for row in tally.annotate(many=Sum("references")):
        found.append(row["day"])
        held += 0 if place is not None and row["day"] == _day(place) else row["many"]
        if held > most:
            break
    return (min(found), max(found)) if found else None


def _from(place: Place | None) -> Q:
    if place is None:
        return Q()
    return Q(day__gte=_day(place)) if place.newer else Q(day__lte=_day(place))


def tally_of(question: Question, *, apart_from: Iterable[str] = ()) -> QuerySet[AuditTally, Any]:
    """Give the rows of the tally that count what a `Question` names, as far as a tally can tell; without what it asks by the names in `apart_from`."""
    kept = question.without(*apart_from)
    said = properties_of(kept.without("model", "included", "restricted"))
    for name in ("included", "restricted"):
        value = getattr(kept, name)
        said &= Q() if value is None else Q(**{name: value})
    days = Q(user_id=EVERYBODY if question.user is None else question.user, references__gt=0)
    days &= Q() if kept.since is None else Q(day__gte=kept.since)
    days &= Q() if kept.until is None else Q(day__lte=kept.until)
    return AuditTally.objects.filter(days, said, _of_models(kept), _tally_sent(kept.sent))


def _tally_sent(sent: Sent | None) -> Q:
    """In the tally text is empty where a reference has none."""
    match sent:
        case None:
            return Q()
        case Sent.ANYWHERE:
            return ~Q(destination="")
        case Sent.NOT:
            return Q(destination="")
        case _:
            return Q(destination=sent.value)


def _day(place: Place) -> date | None:
    return None if place.at is None else place.at.astimezone(UTC).date()


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time.min, UTC)
