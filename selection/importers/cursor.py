"""Cursor's agent transcripts: lines of `{role, message: {content}}`, and nothing else: no times, no models, no ids."""

from typing import Final

from selection.importers.chat import take_message
from selection.importers.conversation import Conversation, short
from selection.importers.head import Head, Shape
from selection.importers.lines import Row, read_rows
from selection.importers.reading import object_of, text_of
from selection.importers.recorded import BEYOND_SHOWN, RecordedFormat, TakesRecord


def sniff(head: Head) -> bool:
    """Lines with a role and a message, and no envelope."""
    if head.shape is Shape.ARRAY:
        return False
    return any({"role", "message"} <= row.keys() and "type" not in row and "created_at" not in row for row in head.rows)


def begin(to: Conversation) -> TakesRecord:
    """Give what takes one line."""

    def take(row: Row) -> str | None:
        message = object_of(row.data, "message")
        if row.data.get("type") == "turn_ended":
            to.report.mark("turn_ended rows")
            return None
        if not message:
            return f"{short(text_of(row.data, 'type'))} rows"
        return take_message(to, message | {"role": text_of(row.data, "role")}, None)

    return take


FORMAT: Final = RecordedFormat(
    name="cursor",
    title="a Cursor agent transcript",
    provider="cursor",
    sniff=sniff,
    records=read_rows,
    begin=begin,
    lacks=("times", "models", "workspace", BEYOND_SHOWN),
)
