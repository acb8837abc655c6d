"""Reads of policies and replays. Each takes the user first, or a row that was asked of the user."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import BooleanField, CharField, Count, ExpressionWrapper, Max, Min, Q, QuerySet, Sum
from django.db.models.functions import Cast, TruncDate

from selection.models import (
    NamedPolicy,
    Owner,
    PolicyStage,
    PolicyVersion,
    Replay,
    ReplayChange,
    ReplayPath,
    ReplayTurn,
    Stage,
)


def policies_of(user: Owner) -> QuerySet[NamedPolicy]:
    """Give the named policies of the user."""
    return NamedPolicy.objects.owned_by(user)


def policy_of(user: Owner, policy_id: UUID) -> NamedPolicy | None:
    """Give one policy of the user; None where there is none."""
    return policies_of(user).filter(pk=policy_id).first()


def versions_of(policy: NamedPolicy) -> QuerySet[PolicyVersion]:
    """Give the versions of a policy, the newest first."""
    return PolicyVersion.objects.filter(policy=policy).select_related("policy").order_by("-number")


def version_by_id(user: Owner, version_id: UUID) -> PolicyVersion | None:
    """Give one version of a policy of the user; None where there is none."""
    return PolicyVersion.objects.owned_by(user).select_related("policy").filter(pk=version_id).first()


def last_versions(policies: Sequence[NamedPolicy]) -> dict[UUID, PolicyVersion]:
    """Give the newest version of each policy."""
    rows = PolicyVersion.objects.filter(policy__in=policies).order_by("number")
    return {row.policy_id: row for row in rows.defer("text")}


def stages_in_force(policies: Sequence[NamedPolicy]) -> dict[UUID, dict[Stage, PolicyVersion]]:
    """Give, for each policy, the versions that are current and proposed. What became current is no longer proposed."""
    found: dict[UUID, dict[Stage, PolicyVersion]] = {}
    for row in PolicyStage.objects.filter(policy__in=policies).select_related("version").order_by("created_at", "id"):
        held = found.setdefault(row.policy_id, {})
        held[Stage(row.stage)] = row.version
        if row.stage == Stage.CURRENT and held.get(Stage.PROPOSED) == row.version:
            del held[Stage.PROPOSED]
    return found


def replays_of(user: Owner) -> QuerySet[Replay]:
    """Give the replays of the user, the newest first."""
    return Replay.objects.owned_by(user).select_related("version__policy")


def replay_of(user: Owner, replay_id: UUID) -> Replay | None:
    """Give one replay of the user; None where there is none."""
    return replays_of(user).filter(pk=replay_id).first()


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """How many turns a replay gave each verdict, and why, and when they took place."""

    counts: dict[str, int]
    unknown: dict[str, int]
    first: datetime | None
    last: datetime | None

    @property
    def examined(self) -> int:
        """How many turns were looked at."""
        return sum(self.counts.values())


def tally_of(replay: Replay) -> Tally:
    """Count the turns of a replay by verdict; in one query."""
    rows = ReplayTurn.objects.filter(replay=replay).order_by().values("verdict", "why")
    counts: dict[str, int] = {}
    unknown: dict[str, int] = {}
    times: list[datetime] = []
    for row in rows.annotate(turns=Count("pk"), first=Min("happened_at"), last=Max("happened_at")):
        counts[row["verdict"]] = counts.get(row["verdict"], 0) + row["turns"]
        times += [row["first"], row["last"]]
        if row["why"]:
            unknown[row["why"]] = row["turns"]
    return Tally(counts=counts, unknown=unknown, first=min(times, default=None), last=max(times, default=None))


def changes_of(
    replay: Replay, change: str = "", path: str | None = None, pattern: str | None = None
) -> QuerySet[ReplayChange]:
    """Give the decisions of a replay that change, the gravest first; those of one kind, path and pattern where these are named."""
    rows = ReplayChange.objects.filter(replay=replay)
    named = {"change": change or None, "path": path, "pattern": pattern}
    return rows.filter(**{name: value for name, value in named.items() if value is not None}).order_by("gravity", "id")


def change_counts(replay: Replay) -> dict[str, tuple[int, int]]:
    """Give, for each kind of change, how many decisions and how many turns it is about, the gravest first."""
    rows = ReplayChange.objects.filter(replay=replay).order_by("gravity").values("gravity", "change")
    counted = rows.annotate(decisions=Count("pk"), turns=Count("run_input", distinct=True))
    return {row["change"]: (row["decisions"], row["turns"]) for row in counted}


def lines_of(rows: QuerySet[ReplayChange]) -> QuerySet[Any, dict[str, Any]]:
    """Collapse changes that repeat to a line for each path, pattern and direction; those with a pattern first.

    `last_turn` is the newest turn of it, as text.
    """
    bare = ExpressionWrapper(Q(pattern=""), output_field=BooleanField())
    grouped = rows.order_by().annotate(bare=bare).values("gravity", "change", "bare", "path", "pattern", "place")
    return grouped.annotate(
        decisions=Count("pk"),
        turns=Count("run_input", distinct=True),
        sessions=Count("session", distinct=True),
        tokens=Sum("tokens"),
        last=Max("happened_at"),
        last_turn=Max(Cast("run_input_id", CharField())),
    ).order_by("gravity", "bare", "-turns", "path", "pattern", "place")


def turns_with(replay: Replay, verdict: str = "", why: str = "") -> QuerySet[ReplayTurn]:
    """Give the turns of a replay in the order in which they were replayed; those of one verdict, or that cannot be told for one reason."""
    rows = ReplayTurn.objects.filter(replay=replay)
    named = {"verdict": verdict, "why": why}
    return rows.filter(**{name: value for name, value in named.items() if value}).order_by("id")


def providers_of(replay: Replay) -> list[dict[str, Any]]:
    """Give the tokens that leave, stay and are withheld, by the provider that would serve."""
    rows = ReplayTurn.objects.filter(replay=replay).order_by().values("provider_after")
    return list(rows.annotate(**_sums()).order_by("-remote", "-local", "provider_after"))


def days_of(replay: Replay) -> list[dict[str, Any]]:
    """Give the same by day, in UTC."""
    rows = ReplayTurn.objects.filter(replay=replay).order_by().annotate(day=TruncDate("happened_at")).values("day")
    return list(rows.annotate(**_sums()).order_by("day"))


def _sums() -> dict[str, Any]:
    return {
        "turns": Count("pk"),
        "remote": Sum("remote_tokens"),
        "local": Sum("local_tokens"),
        "withheld": Sum("withheld_tokens"),
    }


def paths_exposed(replay: Replay, fate: str = "") -> QuerySet[Any, dict[str, Any]]:
    """Give the paths of a replay by what becomes of them, those of most tokens first."""
    rows = ReplayPath.objects.filter(replay=replay, **({"fate": fate} if fate else {})).order_by()
    grouped = rows.values("path", "fate").annotate(seen=Sum("turns"), size=Sum("tokens"))
    return grouped.order_by("-size", "path", "fate")


def path_counts(replay: Replay) -> dict[str, int]:
    """Count the paths that leave, stay, are withheld or do not fit; a path of several turns may do several of these."""
    rows = ReplayPath.objects.filter(replay=replay).order_by().values("fate")
    return {row["fate"]: row["paths"] for row in rows.annotate(paths=Count("path", distinct=True))}


def paths_of_replay(replay: Replay) -> list[tuple[str, bool, int]]:
    """Give every path of a replay, whether it was required of a turn, and of how many turns it was a candidate."""
    rows = ReplayPath.objects.filter(replay=replay).order_by().values("path")
    counted = rows.annotate(needed=Max(Cast("required", CharField())), seen=Sum("turns")).order_by("path")
    return [(row["path"], row["needed"] in {"1", "true"}, row["seen"]) for row in counted]
