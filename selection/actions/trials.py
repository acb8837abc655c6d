"""The changes that could flip a candidate beside its budget: a reference, another model, the one pattern that decides, a preference, a credential.

Each trial changes one thing of the what-if as it stands. They are bounded: a turn may have thousands of references and a catalog hundreds of models.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from selection.actions.knobs import MOST_CHARACTERS, Knobs, is_writable, knobs_of
from selection.documents.policy import write_policy_toml
from selection.engine import Outcome
from selection.engine.codes import Auth, Mode, PatternSource
from selection.engine.globs import literal_pattern
from selection.engine.paths import PathNormaliser
from selection.engine.privacy import Restriction
from selection.engine.values import Policy, TurnInput

_MOST_REFERENCES: Final = 8
_MOST_MODELS: Final = 10
_MOST_PROVIDERS: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One change to try, as the whole what-if that it makes."""

    change: str
    knobs: Knobs
    title: str


def trials_of(outcome: Outcome, position: int, knobs: Knobs) -> Iterator[Trial]:
    """Give the changes to try for one candidate of `outcome`, the selection under `knobs`; each can be written into an address."""
    for trial in (*_references(outcome, position, knobs), *_patterns(outcome, position, knobs)):
        lists = (trial.knobs.referenced, trial.knobs.restricted, trial.knobs.blocked)
        if all(is_writable(lines or ()) for lines in lists):
            yield trial
    yield from _models(outcome, knobs)
    yield from _preferences(outcome.turn, knobs)
    yield from _credentials(outcome.turn, knobs)


def _references(outcome: Outcome, position: int, knobs: Knobs) -> Iterator[Trial]:
    turn = outcome.turn
    known = turn.workspace.referenced_paths
    normalised = PathNormaliser(turn.workspace.root).each(known)
    candidate = outcome.candidate(position)
    if candidate.path is not None and candidate.path not in normalised and candidate.path.strip() == candidate.path:
        yield Trial(
            change="reference",
            knobs=replace(knobs, referenced=(*known, candidate.path)),
            title=f"Referencing `{candidate.path}`",
        )
    # The candidate's own references first: they are the likeliest to matter.
    paths = sorted(dict.fromkeys(path for path in normalised if path), key=lambda path: path not in candidate.paths)
    for path in islice(paths, _MOST_REFERENCES):
        kept = tuple(written for written, own in zip(known, normalised, strict=True) if own != path)
        yield Trial(
            change="reference", knobs=replace(knobs, referenced=kept), title=f"Dropping the reference to `{path}`"
        )


def _models(outcome: Outcome, knobs: Knobs) -> Iterator[Trial]:
    """The chain in order, then the local models of the catalog; the one that serves needs no trial."""
    local = (model.name for model in outcome.turn.models if model.local)
    chain = outcome.route.chain if outcome.route else ()
    catalog = {model.name for model in outcome.turn.models}
    serving = outcome.model.name if outcome.model else None
    names = [name for name in dict.fromkeys((*chain, *local)) if name in catalog and name != serving]
    for name in names[:_MOST_MODELS]:
        if name != knobs_of(outcome.turn).model:
            yield Trial(change="model", knobs=replace(knobs, model=name), title=f"Asking for `{name}`")


def _patterns(outcome: Outcome, position: int, knobs: Knobs) -> Iterator[Trial]:
    candidate, privacy = outcome.candidate(position), outcome.turn.policy.privacy
    restriction = candidate.restriction
    if restriction is None:
        if candidate.path is not None:
            pattern = literal_pattern(candidate.path, outcome.turn.policy.dialect)
            restricted = (*privacy.restricted_paths, pattern)
            yield Trial(change="pattern", knobs=replace(knobs, restricted=restricted), title=f"Restricting `{pattern}`")
        return
    title = f"Lifting `{restriction.pattern}` ({restriction.place})"
    if restriction.source is PatternSource.RESTRICTED_PATHS:
        lifted = _without(privacy.restricted_paths, restriction.index)
        yield Trial(change="pattern", knobs=replace(knobs, restricted=lifted), title=title)
    elif restriction.source is PatternSource.BLOCKED_PATHS:
        lifted = _without(privacy.remote.blocked_paths, restriction.index)
        yield Trial(change="pattern", knobs=replace(knobs, blocked=lifted), title=title)
    else:
        yield from _rule_lifted(outcome.turn.policy, restriction, knobs, title)


def _rule_lifted(policy: Policy, restriction: Restriction, knobs: Knobs, title: str) -> Iterator[Trial]:
    """Lift a pattern of a routing rule: that is another policy, written out whole where an address carries it."""
    rules = tuple(
        replace(rule, paths=_without(rule.paths, restriction.index)) if _is_place(number, restriction) else rule
        for number, rule in enumerate(policy.routing.rules)
    )
    text = write_policy_toml(replace(policy, routing=replace(policy.routing, rules=rules)))
    if len(text) <= MOST_CHARACTERS:
        lifted = replace(knobs.beside_policy, policy=text)
        yield Trial(change="pattern", knobs=lifted, title=title)


def _is_place(number: int, restriction: Restriction) -> bool:
    return restriction.place.startswith(f"routing.rules[{number}].")


def _without(patterns: tuple[str, ...], index: int) -> tuple[str, ...]:
    return patterns[:index] + patterns[index + 1 :]


def _preferences(turn: TurnInput, knobs: Knobs) -> Iterator[Trial]:
    preferences = turn.local_preferences
    if preferences.local_only:
        yield Trial(change="preference", knobs=replace(knobs, local_only=False), title="Turning `local only` off")
    else:
        yield Trial(
            change="preference", knobs=replace(knobs, local_only=True), title="Serving locally, with `local only` on"
        )
    if preferences.no_network:
        yield Trial(change="preference", knobs=replace(knobs, no_network=False), title="Turning `no network` off")
    if turn.policy.privacy.remote.mode is Mode.DENY:
        yield Trial(change="preference", knobs=replace(knobs, remote=Mode.ASK), title="Asking before remote disclosure")


def _credentials(turn: TurnInput, knobs: Knobs) -> Iterator[Trial]:
    missing = dict.fromkeys(
        model.provider for model in turn.models if model.auth is Auth.API_KEY and model.provider not in turn.credentials
    )
    for provider in islice(missing, _MOST_PROVIDERS):
        held = tuple(sorted({*turn.credentials, provider}))
        yield Trial(
            change="credential",
            knobs=replace(knobs, credentials=held),
            title=f"Supplying a credential for `{provider}`",
        )
