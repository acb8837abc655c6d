"""What is doubtful about a policy, judged over the paths of many turns ("Findings" in domain.md tells the same of one turn; nothing here decides)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import median
from typing import Final

from selection.engine.globs import (
    PrivacyGlobs,
    RoutingGlobs,
    compile_privacy,
    compile_routing,
    other_dialect,
    pattern_warnings,
)
from selection.engine.privacy import privacy_lists_of
from selection.engine.sensitive import suggest_for, written_for
from selection.engine.values import Policy

_MOST_TRIALS: Final = 300_000
_EXAMPLES: Final = 5
# A pattern matches far more than its neighbours when it matches so many times what they do, and so many paths at least.
_FAR: Final = 10
_MANY: Final = 20


class LintCode(StrEnum):
    """The kinds of doubts, in the order in which they are told."""

    INVALID = "invalid"
    SENSITIVE = "sensitive_and_free"
    REQUIRED = "restricts_required"
    FAR_MORE = "matches_far_more"
    DIALECTS = "dialects_disagree"
    DOUBT = "doubtful"
    SHADOWED = "shadowed"
    NOTHING = "matches_nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenPath:
    """A path of the set: whether any turn required its file, and of how many turns it was a candidate."""

    path: str
    required: bool = False
    turns: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class LintItem:
    """One doubt: the pattern and its place where it is about one, how many paths it is about, and the first of them."""

    code: LintCode
    sentence: str
    place: str = ""
    pattern: str = ""
    count: int = 0
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _List:
    """A list of the policy in its own dialect and in the other one."""

    place: str
    patterns: tuple[str, ...]
    restricts: bool
    own: PrivacyGlobs | RoutingGlobs
    other: PrivacyGlobs | RoutingGlobs


@dataclass(slots=True)
class _Use:
    """What one pattern did over the set."""

    hits: int
    decides: int
    examples: list[str]
    required: list[str]


def lint(policy: Policy, seen: Sequence[SeenPath]) -> tuple[LintItem, ...]:
    """Give what is doubtful about `policy`, the gravest first; of very many paths the first ones are asked."""
    lists = tuple(_lists_of(policy))
    patterns = sum(len(held.patterns) for held in lists) or 1
    asked = seen[: max(1, _MOST_TRIALS // patterns)]
    order = list(LintCode)
    found = [item for held in lists for item in _of_list(policy, held, asked)]
    found += _sensitive(policy, lists, asked)
    return tuple(sorted(found, key=lambda item: order.index(item.code)))


def _lists_of(policy: Policy) -> Iterator[_List]:
    other = other_dialect(policy.dialect)
    for held in privacy_lists_of(policy):
        if held.patterns:
            own, theirs = compile_privacy(held.patterns, policy.dialect), compile_privacy(held.patterns, other)
            yield _List(place=held.place, patterns=held.patterns, restricts=True, own=own, other=theirs)
    for index, rule in enumerate(policy.routing.rules):
        if rule.paths and not rule.local_only:
            routes, theirs_too = compile_routing(rule.paths, policy.dialect), compile_routing(rule.paths, other)
            place = f"routing.rules[{index}].paths"
            yield _List(place=place, patterns=rule.paths, restricts=False, own=routes, other=theirs_too)


def _of_list(policy: Policy, held: _List, seen: Sequence[SeenPath]) -> Iterator[LintItem]:
    effect = "every path counts as restricted" if held.restricts else "its list matches nothing"
    for fault in held.own.invalid:
        sentence = f"`{fault.pattern}` is no valid pattern: {fault.why}; until it is mended, {effect}."
        yield _item(LintCode.INVALID, held, fault.index, sentence)
    for doubt in pattern_warnings(held.patterns, policy.dialect):
        yield _item(LintCode.DOUBT, held, doubt.index, f"`{held.patterns[doubt.index]}`: {doubt.sentence}")
    if not held.own.invalid:
        yield from _by_use(held, seen)
        yield from _disagreements(policy, held, seen)


def _item(code: LintCode, held: _List, index: int, sentence: str, paths: Sequence[str] = ()) -> LintItem:
    return LintItem(
        code=code,
        sentence=sentence,
        place=f"{held.place}[{index}]",
        pattern=held.patterns[index],
        count=len(paths),
        examples=tuple(paths[:_EXAMPLES]),
    )


def _by_use(held: _List, seen: Sequence[SeenPath]) -> Iterator[LintItem]:
    uses = _uses(held, seen)
    for index, pattern in enumerate(held.patterns):
        use = uses[index]
        if not held.own.is_pattern(index):
            continue
        if not use.hits:
            yield _item(LintCode.NOTHING, held, index, f"`{pattern}` matches none of the {_paths(len(seen))}.")
        elif not use.decides:
            sentence = f"`{pattern}` matches {_paths(use.hits)} and decides none: other patterns of its list do."
            yield _item(LintCode.SHADOWED, held, index, sentence, use.examples)
        if _is_far(uses, index, len(seen)):
            sentence = f"`{pattern}` matches {use.hits:,} of {len(seen):,} paths, far more than its neighbours."
            yield _item(LintCode.FAR_MORE, held, index, sentence, use.examples)
        if held.restricts and use.required:
            sentence = f"`{pattern}` restricts {_paths(len(use.required))} that turns required: only a local model can serve those turns."
            yield _item(LintCode.REQUIRED, held, index, sentence, use.required)


def _uses(held: _List, seen: Sequence[SeenPath]) -> list[_Use]:
    uses = [_Use(0, 0, [], []) for _ in held.patterns]
    for each in seen:
        matching = [match.index for match in held.own.all_matches(each.path)]
        for index in matching:
            uses[index].hits += 1
            uses[index].examples.append(each.path)
        deciding = held.own.deciding(each.path)
        # A negation that comes last decides too: it lifts the path.
        last = deciding if deciding >= 0 else matching[-1] if matching else -1
        if last >= 0:
            uses[last].decides += 1
        if deciding >= 0 and each.required:
            uses[deciding].required.append(each.path)
    return uses


def _is_far(uses: Sequence[_Use], index: int, paths: int) -> bool:
    others = [use.hits for place, use in enumerate(uses) if place != index and use.hits]
    hits = uses[index].hits
    return hits >= _MANY and hits * _FAR >= paths and bool(others) and hits > _FAR * median(others)


def _disagreements(policy: Policy, held: _List, seen: Sequence[SeenPath]) -> Iterator[LintItem]:
    """Tell the paths on which the dialects disagree, by the pattern that matches in one of them alone."""
    other = other_dialect(policy.dialect)
    told: dict[tuple[int, bool], list[str]] = {}
    for each in seen:
        mine, theirs = held.own.deciding(each.path), held.other.deciding(each.path)
        if (mine >= 0) != (theirs >= 0):
            told.setdefault((max(mine, theirs), mine >= 0), []).append(each.path)
    for (index, here), paths in sorted(told.items()):
        verb = "matches" if here else "does not match"
        sentence = f"`{held.patterns[index]}` {verb} {_paths(len(paths))} here, as {policy.dialect.value} reads it, and {other.value} reads it the other way."
        yield _item(LintCode.DIALECTS, held, index, sentence, paths)


def _sensitive(policy: Policy, lists: Sequence[_List], seen: Sequence[SeenPath]) -> Iterator[LintItem]:
    privacy = [held.own for held in lists if held.restricts]
    free = [each.path for each in seen if all(globs.deciding(each.path) < 0 for globs in privacy)]
    for suggestion in suggest_for(free):
        wanted = ", ".join(f"`{pattern}`" for pattern in written_for(suggestion.patterns, policy.dialect))
        yield LintItem(
            code=LintCode.SENSITIVE,
            sentence=f"{_paths(len(suggestion.paths))} that no privacy list restricts: {suggestion.what}, by the name; {wanted} would.",
            count=len(suggestion.paths),
            examples=suggestion.paths[:_EXAMPLES],
        )


def _paths(count: int) -> str:
    return f"{count:,} path{'' if count == 1 else 's'}"
