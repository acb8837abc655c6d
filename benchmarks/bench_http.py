"""Measure a knob's answer over HTTP against the engine's own selection of the same turn, and count its queries."""

import sys
from collections.abc import Callable
from functools import partial
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


def browser_of(client: Any) -> Any:
    """Give a client of the same person that asks for whole pages."""
    from django.test import Client  # noqa: PLC0415 - once Django is set up

    browser = Client(headers={"host": "127.0.0.1"})
    browser.cookies = client.cookies
    return browser


def queries_of(ask: Callable[[], object]) -> int:
    """Count the queries of one answer."""
    from django.db import connection  # noqa: PLC0415 - once Django is set up
    from django.test.utils import CaptureQueriesContext  # noqa: PLC0415 - once Django is set up

    with CaptureQueriesContext(connection) as captured:
        ask()
    return len(captured)


def main(rounds: int = 15) -> int:
    """Print the ratios and the numbers of queries; the exit code says whether the goals hold."""
    prepare_database()
    from benchmarks.goals import report  # noqa: PLC0415 - once Django is set up

    small, large = store(100), store(10_000)
    return report([*times(small, large, rounds), *sizes(small, large)])


Stored = tuple[Any, str]


def times(small: Stored, large: Stored, rounds: int) -> list[Any]:
    """Measure the answers against the engine."""
    from benchmarks.goals import Goal  # noqa: PLC0415 - once Django is set up
    from benchmarks.timing import alternate  # noqa: PLC0415 - once Django is set up
    from benchmarks.workload import turn  # noqa: PLC0415 - once Django is set up
    from selection.engine import select  # noqa: PLC0415 - once Django is set up

    made, numbers = turn(10_000), count(300_000)
    client, address = large
    client.get(address)
    timings = alternate(
        {
            "engine": lambda: select(made).reasons,
            "knob": lambda: client.get(f"{address}?window={next(numbers)}"),
        },
        rounds,
    )
    browser = browser_of(client)
    firsts = alternate(
        {"engine": lambda: select(made).reasons, "first": lambda: browser.get(address)},
        rounds,
        before=forget,
    )
    for opened, place in (small, large):
        opened.get(place)
    whys = alternate(
        {
            "large": lambda: client.get(f"{address}candidates/{next(numbers) % 5_000}/why/"),
            "small": lambda: small[0].get(f"{small[1]}candidates/{next(numbers) % 50}/why/"),
        },
        rounds,
    )
    return [
        Goal("a knob's answer, 10,000 / selecting them", timings.ratio("knob", "engine"), 3.0),
        Goal("the first page, 10,000 / selecting them", firsts.ratio("first", "engine"), 4.0),
        Goal("a why panel, 10,000 / 100 candidates", whys.ratio("large", "small"), 1.3),
        Goal("a knob's answer, milliseconds (for scale)", timings.median("knob") * 1000),
    ]


def forget() -> None:
    """Leave every turn as one that nobody has looked at."""
    from selection.actions.open_turn import cache  # noqa: PLC0415 - once Django is set up

    cache.clear()


def open_afresh(stored: Stored) -> Any:
    """Open the whole page of a turn that nobody has looked at."""
    forget()
    client, address = stored
    return browser_of(client).get(address)


def sizes(small: Stored, large: Stored) -> list[Any]:
    """Count queries and kilobytes."""
    from benchmarks.goals import Goal  # noqa: PLC0415 - once Django is set up

    client, address = large
    page = open_afresh(large)
    small[0].get(small[1])
    asked, asked_small = (queries_of(partial(each[0].get, f"{each[1]}?window=399999")) for each in (large, small))
    return [
        Goal("queries of the first page", queries_of(lambda: open_afresh(large)), 12),
        Goal("queries of a knob's answer", asked, 12),
        Goal("queries, 10,000 less 100 candidates", asked - asked_small, 0),
        Goal("queries of a why panel", queries_of(lambda: client.get(f"{address}candidates/7/why/")), 12),
        Goal("kilobytes of the first page", len(page.content) / 1000, 400),
    ]


if __name__ == "__main__":
    sys.exit(main())
