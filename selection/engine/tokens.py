"""Sizes: the estimate of text, and the upper bound for sealed text ("Candidates: Size" in domain.md)."""

from collections.abc import Sequence
from typing import Final

from selection.engine.values import Content, Envelope

CHARACTERS_PER_TOKEN: Final = 4
TAG_BYTES: Final = 16


def estimate_tokens(content: Content) -> int:
    """Estimate the tokens of `content`: a quarter of its code points, rounded up; of its plaintext bytes where it is sealed."""
    size = len(content) if isinstance(content, str) else plaintext_bytes(content)
    return (size + 3) // CHARACTERS_PER_TOKEN


def estimate_each(contents: Sequence[Content]) -> list[int]:
    """Estimate every content, in order; the same figures as `estimate_tokens`, without a call for each plain text."""
    if set(map(type, contents)) <= {str}:
        return [(size + 3) >> 2 for size in map(len, contents)]  # type: ignore[arg-type]
    return [(len(content) if isinstance(content, str) else plaintext_bytes(content)) + 3 >> 2 for content in contents]


def plaintext_bytes(envelope: Envelope) -> int:
    """Tell how many bytes the sealed text has: the ciphertext's, less the tag; never negative."""
    size = len(envelope.ciphertext.rstrip("=")) * 3 // 4 - TAG_BYTES
    return max(0, size)
