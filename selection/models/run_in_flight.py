"""`run_in_flight`: the one turn of a session that a router has executed and not brought to its end."""

from enum import StrEnum

from django.db import models

from selection.models.base import one_of
from selection.models.session import Session, SessionScoped
from selection.models.session_run_input import SessionRunInput


class FlightState(StrEnum):
    """What the run waits for."""

    AWAITING_DECRYPT = "awaiting_decrypt"
    AWAITING_APPROVAL = "awaiting_approval"


class RunInFlight(SessionScoped):
    """That a turn waits, and for what; `opened` tells that its sealed rows were opened on the way. It holds no content, and goes when the run ends."""

    session = models.OneToOneField(Session, on_delete=models.CASCADE, related_name="run_in_flight")
    run_input = models.ForeignKey(SessionRunInput, on_delete=models.CASCADE, related_name="+")
    state = models.CharField(max_length=20, choices=[(state.value, state.value) for state in FlightState])
    opened = models.BooleanField(default=False)

    class Meta:
        db_table = "run_in_flight"
        ordering = ["-created_at", "-id"]
        constraints = [one_of(FlightState, "run_in_flight_state", field="state")]
