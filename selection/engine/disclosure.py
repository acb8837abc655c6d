"""Disclosure: what stands between a selection and the call of its model ("Sealed history", "Disclosure" in domain.md)."""

from collections.abc import Iterable

from selection.engine.candidates import CandidateSet
from selection.engine.codes import Mode, Status
from selection.engine.values import ModelDescriptor, Policy, TurnInput


def sealed_among(candidates: CandidateSet, included: Iterable[int]) -> tuple[int, ...]:
    """Give the included candidates that are sealed, in candidate order."""
    contents = candidates.columns.contents
    return tuple(sorted([position for position in included if contents[position].__class__ is not str]))


def asks_before_remote(policy: Policy, model: ModelDescriptor) -> bool:
    """Tell whether the user must allow what goes to `model`: it is remote, and the mode is `ask` or unset."""
    return not model.local and policy.privacy.remote.mode in {None, Mode.ASK}


def status_of(turn: TurnInput, model: ModelDescriptor, *, sealed: bool) -> Status:
    """Tell where a turn with a model stands; a decrypt pause comes before an approval pause."""
    if sealed:
        return Status.AWAITING_DECRYPT
    return Status.AWAITING_APPROVAL if asks_before_remote(turn.policy, model) else Status.SELECTED
