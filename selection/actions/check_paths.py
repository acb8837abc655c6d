"""Test paths against a policy: what each list says, which pattern decides and where it stands, and what nearly matched ("Globs" in domain.md)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Final

from selection.documents.errors import Fault, InvalidDocument
from selection.documents.policy_text import places_of, spot_of
from selection.engine.matching import ListedMatch, matches_in
from selection.engine.near_misses import NearMiss, near_misses
from selection.engine.paths import PathNormaliser
from selection.engine.privacy import PrivacyLists, privacy_lists_of
from selection.engine.values import Policy

MOST_PATHS: Final = 1_000
_MOST_TRIALS: Final = 1_000_000
# Near misses are for a person who reads them.
_MOST_NEAR: Final = 100
MOST_CHARACTERS: Final = 200_000


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedMatch:
    """One pattern that matches, and the line of the policy's text that it stands on, from 1; None where there is no text."""

    match: ListedMatch
    line: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedPath:
    """What a policy says of a path. `path` is its one spelling, None where it is no path; `deciding` the match that restricts it."""

    given: str
    path: str | None
    restricted: bool
    deciding: PlacedMatch | None
    matches: tuple[PlacedMatch, ...]
    near: tuple[NearMiss, ...]


def check_paths(policy: Policy, paths: Sequence[str], *, root: str = "", text: str = "") -> list[CheckedPath]:
    """Test each of `paths`, in a workspace at `root`; `text` is what the policy was read from. Raises `InvalidDocument` where that would take minutes."""
    _require_affordable(policy, paths)
    normaliser, lists = PathNormaliser(root), PrivacyLists(policy)
    spots = places_of(text) if text else {}
    found = [_check(policy, lists, given, normaliser.normalise(given), spots) for given in paths]
    near = (number for number, each in enumerate(found) if each.path is not None and not each.restricted)
    for number in list(islice(near, _MOST_NEAR)):
        found[number] = replace(found[number], near=near_misses(policy, found[number].path or ""))
    return found


def _require_affordable(policy: Policy, paths: Sequence[str]) -> None:
    """Each path is asked of every pattern."""
    patterns = sum(len(held.patterns) for held in privacy_lists_of(policy))
    patterns += sum(len(rule.paths) for rule in policy.routing.rules if not rule.local_only)
    if len(paths) > MOST_PATHS or len(paths) * patterns > _MOST_TRIALS:
        told = f"{len(paths):,} paths against {patterns:,} patterns are too many at once"
        raise InvalidDocument([Fault("paths", told)])


def _check(
    policy: Policy, lists: PrivacyLists, given: str, path: str | None, spots: dict[str, tuple[int, int]]
) -> CheckedPath:
    if path is None:
        return CheckedPath(given=given, path=None, restricted=False, deciding=None, matches=(), near=())
    matches = tuple(
        PlacedMatch(match=match, line=spot_of(spots, match.place)[0] if spots else None)
        for match in matches_in(policy, path)
    )
    mark = lists.mark(path)
    place = None if mark is None else lists.restriction(mark).place
    return CheckedPath(
        given=given,
        path=path,
        restricted=mark is not None,
        deciding=next((each for each in matches if each.match.place == place), None),
        matches=matches,
        near=(),
    )


def document_of(result: CheckedPath) -> dict[str, Any]:
    """Give a result as data."""
    return {
        "given": result.given,
        "path": result.path,
        "restricted": result.restricted,
        "matches": [
            {
                "pattern": each.match.pattern,
                "place": each.match.place,
                "line": each.line,
                "decides": each.match.decides,
                "restricts": each.match.restricts,
                "negated": each.match.negated,
            }
            for each in result.matches
        ],
        "near": [{"pattern": miss.pattern, "place": miss.place, "would": miss.would} for miss in result.near],
    }


def lines_of(raw: str) -> list[str]:
    """Give the paths that stand on the lines of a text."""
    return [line for line in (line.strip("\r") for line in raw.split("\n")) if line.strip()]
