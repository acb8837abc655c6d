"""Build candidates: everything that could go into the prompt, in candidate order, with size, score and what requires it ("Candidates" in domain.md).

Candidates are columns: one list per attribute, indexed by position in candidate order. A turn may hold a hundred thousand of them, and a list of numbers
costs a fraction of a list of objects; a `Candidate` is made only for a row that somebody looks at.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from operator import attrgetter
from typing import Final

from selection.engine.codes import Cause, Kind, Part, Role
from selection.engine.paths import PathNormaliser
from selection.engine.privacy import PrivacyLists, Restriction, RestrictionMark, mark_restricted
from selection.engine.tokens import estimate_each
from selection.engine.values import AttachedFile, Content, Instruction, Memory, Message, Skill, TurnInput

RECENCY: Final = 499
AFFINITY: Final = 500

KIND_OF: Final[Mapping[Part, Kind]] = {
    Part.MESSAGES: Kind.MESSAGE,
    Part.USER_MEMORY: Kind.MEMORY,
    Part.CONTEXT_MEMORY: Kind.MEMORY,
    Part.FILES: Kind.FILE,
    Part.INSTRUCTIONS: Kind.INSTRUCTION,
    Part.INVOKED_SKILLS: Kind.SKILL,
    Part.AVAILABLE_SKILLS: Kind.SKILL,
    Part.DIFF: Kind.DIFF,
}
# Required parts keep a score too, for display and for de-duplication: an instruction or an invoked skill stands with the files.
TIER_OF: Final[Mapping[Part, int]] = {
    Part.MESSAGES: 3000,
    Part.USER_MEMORY: 2000,
    Part.CONTEXT_MEMORY: 2000,
    Part.FILES: 5000,
    Part.INSTRUCTIONS: 5000,
    Part.INVOKED_SKILLS: 5000,
    Part.AVAILABLE_SKILLS: 1000,
    Part.DIFF: 4000,
}


@dataclass(frozen=True, slots=True)
class Diff:
    """The diff of the workspace, as the one candidate that it is; a diff has no path."""

    content: Content


Origin = Message | Memory | AttachedFile | Instruction | Skill | Diff


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """The raw candidates, before anything merges. `spans` says which positions each part of the turn holds."""

    spans: tuple[tuple[Part, range], ...]
    origins: list[Origin]
    paths: list[str | None]
    contents: list[Content]
    tokens: list[int]
    scores: list[int]
    causes: dict[int, Cause]

    def span(self, part: Part) -> range:
        """Give the positions of one part."""
        return next((span for name, span in self.spans if name is part), range(0))

    def part_of(self, position: int) -> Part:
        """Tell which part of the turn a candidate comes from."""
        return next(part for part, span in self.spans if position in span)


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """The score of one candidate, part by part; recency is known for messages only."""

    tier: int
    recency: int
    affinity: int

    @property
    def total(self) -> int:
        """The sum."""
        return self.tier + self.recency + self.affinity


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One candidate as a person sees it. `position` identifies it; `key` names it as the vectors do and need not be unique."""

    position: int
    key: str
    kind: Kind
    part: Part
    name: str
    path: str | None
    paths: tuple[str, ...]
    tokens: int
    score: Score
    rank: int | None
    cause: Cause | None
    restriction: Restriction | None
    survivor: int | None
    copies: tuple[int, ...]
    sealed: bool
    role: Role | None
    provider: str | None
    model: str | None
    created_at: str | None

    @property
    def required(self) -> bool:
        """Whether it can never be trimmed."""
        return self.cause is not None

    @property
    def restricted(self) -> bool:
        """Whether no remote model may see it."""
        return self.restriction is not None


