"""The audit at size, on PostgreSQL: what every question and every list costs with very many references beside few of them, and by which plans.

`SMISTA_BENCH_REFERENCES` says how many (a million unless given); `SMISTA_BENCH_SERVER` names a server to keep what was generated for the next time.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Any, Final

import psycopg
from psycopg import sql

from benchmarks.goals import Goal, report
from benchmarks.timing import alternate
from tools.postgres import find_server, running_server

_MODULE: Final = "benchmarks.bench_audit_size"
_MANY: Final = int(os.environ.get("SMISTA_BENCH_REFERENCES", "1000000"))
_FEW: Final = 100_000
_ROUNDS: Final = 25
_QUERIES: Final = 12
_TIMES: Final = 20.0
_GROWTH: Final = 2.0
# A table of so few rows is read as a whole, and rightly.
_SMALL: Final = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What one address asks of a database: its statements, the one that fetches the same rows by their keys, and the tables that were read as a whole."""

    queries: list[str]
    by_key: str
    scanned: list[str]


def main() -> int:
    """Print what came of it; the exit code says whether the goals hold."""
    programs = find_server()
    if programs is None:
        print("no PostgreSQL server is installed: the audit was not measured at size")
        return 1
    with _server() as address:
        few, many = (_apart(address, count) for count in (_FEW, _MANY))
        with _connected(address, _FEW) as small, _connected(address, _MANY) as large:
            return report(goal for name in many for goal in _goals(name, (small, few[name]), (large, many[name])))


@contextmanager
def _server() -> Iterator[str]:
    kept = os.environ.get("SMISTA_BENCH_SERVER")
    if kept:
        yield kept
        return
    programs = find_server()
    assert programs is not None
    with running_server(programs) as address:
        yield address


def _apart(server: str, count: int) -> Mapping[str, Page]:
    with tempfile.TemporaryDirectory() as folder:
        held = {
            **os.environ,
            "DATABASE_URL": _address(server, count),
            "SMISTA_DATA_DIR": folder,
            "DJANGO_SETTINGS_MODULE": "smista_site.settings",
            "SMISTA_HTTPS": "off",
        }
        _make_database(server, f"audit_{count}")
        command = [sys.executable, "-m", _MODULE, "ask", str(count)]
        done = subprocess.run(command, env=held, check=True, stdout=subprocess.PIPE, text=True)  # noqa: S603 - ourselves
    return {name: Page(**page) for name, page in json.loads(done.stdout.splitlines()[-1]).items()}


def _address(server: str, count: int) -> str:
    return server.rsplit("/", 1)[0] + f"/audit_{count}"


def _make_database(server: str, name: str) -> None:
    with psycopg.connect(server, autocommit=True) as connection:
        if connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone() is None:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))


@contextmanager
def _connected(server: str, count: int) -> Iterator[Any]:
    with psycopg.connect(_address(server, count), autocommit=True, cursor_factory=psycopg.ClientCursor) as connection:
        yield connection.cursor()


Side = tuple[Any, Page]


def _goals(name: str, few: Side, many: Side) -> Iterator[Goal]:
    """Time a page on both sides in turn, so that what drifts, drifts for both."""
    (small, page_of_few), (large, page) = few, many
    rounds = {
        "few": _asking(small, page_of_few.queries),
        "many": _asking(large, page.queries),
        "by key": _asking(large, [page.by_key]),
    }
    timed = alternate(rounds, _ROUNDS, before=lambda: None)
    least = {side: min(seconds) * 1_000 for side, seconds in timed.seconds.items()}
    bound = not name.startswith("(")
    yield Goal(f"{name}: queries", len(page.queries), _QUERIES)
    yield Goal(f"{name}: tables read as a whole", len(page.scanned), 0 if bound else None)
    yield Goal(f"{name}: / its rows by key", least["many"] / least["by key"], _TIMES if bound else None)
    yield Goal(f"{name}: / with {_FEW:,}", least["many"] / least["few"], _GROWTH if bound else None)
    yield Goal(f"{name}: ms", least["many"])


def _asking(cursor: Any, statements: list[str]) -> Callable[[], None]:
    def ask() -> None:
        for statement in statements:
            cursor.execute(statement)
            cursor.fetchall()

    return ask


def _ask(count: int) -> None:
    from django.core.management import call_command  # noqa: PLC0415 - once Django is set up

    from benchmarks.audit_rows import make_references  # noqa: PLC0415 - once Django is set up
    from selection.models import SessionContextReference  # noqa: PLC0415 - once Django is set up

    call_command("migrate", verbosity=0)
    if not SessionContextReference.objects.exists():
        make_references(count)
    print(json.dumps({name: asdict(_page(address)) for name, address in _addresses().items()}))


