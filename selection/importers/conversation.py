"""Build a session from what a recording tells, in the order in which it tells it: what all importers share.

A recording names no policy and no preferences, and seldom a window. Nothing is invented beyond what a turn needs to be selected at all: the model that
answered is its route, nothing is restricted, and an assumed window is told as one.
"""

import re
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import Any, Final

from selection.documents.bundle import BundleMessage, BundleTurn, SessionInfo
from selection.documents.catalog import Catalog, built_in
from selection.engine.codes import Auth, Capability, Mode, Role
from selection.engine.values import (
    DefaultRoute,
    ModelDescriptor,
    Policy,
    PrivacyPolicy,
    RemotePrivacy,
    RoutingPolicy,
    UserInput,
    Workspace,
)
from selection.importers.gathered import Gathered
from selection.importers.mentions import referenced_paths
from selection.importers.parts import Ending, Part, TurnBegins, Unanswered
from selection.importers.report import Report
from selection.importers.times import Clock

# The source of a policy that no recording named.
RECORDED_POLICY: Final = "recorded"
_WINDOW: Final = 200_000
_REPLY: Final = 32_000
_DIFF: Final = re.compile(r"\bgit\b[^|;&\n]*\bdiff\b")
_MOST_TITLE: Final = 200
_MOST_NAME: Final = 200
_MOST_MODELS: Final = 200


@dataclass(slots=True)
class _Begun:
    """A turn whose attachments and model are still to come."""

    turn: BundleTurn
    model: tuple[str, str] | None = None


