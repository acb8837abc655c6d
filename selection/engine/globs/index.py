"""Ask a whole list of rules about a path, folder by folder from the root: the last rule that matches decides, and a matched folder settles all below it.

Most paths match nothing, so turning them away is what is fast: dictionaries for what is literal, joined expressions for the rest, and what a folder says is
remembered. Nothing recurses, and what is remembered is bounded.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from selection.engine.globs.last_match import LastMatch
from selection.engine.globs.names import NameFilter
from selection.engine.globs.rule import Rule

FREE: Final = -1

_MOST_FOLDERS: Final = 20_000
_LONGEST_FOLDER: Final = 500
# From so many folders on, rules that match none of them are found out at once instead of once for each.
_DEEP: Final = 100


class _Group:
    """Anchored rules with stars that can match in some folders alone."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.may_match = NameFilter(rule.last_name for rule in rules).may_match
        self.last = LastMatch(rules)


@dataclass(frozen=True, slots=True)
class _Folder:
    """What a folder says of all that is in it: the rule that settled it or `FREE`, and which anchored rules can match inside."""

    settled: int
    groups: tuple[_Group, ...]
    from_root: LastMatch


class GlobIndex:
    """A list of rules, ready to be asked many times."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        """Sort the rules, which come in list order."""
        anchored: list[Rule] = []
        named: list[Rule] = []
        for rule in rules:
            (anchored if rule.anchored else named).append(rule)
        self._names = _by_text((rule.literal, rule) for rule in named)
        self._extensions = _by_text((rule.extension, rule) for rule in named)
        self._starred = LastMatch([rule for rule in named if rule.literal is None and rule.extension is None])
        self._paths = _by_text((rule.literal, rule) for rule in anchored)
        self._sort_anchored([rule for rule in anchored if rule.literal is None], named)

    def _sort_anchored(self, rules: Sequence[Rule], named: Sequence[Rule]) -> None:
        """Sort rules by the folders that they can match in; those that can match anywhere are turned away with the names."""
        below = [rule for rule in rules if not rule.folder and rule.rests_below is not None]
        anywhere = [rule for rule in rules if not rule.folder and rule.rests_below is None]
        self._below = _Group(below)
        self._opens_below = NameFilter(rule.rests_below or () for rule in below).may_match
        grouped = _by_text((rule.folder or None, rule) for rule in rules)
        self._groups = {folder: _Group(held[::-1]) for folder, held in grouped.items()}
        self._may_match = NameFilter(
            [*(rule.tokens for rule in named), *(rule.last_name for rule in anywhere)]
        ).may_match
        self._root = _Folder(FREE, (), LastMatch(anywhere))
        self._folders = {"": self._root}

    def deciding(self, path: str) -> int:
        """Give the index of the rule that matches `path` or a folder above it; `FREE` where none does or a negation lifts it."""
        above, _, name = path.rpartition("/")
        folder = self._folders.get(above) or self._enter(above)
        if folder.settled != FREE:
            return folder.settled
        if self._may_match(name) or path in self._paths:
            return self._judge(path, name, folder, is_folder=False)
        for group in folder.groups:
            if group.may_match(name):
                return self._judge(path, name, folder, is_folder=False)
        return FREE

    def _judge(self, path: str, name: str, folder: _Folder, *, is_folder: bool) -> int:
        """Judge a path by itself, without the folders above it."""
        found = [group.last.find(path, is_folder=is_folder) for group in folder.groups if group.may_match(name)]
        if path in self._paths:
            found.append(_first(self._paths[path], is_folder=is_folder))
        if self._may_match(name):
            found += self._by_name(name, is_folder=is_folder)
            found.append(folder.from_root.find(path, is_folder=is_folder))
        best: Rule | None = None
        for rule in found:
            if rule is not None and (best is None or rule.index > best.index):
                best = rule
        return FREE if best is None or best.negated else best.index

    def _by_name(self, name: str, *, is_folder: bool) -> tuple[Rule | None, ...]:
        return (
            _first(self._names.get(name, ()), is_folder=is_folder),
            _first(self._extensions.get(name[name.rfind(".") :], ()), is_folder=is_folder),
            self._starred.find(name, is_folder=is_folder),
        )

    def _enter(self, path: str) -> _Folder:
        """Judge a folder and those above it that are not known, from the root down."""
        known = self._folders
        unknown = [path]
        while (above := unknown[-1].rpartition("/")[0]) not in known:
            unknown.append(above)
        if len(unknown) > _DEEP:
            return self._enter_deep(unknown, known[above])
        folder = known[above]
        while unknown and folder.settled == FREE:
            folder = self._inside(unknown[-1], folder)
            self._remember(unknown.pop(), folder)
        self._remember(path, folder)
        return folder

    def _enter_deep(self, unknown: list[str], folder: _Folder) -> _Folder:
        """Judge many folders with the rules that reach any of them. Too seldom to be remembered."""
        path = unknown[0]
        groups = (self._below, *(group for name, group in self._groups.items() if f"{path}/".startswith(f"{name}/")))
        reaching = tuple(group for group in groups if group.last.reaches(path))
        root = self._root.from_root
        folder = _Folder(folder.settled, reaching, root if root.reaches(path) else LastMatch(()))
        while unknown and folder.settled == FREE:
            name = unknown[-1].rpartition("/")[2]
            folder = replace(folder, settled=self._judge(unknown.pop(), name, folder, is_folder=True))
        return _Folder(folder.settled, groups, root)

    def _inside(self, path: str, above: _Folder) -> _Folder:
        """Judge the folder `path`, and add the groups that it brings in."""
        name = path[path.rfind("/") + 1 :]
        settled = self._judge(path, name, above, is_folder=True)
        groups = above.groups
        if path in self._groups:
            groups = (*groups, self._groups[path])
        if self._below not in groups and self._opens_below(name):
            groups = (*groups, self._below)
        return above if settled == FREE and groups is above.groups else _Folder(settled, groups, above.from_root)

    def _remember(self, path: str, folder: _Folder) -> None:
        if len(self._folders) > _MOST_FOLDERS:
            self._folders = {"": self._root}
        if len(path) <= _LONGEST_FOLDER:
            self._folders[path] = folder


def _by_text(pairs: Iterable[tuple[str | None, Rule]]) -> Mapping[str, Sequence[Rule]]:
    """Gather rules under their texts, from the last of the list to the first."""
    gathered: dict[str, list[Rule]] = {}
    for text, rule in pairs:
        if text is not None:
            gathered.setdefault(text, []).append(rule)
    return {text: rules[::-1] for text, rules in gathered.items()}


def _first(rules: Sequence[Rule], *, is_folder: bool) -> Rule | None:
    """Give the first of `rules` that looks at a folder, or at a file."""
    return next((rule for rule in rules if is_folder or not rule.folders_only), None)
