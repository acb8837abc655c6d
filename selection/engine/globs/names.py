"""The rules that look at a name alone, sorted so that most names are turned away by a few look-ups."""

import re
from collections.abc import Callable, Iterable, Iterator

from selection.engine.globs.rule import Rule
from selection.engine.globs.tokens import Kind
from selection.engine.globs.translate import literal_of


def joined(sources: Iterable[str]) -> Callable[[str], object]:
    """Give one test that passes what any of the expressions matches, at least one."""
    return re.compile("|".join(dict.fromkeys(sources)), re.DOTALL).fullmatch


class NameRules:
    """Rules by literal name, by extension (`*.ext`), by literal head or tail, and the rest."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        """Sort the rules, which come in list order."""
        self.literal: dict[str, list[Rule]] = {}
        self.extension: dict[str, list[Rule]] = {}
        self._starred: list[Rule] = []
        heads: list[str] = []
        tails: list[str] = []
        others: list[str] = []
        for rule in rules:
            if rule.literal is not None:
                self.literal.setdefault(rule.literal, []).insert(0, rule)
                continue
            head, tail = _around_star(rule)
            if tail.startswith(".") and "." not in tail[1:] and not head:
                self.extension.setdefault(tail, []).insert(0, rule)
                continue
            self._starred.insert(0, rule)
            if head and not tail:
                heads.append(head)
            elif tail and not head:
                tails.append(tail)
            else:
                others.append(rule.source)
        self._heads, self._tails = tuple(heads), tuple(tails)
        self._others = joined(others) if others else None

    def may_match(self, name: str) -> bool:
        """Tell quickly whether any rule matches `name`."""
        return (
            name in self.literal
            or name[name.rfind(".") :] in self.extension
            or name.startswith(self._heads)
            or name.endswith(self._tails)
            or (self._others is not None and self._others(name) is not None)
        )

    def matching(self, name: str) -> Iterator[Rule]:
        """Give the rules that match `name`, those of each kind from the last of the list to the first."""
        yield from self.literal.get(name, ())
        yield from self.extension.get(name[name.rfind(".") :], ())
        yield from (rule for rule in self._starred if rule.matches(name))


def _around_star(rule: Rule) -> tuple[str, str]:
    """Give the literal text before and behind the one star of a rule; two empty texts where it is of another form."""
    stars = [place for place, token in enumerate(rule.tokens) if token.kind is Kind.STAR]
    if len(stars) != 1:
        return "", ""
    head, tail = literal_of(rule.tokens[: stars[0]]), literal_of(rule.tokens[stars[0] + 1 :])
    return ("", "") if head is None or tail is None else (head, tail)
