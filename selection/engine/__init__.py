"""Context selection, exactly as domain.md says: pure, deterministic, filter-only. Everything that others may use is named here."""

from selection.engine.decision import attempt_sentence, decision_sentence
from selection.engine.outcome import Attempt, Budget, Outcome, Prepared
from selection.engine.pipeline import decide, decide_again, prepare, select
from selection.engine.prompt import PromptMessage, build_prompt, chat_completions
from selection.engine.reasons import Evidence, Explanation, explain
from selection.engine.resume import resume
from selection.engine.sealed import sealed_records

__all__ = [
    "Attempt",
    "Budget",
    "Evidence",
    "Explanation",
    "Outcome",
    "Prepared",
    "PromptMessage",
    "attempt_sentence",
    "build_prompt",
    "chat_completions",
    "decide",
    "decide_again",
    "decision_sentence",
    "explain",
    "prepare",
    "resume",
    "sealed_records",
    "select",
]
