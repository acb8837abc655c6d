"""What a change of policy does to a turn, disclosed first: who sees what that nobody saw before ("The pages" ask for it; nothing here decides)."""

from collections.abc import Iterator
from dataclasses import dataclass

from selection.engine.codes import EffectCode, Reason, Status
from selection.engine.outcome import Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """One kind of effect: a sentence, and the candidates that it is about, in the order of the ledger; none where it is about the turn."""

    code: EffectCode
    sentence: str
    positions: tuple[int, ...] = ()


def effects_of(before: Outcome, after: Outcome) -> tuple[Effect, ...]:
    """Tell what changes from `before` to `after`, two selections of one turn; nothing where nothing does."""
    order = list(EffectCode)
    found = [*_of_the_turn(before, after), *_of_candidates(before, after)]
    return tuple(sorted(found, key=lambda effect: order.index(effect.code)))


def _of_the_turn(before: Outcome, after: Outcome) -> Iterator[Effect]:
    old, new = before.model, after.model
    if old is None and new is None:
        return
    if new is None:
        yield Effect(code=EffectCode.FAILS, sentence=f"The turn fails: no model serves it (`{after.error}`).")
        return
    if old is None:
        yield Effect(code=EffectCode.WORKS, sentence=f"The turn works: `{new.name}` serves it, where nobody did.")
    elif old.local != new.local:
        code = EffectCode.MOVED_LOCAL if new.local else EffectCode.MOVED_REMOTE
        side = "local" if new.local else "remote"
        yield Effect(code=code, sentence=f"The turn moves to a {side} model: `{new.name}` instead of `{old.name}`.")
    elif old.name != new.name:
        yield Effect(code=EffectCode.MODEL, sentence=f"`{new.name}` serves the turn instead of `{old.name}`.")
    asked, asks = before.status is Status.AWAITING_APPROVAL, after.status is Status.AWAITING_APPROVAL
    if asks and not asked:
        yield Effect(code=EffectCode.ASKS, sentence="The user is asked before anything leaves.")
    if asked and not asks and not new.local:
        yield Effect(
            code=EffectCode.SILENT, sentence="The user is asked no more before it leaves for the remote model."
        )


def _of_candidates(before: Outcome, after: Outcome) -> Iterator[Effect]:
    seen, sees = _seen_remotely(before), _seen_remotely(after)
    disclosed = tuple(p for p in after.included if p in sees - seen)
    if disclosed and after.model is not None:
        yield Effect(
            code=EffectCode.DISCLOSED,
            sentence=f"{_counted(after, disclosed)} newly disclosed to `{after.model.name}`.",
            positions=disclosed,
        )
    was_in, is_in = frozenset(before.included), frozenset(after.included)
    out = [p for p in before.included if p not in is_in]
    withheld = tuple(p for p in out if _is_withheld(after, p))
    lost = tuple(p for p in out if after.model is not None and not _is_withheld(after, p))
    gained = tuple(p for p in after.included if p not in was_in and p not in disclosed)
    if withheld:
        sentence = f"{_counted(before, withheld)} newly withheld from the remote model."
        yield Effect(code=EffectCode.WITHHELD, sentence=sentence, positions=withheld)
    if lost:
        yield Effect(code=EffectCode.LOST, sentence=f"{_counted(before, lost)} lost to the budget.", positions=lost)
    if gained:
        yield Effect(code=EffectCode.GAINED, sentence=f"{_counted(after, gained)} gained.", positions=gained)


def _seen_remotely(outcome: Outcome) -> frozenset[int]:
    return frozenset(outcome.included) if outcome.model is not None and not outcome.model.local else frozenset()


def _is_withheld(outcome: Outcome, position: int) -> bool:
    return outcome.model is not None and outcome.reasons[position] is Reason.RESTRICTED_REMOTE


def _counted(outcome: Outcome, positions: tuple[int, ...]) -> str:
    sizes = outcome.candidates.tokens if outcome.candidates else []
    count, tokens = len(positions), sum(sizes[position] for position in positions)
    return f"{count:,} candidate{'' if count == 1 else 's'} of {tokens:,} tokens {'is' if count == 1 else 'are'}"
