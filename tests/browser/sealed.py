"""Sessions in which every content is sealed: one that nobody can open, and two whose key the tests hold."""

import secrets
from base64 import b64encode
from dataclasses import replace
from typing import Final, TypeVar

from selection.demo import story
from selection.demo.policy import MODELS
from selection.documents.bundle import BundleMemory, BundleMessage, BundleTurn, SessionBundle, SessionInfo
from selection.engine.codes import Intent, Role
from selection.engine.values import DefaultRoute, Envelope, ModelDescriptor, Policy, RoutingPolicy, UserInput
from selection.keyholder import SessionKey

KEY = "kf_0123456789abcdef"
MODEL = MODELS[0].name


def sealed(size: int) -> Envelope:
    """Seal `size` bytes, as the server sees it: nobody can open this."""
    return Envelope(
        version=1,
        algorithm="xchacha20poly1305",
        key_id=KEY,
        nonce=b64encode(bytes(24)).decode(),
        ciphertext=b64encode(bytes(size + 16)).decode(),
    )


def sealed_session() -> SessionBundle:
    """Give a session of 41 sealed messages, few of which fit."""
    messages = tuple(
        BundleMessage(
            id=f"m{number}",
            role=Role.USER if number % 2 else Role.ASSISTANT,
            provider=None if number % 2 else "anthropic",
            model=None if number % 2 else "claude-sonnet",
            content=sealed(4_000 if number % 8 else 40),
            created_at=f"2026-03-01T10:{number:02}:00Z",
        )
        for number in range(41)
    )
    turn = BundleTurn(
        after_message="m40",
        input=UserInput(text=sealed(80), classified_intent=Intent.CHAT),
        policy=Policy(routing=RoutingPolicy(default=DefaultRoute(model=MODEL))),
        credentials=("anthropic",),
    )
    return SessionBundle(
        session=SessionInfo(title="Sealed", key_id=KEY), messages=messages, models=MODELS, turns=(turn,)
    )


KEPT_KEY: Final = SessionKey.fresh()
ROWS: Final = 240
# Each text that is sealed bears a mark of its own, so that it can be looked for wherever it must not be.
MARKS: Final[list[str]] = []
_Held = TypeVar("_Held", BundleMessage, BundleMemory)


def kept_session() -> SessionBundle:
    """Give the story with every content marked, and longer in bytes than in characters."""
    bundle = story()
    return replace(
        bundle,
        session=replace(bundle.session, title="Kept"),
        messages=tuple(_marked_row(each) for each in bundle.messages),
        context_memory=tuple(_marked_row(each) for each in bundle.context_memory),
        turns=tuple(_marked_turn(each) for each in bundle.turns),
    )


def _marked_row(row: _Held) -> _Held:
    return replace(row, content=_marked(row.content))


def _marked(text: object) -> str:
    MARKS.append(secrets.token_hex(12))
    return f"{text}\nzażółć {MARKS[-1]}"


def _marked_turn(turn: BundleTurn) -> BundleTurn:
    held = turn.attachments
    attachments = replace(
        held,
        files=tuple(replace(each, content=_marked(each.content)) for each in held.files),
        instructions=tuple(replace(each, content=_marked(each.content)) for each in held.instructions),
        invoked_skills=tuple(replace(each, content=_marked(each.content)) for each in held.invoked_skills),
        available_skills=tuple(replace(each, content=_marked(each.content)) for each in held.available_skills),
    )
    return replace(turn, input=replace(turn.input, text=_marked(turn.input.text)), attachments=attachments)


def many_rows_session() -> SessionBundle:
    """Give a session of many messages, all of which are selected."""
    model = ModelDescriptor(provider="ollama", model="large", local=True, max_context_tokens=4_000_000)
    messages = tuple(
        BundleMessage(id=f"m{number}", role=Role.USER, content=f"row {number} " + "x" * 6_000) for number in range(ROWS)
    )
    policy = Policy(routing=RoutingPolicy(default=DefaultRoute(model=model.name)))
    turn = BundleTurn(after_message=f"m{ROWS - 1}", input=UserInput(text="Read them all."), policy=policy)
    return SessionBundle(session=SessionInfo(title="Many rows"), messages=messages, models=(model,), turns=(turn,))
