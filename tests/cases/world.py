"""Short ways to build the turns that cases describe."""

import json
from pathlib import Path
from typing import Any, Final

from selection.engine import Outcome, select
from selection.engine.codes import Auth, Mode, Role
from selection.engine.findings import find
from selection.engine.values import (
    AttachedFile,
    Attachments,
    DefaultRoute,
    Instruction,
    Message,
    ModelDescriptor,
    Policy,
    PrivacyPolicy,
    Recalled,
    RemotePrivacy,
    RoutingPolicy,
    TurnInput,
    UserInput,
    Workspace,
)

CASES: Final[dict[str, dict[str, Any]]] = {
    case["id"]: case
    for line in (Path(__file__).parent / "cases.jsonl").read_text().rstrip("\n").split("\n")
    if (case := json.loads(line))
}
REMOTE: Final = ModelDescriptor(provider="far", model="a", max_context_tokens=100_000, max_output_tokens=0)
LOCAL: Final = ModelDescriptor(provider="near", model="b", max_context_tokens=100_000, max_output_tokens=0, local=True)


def file(path: str, content: str = "x", *, required: bool = False) -> AttachedFile:
    return AttachedFile(path=path, content=content, required=required)


def sized(name: str, tokens: int, *, required: bool = False) -> AttachedFile:
    """A file of so many tokens, like no other."""
    return file(name, (name * tokens * 4)[: tokens * 4], required=required)


def message(content: str, role: Role = Role.USER, path: str | None = None, number: int = 0) -> Message:
    return Message(id=f"m{number}-{content[:8]}", role=role, content=content, path=path)


def model(
    window: int, reserve: int | None = 0, name: str = "far/a", *, local: bool = False, auth: Auth = Auth.NONE
) -> ModelDescriptor:
    provider, _, known = name.partition("/")
    return ModelDescriptor(
        provider=provider, model=known, max_context_tokens=window, max_output_tokens=reserve, local=local, auth=auth
    )


def turn(
    *files: AttachedFile,
    restricted: tuple[str, ...] = (),
    models: tuple[ModelDescriptor, ...] = (REMOTE,),
    messages: tuple[Message, ...] = (),
    instructions: tuple[Instruction, ...] = (),
    workspace: Workspace | None = None,
) -> TurnInput:
    """A turn whose default route is the chain of its models."""
    chain = tuple(model.name for model in models)
    return TurnInput(
        input=UserInput(text="go on"),
        workspace=workspace or Workspace(),
        attachments=Attachments(files=files, instructions=instructions),
        recalled=Recalled(messages=messages),
        policy=Policy(
            routing=RoutingPolicy(default=DefaultRoute(model=chain[0], fallbacks=chain[1:])),
            privacy=PrivacyPolicy(restricted_paths=restricted, remote=RemotePrivacy(mode=Mode.ALLOW)),
        ),
        models=models,
    )


def restricted_paths(patterns: tuple[str, ...], paths: list[str], root: str = "") -> dict[str, bool]:
    """Which of `paths`, as the case spells them, a remote model may not see."""
    files = tuple(file(path, f"content {number}") for number, path in enumerate(paths))
    candidates = select(turn(*files, restricted=patterns, workspace=Workspace(root=root))).candidates
    assert candidates is not None
    return {path: candidates[number].restricted for number, path in enumerate(paths)}


def codes_of(outcome: Outcome) -> set[str]:
    return {finding.code for finding in find(outcome)}


def names_of(outcome: Outcome, positions: tuple[int, ...]) -> list[str]:
    assert outcome.candidates is not None
    return [outcome.candidates.name_of(position) for position in positions]