@dataclass(slots=True)
class Conversation:
    """The session at hand; what is known of it for good stands in `told` until it is taken.

    `provider` is who answers where the recording names nobody; `unknown` stands for a model without a name.
    """

    name: str
    report: Report
    provider: str
    catalog: Catalog = field(default_factory=built_in)
    unknown: str = "unknown"
    title: str | None = None
    root: str = ""
    branch: str | None = None
    model: str | None = None
    gathered: Gathered = field(default_factory=Gathered)
    clock: Clock = field(default_factory=Clock)
    told: list[Part] = field(default_factory=list)
    messages: int = 0
    turns: int = 0
    windows: dict[tuple[str, str], int] = field(default_factory=dict)
    _last: str | None = None
    _begun: _Begun | None = None
    _asked: str = ""
    _route: tuple[str, str] | None = None
    _unanswered: int = 0
    _models: dict[tuple[str, str], None] = field(default_factory=dict)
    _calls: dict[str, str | None] = field(default_factory=dict)
    _asked_for_diff: set[str] = field(default_factory=set)
    _diff: str | None = None
    _files: int = 0
    _ids: set[str] = field(default_factory=set)

    def begin_turn(self, text: str, time: str | None = None, paths: tuple[str, ...] = ()) -> None:
        """Begin a turn: the user asked `text`; `paths` are referred to beside those that it mentions."""
        self._settle()
        self.gathered.next_turn()
        mentioned = tuple(dict.fromkeys((*paths, *referenced_paths(text))))
        turn = BundleTurn(
            input=UserInput(text=text),
            after_message=self._last,
            workspace=Workspace(
                root=self.root, git_branch=self.branch, referenced_paths=mentioned, git_diff=self._diff
            ),
            created_at=time,
        )
        self._begun, self._diff = _Begun(turn), None
        self._asked = self._asked or text[: 2 * _MOST_TITLE].strip()
        self.turns += 1
        self.told.append(TurnBegins())

    def ask(self, text: str, time: str | None = None, *, name: str | None = None, paths: tuple[str, ...] = ()) -> None:
        """Begin a turn with a prompt, which from the next turn on is history."""
        self.begin_turn(text, time, paths)
        self.say(Role.USER, text, time, name=name)

    def say(  # noqa: PLR0913 - a message has these parts
        self,
        role: Role,
        text: str,
        time: str | None = None,
        *,
        name: str | None = None,
        path: str | None = None,
        call: str | None = None,
        model: str | None = None,
        provider: str | None = None,
    ) -> None:
        """Add a message to the history. An answer is told with who gave it; a result is about the file that its `call` named.

        A workspace's diff that a tool showed is that of the turn after.
        """
        spoken = role is Role.ASSISTANT
        if call:
            path = path or self._calls.get(call)
            if call in self._asked_for_diff and text.startswith("diff --git "):
                self._diff = text
        self._last = self._fresh_id(name)
        self.messages += 1
        self.told.append(
            BundleMessage(
                id=self._last,
                role=role,
                content=text,
                provider=(provider or self.provider) if spoken else None,
                model=model if spoken else None,
                path=path or None,
                created_at=time,
            )
        )

    def answers(self, model: str | None, provider: str | None = None) -> None:
        """Note the model that answers the turn at hand; the first one is its route."""
        if not model or len(model) > _MOST_NAME or not model.isprintable():
            return
        self.model, self.provider = model, provider or self.provider
        named = (self.provider, model)
        if named not in self._models and len(self._models) == _MOST_MODELS:
            self.report.note(
                f"More than {_MOST_MODELS:,} models answered; the turns of the others keep the route before."
            )
            return
        self._models[named] = None
        if self._begun is not None and self._begun.model is None:
            self._begun.model = named

    def called(self, call: str | None, path: str | None, text: str) -> None:
        """Note what a tool call is about, for its result."""
        if call and path:
            self._calls[call] = path
        elif call and _DIFF.search(text):
            self._asked_for_diff.add(call)

    def path_of(self, call: str | None) -> str | None:
        """Give the path that a call was about."""
        return self._calls.get(call or "")

    @property
    def has_turns(self) -> bool:
        """Whether somebody asked anything yet."""
        return self.turns > 0

    def take_told(self) -> list[Part]:
        """Give what is known for good since the last time."""
        told, self.told = self.told, []
        return told

    def end(self) -> list[Part]:
        """Give the rest of the session; the last part is its ending."""
        self._settle()
        self._count()
        first = next(iter(self._models), (self.provider, self.unknown))
        models = self._models or {first: None}
        ending = Ending(
            session=SessionInfo(title=self._title(), created_at=self.clock.first),
            models=tuple(self._descriptor(*named) for named in models),
            unanswered=Unanswered(self._unanswered, _policy(*first), (first[0],)),
        )
        return [*self.take_told(), ending]

    def _settle(self) -> None:
        """Tell the turn at hand with what was attached since it began, and the route that it took or, unanswered, would have taken."""
        begun, self._begun = self._begun, None
        if begun is None:
            return
        turn = replace(begun.turn, attachments=self.gathered.attachments())
        self._files += len(turn.attachments.files)
        self._route = begun.model or self._route
        if self._route is None:
            self._unanswered += 1
        else:
            turn = replace(turn, policy=_policy(*self._route), credentials=(self._route[0],))
        self.told.append(turn)

    def _fresh_id(self, name: str | None) -> str:
        """The record's own id where it is free; a record that makes several messages numbers them."""
        base = name if name and len(name) <= _MOST_NAME else f"message-{self.messages + 1}"
        fresh, number = base, 1
        while fresh in self._ids:
            number += 1
            fresh = f"{base}#{number}"
        self._ids.add(fresh)
        return fresh

    def _count(self) -> None:
        read, report = self.report.read, self.report
        read["turns"], read["messages"], read["attached files"] = self.turns, self.messages, self._files
        report.note(
            "The recording names no policy: the model that answered a turn is its route, and nothing is restricted."
        )
        named = self._models or {(self.provider, self.unknown): None}
        beside = [model for model in named if model not in self.windows]
        known = [model for model in beside if self.catalog.known(*model)]
        if known:
            report.note(
                f"The windows of {len(known):,} of {len(named):,} models are those of the catalog, {self.catalog.told}."
            )
        if len(known) < len(beside):
            report.note(
                f"The windows of {len(beside) - len(known):,} of {len(named):,} models are not known: {_WINDOW:,} tokens, and replies of up "
                f"to {_REPLY:,}, are assumed."
            )

    def _title(self) -> str:
        title = " ".join((self.title or self._asked or PurePath(self.name).name).split())
        return title if len(title) <= _MOST_TITLE else f"{title[: _MOST_TITLE - 1]}…"

    def _descriptor(self, provider: str, model: str) -> ModelDescriptor:
        """Describe a model: by the window that the recording tells, else as the catalog knows it, else as assumed."""
        known, told = self.catalog.known(provider, model), self.windows.get((provider, model))
        if known is None:
            return _assumed(provider, model, told or _WINDOW)
        return known if told is None else replace(known, max_context_tokens=told)


def _assumed(provider: str, model: str, window: int) -> ModelDescriptor:
    can = (Capability.STREAMING, Capability.TOOLS, Capability.SYSTEM_PROMPT, Capability.IMAGES)
    return ModelDescriptor(
        provider=provider,
        model=model,
        auth=Auth.API_KEY,
        capabilities=dict.fromkeys(can, True),
        max_context_tokens=window,
        max_output_tokens=min(_REPLY, window // 4),
    )


def _policy(provider: str, model: str) -> Policy:
    return Policy(
        source=RECORDED_POLICY,
        routing=RoutingPolicy(default=DefaultRoute(model=f"{provider}/{model}")),
        privacy=PrivacyPolicy(remote=RemotePrivacy(mode=Mode.ALLOW)),
    )


def short(kind: Any) -> str:
    """Give the kind of a record as it may be told in a report; what is too long or unprintable is unknown."""
    text = str(kind) if isinstance(kind, str | int) else ""
    return text if 0 < len(text) <= 2 * len("file-history-snapshot") and text.isprintable() else "unknown"
