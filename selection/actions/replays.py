"""Replays: choose the turns, cut them into slices, and do slice after slice, on as many workers as there are.

A slice is taken for a while by whoever does it, and what it found is stored in the transaction that marks it as done, by nobody but who still holds it. A
worker that dies loses nothing, since its slice is free again after that while, and repeats nothing: what it had not finished was never stored.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Final
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from selection.actions.audit.chain import note
from selection.actions.collector import collector_relaxed
from selection.actions.replay_turns import Replayed, replay_turns
from selection.actions.save_draft import save_applied
from selection.actions.store_replayed import store_replayed
from selection.documents.canonical import digest
from selection.documents.plain import to_plain
from selection.documents.policy import read_policy_toml
from selection.engine.values import Policy
from selection.models import (
    AuditKind,
    Owner,
    PolicyVersion,
    Replay,
    ReplaySlice,
    ReplayState,
    SelectionRun,
    SessionRunInput,
    SliceState,
)
from selection.models.base import key_of, new_id
from selection.version import ENGINE_VERSION

_TURNS_A_SLICE: Final = 100
_AT_ONCE: Final = 1_000
# What a replay reads of a turn's row: of the message before it the place alone.
_READ: Final = (
    "session_id", "created_at", "position", "policy", "local_preferences", "workspace", "credentials", "after_message__position",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """Which turns to replay: of the `sessions` named, or all; from day to day, both included; that a `model` served when they were last recorded.

    Of these the `last` ones, and of them a `sample` of so many, drawn the same way each time.
    """

    last: int | None = None
    since: date | None = None
    until: date | None = None
    model: str | None = None
    sessions: tuple[UUID, ...] = ()
    sample: int | None = None


def turns_chosen(user: Owner, chosen: Chosen) -> list[UUID]:
    """Give the turns of the user that are chosen, those of a session beside each other in their order."""
    rows: QuerySet[SessionRunInput] = SessionRunInput.objects.owned_by(user)
    if chosen.sessions:
        rows = rows.filter(session_id__in=chosen.sessions)
    if chosen.since is not None:
        rows = rows.filter(created_at__gte=_midnight(chosen.since))
    if chosen.until is not None:
        rows = rows.filter(created_at__lt=_midnight(chosen.until + timedelta(days=1)))
    if chosen.model:
        rows = rows.alias(served=_last_run("model")).filter(served=chosen.model)
    keys = list(rows.order_by("-created_at", "-id").values_list("pk", flat=True)[: chosen.last])
    if chosen.sample is not None and chosen.sample < len(keys):
        keys = random.Random(0).sample(keys, chosen.sample)  # noqa: S311 - drawn the same way each time, nothing secret
    return _in_order(user, keys)


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), tzinfo=timezone.get_default_timezone())


def _last_run(field: str) -> Subquery:
    runs = SelectionRun.objects.filter(run_input_id=OuterRef("pk")).order_by("-created_at", "-id")
    return Subquery(runs.values(field)[:1])


def _in_order(user: Owner, keys: Sequence[UUID]) -> list[UUID]:
    places: dict[UUID, tuple[UUID, int]] = {}
    for some in _cut(keys, _AT_ONCE):
        rows = SessionRunInput.objects.owned_by(user).filter(pk__in=some)
        places |= {key: (session, position) for key, session, position in rows.values_list("pk", "session", "position")}
    return sorted(places, key=places.__getitem__)


def _cut(keys: Sequence[UUID], size: int) -> Iterator[Sequence[UUID]]:
    for start in range(0, len(keys), size):
        yield keys[start : start + size]


@transaction.atomic
def make_replay(user: Owner, label: str, text: str, chosen: Chosen, version: PolicyVersion | None = None) -> Replay:
    """Make a replay of `text`, which reads as a policy, over the turns that are chosen; nothing is replayed yet."""
    keys = turns_chosen(user, chosen)
    replay = Replay.objects.create(
        user_id=key_of(user),
        version=version,
        draft=save_applied(user, text),
        label=label[:250],
        text=text,
        digest=digest(read_policy_toml(text).policy),
        chosen=to_plain(chosen),
        turns=len(keys),
        engine_version=ENGINE_VERSION,
    )
    ReplaySlice.objects.bulk_create(
        ReplaySlice(user_id=replay.user_id, replay=replay, number=number, turn_ids=[str(key) for key in some])
        for number, some in enumerate(_cut(keys, _TURNS_A_SLICE))
    )
    told = {"replay": str(replay.pk), "policy_digest": replay.digest, "turns": replay.turns}
    note(AuditKind.POLICY_PREVIEW, user, told)
    return replay


def work_on(replay: Replay) -> Iterator[int]:
    """Do slice after slice until none can be taken; give the number of turns of each as it is done."""
    policy = read_policy_toml(replay.text).policy
    with collector_relaxed():
        while (slice_ := _take(replay)) is not None:
            if _do(slice_, policy):
                yield len(slice_.turn_ids)
    _end(replay)


def _take(replay: Replay) -> ReplaySlice | None:
    """Take the next slice that nobody holds; None where there is none, or the replay was called off."""
    with transaction.atomic():
        if not Replay.objects.filter(pk=replay.pk, state=ReplayState.RUNNING.value).exists():
            return None
        now = timezone.now()
        free = Q(state=SliceState.WAITING.value) | Q(state=SliceState.TAKEN.value, taken_until__lt=now)
        waiting = ReplaySlice.objects.filter(free, replay=replay).order_by("number")
        slice_ = waiting.select_for_update(skip_locked=True).first()
        if slice_ is not None:
            slice_.state, slice_.taken_by = SliceState.TAKEN.value, new_id()
            slice_.taken_until = now + timedelta(seconds=settings.REPLAY_LEASE_SECONDS)
            slice_.save(update_fields=["state", "taken_by", "taken_until"])
        return slice_


def _do(slice_: ReplaySlice, policy: Policy) -> bool:
    """Replay a slice and store what was found; False where somebody else has taken it meanwhile."""
    found = replay_slice(slice_, policy)
    with transaction.atomic():
        mine = ReplaySlice.objects.filter(pk=slice_.pk, taken_by=slice_.taken_by, state=SliceState.TAKEN.value)
        if not mine.update(state=SliceState.DONE.value, taken_by=None, taken_until=None):
            return False
        store_replayed(slice_, found)
    return True


def replay_slice(slice_: ReplaySlice, policy: Policy) -> list[Replayed]:
    """Replay the turns of a slice that are still there."""
    keys = [UUID(key) for key in slice_.turn_ids]
    rows = SessionRunInput.objects.filter(user_id=slice_.user_id, pk__in=keys)
    rows = rows.select_related("after_message").only(*_READ).order_by("session_id", "position")
    return list(replay_turns(rows, policy, _catalogs(rows)))


def _catalogs(rows: QuerySet[SessionRunInput]) -> dict[UUID, str]:
    """Give the digest of the catalog of the last recorded run of each turn that has one."""
    runs = SelectionRun.objects.filter(run_input__in=rows.order_by().values("pk")).order_by("created_at", "id")
    return dict(runs.values_list("run_input", "catalog_digest"))


def _end(replay: Replay) -> None:
    """Mark a replay as done once every slice is."""
    if not replay.slices.exclude(state=SliceState.DONE.value).exists():
        running = Replay.objects.filter(pk=replay.pk, state=ReplayState.RUNNING.value)
        running.update(state=ReplayState.DONE.value, ended_at=timezone.now())


def cancel_replay(replay: Replay) -> None:
    """Call a replay off; what it found so far stays."""
    running = Replay.objects.filter(pk=replay.pk, state=ReplayState.RUNNING.value)
    running.update(state=ReplayState.CANCELLED.value, ended_at=timezone.now())