class CandidateSet:
    """Every candidate of a turn with its marks: what merged into what, what is restricted, and how the discardables rank."""

    def __init__(
        self,
        columns: Columns,
        survivors: list[int],
        copies: dict[int, list[int]],
        restrictions: dict[int, RestrictionMark],
        ranking: list[int],
        privacy: PrivacyLists,
    ) -> None:
        """Hold the columns that the stages made; `survivors[i]` is the position that candidate `i` merged into, itself where it stands."""
        self.columns = columns
        self.tokens = columns.tokens
        self.causes = columns.causes
        self.survivors = survivors
        self.copies = copies
        self.restrictions = restrictions
        self.ranking = ranking
        self.privacy = privacy

    def marked_by(self, privacy: PrivacyLists) -> "CandidateSet":
        """Give the same candidates as other privacy lists mark them."""
        restrictions = mark_restricted(self.columns.paths, self.survivors, privacy)
        return CandidateSet(self.columns, self.survivors, self.copies, restrictions, self.ranking, privacy)

    def __len__(self) -> int:
        """Count the raw candidates, duplicates included."""
        return len(self.survivors)

    def __iter__(self) -> Iterator[Candidate]:
        """Give every candidate in order, as an object."""
        return (self[position] for position in range(len(self)))

    @cached_property
    def duplicates(self) -> tuple[int, ...]:
        """Positions of the copies that merged into another."""
        return tuple(sorted(chain.from_iterable(self.copies.values())))

    @cached_property
    def required(self) -> tuple[int, ...]:
        """Positions of the required survivors, in candidate order."""
        survivors = self.survivors
        return tuple(position for position in sorted(self.causes) if survivors[position] == position)

    @cached_property
    def sealed(self) -> int:
        """How many candidates are sealed."""
        return len(self) - list(map(type, self.columns.contents)).count(str)

    @cached_property
    def _ranks(self) -> dict[int, int]:
        return {position: rank for rank, position in enumerate(self.ranking, 1)}

    def rank_of(self, position: int) -> int | None:
        """Tell the rank of a discardable, from 1; None for the required and for duplicates."""
        return self._ranks.get(position)

    def paths_of(self, position: int) -> tuple[str, ...]:
        """Give all paths of a candidate: its own first, then those of the copies that merged into it, each once."""
        paths = self.columns.paths
        holders = (position, *self.copies.get(position, ()))
        return tuple(dict.fromkeys(path for holder in holders if (path := paths[holder]) is not None))

    def content_of(self, position: int) -> Content:
        """Give the content of a candidate."""
        return self.columns.contents[position]

    def was_opened(self, position: int) -> bool:
        """Tell whether a candidate came sealed and its text is known now."""
        opened = isinstance(self.columns.contents[position], str)
        return opened and not isinstance(self.columns.origins[position].content, str)

    def key_of(self, position: int) -> str:
        """Name a candidate as the vectors do: `message:m1`, `file:src/a.py`, `diff`."""
        kind = KIND_OF[self.columns.part_of(position)]
        return "diff" if kind is Kind.DIFF else f"{kind}:{self.name_of(position)}"

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """Every candidate's key, by position: `key_of` part by part, since a large turn is written whole."""
        named: list[str] = []
        for part, span in self.columns.spans:
            kind, names = KIND_OF[part].value, self._names(part, span)
            named += map(self.key_of, span) if names is None else [f"{kind}:{name}" for name in names]
        return tuple(named)

    def _names(self, part: Part, span: range) -> Iterable[str] | None:
        """Give the names of a part that may be large."""
        origins = self.columns.origins[span.start : span.stop]
        match part:
            case Part.MESSAGES | Part.USER_MEMORY | Part.CONTEXT_MEMORY:
                return map(attrgetter("id"), origins)
            case Part.FILES:
                return (path or "" for path in self.columns.paths[span.start : span.stop])
            case _:
                return None

    def name_of(self, position: int) -> str:
        """Give the part of the key behind the kind; for a file its normalised path."""
        origin = self.columns.origins[position]
        match origin:
            case Message() | Memory():
                return origin.id
            case AttachedFile():
                return self.columns.paths[position] or ""
            case Instruction():
                return origin.source
            case Skill():
                return origin.name
            case Diff():
                return "diff"

    def restriction_of(self, position: int) -> Restriction | None:
        """Give the list and the pattern that restrict a candidate, or None; a copy stands as its survivor does."""
        mark = self.restrictions.get(self.survivors[position])
        return None if mark is None else self.privacy.restriction(mark)

    def score_of(self, position: int) -> Score:
        """Take a score apart."""
        part = self.columns.part_of(position)
        rest = self.columns.scores[position] - TIER_OF[part]
        recency = _recency(position, len(self.columns.span(part))) if part is Part.MESSAGES else 0
        return Score(tier=TIER_OF[part], recency=recency, affinity=rest - recency)

    def __getitem__(self, position: int) -> Candidate:
        """Give one candidate as an object."""
        columns = self.columns
        origin = columns.origins[position]
        part = columns.part_of(position)
        message = origin if isinstance(origin, Message) else None
        survivor = self.survivors[position]
        return Candidate(
            position=position,
            key=self.key_of(position),
            kind=KIND_OF[part],
            part=part,
            name=self.name_of(position),
            path=columns.paths[position],
            paths=self.paths_of(position),
            tokens=columns.tokens[position],
            score=self.score_of(position),
            rank=self.rank_of(position),
            cause=columns.causes.get(position),
            restriction=self.restriction_of(position),
            survivor=None if survivor == position else survivor,
            copies=tuple(self.copies.get(position, ())),
            sealed=not isinstance(columns.contents[position], str),
            role=message.role if message else None,
            provider=message.provider if message else None,
            model=message.model if message else None,
            created_at=message.created_at if message else None,
        )


