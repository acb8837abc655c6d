"""Sealed sessions for tests: turns as stored sessions, and the client's part in a pause."""

import json
from pathlib import Path
from typing import Any, Final

from django.contrib.auth.models import User

from selection.actions.import_bundle import import_bundle
from selection.documents.bundle import BundleMemory, BundleMessage, BundleTurn, SessionBundle, SessionInfo
from selection.documents.turn import read_turn
from selection.engine.values import Envelope, Memory, Message, TurnInput
from selection.models import Session, SessionRunInput

VECTORS: Final = [
    case
    for path in sorted((Path(__file__).parent / "conformance").glob("*.json"))
    for case in json.loads(path.read_bytes())
]
SEALED_VECTORS: Final = [case for case in VECTORS if '"encrypted"' in json.dumps(case["turn"])]
RESUMED_VECTORS: Final = [case for case in VECTORS if "opened" in case]


def rows_of(session: Session) -> list[SessionRunInput]:
    """Give the turns of a session as the pages ask for them."""
    rows = SessionRunInput.objects.select_related("session", "after_message")
    return list(rows.filter(session=session).order_by("position"))


def stored(user: User, document: dict[str, Any]) -> SessionRunInput:
    """Store the turn of a vector; some of them mix what no bundle may mix."""
    turn = read_turn(document)
    return rows_of(import_bundle(user, bundle_of(turn)))[0]


def bundle_of(turn: TurnInput) -> SessionBundle:
    """Give a session whose one turn is `turn`."""
    recalled = turn.recalled
    contents: list[object] = [each.content for each in recalled.messages]
    contents += [each.content for each in recalled.context_memory]
    keys = [each.key_id for each in (*contents, turn.input.text) if isinstance(each, Envelope)]
    return SessionBundle(
        session=SessionInfo(key_id=keys[0] if keys else None),
        messages=tuple(_message(each) for each in recalled.messages),
        user_memory=tuple(_memory(each) for each in recalled.user_memory),
        context_memory=tuple(_memory(each) for each in recalled.context_memory),
        models=turn.models,
        turns=(
            BundleTurn(
                after_message=recalled.messages[-1].id if recalled.messages else None,
                input=turn.input,
                workspace=turn.workspace,
                attachments=turn.attachments,
                policy=turn.policy,
                local_preferences=turn.local_preferences,
                credentials=turn.credentials,
            ),
        ),
    )


def _message(each: Message) -> BundleMessage:
    return BundleMessage(
        id=each.id,
        role=each.role,
        content=each.content,
        provider=each.provider,
        model=each.model,
        path=each.path,
        created_at=each.created_at,
    )


def _memory(each: Memory) -> BundleMemory:
    return BundleMemory(id=each.id, content=each.content, key=each.key)
