"""The prompt: the messages that would be sent, from the included candidates only ("The prompt" in domain.md).

One system message (instructions, then invoked skills, then available skills as an offer, then memory); the included history in time order under its own
roles, a tool's result as user text; files and the diff as one user message, each headed by all its paths; the user's text last. Of what is withheld nothing
appears, not even a name.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from selection.engine.candidates import CandidateSet
from selection.engine.codes import Part, Role, Status
from selection.engine.outcome import Outcome
from selection.engine.tokens import estimate_tokens
from selection.engine.values import Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A run of one prompt message; `position` is the candidate that it came from, None for the user's own text."""

    text: str
    position: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptMessage:
    """One message of the prompt, as pieces joined by a blank line."""

    role: Role
    pieces: tuple[Piece, ...]

    @property
    def content(self) -> str:
        """The whole text."""
        return "\n\n".join(piece.text for piece in self.pieces)

    @property
    def tokens(self) -> int:
        """The estimate of the whole text, headings included."""
        return estimate_tokens(self.content)


_SYSTEM_PARTS = (
    Part.INSTRUCTIONS,
    Part.INVOKED_SKILLS,
    Part.AVAILABLE_SKILLS,
    Part.USER_MEMORY,
    Part.CONTEXT_MEMORY,
)
_CONTEXT_PARTS = (Part.FILES, Part.DIFF)


def build_prompt(outcome: Outcome) -> tuple[PromptMessage, ...]:
    """Build the messages of a turn that is ready to send; () where no model serves or sealed rows are still closed."""
    candidates, text = outcome.candidates, outcome.text
    if candidates is None or not isinstance(text, str) or outcome.status in {Status.ERROR, Status.AWAITING_DECRYPT}:
        return ()
    included = frozenset(outcome.included)
    system = _message(Role.SYSTEM, _system_pieces(candidates, included))
    context = _message(Role.USER, _context_pieces(candidates, included))
    asked = PromptMessage(role=Role.USER, pieces=(Piece(text=text, position=None),))
    return (*system, *_history(candidates, included), *context, asked)


def _message(role: Role, pieces: Iterable[Piece]) -> Iterator[PromptMessage]:
    held = tuple(pieces)
    if held:
        yield PromptMessage(role=role, pieces=held)


def _chosen(candidates: CandidateSet, included: frozenset[int], part: Part) -> Iterator[tuple[int, str]]:
    for position in candidates.columns.span(part):
        content = candidates.content_of(position)
        if position in included and isinstance(content, str):
            yield position, content


def _system_pieces(candidates: CandidateSet, included: frozenset[int]) -> Iterator[Piece]:
    for part in _SYSTEM_PARTS:
        for position, content in _chosen(candidates, included, part):
            yield Piece(text=f"{_system_heading(candidates, part, position)}\n{content}", position=position)


def _system_heading(candidates: CandidateSet, part: Part, position: int) -> str:
    name = candidates.name_of(position)
    return {
        Part.INSTRUCTIONS: f"# Instructions: {name}",
        Part.INVOKED_SKILLS: f"# Skill: {name}",
        Part.AVAILABLE_SKILLS: f"# Available skill, use it if it helps: {name}",
        Part.USER_MEMORY: "# Memory of the user",
        Part.CONTEXT_MEMORY: "# Memory of the session",
    }[part]


def _context_pieces(candidates: CandidateSet, included: frozenset[int]) -> Iterator[Piece]:
    for part in _CONTEXT_PARTS:
        for position, content in _chosen(candidates, included, part):
            paths = candidates.paths_of(position)
            heading = "# Diff" if part is Part.DIFF and not paths else f"# File: {', '.join(paths)}"
            yield Piece(text=f"{heading}\n{content}", position=position)


def _history(candidates: CandidateSet, included: frozenset[int]) -> Iterator[PromptMessage]:
    for position, content in _chosen(candidates, included, Part.MESSAGES):
        origin = candidates.columns.origins[position]
        role = origin.role if isinstance(origin, Message) else Role.USER
        yield PromptMessage(
            role=Role.USER if role is Role.TOOL else role, pieces=(Piece(text=content, position=position),)
        )


def chat_completions(messages: Iterable[PromptMessage], model: str) -> dict[str, object]:
    """Give a prompt in the common chat-completions shape."""
    return {"model": model, "messages": [{"role": item.role.value, "content": item.content} for item in messages]}
