"""A sealed session beside the same one in plain: from the rows to the pause, against from the rows to the selection."""

import sys
from typing import Any

from benchmarks.bench_http import forget, prepare_database

GOAL = 1.5


def main(rounds: int = 25) -> int:
    """Print the ratio; the exit code says whether the goal holds."""
    prepare_database()
    from benchmarks.goals import Goal, report  # noqa: PLC0415 - once Django is set up
    from benchmarks.timing import alternate  # noqa: PLC0415 - once Django is set up
    from selection.actions.decrypt_pause import begin_pause  # noqa: PLC0415 - once Django is set up
    from selection.actions.open_turn import open_turn  # noqa: PLC0415 - once Django is set up

    user, plain, sealed = store()
    timings = alternate(
        {
            "plain": lambda: open_turn(plain).outcome.reasons,
            "sealed": lambda: begin_pause(user, sealed, open_turn(sealed).outcome, keep=True),
        },
        rounds,
        before=forget,
    )
    return report(
        [
            Goal("pausing 5,000 sealed / selecting them in plain", timings.ratio("sealed", "plain"), GOAL),
            Goal("selecting in plain, milliseconds (for scale)", timings.median("plain") * 1000),
        ]
    )


def store() -> tuple[Any, Any, Any]:
    """Store the long demo twice, plain and sealed; give its owner and the last turn of each."""
    from django.contrib.auth import get_user_model  # noqa: PLC0415 - once Django is set up

    from selection.actions.import_bundle import import_bundle  # noqa: PLC0415 - once Django is set up
    from selection.demo import large_session  # noqa: PLC0415 - once Django is set up
    from selection.keyholder import SessionKey, seal_bundle  # noqa: PLC0415 - once Django is set up
    from selection.models import SessionRunInput  # noqa: PLC0415 - once Django is set up

    user = get_user_model().objects.create_user("keeper")
    rows = SessionRunInput.objects.select_related("session", "after_message").order_by("position")
    bundle = large_session()
    plain, sealed = (import_bundle(user, each) for each in (bundle, seal_bundle(bundle, SessionKey.fresh())))
    return user, rows.filter(session=plain).last(), rows.filter(session=sealed).last()


if __name__ == "__main__":
    sys.exit(main())
