"""Measure a knob's answer over HTTP against the engine's own selection of the same turn, and count its queries."""

import sys
from itertools import count
from typing import Any

import django
from django.conf import settings


def prepare_database() -> None:
    """Set Django up on a database in memory."""
    django.setup()
    settings.DATABASES["default"]["NAME"] = ":memory:"
    from django.core.management import call_command  # noqa: PLC0415 - once Django is set up

    call_command("migrate", verbosity=0)


def store(size: int) -> tuple[Any, str]:
    """Store a turn of `size` candidates; give a client that may see it, and its address."""
    from django.contrib.auth import get_user_model  # noqa: PLC0415 - once Django is set up
    from django.test import Client  # noqa: PLC0415 - once Django is set up
    from django.urls import reverse  # noqa: PLC0415 - once Django is set up

    from benchmarks.bundles import bundle_of  # noqa: PLC0415 - once Django is set up
    from selection.actions.import_bundle import import_bundle  # noqa: PLC0415 - once Django is set up
    from selection.models import SessionRunInput  # noqa: PLC0415 - once Django is set up

    user = get_user_model().objects.create_user(f"user-{size}")
    row = SessionRunInput.objects.get(session=import_bundle(user, bundle_of(size)))
    client = Client(headers={"host": "127.0.0.1", "HX-Request": "true", "HX-Target": "answer"})
    client.force_login(user)
    return client, reverse("pages:turn", args=[row.pk])


def queries_of(client: Any, address: str) -> int:
    """Count the queries of one answer."""
    from django.db import connection  # noqa: PLC0415 - once Django is set up
    from django.test.utils import CaptureQueriesContext  # noqa: PLC0415 - once Django is set up

    with CaptureQueriesContext(connection) as captured:
        client.get(f"{address}?window=399999")
    return len(captured)


def main(rounds: int = 15) -> int:
    """Print the ratio and the number of queries; the exit code says whether the goals hold."""
    prepare_database()
    from benchmarks.goals import Goal, report  # noqa: PLC0415 - once Django is set up
    from benchmarks.timing import alternate  # noqa: PLC0415 - once Django is set up
    from benchmarks.workload import turn  # noqa: PLC0415 - once Django is set up
    from selection.engine import select  # noqa: PLC0415 - once Django is set up

    small, small_address = store(100)
    large, address = store(10_000)
    made, windows = turn(10_000), count(300_000)
    for client, place in ((small, small_address), (large, address)):
        client.get(place)
    timings = alternate(
        {
            "engine": lambda: select(made).reasons,
            "knob": lambda: large.get(f"{address}?window={next(windows)}"),
        },
        rounds,
    )
    asked, asked_small = queries_of(large, address), queries_of(small, small_address)
    return report(
        [
            Goal("a knob's answer, 10,000 / selecting them", timings.ratio("knob", "engine"), 3.0),
            Goal("queries of a knob's answer", asked, 12),
            Goal("queries, 10,000 less 100 candidates", asked - asked_small, 0),
            Goal("a knob's answer, milliseconds (for scale)", timings.median("knob") * 1000),
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
