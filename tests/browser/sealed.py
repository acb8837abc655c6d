"""A session in which every content is sealed: the server knows sizes, roles and paths, and nothing else."""

from base64 import b64encode

from selection.demo.policy import MODELS
from selection.documents.bundle import BundleMessage, BundleTurn, SessionBundle, SessionInfo
from selection.engine.codes import Intent, Role
from selection.engine.values import DefaultRoute, Envelope, Policy, RoutingPolicy, UserInput

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
