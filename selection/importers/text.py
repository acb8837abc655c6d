"""Text that cannot be stored: NUL becomes U+2400 and a lone surrogate U+FFFD, one character for one, counted (domain.md)."""

import re
from typing import Any, Final

from selection.importers.report import Report

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_VISIBLE_NUL: Final = "\N{SYMBOL FOR NULL}"
_REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"


def storable(text: str, report: Report) -> str:
    """Give `text` as both databases can hold it."""
    nuls = text.count("\0")
    if nuls:
        report.replaced["NUL"] += nuls
        text = text.replace("\0", _VISIBLE_NUL)
    if not _is_encodable(text):
        text, surrogates = _SURROGATE.subn(_REPLACEMENT, text)
        report.replaced["lone surrogate"] += surrogates
    return text


def _is_encodable(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def storable_data(data: Any, report: Report) -> Any:
    """Give parsed JSON with every text of it, keys included, as both databases can hold it."""
    if isinstance(data, str):
        return storable(data, report)
    if isinstance(data, list):
        return [storable_data(item, report) for item in data]
    if isinstance(data, dict):
        return {storable(key, report): storable_data(item, report) for key, item in data.items()}
    return data
