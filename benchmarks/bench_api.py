"""`POST selections` against the engine's own selection of the same turn."""

import json
import sys
from http import HTTPStatus
from typing import Any

from benchmarks.bench_http import prepare_database

GOAL = 3.0


def main(rounds: int = 15) -> int:
    """Print the ratio; the exit code says whether the goal holds."""
    prepare_database()
    from benchmarks.goals import Goal, report  # noqa: PLC0415 - once Django is set up
    from benchmarks.timing import alternate  # noqa: PLC0415 - once Django is set up
    from benchmarks.workload import turn  # noqa: PLC0415 - once Django is set up
    from selection.documents.turn import read_turn, write_turn  # noqa: PLC0415 - once Django is set up
    from selection.engine import select  # noqa: PLC0415 - once Django is set up

    made, client = turn(10_000), client_of_somebody()
    body = json.dumps(write_turn(made)).encode()

    def ask() -> Any:
        answer = client.post("/api/v1/selections", body, content_type="application/json")
        assert answer.status_code == HTTPStatus.OK, answer.content
        return answer

    fresh: list[Any] = []

    def read_anew() -> None:
        """A request's turn is one that nobody has seen: its texts have no hashes yet. The engine gets such a one too, read before the clock starts."""
        fresh[:] = [read_turn(body)]

    timings = alternate({"engine": lambda: select(fresh[0]).reasons, "api": ask}, rounds, read_anew)
    return report([Goal("POST selections, 10,000 / selecting them", timings.ratio("api", "engine"), GOAL)])


def client_of_somebody() -> Any:
    """Give a client that shows a token, which nothing bounds."""
    from django.contrib.auth import get_user_model  # noqa: PLC0415 - once Django is set up
    from rest_framework.test import APIClient  # noqa: PLC0415 - once Django is set up

    from selection.actions.api_tokens import Scope, make_token  # noqa: PLC0415 - once Django is set up

    _, text = make_token(get_user_model().objects.create_user("program"), "bench", (Scope.READ,), None)
    client = APIClient(HTTP_HOST="127.0.0.1")
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {text}")
    return client


if __name__ == "__main__":
    sys.exit(main())
