"""Every pattern of a list that matches a path or a folder above it, whether or not it decides; asked on demand, by a person."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from selection.engine.globs.rule import Rule
from selection.engine.globs.translate import fold


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternMatch:
    """One pattern that matches; `part` is the path, or the first folder above it, that it matched."""

    index: int
    negated: bool
    part: str


def matches_of(rules: Sequence[Rule], path: str, *, folded: bool = False) -> Iterator[PatternMatch]:
    """Give what matches `path`, in list order; `folded` rules look at the folded path."""
    whole = fold(path) if folded else path
    reaching = [rule for rule in rules if rule.reaches(whole)]
    parts = _parts_of(path) if reaching else []
    asked = [fold(part) for part in parts] if folded else parts
    for rule in reaching:
        hit = next(
            (place for place, part in enumerate(asked) if _is_hit(rule, part, is_folder=place + 1 < len(asked))), None
        )
        if hit is not None:
            yield PatternMatch(index=rule.index, negated=rule.negated, part=parts[hit])


def _is_hit(rule: Rule, part: str, *, is_folder: bool) -> bool:
    return (is_folder or not rule.folders_only) and rule.matches(part)


def _parts_of(path: str) -> list[str]:
    """The folders above a path, from the root down, and the path itself."""
    slashes = [place for place, character in enumerate(path) if character == "/" and place]
    return [*(path[:place] for place in slashes), path]
