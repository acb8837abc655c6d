"""What happens to files: five kinds of harm, each by chance."""

import random


def cut(data: bytes, chance: random.Random) -> bytes:
    """Break a file off."""
    return data[: chance.randrange(len(data))]


def flip(data: bytes, chance: random.Random) -> bytes:
    """Turn some bits."""
    changed = bytearray(data)
    for _ in range(8):
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def swap(data: bytes, chance: random.Random) -> bytes:
    """Shuffle the lines."""
    parts = data.split(b"\n")
    chance.shuffle(parts)
    return b"\n".join(parts)


def retype(data: bytes, chance: random.Random) -> bytes:
    """Put a value of another type in place of a text."""
    texts = data.split(b'"')
    other = chance.choice((b"null", b"1e999", b"[]", b"{}", b"-7", b"true", b'[{"type":[]}]', b'{"text":{}}'))
    place = chance.randrange(1, len(texts)) if len(texts) > 1 else 0
    before, after = b'"'.join(texts[:place]), b'"'.join(texts[place + 1 :])
    return before + other + after


def swell(data: bytes, chance: random.Random) -> bytes:
    """Make a field giant, or nest it deeply."""
    texts = data.split(b'"')
    place = chance.randrange(len(texts))
    texts[place] += chance.choice((b"x" * 200_000, b"[" * 5_000, b"9" * 6_000))
    return b'"'.join(texts)


HARMS = (cut, flip, swap, retype, swell)
