"""Show text that came from a recording: escaped, bounded, on one side of its own, with every character that hides or turns text made visible."""

import re
import unicodedata
from datetime import UTC, datetime
from itertools import count

from django import template
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

# Controls, bidirectional marks and overrides, zero-width characters, tags, separators of lines that browsers do not show, lone surrogates.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f\ud800-\udfff]"
)
_CODE = re.compile(r"`([^`]*)`")
_SHORT = 160
_LONG = 20_000


def reveal(text: str) -> SafeString:
    """Escape `text` and give each hidden character as its code point."""
    return mark_safe(_HIDDEN.sub(_marker, str(escape(text))))  # noqa: S308 - escaped first; markers are our own


def _marker(found: re.Match[str]) -> str:
    code = f"U+{ord(found[0]):04X}"
    name = unicodedata.name(found[0], "control character").lower()
    return f'<span class="control-character" title="{name}">{code}</span>'


def shorten(text: str, most: int) -> str:
    """Keep at most `most` characters, and say how many went."""
    if len(text) <= most:
        return text
    return f"{text[:most]} … {len(text) - most:,} more characters"


@register.filter
def foreign(text: object, most: int = _SHORT) -> SafeString:
    """Show recorded text on one line."""
    return format_html("<bdi>{}</bdi>", reveal(_on_one_line(str(text), most)))


@register.filter
def plainly(text: object, most: int = _SHORT) -> str:
    """Show recorded text where no markup can stand, such as in a choice."""
    return _HIDDEN.sub(lambda found: f"U+{ord(found[0]):04X}", _on_one_line(str(text), most))


def _on_one_line(text: str, most: int) -> str:
    """Fold white space within what is shown; what is cut off is counted as it is."""
    shown = " ".join(text[:most].split())
    return shown if len(text) <= most else f"{shown} … {len(text) - most:,} more characters"


@register.filter
def foreign_block(text: object, most: int = _LONG) -> SafeString:
    """Show recorded text with its lines."""
    return format_html('<pre class="foreign" dir="auto">{}</pre>', reveal(shorten(str(text), most)))


@register.filter
def exactly(text: object) -> SafeString:
    """Show one line as it is, white space and all."""
    return reveal(shorten(str(text), _SHORT * 4))


@register.filter
def foreign_path(text: object) -> SafeString:
    """Show a path: a long one keeps both its ends, since the end names the file."""
    path = str(text)
    if len(path) > _SHORT:
        half = _SHORT // 2
        path = f"{path[:half]} … {len(path) - 2 * half:,} more characters … {path[-half:]}"
    return format_html('<bdi class="path">{}</bdi>', reveal(path))


@register.filter
def sentence(text: object) -> SafeString:
    """Show one of the engine's sentences: what stands in backticks as code."""
    numbers = count()
    parts = _CODE.split(str(text))
    shown = (
        str(format_html("<code><bdi>{}</bdi></code>", reveal(shorten(part, _SHORT))))
        if next(numbers) % 2
        else str(reveal(part))
        for part in parts
    )
    return mark_safe("".join(shown))  # noqa: S308 - every part was escaped above


@register.filter
def number(value: int | None) -> str:
    """Show a whole number with its thousands apart."""
    return "" if value is None else f"{value:,}"


@register.filter
def moment(value: datetime | None) -> SafeString:
    """Show a time with its zone; script puts the reader's own in its place."""
    if value is None:
        return SafeString("")
    told = value.astimezone(UTC)
    shown = f"{told.day} {told:%b %Y, %H:%M} UTC"
    return format_html('<time datetime="{}" data-moment>{}</time>', told.isoformat(), shown)


@register.filter
def words(code: object) -> str:
    """Show a code in words."""
    return str(code).replace("_", " ")


@register.filter
def slice_end(key: object, most: int) -> str:
    """Show the end of a key: those of one time begin alike."""
    return str(key)[-most:]
