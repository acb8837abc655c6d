"""Paths that a prompt mentions."""

import re
from typing import Final

_MENTION: Final = re.compile(r"(?:^|(?<=[\s(\"'`]))@((?:[A-Za-z]:)?[\w.~\\/-]*[\w])")
_MOST_MENTIONS: Final = 200


def referenced_paths(text: str) -> tuple[str, ...]:
    """Give the paths that a prompt mentions as `@path`; a word without a dot or a slash is a name, not a path."""
    found = (match[1] for match in _MENTION.finditer(text))
    paths = dict.fromkeys(path for path in found if "." in path or "/" in path or "\\" in path)
    return tuple(paths)[:_MOST_MENTIONS]
