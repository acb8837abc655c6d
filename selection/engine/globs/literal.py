"""The one pattern that matches a path and nothing else ("Globs" in domain.md)."""

import re

_SPECIAL = re.compile(r"[\\*?\[\]!#]")


def literal_pattern(path: str) -> str:
    """Give the pattern that matches `path`, a normalised path, alone: anchored, with every special character escaped."""
    escaped = _SPECIAL.sub(r"\\\g<0>", path)
    if escaped.endswith(" "):
        escaped = f"{escaped[:-1]}\\ "
    return f"/{escaped.removeprefix('/')}"
