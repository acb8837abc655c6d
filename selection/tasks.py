"""What runs beside the answers: a worker (`manage.py db_worker`) takes it from the database. A task names rows and holds nothing of what they say."""

import logging
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.contrib.auth import get_user_model
from django.utils import timezone
from django_tasks import task

from selection.actions.audit.retention import ExtentChanged, apply_retention, scope_of
from selection.actions.replays import work_on
from selection.models import Replay, ReplayState

_WORKERS: Final = 8
_log: Final = logging.getLogger(__name__)


class BrokenTask(Exception):
    """A task broke; the log says where, and the queue keeps no word of it."""


@task()
def run_replay(replay_id: str) -> None:
    """Work on a replay until nothing of it is free. Should this worker die, another look at it waits in the queue already."""
    replay = Replay.objects.filter(pk=UUID(replay_id), state=ReplayState.RUNNING.value).first()
    if replay is None:
        return
    later = timezone.now() + timedelta(seconds=settings.REPLAY_LEASE_SECONDS)
    run_replay.using(run_after=later).enqueue(replay_id)
    try:
        for _ in work_on(replay):
            pass
    except Exception:  # noqa: BLE001 - a queue keeps what an exception says, and that may be content
        _log.exception("a replay broke")
        raise BrokenTask("see the log") from None


def enqueue_replay(replay: Replay) -> None:
    """Ask the workers to do a replay: as many of them as could have something to do."""
    for _ in range(min(_WORKERS, replay.slices.count())):
        run_replay.enqueue(str(replay.pk))


def run_or_enqueue(replay: Replay) -> None:
    """Do a small replay now, so that nothing need be started for it, and leave a large one to the workers."""
    if replay.turns <= settings.REPLAY_AT_ONCE_TURNS:
        for _ in work_on(replay):
            pass
    else:
        enqueue_replay(replay)


@task()
def remove_retained(user_id: int, scope: dict[str, Any], rows: int) -> None:
    """Do a retention that somebody saw a preview of, unless it is not any more what was seen; one that breaks half way can be asked for again."""
    user = get_user_model().objects.filter(pk=user_id).first()
    if user is None:
        return
    try:
        apply_retention(user, scope_of(scope), expected=rows)
    except ExtentChanged as changed:
        _log.warning("a retention was not begun: %s", changed)
    except Exception:  # noqa: BLE001 - a queue keeps what an exception says, and that may be content
        _log.exception("a retention broke")
        raise BrokenTask("see the log") from None
