"""The first reading of a transcript: the ties between its lines, and nothing of what they say."""

from typing import Any, BinaryIO, Final

import msgspec

from selection.importers.claude_code.branches import Course
from selection.importers.claude_code.prompts import is_asked, is_prompt
from selection.importers.lines import blocks_of, rows_of_line, split_lines
from selection.importers.reading import text_of
from selection.importers.report import Report

_NOTHING: Final = msgspec.Raw(b"null")


class _Part(msgspec.Struct, gc=False):
    """A part of what somebody said."""

    type: str | None = None
    text: str | None = None


class _Message(msgspec.Struct, gc=False):
    """What somebody said."""

    content: str | list[_Part] | None = None
    parts: msgspec.Raw = _NOTHING


class _Ties(msgspec.Struct, gc=False):
    """What ties a line to others; all else is passed over unread."""

    type: str | None = None
    uuid: str | None = None
    parent: str | None = msgspec.field(default=None, name="parentUuid")
    aside: bool | None = msgspec.field(default=None, name="isSidechain")
    meta: bool | None = msgspec.field(default=None, name="isMeta")
    summary: bool | None = msgspec.field(default=None, name="isCompactSummary")
    session: str | None = msgspec.field(default=None, name="sessionId")
    agent: str | None = msgspec.field(default=None, name="agentId")
    message: msgspec.Raw = _NOTHING


_ties: Final = msgspec.json.Decoder(_Ties).decode_lines
_message: Final = msgspec.json.Decoder(_Message).decode
_TALK: Final = frozenset(("user", "assistant"))


def survey(file: BinaryIO) -> Course:
    """Read a transcript for its course alone; lines that are hard to read are read as carefully as later."""
    course = Course()
    for block in blocks_of(file):
        if block is not None and not _take_fast(course, block):
            for line in split_lines(block):
                for row in rows_of_line(line, 1, Report("")):
                    _take(course, row.data)
    course.settle()
    return course


def _take_fast(course: Course, block: bytes) -> bool:
    """Take a run of lines, each a plain object; False, and none taken, where a careful reader has to judge."""
    try:
        rows = _ties(block)
        asked = [_is_asked(ties) for ties in rows]
    except (ValueError, RecursionError):
        return False
    if None in asked:
        return False
    for ties, prompt in zip(rows, asked, strict=True):
        aside = ties.aside is True
        course.name(ties.session, ties.agent, aside=aside)
        course.add(ties.uuid, ties.parent, aside=aside, talk=ties.type in _TALK, asked=prompt is True)
    return True


def _is_asked(ties: _Ties) -> bool | None:
    """Tell whether a line is a prompt, as `is_prompt` does; None where that takes a careful reader."""
    if ties.type != "user" or ties.parent is None or ties.meta or ties.summary or ties.aside:
        return False
    message = _message(ties.message)
    if message.content is None or message.parts is not _NOTHING:
        return None
    if isinstance(message.content, str):
        return is_asked(message.content, parts=False)
    if any(part.type == "tool_result" for part in message.content):
        return False
    return is_asked("\n\n".join(part.text for part in message.content if part.text), parts=bool(message.content))


def _take(course: Course, data: dict[str, Any]) -> None:
    kind = text_of(data, "type")
    aside = data.get("isSidechain") is True
    asked = not aside and is_prompt(data)
    course.name(text_of(data, "sessionId"), text_of(data, "agentId"), aside=aside)
    course.add(text_of(data, "uuid"), text_of(data, "parentUuid"), aside=aside, talk=kind in _TALK, asked=asked)
