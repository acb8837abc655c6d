"""The rules that hold across the parts of a bundle: names are unique and known, and a session is sealed throughout or not at all."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from selection.documents.bundle import BundleMemory, BundleMessage, BundleTurn, SessionInfo
from selection.documents.errors import Fault, shown
from selection.engine.values import Content, Envelope, ModelDescriptor


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A bundle as far as it could be read: None stands for a part that has faults of its own, and about which nothing more is said."""

    session: SessionInfo | None
    messages: Sequence[BundleMessage | None]
    user_memory: Sequence[BundleMemory | None]
    context_memory: Sequence[BundleMemory | None]
    models: Sequence[ModelDescriptor | None]
    turns: Sequence[BundleTurn | None]


def faults_across(draft: Draft) -> Iterator[Fault]:
    """Give the faults that no part has by itself."""
    yield from _repeated("messages[{}].id", draft.messages, attrgetter("id"))
    for name, memories in (("user_memory", draft.user_memory), ("context_memory", draft.context_memory)):
        yield from _repeated(f"{name}[{{}}].id", memories, attrgetter("id"))
        yield from _repeated(f"{name}[{{}}].key", memories, attrgetter("key"))
    yield from _repeated("models[{}].model", draft.models, attrgetter("name"))
    yield from _unplaced(draft)
    if draft.session is not None:
        yield from _sealing(draft, draft.session.key_id)


def _repeated(spot: str, items: Sequence[object], name_of: Callable[[Any], str | None]) -> Iterator[Fault]:
    seen: set[str] = set()
    for place, item in enumerate(items):
        name = None if item is None else name_of(item)
        if name is None:
            continue
        if name in seen:
            yield Fault(spot.format(place), f"`{shown(name)}` appears twice")
        seen.add(name)


def _unplaced(draft: Draft) -> Iterator[Fault]:
    """Name the turns whose place in the history is no message; where a message has faults, its id is not known, and none is named."""
    known = {message.id for message in draft.messages if message is not None}
    for place, turn in enumerate(draft.turns):
        if turn is None or turn.after_message is None or None in draft.messages:
            continue
        if turn.after_message not in known:
            yield Fault(f"turns[{place}].after_message", f"no message is called `{shown(turn.after_message)}`")


def _sealing(draft: Draft, key_id: str | None) -> Iterator[Fault]:
    """A session is encrypted exactly when it names its key; then all content is sealed with it, but for what is remembered of the user."""
    for place, memory in enumerate(draft.user_memory):
        if memory is not None and isinstance(memory.content, Envelope):
            yield Fault(f"user_memory[{place}].content", "is sealed; what is remembered of a user is always plain")
    for spot, content in _contents(draft):
        if not isinstance(content, Envelope):
            if key_id is not None:
                yield Fault(spot, "is not sealed, but the session names a `key_id`")
        elif key_id is None:
            yield Fault(spot, "is sealed, but the session names no `key_id`")
        elif content.key_id != key_id:
            yield Fault(f"{spot}.encrypted.key_id", "is not the key of the session")


def _contents(draft: Draft) -> Iterator[tuple[str, Content]]:
    for name, items in (("messages", draft.messages), ("context_memory", draft.context_memory)):
        for place, item in enumerate(items):
            if item is not None:
                yield f"{name}[{place}].content", item.content
    for place, turn in enumerate(draft.turns):
        if turn is not None:
            yield from _contents_of(turn, f"turns[{place}]")


def _contents_of(turn: BundleTurn, spot: str) -> Iterator[tuple[str, Content]]:
    yield f"{spot}.input.text", turn.input.text
    if turn.workspace.git_diff is not None:
        yield f"{spot}.workspace.git_diff", turn.workspace.git_diff
    for name in ("files", "instructions", "invoked_skills", "available_skills"):
        for place, item in enumerate(getattr(turn.attachments, name)):
            yield f"{spot}.attachments.{name}[{place}].content", item.content
