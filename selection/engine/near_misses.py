"""Patterns that almost match a path, each with what keeps it from matching ("Globs" in domain.md): asked by a person, one path at a time."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from selection.engine.globs import compile_privacy, compile_routing, fault_of
from selection.engine.values import Policy

# What is longer is no path that a person types, and each pattern is asked of it many times.
_LONGEST: Final = 300
_MOST_READ: Final = 30
_ALIKE: Final = 50
_MOST_TOLD: Final = 5
# Of a pattern of this length and more, one letter in four may differ.
_SHORTEST: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class NearMiss:
    """One pattern that does not match a path, and the change that would make it match; `place` is written as documents name places."""

    place: str
    pattern: str
    would: str
    sentence: str


def near_misses(policy: Policy, path: str) -> tuple[NearMiss, ...]:
    """Give the patterns of a policy that nearly match `path`, a normalised one: the surest first, at most five; none for a path of great length."""
    if len(path) > _LONGEST:
        return ()
    found: list[tuple[int, NearMiss]] = []
    for place, patterns, matches in _lists_of(policy):
        for index, pattern in _resembling(patterns, path):
            if fault_of(pattern, policy.dialect) is None and not matches(pattern, path):
                found += list(_misses(f"{place}[{index}]", pattern, path, matches))[:1]
    return tuple(miss for _, miss in sorted(found, key=lambda each: each[0])[:_MOST_TOLD])


def _resembling(patterns: Sequence[str], path: str) -> Iterator[tuple[int, str]]:
    """Give the few patterns that share the most with a path: only these are read as globs, again and again."""
    known = {index: pattern for index, pattern in enumerate(patterns) if 0 < len(pattern.strip()) <= _LONGEST}
    close = process.extract(
        path, known, scorer=fuzz.partial_ratio, processor=str.casefold, limit=_MOST_READ, score_cutoff=_ALIKE
    )
    return ((index, pattern) for pattern, _, index in sorted(close, key=lambda each: each[2]))


Matches = Callable[[str, str], bool]


def _lists_of(policy: Policy) -> Iterator[tuple[str, Sequence[str], Matches]]:
    def restricts(pattern: str, path: str) -> bool:
        return compile_privacy((pattern,), policy.dialect).deciding(path) >= 0

    def drives(pattern: str, path: str) -> bool:
        return compile_routing((pattern,), policy.dialect).deciding(path) >= 0

    yield "privacy.restricted_paths", policy.privacy.restricted_paths, restricts
    yield "privacy.remote.blocked_paths", policy.privacy.remote.blocked_paths, restricts
    for index, rule in enumerate(policy.routing.rules):
        yield f"routing.rules[{index}].paths", rule.paths, restricts if rule.local_only else drives


def _misses(place: str, pattern: str, path: str, matches: Matches) -> Iterator[tuple[int, NearMiss]]:
    """Change one thing of the pattern at a time; the first change that makes it match explains the miss."""
    body = pattern.removeprefix("!")
    told = _negated if body != pattern else _changed
    for rank, would, sentence in told(body, path, matches):
        yield rank, NearMiss(place=place, pattern=pattern, would=would, sentence=sentence)


_Told = Iterator[tuple[int, str, str]]


def _negated(body: str, path: str, matches: Matches) -> _Told:
    if matches(body, path):
        yield 0, body, "It is a negation: it lifts this path, it never restricts it."


def _changed(body: str, path: str, matches: Matches) -> _Told:
    changes = (
        (f"**/{body.lstrip('/')}", "as it stands it is anchored at the workspace root"),
        (body.rstrip("/"), "it ends in a slash, so that it matches folders only"),
        (f"{body.rstrip('/*')}/**", "as it stands it does not reach below, where this path lies"),
        (body.replace("\\", "/"), "it is written with backslashes, which escape here"),
        (body.strip(), "a space stands at one of its ends"),
    )
    for rank, (would, why) in enumerate(changes):
        if would not in {body, "", "/**"} and matches(would, path):
            yield rank, would, f"It would match as `{would}`: {why}."
    if matches(body.casefold(), path.casefold()):
        yield len(changes), body, "It differs in letter case alone, which counts in routing."
    close = _closest(body, path)
    if close is not None:
        letters = OSA.distance(body.strip("/"), close)
        yield len(changes) + 1, close, f"It differs from `{close}` in {letters} character{'s' if letters > 1 else ''}."


def _closest(body: str, path: str) -> str | None:
    """Give the end of the path that the pattern is a mistyping of, as long as the pattern; None where none is close."""
    bare = body.strip("/")
    end = "/".join(path.split("/")[-(bare.count("/") + 1) :])
    most = len(bare) // 4
    if len(bare) < _SHORTEST or bare.count("/") != end.count("/"):
        return None
    return end if OSA.distance(bare, end, score_cutoff=most) <= most else None