def _addresses() -> dict[str, str]:
    """Give the questions and the lists; names in parentheses are measured for scale alone."""
    from django.contrib.admin import site  # noqa: PLC0415 - once Django is set up

    from selection.admin.read_only import ReadOnlyAdmin  # noqa: PLC0415 - once Django is set up
    from selection.models import PolicyVersion, SelectionRun  # noqa: PLC0415 - once Django is set up

    version = PolicyVersion.objects.order_by("pk")[3].pk
    run = SelectionRun.objects.order_by("created_at")[500]
    first = run.created_at.date()
    day, later = first.isoformat(), (first + timedelta(days=180)).isoformat()
    search = "/audit/references/"
    named = [model._meta.model_name for model, page in site._registry.items() if isinstance(page, ReadOnlyAdmin)]  # noqa: SLF001 - the documented names
    return {
        "path everywhere, to remote": f"{search}?path=AGENTS.md&sent=remote",
        "path in some, to remote": f"{search}?path=src/core/module_7.py&sent=remote",
        "(path hardly anywhere, to remote)": f"{search}?path=services/service_7/src/part_7/file_7.ts&sent=remote",
        "path nowhere, to remote": f"{search}?path=no/such.py&sent=remote",
        "turns of a policy version": f"/audit/runs/?version={version}",
        "what a model saw": f"{search}?model=openai/gpt-5&sent=anywhere",
        "what a rare model saw, from to": f"{search}?model=mistral/codestral&sent=anywhere&since={day}&until={later}",
        "references": search,
        "runs": "/audit/runs/",
        "chain": "/audit/entries/",
        **{f"admin: {name}": f"/admin/selection/{name}/" for name in sorted(filter(None, named))},
        "(overview)": "/audit/",
        "(counts of all)": f"{search}counts/",
        "(counts of a path)": f"{search}counts/?path=AGENTS.md",
        "(part of a path)": f"{search}?path=part_7/file_7&match=contains",
        "(rare in its properties)": f"{search}?restricted=yes&included=yes&model=ollama/llama3.3&kind=instruction",
        "(of a session)": f"{search}?session={run.session_id}",
        "(of a version)": f"{search}?version={version}&included=no",
        "(a run with its proof)": f"/audit/runs/{run.pk}/",
    }


def _page(address: str) -> Page:
    from django.db import connection  # noqa: PLC0415 - once Django is set up

    queries = _queries_of(address)
    rows = next((statement for statement in queries if re.search(r"LIMIT 101\b", statement)), "")
    with connection.cursor() as cursor:
        scanned = sorted({name for statement in queries for name in _scanned(cursor, statement)})
    return Page(queries=queries, by_key=_by_key(rows), scanned=scanned)


def _queries_of(address: str) -> list[str]:
    """Give what a page asks of the database, without what every page asks of who is signed in."""
    from django.contrib.auth import get_user_model  # noqa: PLC0415 - once Django is set up
    from django.db import connection  # noqa: PLC0415 - once Django is set up
    from django.test import Client  # noqa: PLC0415 - once Django is set up
    from django.test.utils import CaptureQueriesContext  # noqa: PLC0415 - once Django is set up

    people: Any = get_user_model()
    user = people.objects.filter(username="auditor").first() or people.objects.create_superuser("auditor")
    client = Client(headers={"host": "127.0.0.1"})
    client.force_login(user)
    with CaptureQueriesContext(connection) as captured:
        answer = client.get(address)
    assert answer.status_code == 200, (address, answer.status_code)  # noqa: PLR2004 - as it should be
    said = [query["sql"] for query in captured.captured_queries]
    return [each for each in said if each.startswith(("SELECT", "\n    WITH")) and "django_session" not in each]


def _by_key(statement: str) -> str:
    """Give the statement that fetches the rows of another one by their primary keys."""
    from django.db import connection  # noqa: PLC0415 - once Django is set up

    if not statement:
        return "SELECT 1"
    table = re.search(r'FROM "(\w+)"', statement)
    assert table is not None
    name = table[1]
    with connection.cursor() as cursor:
        cursor.execute(statement)
        columns = [each[0] for each in cursor.description]
        rows = [dict(zip(columns, values, strict=True)) for values in cursor.fetchall()]
    if not rows:
        return f'SELECT * FROM "{name}" WHERE {"sequence" if name == "audit_entry" else "id"} IS NULL'  # noqa: S608 - a name of our own
    if name == "audit_entry":
        return f'SELECT * FROM "{name}" WHERE sequence IN ({", ".join(str(row["sequence"]) for row in rows)})'  # noqa: S608 - as above
    if name == "session_context_reference":
        keys = ", ".join(f"('{row['id']}'::uuid, '{row['created_at'].isoformat()}'::timestamptz)" for row in rows)
        return f'SELECT * FROM "{name}" WHERE (id, created_at) IN ({keys})'  # noqa: S608 - as above
    return f"""SELECT * FROM "{name}" WHERE id IN ({", ".join(f"'{row['id']}'" for row in rows)})"""  # noqa: S608 - as above


def _scanned(cursor: Any, statement: str) -> Iterator[str]:
    """Give the tables, other than small ones, that a statement reads as a whole."""
    cursor.execute(f"EXPLAIN (FORMAT JSON) {statement}")
    for node in _nodes(cursor.fetchone()[0][0]["Plan"]):
        if node["Node Type"] in {"Seq Scan", "Parallel Seq Scan"}:
            cursor.execute("SELECT reltuples FROM pg_class WHERE oid = %s::regclass", [node["Relation Name"]])
            if cursor.fetchone()[0] > _SMALL:
                yield node["Relation Name"]


def _nodes(plan: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield plan
    for child in plan.get("Plans", ()):
        yield from _nodes(child)


if __name__ == "__main__":
    import django

    django.setup()
    match sys.argv[1:]:
        case ["ask", count]:
            _ask(int(count))
