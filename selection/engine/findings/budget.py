"""Traps of the budget: the prompt's own text, and reserves that leave nothing ("Findings")."""

from collections.abc import Iterator

from selection.engine.choose import reply_reserve
from selection.engine.codes import Severity
from selection.engine.findings.finding import Finding
from selection.engine.outcome import Outcome
from selection.engine.tokens import estimate_tokens


def find_budget_traps(outcome: Outcome) -> Iterator[Finding]:
    """Find where the router's sum and the real window part."""
    yield from _prompt_beyond_budget(outcome)
    yield from _reserve_beyond_window(outcome)


def _prompt_beyond_budget(outcome: Outcome) -> Iterator[Finding]:
    budget = outcome.budget
    if budget is None:
        return
    prompt = estimate_tokens(outcome.text)
    whole = prompt + budget.used
    if whole <= budget.effective:
        return
    beyond_window = whole > budget.window
    what = f"the window of {budget.window:,}" if beyond_window else f"the effective budget of {budget.effective:,}"
    yield Finding(
        code="prompt_beyond_window" if beyond_window else "prompt_eats_reserve",
        severity=Severity.HIGH if beyond_window else Severity.LOW,
        sentence=f"The prompt's own {prompt:,} tokens are not in the budget: with the {budget.used:,} of the context they pass {what}.",
        advice="Shorten the prompt, or choose a model with a larger window.",
    )


def _reserve_beyond_window(outcome: Outcome) -> Iterator[Finding]:
    chain = frozenset(outcome.route.chain) if outcome.route else frozenset[str]()
    for index, model in enumerate(outcome.turn.models):
        reserve = reply_reserve(model)
        if model.name in chain and reserve >= model.max_context_tokens:
            relation = "is larger than" if reserve > model.max_context_tokens else "takes all of"
            what = f"The reply reserve of `{model.name}`, {reserve:,} tokens,"
            yield Finding(
                code="reserve_beyond_window",
                severity=Severity.HIGH,
                sentence=f"{what} {relation} its window of {model.max_context_tokens:,}: nothing is left for the context.",
                advice="Correct the model's sizes in the catalog.",
                places=(f"models[{index}].max_output_tokens",),
            )
