"""Classify: what the user wants of the turn, by command, by rule or by default ("Classify" in domain.md)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz.distance import OSA

from selection.engine.codes import ClassificationSource, Confidence, ContextKind, Intent
from selection.engine.values import ClassificationRule, TurnInput, Workspace

# Invariant: a token is a run of letters and digits; the underscore, which `\w` takes for a letter, is neither.
_TOKEN = re.compile(r"[^\W_]+")
_SHORT, _MEDIUM = 4, 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Classification:
    """The intent of a turn; `matched_rule` is the index of the rule in the policy as written."""

    intent: Intent
    source: ClassificationSource
    matched_rule: int | None = None
    confidence: Confidence | None = None
    keyword: str | None = None
    typo: bool = False


def classify(turn: TurnInput) -> Classification:
    """Tell the intent of `turn`: its command, else the first rule that matches, else the default intent."""
    if turn.input.command is not None:
        return Classification(intent=turn.input.command, source=ClassificationSource.EXPLICIT)
    if not isinstance(turn.input.text, str) and turn.input.classified_intent is not None:
        return Classification(
            intent=turn.input.classified_intent, source=ClassificationSource.INFERRED, confidence=Confidence.LOW
        )
    return _infer(turn)


def _infer(turn: TurnInput) -> Classification:
    policy = turn.policy.classification
    tokens = prompt_tokens(turn.input.text) if isinstance(turn.input.text, str) else ()
    present = present_context(turn.workspace)
    for index, rule in sorted(enumerate(policy.rules), key=lambda pair: pair[1].priority):
        found = _match_rule(rule, index, tokens, present)
        if found is not None:
            return found
    return Classification(intent=policy.default_intent, source=ClassificationSource.INFERRED, confidence=Confidence.LOW)


def prompt_tokens(text: str) -> tuple[str, ...]:
    """Split a prompt into its distinct tokens: lower-case runs of letters and digits, in order of first appearance."""
    return tuple(dict.fromkeys(_TOKEN.findall(text.lower())))


def can_match(keyword: str) -> bool:
    """Tell whether a prompt token could ever hit `keyword`: one with a space never can, not even as a typo."""
    return bool(keyword) and not any(character.isspace() for character in keyword)


def present_context(workspace: Workspace) -> frozenset[ContextKind]:
    """Tell which kinds of context the workspace holds."""
    held = {
        ContextKind.GIT_DIFF: workspace.git_diff,
        ContextKind.GIT_BRANCH: workspace.git_branch,
        ContextKind.ACTIVE_FILE: workspace.active_file,
        ContextKind.REFERENCED_PATHS: workspace.referenced_paths,
    }
    return frozenset(kind for kind, value in held.items() if value)


def _match_rule(
    rule: ClassificationRule, index: int, tokens: Sequence[str], present: frozenset[ContextKind]
) -> Classification | None:
    if rule.requires_any_context and present.isdisjoint(rule.requires_any_context):
        return None
    hit = _hit_keyword(rule.keywords, tokens) if rule.keywords else None
    if rule.keywords and hit is None:
        return None
    keyword, typo = hit or (None, False)
    return Classification(
        intent=rule.intent,
        source=ClassificationSource.INFERRED,
        matched_rule=index,
        confidence=_confidence(rule, typo=typo),
        keyword=keyword,
        typo=typo,
    )


def _confidence(rule: ClassificationRule, *, typo: bool) -> Confidence:
    conditions = bool(rule.keywords) + bool(rule.requires_any_context)
    if conditions == 0:
        return Confidence.LOW
    return Confidence.HIGH if conditions > 1 and not typo else Confidence.MEDIUM


def _hit_keyword(keywords: Sequence[str], tokens: Sequence[str]) -> tuple[str, bool] | None:
    """Find the keyword that hits, an exact hit before one through a typo; the flag says that it was a typo."""
    known = frozenset(tokens)
    lowered = [(keyword, keyword.lower()) for keyword in keywords if can_match(keyword)]
    exact = next((keyword for keyword, word in lowered if word in known), None)
    if exact is not None:
        return exact, False
    close = next((keyword for keyword, word in lowered if any(is_typo_of(token, word) for token in tokens)), None)
    return None if close is None else (close, True)


def is_typo_of(token: str, keyword: str) -> bool:
    """Tell whether `token` is `keyword` mistyped: close enough for its length, and neither word within the other."""
    allowed = 0 if len(keyword) <= _SHORT else 1 if len(keyword) <= _MEDIUM else 2
    if allowed == 0 or abs(len(token) - len(keyword)) > allowed or token in keyword or keyword in token:
        return False
    return OSA.distance(token, keyword, score_cutoff=allowed) <= allowed
