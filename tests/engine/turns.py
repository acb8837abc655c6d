"""Turns drawn from a small world of paths and texts, so that copies, restrictions and small windows all happen often."""

from collections.abc import Sequence
from typing import Final

from hypothesis import strategies as st

from selection.engine.codes import Auth, Mode, Role
from selection.engine.values import (
    AttachedFile,
    Attachments,
    DefaultRoute,
    Envelope,
    Instruction,
    LocalPreferences,
    Memory,
    Message,
    ModelDescriptor,
    Policy,
    PrivacyPolicy,
    Recalled,
    RemotePrivacy,
    RoutingPolicy,
    RoutingRule,
    Skill,
    TurnInput,
    UserInput,
    Workspace,
)

PATHS: Final = st.sampled_from(
    ["a.py", "src/a.py", "src/../a.py", ".env", "secrets/k.pem", "docs/x.md", "SECRETS/k.pem"]
)
PATTERNS: Final = st.sampled_from([".env", "secrets/**", "*.pem", "src/", "!secrets/k.pem", "docs/*.md", "[", "**"])
TEXTS: Final = st.sampled_from(["", "a", "same text", "same text", "x" * 40, "y" * 41, "z" * 400])
SEALED: Final = st.builds(
    Envelope,
    version=st.just(1),
    algorithm=st.just("xchacha20poly1305"),
    key_id=st.just("k"),
    nonce=st.just("A" * 32),
    ciphertext=st.sampled_from(["A" * 40, "A" * 80]),
)
CONTENTS: Final = st.one_of(TEXTS, TEXTS, TEXTS, SEALED)


def few(item: st.SearchStrategy[object], most: int = 4) -> st.SearchStrategy[tuple[object, ...]]:
    return st.lists(item, max_size=most).map(tuple)


def numbered(kind: type, **parts: st.SearchStrategy[object]) -> st.SearchStrategy[tuple[object, ...]]:
    """Draw a few rows, each with an id of its own."""
    rows = st.lists(st.fixed_dictionaries(parts), max_size=6)
    return rows.map(lambda drawn: tuple(kind(id=f"{kind.__name__}{n}", **row) for n, row in enumerate(drawn)))


RULES: Final = st.builds(
    RoutingRule,
    name=st.sampled_from(["one", "two"]),
    model=st.sampled_from(["far/a", "near/b", "none/c"]),
    priority=st.integers(1, 3),
    paths=few(PATTERNS, 2),
    local_only=st.booleans(),
    fallbacks=few(st.sampled_from(["near/b", "far/a"]), 2),
)
POLICIES: Final = st.builds(
    Policy,
    routing=st.builds(
        RoutingPolicy,
        rules=few(RULES, 2),
        default=st.builds(DefaultRoute, model=st.just("far/a"), fallbacks=st.just(("near/b",))),
    ),
    privacy=st.builds(
        PrivacyPolicy,
        restricted_paths=few(PATTERNS, 3),
        remote=st.builds(RemotePrivacy, mode=st.none() | st.sampled_from(Mode), blocked_paths=few(PATTERNS, 1)),
    ),
)
MODELS: Final = st.tuples(
    st.builds(
        ModelDescriptor,
        provider=st.just("far"),
        model=st.just("a"),
        auth=st.sampled_from(Auth),
        max_context_tokens=st.integers(0, 400),
        max_output_tokens=st.none() | st.integers(0, 60),
    ),
    st.builds(
        ModelDescriptor,
        provider=st.just("near"),
        model=st.just("b"),
        local=st.just(True),
        max_context_tokens=st.integers(0, 800),
        max_output_tokens=st.just(0),
    ),
)
FILES: Final = st.builds(AttachedFile, path=PATHS, content=CONTENTS, required=st.booleans())
SKILLS: Final = st.builds(Skill, name=st.sampled_from(["s", "t"]), content=CONTENTS)
TURNS: Final = st.builds(
    TurnInput,
    input=st.builds(UserInput, text=st.just("go on")),
    workspace=st.builds(
        Workspace, root=st.sampled_from(["", "/srv"]), referenced_paths=few(PATHS, 2), git_diff=st.none() | CONTENTS
    ),
    attachments=st.builds(
        Attachments,
        files=few(FILES),
        instructions=few(st.builds(Instruction, source=st.just("AGENTS.md"), content=CONTENTS), 1),
        invoked_skills=few(SKILLS, 1),
        available_skills=few(SKILLS, 2),
    ),
    recalled=st.builds(
        Recalled,
        messages=numbered(Message, role=st.sampled_from(Role), content=CONTENTS, path=st.none() | PATHS),
        user_memory=numbered(Memory, content=TEXTS),
    ),
    policy=POLICIES,
    local_preferences=st.builds(LocalPreferences, local_only=st.booleans(), no_network=st.just(False)),
    models=MODELS,
    credentials=st.sampled_from([(), ("far",)]),
)


def turn_of(sizes: Sequence[int]) -> TurnInput:
    """Give a turn of messages of `sizes` tokens, oldest first, no two of them equal, which a remote model serves."""
    messages = tuple(
        Message(id=f"m{number}", role=Role.USER, content=f"{number}".rjust(4 * size, "m")[: 4 * size])
        for number, size in enumerate(sizes)
    )
    model = ModelDescriptor(provider="far", model="a", max_context_tokens=1_000_000, max_output_tokens=0)
    return TurnInput(
        input=UserInput(text="go on"),
        recalled=Recalled(messages=messages),
        policy=Policy(routing=RoutingPolicy(default=DefaultRoute(model="far/a"))),
        models=(model,),
    )
