"""Spans of OpenTelemetry's GenAI conventions: OTLP JSON, arrays of spans, or the bare attributes of one; content is there only where it was asked for.

A span holds the whole prompt of its call, so that the last one of a conversation tells it best: each message is taken once.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, BinaryIO, Final

from selection.importers.chat import take_message
from selection.importers.conversation import Conversation
from selection.importers.head import Head
from selection.importers.lines import Row, read_document, read_rows
from selection.importers.reading import list_of, object_of, text_of
from selection.importers.recorded import BEYOND_SHOWN, RecordedFormat, TakesRecord, items_of
from selection.importers.report import Report

_OWN: Final = ("gen_ai.", "llm.", "openinference.", "ai.prompt", "ai.response")
_INPUTS: Final = ("gen_ai.input.messages", "ai.prompt.messages", "gen_ai.prompt")
_OUTPUTS: Final = ("gen_ai.output.messages", "gen_ai.completion")
_FLAT: Final = re.compile(r"^llm\.(input|output)_messages\.(\d+)\.message\.(.+)$")
_CALL: Final = re.compile(r"^tool_calls\.(\d+)\.tool_call\.(?:function\.)?(id|name|arguments)$")
_PART: Final = re.compile(r"^contents\.(\d+)\.message_content\.text$")


def sniff(head: Head) -> bool:
    """Spans, or attributes with the names of the conventions."""
    if any(name.startswith(_OWN) for name in head.keys):
        return True
    return bool({"resourceSpans", "spanContext", "scopeSpans"} & head.keys) or (
        "attributes" in head.keys and any(f'"{name}' in head.text for name in _OWN)
    )


def _records(file: BinaryIO, report: Report) -> Iterator[Row]:
    first = file.readline(1 << 20).strip().removeprefix(b"\xef\xbb\xbf")
    more = file.readline(1 << 20).strip()
    file.seek(0)
    if first.startswith(b"{") and first.endswith(b"}") and more:
        for row in read_rows(file, report):
            report.records -= 1
            yield from items_of(_spans(row.data), report)
        return
    yield from items_of(_spans(read_document(file, report)), report)


def _spans(document: Any) -> list[Any]:
    """Give the spans of a document, however deep it keeps them."""
    if isinstance(document, list):
        return [span for item in document for span in _spans(item)]
    for name in ("resourceSpans", "scopeSpans", "instrumentationLibrarySpans", "spans"):
        held = list_of(document, name)
        if held:
            return _spans(held)
    return [document]


def begin(to: Conversation) -> TakesRecord:
    """Give what takes one span."""
    seen: set[str] = set()

    def take(row: Row) -> str | None:
        attributes = attributes_of(row.data)
        time = to.clock.read(_start(row.data), row.line, to.report)
        messages = list(_messages(attributes))
        model = text_of(attributes, "gen_ai.response.model", "gen_ai.request.model", "llm.model_name", "ai.model.id")
        provider = text_of(attributes, "gen_ai.provider.name", "gen_ai.system", "llm.provider", "ai.model.provider")
        to.model, to.provider = model or to.model, provider or to.provider
        if not messages:
            to.report.mark("spans without content")
            return None
        for message in messages:
            identity = json.dumps(message, sort_keys=True)
            if identity not in seen:
                seen.add(identity)
                take_message(to, message, time)
        return None

    return take


def _start(span: dict[str, Any]) -> Any:
    nanoseconds = span.get("startTimeUnixNano")
    if isinstance(nanoseconds, str) and nanoseconds.isdecimal() and len(nanoseconds) < len("18446744073709551616"):
        return int(nanoseconds) / 1_000_000_000
    return span.get("startTime") or span.get("start_time")


def attributes_of(span: dict[str, Any]) -> dict[str, Any]:
    """Give the attributes of a span as one object; OTLP has them as a list of keys and typed values."""
    listed = list_of(span, "attributes")
    if not listed:
        return object_of(span, "attributes") or span
    return {key: _plain(object_of(item, "value")) for item in listed if (key := text_of(item, "key"))}


def _plain(value: dict[str, Any]) -> Any:
    held = next(iter(value.values()), None)
    return (
        [_plain(item) for item in list_of(held, "values") if isinstance(item, dict)] if "arrayValue" in value else held
    )


def _messages(attributes: dict[str, Any]) -> Iterator[dict[str, Any]]:
    system = _told(attributes.get("gen_ai.system_instructions"))
    if system:
        yield {"role": "system", "content": system}
    for names, role in ((_INPUTS, "user"), (_OUTPUTS, "assistant")):
        held = next((attributes[name] for name in names if name in attributes), None)
        for message in _listed(_told(held)):
            yield message if isinstance(message, dict) and "role" in message else {"role": role, "content": message}
    yield from _flat(attributes, "input")
    yield from _flat(attributes, "output")
    text = text_of(attributes, "ai.response.text")
    if text:
        yield {"role": "assistant", "content": text}


def _told(value: Any) -> Any:
    """Give what a text of JSON holds; any other text is content itself."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value, strict=False)
    except (ValueError, RecursionError):
        return value


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _flat(attributes: dict[str, Any], side: str) -> Iterator[dict[str, Any]]:
    """Give messages whose parts are attributes of their own; indexes are numbers, ten after nine."""
    found: dict[int, dict[str, Any]] = {}
    for name, value in attributes.items():
        match = _FLAT.match(name)
        if match and match[1] == side and len(match[2]) <= len("999999"):
            _put(found.setdefault(int(match[2]), {"parts": {}, "calls": {}}), match[3], value)
    for _, held in sorted(found.items()):
        parts = [{"type": "text", "text": text} for _, text in sorted(held.pop("parts").items())]
        calls = [{"id": call.get("id"), "function": call} for _, call in sorted(held.pop("calls").items())]
        yield {"content": parts, **held, "tool_calls": calls}


def _put(message: dict[str, Any], name: str, value: Any) -> None:
    call, part = _CALL.match(name), _PART.match(name)
    if call:
        message["calls"].setdefault(int(call[1]), {})[call[2]] = value
    elif part:
        message["parts"][int(part[1])] = value
    elif name in {"role", "content", "tool_call_id", "name"}:
        message[name] = value


FORMAT: Final = RecordedFormat(
    name="otel",
    title="OpenTelemetry GenAI spans",
    provider="unknown",
    sniff=sniff,
    records=_records,
    begin=begin,
    lacks=("workspace", "attached files", BEYOND_SHOWN),
)
