"""The policy editor: the text, what is wrong with it line by line, what each of its patterns matches here, and what it would do to this turn."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final
from uuid import UUID

from selection import queries
from selection.actions.ask_what_if import outcome_under, select_under
from selection.actions.knobs import Knobs, pairs_of
from selection.documents.policy import write_policy_toml
from selection.documents.policy_text import (
    LONGEST_TEXT,
    CheckedPolicy,
    PlacedFault,
    check_policy_toml,
    places_of,
    spot_of,
)
from selection.engine import Outcome
from selection.engine.candidates import CandidateSet
from selection.engine.codes import EffectCode
from selection.engine.effects import Effect, effects_of
from selection.engine.reasons import label_of
from selection.models import Owner
from selection.pages.inspector.address import query_of
from selection.pages.inspector.look import Look

_MOST_ROWS: Final = 20
_MOST_PATTERNS: Final = 200
_MOST_DRAFTS: Final = 50
_GRAVE: Final = frozenset({EffectCode.DISCLOSED, EffectCode.FAILS, EffectCode.MOVED_REMOTE, EffectCode.SILENT})


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """What somebody typed, and what kept it from being done."""

    text: str
    name: str = ""
    refused: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternCount:
    """One pattern, with the paths of this turn that it matches and those that it decides."""

    place: str
    pattern: str
    matches: int
    decides: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectRow:
    """One effect; `rows` are the first of its candidates with their names and addresses, `more` counts the rest."""

    words: str
    sentence: str
    grave: bool
    rows: tuple[tuple[str, str], ...]
    more: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What is said of a text: its faults, and where it is a policy its first patterns and its effects."""

    valid: bool
    faults: tuple[PlacedFault, ...]
    ignored: tuple[str, ...]
    patterns: tuple[PatternCount, ...]
    pattern_count: int
    effects: tuple[EffectRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """The line of the text that a place names; numbers from 1."""

    place: str
    line: int
    column: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A saved draft and the address that opens it here."""

    key: UUID
    name: str
    href: str
    open: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyTab:
    """The editor. `carried` are the other knobs, which applying a policy keeps."""

    text: str
    name: str
    refused: str
    verdict: Verdict
    pointed: Line | None
    drafts: tuple[Draft, ...]
    carried: tuple[tuple[str, str], ...]


def policy_tab(user: Owner, look: Look, typed: Typed | None) -> PolicyTab:
    """Give the editor with what was typed, else with what the address says, else with the turn's own policy."""
    drafts = tuple(_drafts(user, look))
    name = next((draft.name for draft in drafts if draft.open), "")
    given = typed or Typed(text=_text_of(look), name=name)
    return PolicyTab(
        text=given.text,
        name=given.name,
        refused=given.refused,
        verdict=verdict_of(look, given.text),
        pointed=_pointed(given.text, look.view.place),
        drafts=drafts,
        carried=tuple(pairs_of(look.knobs.beside_policy)),
    )


def _pointed(text: str, place: str) -> Line | None:
    if not place or len(text) > LONGEST_TEXT:
        return None
    line, column = spot_of(places_of(text), place)
    return Line(place=place, line=line, column=column, text=text.split("\n")[line - 1])


def _text_of(look: Look) -> str:
    """Keep the text as it was typed, comments and faults too; where knobs stand on top of it, write out what they come to."""
    knobs = look.knobs
    if "policy" in look.form.errors:
        return look.form.typed_policy
    if knobs.policy is not None and (knobs.restricted, knobs.blocked, knobs.remote) == (None, None, None):
        return knobs.policy
    return write_policy_toml(look.outcome.turn.policy)


def _drafts(user: Owner, look: Look) -> Iterator[Draft]:
    for draft in queries.drafts_of(user).filter(kept=True)[:_MOST_DRAFTS]:
        knobs = replace(look.knobs.beside_policy, draft=str(draft.pk))
        yield Draft(
            key=draft.pk,
            name=draft.name,
            href=query_of(knobs, **look.view.with_()),
            open=look.knobs.draft == str(draft.pk),
        )


def verdict_of(look: Look, text: str) -> Verdict:
    """Check a text, and run it on this turn where it is a policy; against the turn under the knobs that are no policy."""
    checked = check_policy_toml(text)
    if checked.policy is None:
        return _verdict(checked, (), 0, ())
    beside = look.knobs.beside_policy
    after = select_under(look.opened.prepared, replace(beside, policy=text))
    effects = effects_of(outcome_under(look.opened, beside), after)
    counts = tuple(_counts(after.candidates)) if after.candidates else ()
    return _verdict(checked, counts, len(counts), tuple(_row(look, after, effect) for effect in effects))


def _verdict(
    checked: CheckedPolicy, counts: tuple[PatternCount, ...], count: int, effects: tuple[EffectRow, ...]
) -> Verdict:
    return Verdict(
        valid=checked.valid,
        faults=checked.faults,
        ignored=checked.ignored,
        patterns=counts[:_MOST_PATTERNS],
        pattern_count=count,
        effects=effects,
    )


def _counts(candidates: CandidateSet) -> Iterator[PatternCount]:
    paths = dict.fromkeys(path for path in candidates.columns.paths if path is not None)
    for held in candidates.privacy.lists:
        hits, decisions = candidates.privacy.usage(held, paths)
        for index, pattern in enumerate(held.patterns):
            if candidates.privacy.is_pattern(held, index):
                yield PatternCount(
                    place=f"{held.place}[{index}]",
                    pattern=pattern,
                    matches=hits[index],
                    decides=decisions[index],
                )


def _row(look: Look, after: Outcome, effect: Effect) -> EffectRow:
    candidates = after.candidates
    shown = islice(effect.positions, _MOST_ROWS) if candidates else ()
    return EffectRow(
        words=effect.code.value.replace("_", " "),
        sentence=effect.sentence,
        grave=effect.code in _GRAVE,
        rows=tuple((label_of(candidates, p), _address(look, p)) for p in shown) if candidates else (),
        more=max(0, len(effect.positions) - _MOST_ROWS),
    )


def _address(look: Look, position: int) -> str:
    return query_of(look.knobs, **look.view.with_(row=position))


def applied(look: Look, text: str) -> Knobs:
    """Give the knobs of the what-if that a text is, in place of what the knobs said of the policy before."""
    return replace(look.knobs.beside_policy, policy=text)
