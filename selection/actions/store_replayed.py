"""Store what a slice of a replay found: its turns, the decisions that change, and what becomes of every path; references and figures, never content."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from django.db import connection

from selection.actions.bulk import writer_of
from selection.actions.replay_turns import Replayed
from selection.engine.changes import Changed
from selection.engine.codes import EffectCode
from selection.models import ReplayChange, ReplayPath, ReplaySlice, ReplayTurn
from selection.models.base import new_key

_TURN = (
    "id", "user", "replay", "run_input", "session", "happened_at", "verdict", "why", "changes", "model_before", "model_after",
    "provider_after", "remote_tokens", "local_tokens", "withheld_tokens",
)  # fmt: skip
_CHANGE = (
    "id", "user", "replay", "run_input", "session", "happened_at", "gravity", "change", "position", "kind", "path", "pattern",
    "place", "tokens",
)  # fmt: skip
_PATH = ("id", "user", "replay", "slice", "path", "fate", "provider", "required", "turns", "tokens")
_GRAVITY = {code: place for place, code in enumerate(EffectCode)}


def store_replayed(slice_: ReplaySlice, found: Iterable[Replayed]) -> None:
    """Store what was found in a slice, within the transaction that marks it as done."""
    owned = (slice_.user_id, slice_.replay_id.hex)
    turns: list[Any] = []
    changes: list[Any] = []
    paths: Counter[tuple[str, str, str, bool]] = Counter()
    tokens: Counter[tuple[str, str, str, bool]] = Counter()
    for replayed in found:
        turns += _turn(owned, replayed)
        for changed in replayed.changes:
            changes += _change(owned, replayed, changed)
        provider = _provider(replayed) or ""
        for path, fate, required, size in replayed.exposure.paths:
            name = path, fate, provider, required
            paths[name] += 1
            tokens[name] += size
    held = [
        value
        for name, count in paths.items()
        for value in (new_key(), *owned, slice_.pk.hex, *name, count, tokens[name])
    ]
    with connection.cursor() as cursor:
        for model, columns, values in (
            (ReplayTurn, _TURN, turns),
            (ReplayChange, _CHANGE, changes),
            (ReplayPath, _PATH, held),
        ):
            if values:
                writer_of(cursor, model, *columns)(values)


def _provider(replayed: Replayed) -> str | None:
    model = replayed.after.model if replayed.after else None
    return model.provider if model else None


def _turn(owned: tuple[int, str], replayed: Replayed) -> tuple[Any, ...]:
    row, before, after = replayed.row, replayed.before, replayed.after
    return (
        new_key(),
        *owned,
        row.pk.hex,
        row.session_id.hex,
        _moment(replayed),
        replayed.verdict.value,
        replayed.why,
        len(replayed.changes),
        before.model.name if before and before.model else None,
        after.model.name if after and after.model else None,
        _provider(replayed),
        replayed.exposure.remote,
        replayed.exposure.local,
        replayed.exposure.withheld,
    )


def _change(owned: tuple[int, str], replayed: Replayed, changed: Changed) -> tuple[Any, ...]:
    row = replayed.row
    return (
        new_key(),
        *owned,
        row.pk.hex,
        row.session_id.hex,
        _moment(replayed),
        _GRAVITY[changed.code],
        changed.code.value,
        changed.position,
        changed.kind,
        changed.path,
        changed.pattern,
        changed.place,
        changed.tokens,
    )


def _moment(replayed: Replayed) -> Any:
    """As the database takes a time: SQLite keeps UTC without a zone."""
    moment = replayed.happened_at
    return moment if connection.vendor == "postgresql" else str(connection.ops.adapt_datetimefield_value(moment))
