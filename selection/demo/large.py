"""A large session, made by a seeded generator: some 5,000 messages, with tool results that are read again and again."""

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Final

from selection.demo.policy import MODELS, POLICY
from selection.documents.bundle import BundleMemory, BundleMessage, BundleTurn, SessionBundle, SessionInfo
from selection.engine.codes import Role
from selection.engine.values import AttachedFile, Attachments, Instruction, UserInput, Workspace

MESSAGES: Final = 5_000
_TURN_EVERY: Final = 250
_FOLDERS: Final = ("src/auth", "src/api", "src/core", "src/web", "tests", "docs", "config", "secrets", "deploy")
_NAMES: Final = ("orders", "tokens", "session", "prices", "stock", "mail", "queue", "search", "report", "import")
_WORDS: Final = (
    "the", "order", "is", "read", "once", "and", "kept", "for", "request", "while", "every", "price", "asks", "stock",
    "its", "tenant", "a", "queue", "holds", "what", "mail", "could", "not", "send", "before", "report", "was", "due",
)  # fmt: skip
_BEGAN: Final = datetime(2026, 2, 2, 8, 0, tzinfo=UTC)


def large_session(messages: int = MESSAGES, seed: int = 7) -> SessionBundle:
    """Give a session of about `messages` messages; equal arguments give equal bundles."""
    chance = random.Random(seed)
    history = list(_history(chance, messages))
    return SessionBundle(
        session=SessionInfo(title=f"Demo: a long session ({messages:,} messages)", created_at=_BEGAN.isoformat()),
        messages=tuple(history),
        context_memory=tuple(BundleMemory(id=f"cm{number}", content=_sentence(chance, 30)) for number in range(20)),
        models=MODELS,
        turns=tuple(_turns(chance, history)),
    )


def _history(chance: random.Random, count: int) -> Iterator[BundleMessage]:
    texts = {path: _text(chance) for path in _paths()}
    for number in range(count):
        role = (Role.USER, Role.ASSISTANT, Role.TOOL, Role.ASSISTANT)[number % 4]
        path = chance.choice(list(texts)) if role is Role.TOOL else None
        yield BundleMessage(
            id=f"m{number}",
            role=role,
            content=texts[path] if path else f"{_sentence(chance, chance.randint(6, 60))} ({number})",
            path=path,
            provider="anthropic" if role is Role.ASSISTANT else None,
            model="claude-sonnet" if role is Role.ASSISTANT else None,
            created_at=(_BEGAN + timedelta(seconds=20 * number)).isoformat(),
        )


def _paths() -> Iterator[str]:
    for folder in _FOLDERS:
        for name in _NAMES:
            yield f"{folder}/{name}.py"


def _text(chance: random.Random) -> str:
    return "\n".join(_sentence(chance, 12) for _ in range(chance.randint(5, 80)))


def _sentence(chance: random.Random, words: int) -> str:
    return " ".join(chance.choices(_WORDS, k=words))


def _turns(chance: random.Random, history: list[BundleMessage]) -> Iterator[BundleTurn]:
    for number in range(_TURN_EVERY, len(history) + 1, _TURN_EVERY):
        path = chance.choice(list(_paths()))
        yield BundleTurn(
            after_message=history[number - 1].id,
            input=UserInput(text=f"Fix how {path} reads its settings."),
            workspace=Workspace(root="/home/ada/shop", git_branch="main", referenced_paths=(path,)),
            attachments=Attachments(
                files=(AttachedFile(path=path, content=_text(chance)),),
                instructions=(Instruction(source="AGENTS.md", content=_sentence(chance, 80)),),
            ),
            policy=POLICY,
            credentials=("anthropic", "openai"),
            created_at=history[number - 1].created_at,
        )
