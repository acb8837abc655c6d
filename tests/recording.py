"""Record selections at any time."""

from datetime import datetime
from unittest.mock import patch
from uuid import uuid4

from django.contrib.auth.models import User

from selection.actions.open_turn import open_turn
from selection.actions.record_run import record_run
from selection.models import SelectionRun, SessionRunInput


def record(user: User, row: SessionRunInput, at: datetime | None = None) -> SelectionRun:
    if at is None:
        return record_run(user, row, open_turn(row).outcome, uuid4())
    with patch.object(SelectionRun._meta.get_field("created_at"), "_get_default", lambda: at):
        return record_run(user, row, open_turn(row).outcome, uuid4())
