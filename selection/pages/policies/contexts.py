"""What the pages of policies may read."""

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import unified_diff
from itertools import islice

from django.http import HttpRequest

from selection import policy_queries
from selection.actions.seen_paths import MOST_TURNS, seen_paths
from selection.documents.policy_text import CheckedPolicy, check_policy_toml
from selection.engine.lint import LintItem, lint
from selection.models import NamedPolicy, PolicyVersion, Replay, Stage
from selection.pages.policies.forms import ReplayForm, VersionForm

_MOST_VERSIONS = 100
_MOST_REPLAYS = 20
_MOST_LINT = 100
_MOST_DIFF = 2_000
_MOST_POLICIES = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyRow:
    """A policy of the list."""

    policy: NamedPolicy
    last: PolicyVersion | None
    current: PolicyVersion | None
    proposed: PolicyVersion | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PoliciesPage:
    """The policies of a user, and the last replays."""

    policies: tuple[PolicyRow, ...]
    replays: tuple[Replay, ...]
    form: VersionForm
    checked: CheckedPolicy | None


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionRow:
    """One version; `stage` is empty for one that is neither proposed nor current."""

    version: PolicyVersion
    stage: str
    open: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffLine:
    """One line of a difference: `mark` is `+`, `-`, `@` or nothing."""

    mark: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Lint:
    """What is doubtful about the text, over how many paths of at most how many turns; `more` doubts are not shown."""

    items: tuple[LintItem, ...]
    more: int
    paths: int
    most_turns: int = MOST_TURNS


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyPage:
    """One policy, with one of its versions open; what was typed stands in `form`."""

    policy: NamedPolicy
    versions: tuple[VersionRow, ...]
    version: PolicyVersion
    against: PolicyVersion | None
    diff: tuple[DiffLine, ...]
    checked: CheckedPolicy
    lint: Lint | None
    form: VersionForm
    replay_form: ReplayForm
    replays: tuple[Replay, ...]


def policies_page(request: HttpRequest, form: VersionForm) -> PoliciesPage:
    """Give the list; with what was typed checked."""
    text = str(form.data.get("text", "")) if form.is_bound else ""
    return PoliciesPage(
        policies=tuple(_rows(request)),
        replays=tuple(policy_queries.replays_of(request.user)[:_MOST_REPLAYS]),
        form=form,
        checked=check_policy_toml(text) if text else None,
    )


def _rows(request: HttpRequest) -> Iterator[PolicyRow]:
    policies = list(policy_queries.policies_of(request.user)[:_MOST_POLICIES])
    last = policy_queries.last_versions(policies)
    stages = policy_queries.stages_in_force(policies)
    for policy in policies:
        held = stages.get(policy.pk, {})
        yield PolicyRow(
            policy=policy, last=last.get(policy.pk), current=held.get(Stage.CURRENT), proposed=held.get(Stage.PROPOSED)
        )


def policy_page(
    request: HttpRequest,
    policy: NamedPolicy,
    version: PolicyVersion,
    against: PolicyVersion | None = None,
    form: VersionForm | None = None,
    replay_form: ReplayForm | None = None,
) -> PolicyPage:
    """Give the page of a policy."""
    typed = str(form.data.get("text", "")) if form is not None else version.text
    checked = check_policy_toml(typed)
    stages = policy_queries.stages_in_force([policy]).get(policy.pk, {})
    rows = policy_queries.versions_of(policy)[:_MOST_VERSIONS]
    return PolicyPage(
        policy=policy,
        versions=tuple(
            VersionRow(
                version=row,
                stage=next((stage.value for stage, held in stages.items() if held.pk == row.pk), ""),
                open=row.pk == version.pk,
            )
            for row in rows
        ),
        version=version,
        against=against,
        diff=tuple(_diff(against, version)) if against else (),
        checked=checked,
        lint=_lint(request, checked),
        form=form or VersionForm(initial={"name": policy.name, "text": version.text}),
        replay_form=replay_form or ReplayForm(),
        replays=tuple(policy_queries.replays_of(request.user).filter(version__policy=policy)[:_MOST_REPLAYS]),
    )


def _lint(request: HttpRequest, checked: CheckedPolicy) -> Lint | None:
    if checked.policy is None:
        return None
    seen = seen_paths(request.user)
    items = lint(checked.policy, seen)
    return Lint(items=items[:_MOST_LINT], more=max(0, len(items) - _MOST_LINT), paths=len(seen))


def _diff(before: PolicyVersion, after: PolicyVersion) -> Iterator[DiffLine]:
    lines = unified_diff(
        before.text.splitlines(),
        after.text.splitlines(),
        f"version {before.number}",
        f"version {after.number}",
        lineterm="",
    )
    for line in islice(lines, _MOST_DIFF):
        mark = line[0] if line and line[0] in "+-@" else ""
        yield DiffLine(mark=mark, text=line)
