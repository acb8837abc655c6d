"""Sealed rows that share a nonce ("Sealed history", "Findings").

XChaCha20-Poly1305 keeps nothing secret of two texts that were sealed with one key under one nonce: their difference lies open. An envelope that occurs twice
was copied from one row to another, which the format cannot forbid.
"""

from collections.abc import Iterator, Sequence

from selection.engine.codes import Severity
from selection.engine.findings.finding import Finding, counted
from selection.engine.outcome import Outcome
from selection.engine.values import Envelope


def find_shared_nonces(outcome: Outcome) -> Iterator[Finding]:
    """Find candidates that were sealed under the nonce of another."""
    if outcome.candidates is None:
        return
    held: dict[tuple[str, str], dict[str, list[int]]] = {}
    for position, content in enumerate(_stored(outcome)):
        if isinstance(content, Envelope):
            held.setdefault((content.key_id, content.nonce), {}).setdefault(content.ciphertext, []).append(position)
    torn = [positions for texts in held.values() if len(texts) > 1 for positions in texts.values()]
    copied = [positions for texts in held.values() if len(texts) == 1 for positions in texts.values()]
    yield from _reused(sorted(position for positions in torn for position in positions))
    yield from _copied(sorted(position for positions in copied if len(positions) > 1 for position in positions))


def _stored(outcome: Outcome) -> Sequence[object]:
    """Give the contents as they are stored: opened rows have their envelopes in the origins still."""
    return [] if outcome.candidates is None else [origin.content for origin in outcome.candidates.columns.origins]


def _reused(positions: Sequence[int]) -> Iterator[Finding]:
    if positions:
        yield Finding(
            code="nonce_reused",
            severity=Severity.HIGH,
            sentence=f"{counted(len(positions), 'row')} share key and nonce with another: the difference of their texts can be read without the key.",
            advice="Take their texts for known, and mend the client that sealed them: a nonce is used once.",
            positions=tuple(positions),
        )


def _copied(positions: Sequence[int]) -> Iterator[Finding]:
    if positions:
        yield Finding(
            code="envelope_copied",
            severity=Severity.MEDIUM,
            sentence=f"{counted(len(positions), 'row')} hold the envelope of another row: one was copied over the other, or the recording names it twice.",
            advice="Compare with the recording that the session came from.",
            positions=tuple(positions),
        )
