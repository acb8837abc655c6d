"""Ask a whole list of rules about a path, folder by folder from the root: the last rule that matches decides, and a matched folder settles all below it.

Most paths match nothing, so turning them away is what is fast: dictionaries for what is literal, joined expressions for the rest, and what a folder says is
remembered. Nothing recurses, and what is remembered is bounded.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
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
    """The anchored rules with stars that one folder brings in: they can match below it alone."""

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
        rules = tuple(rules)
        self._names: dict[str, list[Rule]] = {}
        self._extensions: dict[str, list[Rule]] = {}
        self._paths: dict[str, list[Rule]] = {}
        starred: list[Rule] = []
        grouped: dict[str, list[Rule]] = {}
        for rule in rules:
            if rule.literal is not None:
                (self._paths if rule.anchored else self._names).setdefault(rule.literal, []).insert(0, rule)
            elif rule.extension is not None:
                self._extensions.setdefault(rule.extension, []).insert(0, rule)
            elif rule.anchored:
                grouped.setdefault(rule.folder, []).append(rule)
            else:
                starred.append(rule)
        self._starred = LastMatch(starred)
        everywhere = [rule for rule in rules if not rule.anchored]
        below_root = grouped.pop("", [])
        self._may_match = NameFilter(
            [*(rule.tokens for rule in everywhere), *(rule.last_name for rule in below_root)]
        ).may_match
        self._groups = {folder: _Group(held) for folder, held in grouped.items()}
        self._root = _Folder(FREE, (), LastMatch(below_root))
        self._folders = {"": self._root}

    def deciding(self, path: str) -> int:
        """Give the index of the rule that matches `path` or a folder above it; `FREE` where none does or a negation lifts it."""
        above, _, name = path.rpartition("/")
        folder = self._folders.get(above) or self._enter(above)
        if folder.settled != FREE:
            return folder.settled
        if self._may_match(name) or path in self._paths or folder.groups:
            return self._judge(path, name, folder, is_folder=False)
        return FREE

    def _judge(self, path: str, name: str, folder: _Folder, *, is_folder: bool) -> int:
        """Judge a path by itself, without the folders above it."""
        found = [_first(self._paths.get(path, ()), is_folder=is_folder)]
        if self._may_match(name):
            found += self._by_name(name, is_folder=is_folder)
            found.append(folder.from_root.find(path, is_folder=is_folder))
        found += [group.last.find(path, is_folder=is_folder) for group in folder.groups if group.may_match(name)]
        best = max((rule for rule in found if rule is not None), key=lambda rule: rule.index, default=None)
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
            folder = self._inside(unknown[-1], folder, self._groups.get(unknown[-1]))
            self._remember(unknown.pop(), folder)
        self._remember(path, folder)
        return folder

    def _enter_deep(self, unknown: list[str], folder: _Folder) -> _Folder:
        """Judge many folders with the rules that reach any of them. Too seldom to be remembered."""
        path = unknown[0]
        groups = tuple(group for name, group in self._groups.items() if f"{path}/".startswith(f"{name}/"))
        reaching = tuple(group for group in groups if group.last.reaches(path))
        root = self._root.from_root
        folder = _Folder(folder.settled, reaching, root if root.reaches(path) else LastMatch(()))
        while unknown and folder.settled == FREE:
            folder = self._inside(unknown.pop(), folder, None)
        return _Folder(folder.settled, groups, root)

    def _inside(self, path: str, above: _Folder, added: _Group | None) -> _Folder:
        """Judge the folder `path`; `added` is the group that it brings in."""
        settled = self._judge(path, path[path.rfind("/") + 1 :], above, is_folder=True)
        if settled == FREE and added is None:
            return above
        return _Folder(settled, above.groups if added is None else (*above.groups, added), above.from_root)

    def _remember(self, path: str, folder: _Folder) -> None:
        if len(self._folders) > _MOST_FOLDERS:
            self._folders = {"": self._root}
        if len(path) <= _LONGEST_FOLDER:
            self._folders[path] = folder


def _first(rules: Sequence[Rule], *, is_folder: bool) -> Rule | None:
    """Give the first of `rules` that looks at a folder, or at a file."""
    return next((rule for rule in rules if is_folder or not rule.folders_only), None)
