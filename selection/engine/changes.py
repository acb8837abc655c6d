"""Which decisions of a turn change from one policy to another, one by one, each with the path and the pattern behind it ("The pages" ask for it)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from selection.engine.candidates import KIND_OF, CandidateSet
from selection.engine.codes import EffectCode, Fate
from selection.engine.effects import effects_of
from selection.engine.outcome import Fitted, Outcome
from selection.engine.privacy import Restriction

# Which side holds the pattern that a change is about: the lists that restricted a path before, or those that do now.
_BY_BEFORE = frozenset((EffectCode.DISCLOSED, EffectCode.MOVED_REMOTE, EffectCode.WORKS, EffectCode.GAINED))


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """One decision that changes. The turn's own have no `position`, and name the first required restricted candidate where that decided."""

    code: EffectCode
    position: int | None = None
    kind: str = ""
    path: str = ""
    pattern: str = ""
    place: str = ""
    tokens: int = 0


def changes_of(before: Outcome, after: Outcome) -> Iterator[Changed]:
    """Give every decision that changes, those that disclose first; none where both policies decide alike."""
    if _alike(before, after):
        return
    for effect in effects_of(before, after):
        side = before if effect.code in _BY_BEFORE else after
        if not effect.positions:
            yield _of_turn(effect.code, side)
        for position in effect.positions:
            yield _of_candidate(effect.code, side, position)


def _alike(before: Outcome, after: Outcome) -> bool:
    same = before.model is not None and after.model is not None and before.model.name == after.model.name
    return same and before.status is after.status and before.included == after.included


def _of_turn(code: EffectCode, side: Outcome) -> Changed:
    position = side.local.positions[0] if side.local and side.local.positions else None
    if position is None or side.candidates is None:
        return Changed(code=code)
    restriction = side.candidates.restriction_of(position)
    pattern, place = _evidence(restriction)
    return Changed(code=code, path=_path(side, position, restriction), pattern=pattern, place=place)


def _of_candidate(code: EffectCode, side: Outcome, position: int) -> Changed:
    candidates = side.candidates
    if candidates is None:
        return Changed(code=code, position=position)
    restriction = candidates.restriction_of(position)
    pattern, place = _evidence(restriction)
    return Changed(
        code=code,
        position=position,
        kind=KIND_OF[candidates.columns.part_of(position)].value,
        path=_path(side, position, restriction),
        pattern=pattern,
        place=place,
        tokens=candidates.tokens[position],
    )


def _path(side: Outcome, position: int, restriction: Restriction | None) -> str:
    """The path that a list restricts, which may be a copy's; else the candidate's own."""
    if restriction is not None:
        return restriction.path
    paths = side.candidates.paths_of(position) if side.candidates else ()
    return paths[0] if paths else ""


def _evidence(restriction: Restriction | None) -> tuple[str, str]:
    return ("", "") if restriction is None else (restriction.pattern, restriction.place)


# What becomes of a path: the path, its fate, whether its candidate was required, and the tokens of that, which the paths of one candidate share.
Exposed = tuple[str, str, bool, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Exposure:
    """What leaves, what stays and what is withheld of a turn, in tokens, and path by path; a turn that nobody serves sends nothing."""

    remote: int = 0
    local: int = 0
    withheld: int = 0
    paths: tuple[Exposed, ...] = ()


NOTHING: Final = Exposure()


def exposure_of(outcome: Outcome) -> Exposure:
    """Tell where the candidates of a turn go."""
    candidates, model, fitted = outcome.candidates, outcome.model, outcome.fitted
    if candidates is None or model is None or fitted is None:
        return NOTHING
    tokens = candidates.tokens
    return Exposure(
        remote=0 if model.local else fitted.used,
        local=fitted.used if model.local else 0,
        withheld=sum(tokens[position] for position in fitted.withheld),
        paths=tuple(_exposed(candidates, fitted, (Fate.LOCAL if model.local else Fate.REMOTE).value)),
    )


def _exposed(candidates: CandidateSet, fitted: Fitted, sent: str) -> Iterator[Exposed]:
    survivors, tokens, causes, withheld = candidates.survivors, candidates.tokens, candidates.causes, fitted.withheld
    excluded = frozenset(fitted.excluded)
    held, out = Fate.WITHHELD.value, Fate.OUT.value
    # Candidates of one path are one survivor's, so that the last one tells as much as the first.
    for path, survivor in {path: survivors[p] for p, path in enumerate(candidates.columns.paths) if path}.items():
        fate = held if survivor in withheld else out if survivor in excluded else sent
        yield path, fate, survivor in causes, tokens[survivor]
