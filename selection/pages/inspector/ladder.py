"""The model ladder: the chain in order, each with its verdict, and what would make it pass."""

from dataclasses import dataclass

from selection.engine import Outcome, attempt_sentence
from selection.engine.codes import Verdict
from selection.engine.reasons import label_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Rung:
    """One model of the chain; `verdict` is empty for one that the walk never reached."""

    model: str
    verdict: str
    selected: bool
    sentence: str
    remedy: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder:
    """The chain, who wrote it, and the required restricted candidates that force a local model, by name."""

    source: str
    rule: str
    intent: str
    rungs: tuple[Rung, ...]
    forced_by: tuple[tuple[int, str], ...]
    causes: tuple[str, ...]


def ladder_of(outcome: Outcome) -> Ladder:
    """Give the ladder of an outcome."""
    route, local, candidates = outcome.route, outcome.local, outcome.candidates
    tried = {attempt.model: attempt for attempt in reversed(outcome.attempts)}
    chain = dict.fromkeys(route.chain) if route else {}
    forced = () if local is None or candidates is None else local.positions
    return Ladder(
        source=route.source.value if route else "",
        rule=(route.rule or "") if route else "",
        intent=outcome.classification.intent.value,
        rungs=tuple(
            Rung(
                model=name,
                verdict=tried[name].verdict.value if name in tried else "",
                selected=name in tried and tried[name].verdict is Verdict.SELECTED,
                sentence=attempt_sentence(tried[name]) if name in tried else "Not reached.",
                remedy=_remedy(tried[name].verdict) if name in tried else "",
            )
            for name in chain
        ),
        forced_by=tuple((p, label_of(candidates, p)) for p in forced) if candidates else (),
        causes=tuple(cause.value for cause in local.causes) if local else (),
    )


def _remedy(verdict: Verdict) -> str:
    return {
        Verdict.UNKNOWN_MODEL: "Add it to the catalog, or correct its name in the route.",
        Verdict.MISSING_PROVIDER_CREDENTIALS: "Supply a key for the provider.",
        Verdict.REMOTE_FORBIDDEN: "Take away what forces a local model.",
        Verdict.MISSING_CAPABILITY: "Drop the rule's demand, or choose a model that meets it.",
        Verdict.CONTEXT_WINDOW_EXCEEDED: "Require less, or give it a larger window or a smaller reply reserve.",
        Verdict.SELECTED: "",
    }[verdict]
