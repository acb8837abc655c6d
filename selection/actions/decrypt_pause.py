"""The pause of a sealed turn and the return from it: which rows the client opens, and what its answer makes of the selection ("Sealed history" in domain.md).

What was opened lives in the call that brought it: nothing here stores it, keeps it or says it. A pause of the turn as its rows say is a row of its own, so that
it outlives a restart; a what-if saves nothing, and its pause is known by its digest alone.
"""

from dataclasses import dataclass, replace

from django.db import transaction
from django.utils import timezone

from selection.documents.answer import Answer
from selection.documents.canonical import digest
from selection.documents.outcome import outcome_document
from selection.engine import Outcome, resume, sealed_records
from selection.engine.codes import Status
from selection.engine.errors import InvalidAnswer
from selection.engine.values import SealedRecord
from selection.models import DecryptPause, Owner, SessionRunInput
from selection.models.base import key_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause:
    """What the client is asked for: exactly `records`, sealed with the key called `key_id`. Its answer names `asked`."""

    asked: str
    key_id: str
    records: tuple[SealedRecord, ...]


@dataclass(eq=False)
class AnswerRefused(Exception):
    """An answer that has no effect: a stable `code`, and in words why, with the row where one is to blame; no content."""

    code: str
    why: str
    record_id: str = ""

    def __str__(self) -> str:
        """Say where and why."""
        return f"`{self.record_id}`: {self.why}" if self.record_id else self.why


def begin_pause(user: Owner, row: SessionRunInput, outcome: Outcome, *, keep: bool) -> Pause | None:
    """Give what the client is asked for; None where `outcome` waits for nothing. With `keep` that it was asked is stored, once."""
    pause = _pause_of(row, outcome)
    if pause is not None and keep:
        with transaction.atomic():
            DecryptPause.objects.get_or_create(
                run_input=row,
                asked_digest=pause.asked,
                defaults={"user_id": key_of(user), "session_id": row.session_id, "rows": len(pause.records)},
            )
    return pause


def _pause_of(row: SessionRunInput, outcome: Outcome) -> Pause | None:
    if outcome.status is not Status.AWAITING_DECRYPT:
        return None
    records = sealed_records(outcome)
    return Pause(asked=digest(_asked(outcome, records)), key_id=row.session.key_id or "", records=records)


def _asked(outcome: Outcome, records: tuple[SealedRecord, ...]) -> list[object]:
    """Give what an answer rests on: all of the turn, the rows that were asked for as they are sealed, and of the rest of the history who and how much."""
    turn, candidates = outcome.turn, outcome.candidates
    rest = replace(turn, recalled=replace(turn.recalled, messages=()))
    history = [message.id for message in turn.recalled.messages]
    return [
        rest,
        history,
        candidates.tokens if candidates else [],
        candidates.columns.paths if candidates else [],
        records,
    ]


def answer_pause(user: Owner, row: SessionRunInput, outcome: Outcome, answer: Answer, *, keep: bool) -> Outcome:
    """Decide the paused `outcome` with its rows opened. The same answer twice gives the same; raises `AnswerRefused`, and then nothing has changed."""
    pause = _pause_of(row, outcome)
    if pause is None:
        raise AnswerRefused("not_waiting", "this turn waits for no rows")
    if answer.asked != pause.asked:
        raise _stale(user, row, answer.asked)
    try:
        resumed = resume(outcome, answer.records)
    except InvalidAnswer as error:
        raise AnswerRefused("wrong_records", error.why, error.record_id) from None
    if keep:
        _close(user, row, pause, digest(outcome_document(resumed)))
    return resumed


def _stale(user: Owner, row: SessionRunInput, asked: str) -> AnswerRefused:
    known = (
        DecryptPause.objects.owned_by(user).filter(asked_digest=asked).values_list("run_input_id", flat=True).first()
    )
    if known is not None and known != row.pk:
        return AnswerRefused("other_turn", "this answers another turn")
    return AnswerRefused("stale", "the turn is not as it was when its rows were asked for; ask again")


def _close(user: Owner, row: SessionRunInput, pause: Pause, result: str) -> None:
    """Note that the pause was answered. Of two answers that differ the first one stands, whichever tab or program it came from."""
    with transaction.atomic():
        pauses = DecryptPause.objects.owned_by(user).select_for_update()
        held = pauses.filter(run_input=row, asked_digest=pause.asked).first()
        if held is None:
            raise AnswerRefused("never_asked", "these rows were not asked for")
        if held.result_digest is None:
            held.answered_at, held.result_digest = timezone.now(), result
            held.save(update_fields=["answered_at", "result_digest"])
        elif held.result_digest != result:
            raise AnswerRefused(
                "answered_otherwise", "this pause was answered before, and what was opened then was another text"
            )
