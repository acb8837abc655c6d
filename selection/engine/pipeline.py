"""The stages in order, and nothing else ("The job" in domain.md).

`select` runs them all. `prepare` runs those that do not depend on the model, `decide` the rest: a changed budget, model, credential or preference asks
`decide` alone.
"""

from dataclasses import replace

from selection.engine.candidates import CandidateSet, build_candidates
from selection.engine.choose import Choice, choose_model, effective_budget, require_local
from selection.engine.classify import classify
from selection.engine.codes import Cause, SelectionError, Status
from selection.engine.collapse import collapse_identical
from selection.engine.diffs import diff_paths
from selection.engine.disclosure import sealed_among, status_of
from selection.engine.fit import budget_of, fit_to_budget, required_tokens_of
from selection.engine.outcome import LocalRequirement, Outcome, Prepared
from selection.engine.paths import PathNormaliser
from selection.engine.privacy import PrivacyLists, mark_restricted
from selection.engine.rank import rank_discardables
from selection.engine.route import Route, choose_route
from selection.engine.values import ModelDescriptor, TurnInput


def select(turn: TurnInput) -> Outcome:
    """Select the context of a turn: who serves it, what goes in, what stays out, and why. Equal turns give equal outcomes."""
    return decide(prepare(turn))


def prepare(turn: TurnInput, privacy: PrivacyLists | None = None) -> Prepared:
    """Classify, route, build, collapse, mark and rank: all that holds whichever model serves.

    `privacy` are the lists of the turn's policy, for those who prepare many turns under one.
    """
    normaliser = PathNormaliser(turn.workspace.root)
    classification = classify(turn)
    asks_paths = any(rule.paths for rule in turn.policy.routing.rules)
    route = choose_route(turn, classification, routing_paths(turn, normaliser) if asks_paths else ())
    if route is None:
        return Prepared(turn=turn, classification=classification, route=None, candidates=None)
    candidates = _assemble(turn, route, normaliser, privacy or PrivacyLists(turn.policy))
    return Prepared(
        turn=turn,
        classification=classification,
        route=route,
        candidates=candidates,
        required_tokens=required_tokens_of(candidates),
    )


def decide(prepared: Prepared) -> Outcome:
    """Choose the model of a prepared turn and fit the candidates to its budget."""
    route, candidates = prepared.route, prepared.candidates
    if route is None or candidates is None:
        return _without_route(prepared)
    local = require_local(prepared.turn, route, candidates)
    choice = choose_model(prepared.turn, route, local, prepared.required_tokens)
    if choice.model is None:
        return _refused(prepared, local, choice)
    return _fitted(prepared, candidates, local, choice, choice.model)


def decide_again(prepared: Prepared, turn: TurnInput) -> tuple[Prepared, Outcome]:
    """Select `turn`, starting from `prepared` where it differs only in what `decide` reads; also give what to start from next time."""
    prepared = prepare_again(prepared, turn)
    return prepared, decide(prepared)


def prepare_again(prepared: Prepared, turn: TurnInput, privacy: PrivacyLists | None = None) -> Prepared:
    """Prepare `turn`, starting from `prepared`: where only privacy lists differ, nothing but the marks is made anew.

    `privacy` are the lists of the turn's policy, for those who prepare many turns under one policy.
    """
    if not _same_parts(prepared.turn, turn):
        return prepare(turn, privacy)
    if _preparing_policy(prepared.turn) == _preparing_policy(turn):
        return replace(prepared, turn=turn)
    if _routing_policy(prepared.turn) != _routing_policy(turn):
        return prepare(turn, privacy)
    held = prepared.candidates
    candidates = None if held is None else held.marked_by(privacy or PrivacyLists(turn.policy))
    return replace(prepared, turn=turn, candidates=candidates)


def is_prepared_for(prepared: Prepared, turn: TurnInput) -> bool:
    """Tell whether `prepared` holds for `turn`: equal but for models, credentials, preferences and the remote mode."""
    return _same_parts(prepared.turn, turn) and _preparing_policy(prepared.turn) == _preparing_policy(turn)


