"""The session bundle in and out, with the rules that hold across its parts."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import BinaryIO, Protocol

from selection.documents.bundle import BUNDLE_FORMAT, SessionBundle
from selection.documents.errors import Fault, InvalidDocument
from selection.documents.reading import read_json, shown, validate
from selection.documents.writing import to_document
from selection.engine.values import Content, Envelope


class Writable(Protocol):
    """Anything that takes bytes."""

    def write(self, data: bytes, /) -> object:
        """Take some."""


def read_bundle(source: bytes | str | BinaryIO) -> SessionBundle:
    """Read a bundle. Raises `InvalidDocument` with every fault and its place; then nothing of it is to be used."""
    bundle = validate(SessionBundle, read_json(source if isinstance(source, bytes | str) else source.read()))
    faults = list(_faults(bundle))
    if faults:
        raise InvalidDocument(faults)
    return bundle


def write_bundle(bundle: SessionBundle, file: Writable) -> None:
    """Write a bundle that reads back equal, an item at a time; equal bundles give equal bytes."""
    file.write(f'{{"format": {_json(bundle.format)},\n"session": {_json(to_document(bundle.session))}'.encode())
    for name in ("messages", "user_memory", "context_memory", "models", "turns"):
        file.write(f',\n"{name}": ['.encode())
        for number, item in enumerate(getattr(bundle, name)):
            file.write(f"{',' if number else ''}\n{_json(to_document(item))}".encode())
        file.write(b"]")
    file.write(b"}\n")


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _faults(bundle: SessionBundle) -> Iterator[Fault]:
    if bundle.format != BUNDLE_FORMAT:
        yield Fault("format", f"is not `{BUNDLE_FORMAT}`")
    yield from _twice("messages", "id", [message.id for message in bundle.messages])
    for name, memories in (("user_memory", bundle.user_memory), ("context_memory", bundle.context_memory)):
        yield from _twice(name, "id", [memory.id for memory in memories])
        yield from _twice(name, "key", [memory.key for memory in memories])
    yield from _twice("models", "model", [model.name for model in bundle.models])
    yield from _unplaced(bundle)
    yield from _sealing(bundle)


def _twice(part: str, field: str, values: Sequence[str | None]) -> Iterator[Fault]:
    counts = Counter(value for value in values if value is not None)
    seen: set[str] = set()
    for place, value in enumerate(values):
        if value is not None and counts[value] > 1 and value in seen:
            yield Fault(f"{part}[{place}].{field}", f"`{shown(value)}` appears twice")
        if value is not None:
            seen.add(value)


def _unplaced(bundle: SessionBundle) -> Iterator[Fault]:
    known = {message.id for message in bundle.messages if message.id is not None}
    for place, turn in enumerate(bundle.turns):
        if turn.after_message is not None and turn.after_message not in known:
            yield Fault(f"turns[{place}].after_message", f"no message is called `{shown(turn.after_message)}`")


def _sealing(bundle: SessionBundle) -> Iterator[Fault]:
    """A session is encrypted exactly when it names its key; then all content is sealed, but for what is remembered of the user."""
    encrypted = bundle.session.key_id is not None
    for place, memory in enumerate(bundle.user_memory):
        if isinstance(memory.content, Envelope):
            yield Fault(f"user_memory[{place}].content", "is sealed; what is remembered of a user is always plain")
    for spot, content in _contents(bundle):
        if isinstance(content, Envelope) and not encrypted:
            yield Fault(spot, "is sealed, but the session names no `key_id`")
        if encrypted and not isinstance(content, Envelope):
            yield Fault(spot, "is not sealed, but the session names a `key_id`")


def _contents(bundle: SessionBundle) -> Iterator[tuple[str, Content]]:
    for number, message in enumerate(bundle.messages):
        yield f"messages[{number}].content", message.content
    for place, memory in enumerate(bundle.context_memory):
        yield f"context_memory[{place}].content", memory.content
    for number, turn in enumerate(bundle.turns):
        place_of_turn = f"turns[{number}]"
        yield f"{place_of_turn}.input.text", turn.input.text
        if turn.workspace.git_diff is not None:
            yield f"{place_of_turn}.workspace.git_diff", turn.workspace.git_diff
        for name in ("files", "instructions", "invoked_skills", "available_skills"):
            for place, item in enumerate(getattr(turn.attachments, name)):
                yield f"{place_of_turn}.attachments.{name}[{place}].content", item.content
