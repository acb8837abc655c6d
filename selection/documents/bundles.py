"""The session bundle in and out, an item at a time: neither way holds a second copy of a large session."""

import json
from dataclasses import replace
from typing import Any, BinaryIO, Final, Protocol

from selection.documents.bundle import BUNDLE_FORMAT, BundleMemory, BundleMessage, BundleTurn, SessionBundle
from selection.documents.errors import Fault, Faults, InvalidDocument, shown
from selection.documents.members import members_of
from selection.documents.parsing import read_json
from selection.documents.reading import validate
from selection.documents.rules import Draft, faults_across
from selection.documents.writing import to_document
from selection.engine.values import ModelDescriptor

_ITEMS: Final[dict[str, type]] = {
    "messages": BundleMessage,
    "user_memory": BundleMemory,
    "context_memory": BundleMemory,
    "models": ModelDescriptor,
    "turns": BundleTurn,
}


class Writable(Protocol):
    """Anything that takes bytes."""

    def write(self, data: bytes, /) -> object:
        """Take some."""


def read_bundle(source: bytes | str | BinaryIO) -> SessionBundle:
    """Read a bundle. Raises `InvalidDocument` with every fault and its place; then nothing of it is to be used."""
    faults, whole, lists = Faults(), dict[str, bytes](), {name: list[Any]() for name in _ITEMS}
    for name, place, data in members_of(_bytes(source), _ITEMS):
        if place is None:
            whole[name] = data
        else:
            lists[name].append(_item(name, place, data, faults))
    _check_format(whole.get("format", b"null"))
    frame = _frame(whole, faults)
    faults.take(faults_across(Draft(session=frame.session if frame else None, **lists)))
    if frame is None or faults:
        raise faults.refusal()
    parts: dict[str, Any] = {name: tuple(items) for name, items in lists.items()}
    return replace(frame, **parts)


def _bytes(source: bytes | str | BinaryIO) -> bytes:
    if isinstance(source, str):
        return source.encode("utf-8", "surrogatepass")
    return source if isinstance(source, bytes) else source.read()


def _item(name: str, place: int, data: bytes, faults: Faults) -> Any:
    """Give one item of a list, None where it has faults."""
    spot = f"{name}[{place}]"
    try:
        return validate(_ITEMS[name], read_json(data, spot), spot)
    except InvalidDocument as refused:
        faults.take_refusal(refused)
        return None


def _check_format(data: bytes) -> None:
    """Refuse a format that is not known; of such a document nothing else is said."""
    if read_json(data, "format") != BUNDLE_FORMAT:
        raise InvalidDocument([Fault("format", f"is not `{BUNDLE_FORMAT}`")])


def _frame(whole: dict[str, bytes], faults: Faults) -> SessionBundle | None:
    """Give the bundle without the items of its lists, None where it has faults."""
    try:
        return validate(SessionBundle, {name: read_json(data, shown(name)) for name, data in whole.items()})
    except InvalidDocument as refused:
        faults.take_refusal(refused)
        return None


def write_bundle(bundle: SessionBundle, file: Writable) -> None:
    """Write a bundle that reads back equal, an item at a time; equal bundles give equal bytes."""
    file.write(f'{{"format": {_json(bundle.format)},\n"session": {_json(to_document(bundle.session))}'.encode())
    for name in _ITEMS:
        file.write(f',\n"{name}": ['.encode())
        for place, item in enumerate(getattr(bundle, name)):
            file.write(f"{',' if place else ''}\n{_json(to_document(item))}".encode())
        file.write(b"]")
    file.write(b"}\n")


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