def _same_parts(known: TurnInput, turn: TurnInput) -> bool:
    return all(
        ours is theirs or ours == theirs
        for ours, theirs in (
            (known.input, turn.input),
            (known.workspace, turn.workspace),
            (known.attachments, turn.attachments),
            (known.recalled, turn.recalled),
        )
    )


def _preparing_policy(turn: TurnInput) -> tuple[object, ...]:
    privacy = turn.policy.privacy
    return *_routing_policy(turn), privacy.restricted_paths, privacy.remote.blocked_paths


def _routing_policy(turn: TurnInput) -> tuple[object, ...]:
    return turn.policy.classification, turn.policy.routing, turn.policy.dialect


def routing_paths(turn: TurnInput, normaliser: PathNormaliser) -> tuple[str, ...]:
    """Give the paths that routing looks at, each once: referenced, active, attached, touched by the diff ("Route")."""
    workspace = turn.workspace
    active = () if workspace.active_file is None else (workspace.active_file,)
    attached = tuple(file.path for file in turn.attachments.files)
    paths = normaliser.each([*workspace.referenced_paths, *active, *attached, *touched_paths(turn)])
    return tuple(dict.fromkeys(path for path in paths if path is not None))


def touched_paths(turn: TurnInput) -> tuple[str, ...]:
    """Give the paths that the diff touches, as written in it; of a sealed diff those that stand beside it in clear."""
    diff = turn.workspace.git_diff
    return diff_paths(diff) if isinstance(diff, str) else turn.workspace.diff_paths


def _assemble(turn: TurnInput, route: Route, normaliser: PathNormaliser, privacy: PrivacyLists) -> CandidateSet:
    columns = build_candidates(turn, normaliser, _Affinity(turn, route, normaliser).cause)
    survivors, copies = collapse_identical(columns)
    restrictions = mark_restricted(columns.paths, survivors, privacy)
    ranking = rank_discardables(columns, survivors, copies)
    return CandidateSet(columns, survivors, copies, restrictions, ranking, privacy)


class _Affinity:
    """What ties a path to the turn: a reference, or a route-driving glob."""

    def __init__(self, turn: TurnInput, route: Route, normaliser: PathNormaliser) -> None:
        self._referenced = frozenset(normaliser.each(turn.workspace.referenced_paths))
        # An override, the default route and most rules drive nothing: then no path is asked.
        self._globs = route.compiled if route.driving_globs else None

    def cause(self, path: str) -> Cause | None:
        if path in self._referenced:
            return Cause.REFERENCED
        return Cause.ROUTE_GLOB if self._globs is not None and self._globs.matches(path) else None


def _without_route(prepared: Prepared) -> Outcome:
    return Outcome(
        turn=prepared.turn,
        classification=prepared.classification,
        route=None,
        candidates=None,
        local=None,
        attempts=(),
        model=None,
        error=SelectionError.NO_ROUTE,
        status=Status.ERROR,
        budget=None,
        fitted=None,
    )


def _refused(prepared: Prepared, local: LocalRequirement, choice: Choice) -> Outcome:
    return Outcome(
        turn=prepared.turn,
        classification=prepared.classification,
        route=prepared.route,
        candidates=prepared.candidates,
        local=local,
        attempts=choice.attempts,
        model=None,
        error=choice.error,
        status=Status.ERROR,
        budget=None,
        fitted=None,
    )


def _fitted(
    prepared: Prepared, candidates: CandidateSet, local: LocalRequirement, choice: Choice, model: ModelDescriptor
) -> Outcome:
    fitted = fit_to_budget(candidates, effective_budget(model), remote=not model.local)
    to_decrypt = sealed_among(candidates, fitted.included)
    return Outcome(
        turn=prepared.turn,
        classification=prepared.classification,
        route=prepared.route,
        candidates=candidates,
        local=local,
        attempts=choice.attempts,
        model=model,
        error=None,
        status=status_of(
            prepared.turn, model, sealed=bool(to_decrypt) or not isinstance(prepared.turn.input.text, str)
        ),
        budget=budget_of(model, fitted),
        fitted=fitted,
        to_decrypt=to_decrypt,
    )
