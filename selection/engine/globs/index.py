"""Ask a whole list of rules about a path, folder by folder from the root: the last rule that matches decides, and a matched folder settles all below it.

Most paths match nothing, so turning them away is what is fast: dictionaries for what is literal, joined expressions for the rest, and what a folder says is
remembered. Nothing recurses, and what is remembered is bounded.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from selection.engine.globs.names import NameRules, joined
from selection.engine.globs.rule import Rule

FREE: Final = -1

_MOST_FOLDERS: Final = 20_000
_LONGEST_FOLDER: Final = 500


class _Group:
    """The anchored rules with stars that one folder brings in: they can match below it alone."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._rules = rules[::-1]
        self.fits = joined(rule.last_name for rule in rules)
        self._passes = joined(rule.source for rule in rules)

    def matching(self, path: str, name: str) -> Iterator[Rule]:
        """Give the rules that match `path`, from the last of the list to the first."""
        if self.fits(name) and self._passes(path):
            yield from (rule for rule in self._rules if rule.matches(path))


@dataclass(frozen=True, slots=True)
class _Folder:
    """What a folder says of all that is in it: the rule that settled it or `FREE`, and the groups that can match inside."""

    settled: int
    groups: tuple[_Group, ...]


class GlobIndex:
    """A list of rules, ready to be asked many times."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        """Sort the rules, which come in list order."""
        rules = tuple(rules)
        self._names = NameRules(rule for rule in rules if not rule.anchored)
        self._literal: dict[str, list[Rule]] = {}
        groups: dict[str, list[Rule]] = {}
        for rule in rules:
            if rule.anchored and rule.literal is not None:
                self._literal.setdefault(rule.literal, []).insert(0, rule)
            elif rule.anchored:
                groups.setdefault(rule.folder, []).append(rule)
        self._groups = {folder: _Group(held) for folder, held in groups.items()}
        self._root = _Folder(FREE, self._groups_of(""))
        self._folders = {"": self._root}

    def deciding(self, path: str) -> int:
        """Give the index of the rule that matches `path` or a folder above it; `FREE` where none does or a negation lifts it."""
        above, _, name = path.rpartition("/")
        folder = self._folders.get(above) or self._enter(above)
        if folder.settled != FREE:
            return folder.settled
        if self._names.may_match(name) or path in self._literal or any(group.fits(name) for group in folder.groups):
            return self._judge(path, name, folder, is_folder=False)
        return FREE

    def _judge(self, path: str, name: str, folder: _Folder, *, is_folder: bool) -> int:
        best = max(
            (rule for rule in self._matching(path, name, folder) if is_folder or not rule.folders_only),
            key=lambda rule: rule.index,
            default=None,
        )
        return FREE if best is None or best.negated else best.index

    def _matching(self, path: str, name: str, folder: _Folder) -> Iterator[Rule]:
        yield from self._names.matching(name)
        yield from self._literal.get(path, ())
        for group in folder.groups:
            yield from group.matching(path, name)

    def _enter(self, path: str) -> _Folder:
        """Judge a folder and those above it that are not known, from the root down."""
        unknown = [path]
        while (above := unknown[-1].rpartition("/")[0]) not in self._folders:
            unknown.append(above)
        folder = self._folders[above]
        while unknown and folder.settled == FREE:
            folder = self._enter_one(unknown.pop(), folder)
        self._remember(path, folder)
        return folder

    def _enter_one(self, path: str, above: _Folder) -> _Folder:
        settled = self._judge(path, path[path.rfind("/") + 1 :], above, is_folder=True)
        added = self._groups_of(path)
        folder = _Folder(settled, above.groups + added) if added or settled != FREE else above
        self._remember(path, folder)
        return folder

    def _groups_of(self, folder: str) -> tuple[_Group, ...]:
        group = self._groups.get(folder)
        return () if group is None else (group,)

    def _remember(self, path: str, folder: _Folder) -> None:
        if len(self._folders) > _MOST_FOLDERS:
            self._folders = {"": self._root}
        if len(path) <= _LONGEST_FOLDER:
            self._folders[path] = folder
