"""Mark what no remote model may see ("Restricted for remote" in domain.md).

A path is restricted by `privacy.restricted_paths`, by `privacy.remote.blocked_paths`, or by the `paths` of any rule with `local_only`, won or not. Each list
is read by itself, so that a negation in one never lifts what another holds; a list with an invalid pattern restricts every path.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from selection.engine.codes import PatternSource
from selection.engine.globs import InvalidPattern, PrivacyGlobs, compile_privacy
from selection.engine.values import Policy


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyList:
    """One privacy list and where it stands: `place` is written as documents name places."""

    source: PatternSource
    place: str
    patterns: tuple[str, ...]
    rule: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Restriction:
    """The evidence for a restriction: the path, the list and the pattern that decided; `by_case` when only another letter case matches."""

    path: str
    source: PatternSource
    place: str
    index: int
    pattern: str
    rule: str | None = None
    invalid: bool = False
    by_case: bool = False


_MOST_REMEMBERED: Final = 50_000

# A restriction in the columns: the path, the number of the list, the index of the pattern.
RestrictionMark = tuple[str, int, int]


class PrivacyLists:
    """The privacy lists of a policy, compiled: asked once for each path."""

    def __init__(self, policy: Policy) -> None:
        """Compile the lists that hold at least one pattern."""
        self.lists = tuple(held for held in privacy_lists_of(policy) if held.patterns)
        self._compiled: tuple[PrivacyGlobs, ...] = tuple(
            compile_privacy(held.patterns, policy.dialect) for held in self.lists
        )

    def mark(self, path: str) -> RestrictionMark | None:
        """Give the first list, and in it the pattern, that restricts `path`; None when it is free."""
        for number, compiled in enumerate(self._compiled):
            index = compiled.deciding(path)
            if index >= 0:
                return path, number, index
        return None

    def mark_each(self, paths: Iterable[str]) -> dict[str, RestrictionMark]:
        """Mark each of `paths` that is restricted; the same as `mark`, for many."""
        if len(self._compiled) == 1:
            deciding = self._compiled[0].decider
            return {path: (path, 0, index) for path in paths if (index := deciding(path)) >= 0}
        return {path: mark for path in paths if (mark := self.mark(path)) is not None}

    def marks(self, path: str) -> Iterator[RestrictionMark]:
        """Give the deciding pattern of every list that restricts `path`."""
        for number, compiled in enumerate(self._compiled):
            index = compiled.deciding(path)
            if index >= 0:
                yield path, number, index

    def invalid_patterns(self, held: PolicyList) -> tuple[InvalidPattern, ...]:
        """Give what is wrong with the patterns of one list."""
        return self._compiled[self.lists.index(held)].invalid

    def is_pattern(self, held: PolicyList, index: int) -> bool:
        """Tell whether a line of a list is a pattern: neither blank nor a comment."""
        return self._compiled[self.lists.index(held)].is_pattern(index)

    def usage(self, held: PolicyList, paths: Iterable[str]) -> tuple[Counter[int], Counter[int]]:
        """Count, for each pattern of one list by its index, the paths that it matches and those that it decides.

        A negation that lifts a path decides it: of the patterns that match, the last one.
        """
        compiled = self._compiled[self.lists.index(held)]
        hits: Counter[int] = Counter()
        decisions: Counter[int] = Counter()
        for path in paths:
            matching = compiled.matching(path)
            hits.update(matching)
            index = compiled.deciding(path)
            decisions.update([index] if index >= 0 else matching[-1:])
        return hits, decisions

    def restriction(self, mark: RestrictionMark) -> Restriction:
        """Tell a mark in full."""
        path, number, index = mark
        held, compiled = self.lists[number], self._compiled[number]
        return Restriction(
            path=path,
            source=held.source,
            place=f"{held.place}[{index}]",
            index=index,
            pattern=held.patterns[index],
            rule=held.rule,
            invalid=bool(compiled.invalid),
            by_case=compiled.only_by_case(path),
        )


class RememberedLists(PrivacyLists):
    """The same, remembering what they said of a path: for many turns of the same few thousand paths."""

    def __init__(self, policy: Policy) -> None:
        """Compile the lists; nothing is remembered yet."""
        super().__init__(policy)
        self._said: dict[str, RestrictionMark | None] = {}

    def mark_each(self, paths: Iterable[str]) -> dict[str, RestrictionMark]:
        """Mark each of `paths` that is restricted."""
        said, held = self._said, list(paths)
        fresh = [path for path in held if path not in said]
        if len(said) + len(fresh) > _MOST_REMEMBERED:
            said.clear()
            fresh = held
        found = super().mark_each(fresh)
        said.update((path, found.get(path)) for path in fresh)
        return {path: mark for path in held if (mark := said[path]) is not None}


def privacy_lists_of(policy: Policy) -> Iterator[PolicyList]:
    """Give every list that restricts paths, empty ones too, in the order in which they are asked."""
    privacy = policy.privacy
    yield PolicyList(
        source=PatternSource.RESTRICTED_PATHS, place="privacy.restricted_paths", patterns=privacy.restricted_paths
    )
    yield PolicyList(
        source=PatternSource.BLOCKED_PATHS,
        place="privacy.remote.blocked_paths",
        patterns=privacy.remote.blocked_paths,
    )
    for index, rule in enumerate(policy.routing.rules):
        if rule.local_only:
            yield PolicyList(
                source=PatternSource.LOCAL_ONLY_RULE,
                place=f"routing.rules[{index}].paths",
                patterns=rule.paths,
                rule=rule.name,
            )


def mark_restricted(
    paths: Sequence[str | None], survivors: Sequence[int], lists: PrivacyLists
) -> dict[int, RestrictionMark]:
    """Mark each survivor any of whose paths, those of its merged copies included, is restricted; in candidate order."""
    if not lists.lists:
        return {}
    distinct = dict.fromkeys(path for path in paths if path is not None)
    found = lists.mark_each(distinct)
    marked: dict[int, RestrictionMark] = {}
    if found:
        for position, path in enumerate(paths):
            if path in found:
                _keep_own_first(marked, survivors[position], position, found[path])
    return dict(sorted(marked.items()))


def _keep_own_first(marked: dict[int, RestrictionMark], survivor: int, position: int, mark: RestrictionMark) -> None:
    """The survivor's own path is the better evidence; else the first copy's."""
    if position == survivor or survivor not in marked:
        marked[survivor] = mark
