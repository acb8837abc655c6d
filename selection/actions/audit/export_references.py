"""Export the references that a question names: as fast as the database gives them, in no more memory than a few pieces take, the same bytes on every database.

PostgreSQL writes the lines itself (`COPY`), and SQLite gives values of which the same lines are made here. A name that a spreadsheet would run is text.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

import msgspec
from django.contrib.auth import get_user_model
from django.db import connection
from django.utils import timezone

from selection.actions.audit.exported import ended, exported
from selection.actions.audit.question import Match, Question
from selection.actions.audit.search import References, references_of
from selection.actions.audit.snapshot import snapshot
from selection.actions.exports import FORMULA, Piece, cell, stream_archive
from selection.models import Owner

# The columns of the screen, each with the column of the row.
_COLUMNS: Final = {
    "created_at": "created_at",
    "user": "user_id",
    "session": "session_id",
    "run": "run_id",
    "position": "position",
    "kind": "kind",
    "path": "path",
    "included": "included",
    "reason_code": "reason_code",
    "estimated_tokens": "estimated_tokens",
    "required": "required",
    "restricted": "restricted",
    "model": "model",
    "destination": "destination",
}
# What somebody else wrote; all the rest is made of digits, codes and keys.
_FOREIGN: Final = frozenset(("user", "path", "model"))
_NUMBERS: Final = frozenset(("position", "estimated_tokens"))
_SWITCHES: Final = frozenset(("included", "required", "restricted"))
_QUOTED: Final = frozenset('",\r\n')
_PIECE: Final = 1 << 18
_ROWS_A_PIECE: Final = 1_000
_encode: Final = msgspec.json.Encoder().encode


def export_references(user: Owner, question: Question, form: str) -> Iterator[bytes]:
    """Give a zip archive of the rows and their manifest, piece by piece. An entry tells that it begins, another that it ended, with its digest."""
    head = exported(user, "references", form, {"filter": question.noted()})
    about = {
        "of": "references",
        "filter": question.document(),
        "made_at": timezone.now().isoformat(),
        "chain_head": head,
    }

    def end(manifest: Mapping[str, Any]) -> None:
        ended(user, manifest, head["sequence"])

    return stream_archive("references", form, _within(_pieces(question, form)), tuple(_COLUMNS), about, end)


def _within(pieces: Iterator[Piece]) -> Iterator[Piece]:
    with snapshot():
        yield from pieces


def matching(question: Question) -> References:
    """Give all rows that a question names, newest first, however many paths are meant."""
    if not question.path or question.match is Match.EXACT:
        rows = references_of(question, [question.path])
    else:
        how = "path__startswith" if question.match is Match.PREFIX else "path__icontains"
        rows = references_of(question.without("path")).filter(**{how: question.path})
    return rows.order_by("-created_at", "-id")


def _pieces(question: Question, form: str) -> Iterator[Piece]:
    if form == "csv":
        yield 0, (",".join(_COLUMNS) + "\n").encode()
    if connection.vendor == "postgresql":
        yield from _copied(matching(question), form)
    else:
        yield from _written(matching(question), form)


def _copied(rows: References, form: str) -> Iterator[Piece]:
    sql, given = rows.values("id", *_COLUMNS.values()).query.sql_with_params()
    joined = (
        f"FROM ({sql}) row LEFT JOIN auth_user ON auth_user.id = row.user_id ORDER BY row.created_at DESC, row.id DESC"
    )
    # JSON holds no control characters: with two of them for its signs COPY gives the lines as they are.
    shape = "FORMAT csv" if form == "csv" else "FORMAT csv, DELIMITER E'\\x02', QUOTE E'\\x01'"
    said = ", ".join(map(_cell, _COLUMNS)) if form == "csv" else _line()
    held: list[Any] = []
    size = 0
    with (
        connection.cursor() as cursor,
        cursor.cursor.copy(f"COPY (SELECT {said} {joined}) TO STDOUT ({shape})", given) as copy,
    ):
        for line in copy:
            held.append(line)
            size += len(line)
            if size > _PIECE:
                yield len(held), b"".join(held)
                held, size = [], 0
    yield len(held), b"".join(held)


def _source(name: str) -> str:
    """Name a column in the outer query."""
    return "auth_user.username" if name == "user" else f"row.{_COLUMNS[name]}"


def _text(name: str) -> str:
    if name == "created_at":
        return "to_char(row.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"
    return f"{_source(name)}::text" if name in _SWITCHES | _NUMBERS | {"session", "run"} else _source(name)


def _cell(name: str) -> str:
    if name not in _FOREIGN:
        return _text(name)
    signs = ", ".join(f"E'{_escaped(sign)}'" for sign in FORMULA)
    return f"CASE WHEN left({_source(name)}, 1) IN ({signs}) THEN '''' || {_source(name)} ELSE {_source(name)} END"


def _escaped(sign: str) -> str:
    return sign.encode("unicode_escape").decode()


def _line() -> str:
    return " || ".join(["'{'", *_members(), "'}'"])


def _members() -> Iterator[str]:
    for place, name in enumerate(_COLUMNS):
        yield f"'{',' if place else ''}\"{name}\":'"
        yield f"coalesce({_value(name)}, 'null')"


def _value(name: str) -> str:
    if name in _SWITCHES | _NUMBERS:
        return _text(name)
    return f"to_json({_text(name)})::text" if name in _FOREIGN else f"'\"' || {_text(name)} || '\"'"


def _written(rows: References, form: str) -> Iterator[Piece]:
    people: Any = get_user_model().objects.values_list("pk", "username")
    names = dict(people)
    write = _csv_lines if form == "csv" else _json_lines
    held: list[Sequence[Any]] = []
    for values in rows.values_list(*_COLUMNS.values()).iterator(chunk_size=_ROWS_A_PIECE):
        held.append(_plain(values, names))
        if len(held) == _ROWS_A_PIECE:
            yield len(held), write(held)
            held = []
    yield len(held), write(held)


def _plain(values: Sequence[Any], names: Mapping[int, str]) -> list[Any]:
    moment, user, session, run, *rest = values
    return [_moment(moment), names.get(user), str(session), str(run), *rest]


def _moment(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _csv_lines(rows: Iterable[Sequence[Any]]) -> bytes:
    return "".join(f"{','.join(map(_in_cell, row))}\n" for row in rows).encode()


def _in_cell(value: Any) -> str:
    """Quote as PostgreSQL does; the standard writer leaves a lone carriage return bare."""
    text = str(value).lower() if isinstance(value, bool) else str(cell(value))
    if _QUOTED.isdisjoint(text):
        return text
    doubled = text.replace('"', '""')
    return f'"{doubled}"'


def _json_lines(rows: Iterable[Sequence[Any]]) -> bytes:
    return b"".join(_encode(dict(zip(_COLUMNS, row, strict=True))) + b"\n" for row in rows)