def build_candidates(turn: TurnInput, normaliser: PathNormaliser, is_affine: Callable[[str], Cause | None]) -> Columns:
    """Build every candidate of `turn`. `is_affine` tells why a path is close to the turn: referenced, or matched by a route-driving glob."""
    parts = _parts_of(turn)
    origins: list[Origin] = list(chain.from_iterable(items for _, items in parts))
    spans = tuple(_spans(parts))
    contents = [origin.content for origin in origins]
    paths = _paths_of(parts, normaliser)
    affinities = _affinities(paths, is_affine)
    return Columns(
        spans=spans,
        origins=origins,
        paths=paths,
        contents=contents,
        tokens=estimate_each(contents),
        scores=_scores(spans, affinities),
        causes=_causes(turn, spans, affinities),
    )


def _parts_of(turn: TurnInput) -> tuple[tuple[Part, Sequence[Origin]], ...]:
    diff = turn.workspace.git_diff
    return (
        (Part.MESSAGES, turn.recalled.messages),
        (Part.USER_MEMORY, turn.recalled.user_memory),
        (Part.CONTEXT_MEMORY, turn.recalled.context_memory),
        (Part.FILES, turn.attachments.files),
        (Part.INSTRUCTIONS, turn.attachments.instructions),
        (Part.INVOKED_SKILLS, turn.attachments.invoked_skills),
        (Part.AVAILABLE_SKILLS, turn.attachments.available_skills),
        (Part.DIFF, (Diff(diff),) if diff else ()),
    )


def _spans(parts: Sequence[tuple[Part, Sequence[Origin]]]) -> Iterator[tuple[Part, range]]:
    start = 0
    for part, items in parts:
        yield part, range(start, start + len(items))
        start += len(items)


def _paths_of(parts: Sequence[tuple[Part, Sequence[Origin]]], normaliser: PathNormaliser) -> list[str | None]:
    paths: list[str | None] = []
    for part, items in parts:
        if part in {Part.MESSAGES, Part.FILES}:
            paths += normaliser.each([item.path for item in items])  # type: ignore[union-attr]
        else:
            paths += [None] * len(items)
    return paths


def _affinities(paths: list[str | None], is_affine: Callable[[str], Cause | None]) -> dict[int, Cause]:
    verdicts = {path: cause for path in dict.fromkeys(paths) if path is not None and (cause := is_affine(path))}
    if not verdicts:
        return {}
    return {position: verdicts[path] for position, path in enumerate(paths) if path in verdicts}


def _recency(position: int, count: int) -> int:
    return position * RECENCY // (count - 1) if count > 1 else 0


def _scores(spans: Sequence[tuple[Part, range]], affinities: Mapping[int, Cause]) -> list[int]:
    scores: list[int] = []
    for part, span in spans:
        tier, last = TIER_OF[part], len(span) - 1
        if part is Part.MESSAGES and last > 0:
            scores += [tier + position * RECENCY // last for position in range(last + 1)]
        else:
            scores += [tier] * len(span)
    for position in affinities:
        scores[position] += AFFINITY
    return scores


def _causes(turn: TurnInput, spans: Sequence[tuple[Part, range]], affinities: Mapping[int, Cause]) -> dict[int, Cause]:
    causes: dict[int, Cause] = {}
    for part, span in spans:
        if part is Part.FILES:
            causes |= _file_causes(turn.attachments.files, span.start, affinities)
        elif part is Part.INSTRUCTIONS:
            causes |= dict.fromkeys(span, Cause.INSTRUCTION)
        elif part is Part.INVOKED_SKILLS:
            causes |= dict.fromkeys(span, Cause.INVOKED_SKILL)
    return causes


def _file_causes(files: Sequence[AttachedFile], start: int, affinities: Mapping[int, Cause]) -> dict[int, Cause]:
    causes = {position: cause for position, cause in affinities.items() if start <= position < start + len(files)}
    return causes | {position: Cause.FLAGGED for position, file in enumerate(files, start) if file.required}
