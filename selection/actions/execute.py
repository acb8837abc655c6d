"""Execute a turn as a router does, up to the call of the model, which is never made: store it, select, pause where it must, and record what was selected.

A session has one run in flight. What is opened on the way lives in the request that brings it; a run that waits for approval after rows were opened is
approved with the rows in hand, since nobody here kept them.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction

from selection.actions.decrypt_pause import Pause, answer_pause, begin_pause
from selection.actions.open_turn import open_turn
from selection.actions.push import append_turn
from selection.actions.record_run import record_run
from selection.documents.answer import Answer
from selection.documents.bundle import BundleTurn
from selection.documents.continuations import Continuation, ContinuationType, Decision
from selection.documents.pushes import ExecuteRequest
from selection.engine import Outcome
from selection.engine.codes import Status
from selection.engine.values import PlainRecord
from selection.models import (
    FlightState,
    Owner,
    RunInFlight,
    SelectionRun,
    Session,
    SessionRunInput,
)
from selection.models.base import key_of, new_id


@dataclass(eq=False)
class RunRefused(Exception):
    """A continuation that cannot be taken, or a second run: a stable `code`, and in words why."""

    code: str
    why: str

    def __str__(self) -> str:
        """Say why."""
        return self.why


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """Where a run stands: it waits with `pause`, waits for approval, or has ended with a recorded `run`; `denied` and `broken` tell how else it ended."""

    row: SessionRunInput
    outcome: Outcome
    pause: Pause | None = None
    run: SelectionRun | None = None
    denied: bool = False
    broken: bool = False


def execute(user: Owner, session: Session, request: ExecuteRequest, credentials: Iterable[str]) -> Step:
    """Begin a run. Raises `RunRefused` where one is in flight, `InvalidDocument` where the turn is not sealed as its session is."""
    with transaction.atomic():
        Session.objects.select_for_update().get(pk=session.pk)
        if RunInFlight.objects.filter(session=session).exists():
            raise RunRefused("run_in_flight", "another run of this session waits; continue it, or break it off")
        turn = BundleTurn(
            input=request.input,
            workspace=request.workspace,
            attachments=request.attachments,
            policy=request.policy,
            local_preferences=request.local_preferences,
            credentials=tuple(credentials),
        )
        row = append_turn(user, session, turn)
        return _advance(user, row, open_turn(row).outcome)


def go_on(user: Owner, session: Session, asked: Continuation) -> Step:
    """Go on with the run in flight. Raises `RunRefused` or `AnswerRefused`; then it waits as before."""
    with transaction.atomic():
        flights = RunInFlight.objects.select_for_update(of=("self",)).select_related(
            "run_input__session", "run_input__after_message"
        )
        flight = flights.filter(session=session).first()
        if flight is None:
            raise RunRefused("no_run_in_flight", "no run of this session waits")
        return _continued(user, flight, asked)


def _continued(user: Owner, flight: RunInFlight, asked: Continuation) -> Step:
    row, state = flight.run_input, FlightState(flight.state)
    match asked.type:
        case ContinuationType.BREAK:
            return _end(user, row, open_turn(row).outcome, broken=True)
        case ContinuationType.DECRYPTED if state is FlightState.AWAITING_DECRYPT:
            return _advance(user, row, _opened(user, row, asked.data.asked, asked.data.records))
        case ContinuationType.APPROVAL_DECISIONS if state is FlightState.AWAITING_APPROVAL:
            return _decided(user, flight, asked)
        case _:
            raise RunRefused("not_awaited", f"the run waits for something else: {state.value.replace('_', ' ')}")


def _opened(user: Owner, row: SessionRunInput, asked: str | None, records: tuple[PlainRecord, ...]) -> Outcome:
    outcome = open_turn(row).outcome
    pause = begin_pause(user, row, outcome, keep=True)
    named = asked or (pause.asked if pause else "")
    return answer_pause(user, row, outcome, Answer(asked=named, records=records), keep=True)


def _decided(user: Owner, flight: RunInFlight, asked: Continuation) -> Step:
    row, data = flight.run_input, asked.data
    if data.decision is None:
        raise RunRefused("decision_missing", "the decision is neither `allow` nor `deny`")
    if flight.opened and data.decision is Decision.ALLOW and not data.records:
        raise RunRefused(
            "plaintext_needed", "rows of this run were opened; send them along, since they are kept nowhere"
        )
    outcome = _opened(user, row, data.asked, data.records) if flight.opened and data.records else open_turn(row).outcome
    return _end(user, row, outcome, decision=data.decision)


def _advance(user: Owner, row: SessionRunInput, outcome: Outcome) -> Step:
    if outcome.status is Status.AWAITING_DECRYPT:
        _wait(user, row, FlightState.AWAITING_DECRYPT, outcome)
        return Step(row=row, outcome=outcome, pause=begin_pause(user, row, outcome, keep=True))
    if outcome.status is Status.AWAITING_APPROVAL:
        _wait(user, row, FlightState.AWAITING_APPROVAL, outcome)
        return Step(row=row, outcome=outcome)
    return _end(user, row, outcome)


def _wait(user: Owner, row: SessionRunInput, state: FlightState, outcome: Outcome) -> None:
    RunInFlight.objects.update_or_create(
        session_id=row.session_id,
        defaults={"user_id": key_of(user), "run_input": row, "state": state.value, "opened": outcome.resumed},
    )


def _end(
    user: Owner, row: SessionRunInput, outcome: Outcome, *, decision: Decision | None = None, broken: bool = False
) -> Step:
    """Record what was selected, and let the session take another run."""
    RunInFlight.objects.filter(session_id=row.session_id).delete()
    run = record_run(user, row, outcome, new_id(), decision, broken=broken)
    return Step(row=row, outcome=outcome, run=run, denied=decision is Decision.DENY, broken=broken)
