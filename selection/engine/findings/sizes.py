"""Text whose true token count `characters / 4` falls short of ("Findings").

The ratios estimate / actual are measured against a current tokenizer. A candidate is judged by a sample of its head; only one token per UTF-8 byte is a sure
bound.
"""

import re
from collections.abc import Iterator
from typing import Final

from selection.engine.codes import Severity
from selection.engine.findings.finding import Finding, counted
from selection.engine.outcome import Outcome

_SAMPLE: Final = 4_000
_LEAST_TOKENS: Final = 25
_SHARE: Final = 0.2
_LONG_LINE: Final = 400
_FEW_SPACES: Final = 0.03

_EMOJI: Final = re.compile("[\U0001f000-\U0001faff\u2600-\u27bf]")
_CJK: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]")
_BASE64: Final = re.compile(r"[A-Za-z0-9+/_-]{200,}={0,2}")

# Estimate / actual, as measured.
_EMOJI_RATIO: Final = 0.11
_CJK_RATIO: Final = 0.46
_BASE64_RATIO: Final = 0.37
_MINIFIED_JSON_RATIO: Final = 0.54
_MINIFIED_RATIO: Final = 0.66


def likely_ratio(text: str) -> float:
    """Tell how far the estimate of `text` likely falls short: estimate / actual, 1.0 where nothing speaks against it."""
    sample = text[:_SAMPLE]
    if not sample:
        return 1.0
    for pattern, ratio in ((_EMOJI, _EMOJI_RATIO), (_CJK, _CJK_RATIO)):
        if not sample.isascii() and len(pattern.findall(sample)) > _SHARE * len(sample):
            return ratio
    if sum(map(len, _BASE64.findall(sample))) > len(sample) / 2:
        return _BASE64_RATIO
    return _minified_ratio(sample)


def _minified_ratio(sample: str) -> float:
    longest = max(map(len, sample.split("\n")))
    if longest < _LONG_LINE or sample.count(" ") > _FEW_SPACES * len(sample):
        return 1.0
    return _MINIFIED_JSON_RATIO if sample.lstrip()[:1] in {"{", "["} else _MINIFIED_RATIO


def find_undercounted(outcome: Outcome) -> Iterator[Finding]:
    """Find included candidates whose true size is likely larger than the estimate, and say whether the turn may overflow."""
    candidates, budget = outcome.candidates, outcome.budget
    if candidates is None or budget is None:
        return
    short: dict[int, int] = {}
    for position in sorted(outcome.included):
        content, tokens = candidates.content_of(position), candidates.tokens[position]
        ratio = likely_ratio(content) if isinstance(content, str) and tokens >= _LEAST_TOKENS else 1.0
        if ratio < 1.0:
            short[position] = round(tokens / ratio) - tokens
    if not short:
        return
    extra = sum(short.values())
    rows = counted(len(short), "included candidate")
    overflow = budget.used + extra > budget.effective
    yield Finding(
        code="undercounted_overflow" if overflow else "undercounted",
        severity=Severity.MEDIUM if overflow else Severity.LOW,
        sentence=f"{rows} of a kind that characters / 4 under-counts: some {extra:,} tokens more than estimated, {budget.free:,} are free.",
        advice="Leave room: only one token per UTF-8 byte is a sure bound.",
        positions=tuple(short),
    )
