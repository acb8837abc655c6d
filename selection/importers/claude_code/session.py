"""A transcript as a session: its messages in file order, a turn for each prompt, with what was attached to it."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import Any, Final

from selection.documents.bundle import BundleMessage, BundleTurn, SessionBundle, SessionInfo
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
from selection.importers.claude_code.attachments import Gathered, gather
from selection.importers.claude_code.blocks import Block, blocks_of, is_known, parts_of, result_path
from selection.importers.claude_code.branches import follow
from selection.importers.claude_code.prompts import is_prompt, prompt_text, referenced_paths
from selection.importers.lines import Row
from selection.importers.reading import object_of, text_of
from selection.importers.report import Report
from selection.importers.times import Clock

PROVIDER: Final = "anthropic"
_WINDOW, _REPLY = 200_000, 32_000
_MOST_TITLE: Final = 200
_SYNTHETIC: Final = "<synthetic>"
_UNKNOWN: Final = "claude"
_ROLES: Final = {"user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM}


@dataclass(slots=True)
class _Begun:
    """A turn whose attachments and model are still to come."""

    turn: BundleTurn
    model: str | None = None


@dataclass(slots=True)
class SessionReader:
    """Reads the rows of one transcript."""

    name: str
    report: Report
    messages: list[BundleMessage] = field(default_factory=list)
    turns: list[_Begun] = field(default_factory=list)
    models: dict[str, None] = field(default_factory=dict)
    gathered: Gathered = field(default_factory=Gathered)
    title: str | None = None
    clock: Clock = field(default_factory=Clock)
    _calls: dict[str, str | None] = field(default_factory=dict)
    _ids: set[str] = field(default_factory=set)
    _replies: set[str] = field(default_factory=set)

    def read(self, rows: Sequence[Row]) -> SessionBundle:
        """Give the session."""
        for row in follow(rows, self.report):
            try:
                self._read_row(row)
            except RecursionError:
                self.report.skip(row.line, "nested too deeply")
        self._count()
        return SessionBundle(
            session=SessionInfo(title=self._title(), created_at=self.clock.first),
            messages=tuple(self.messages),
            models=tuple(_descriptor(name) for name in self.models or {_UNKNOWN: None}),
            turns=tuple(self._finished()),
        )

    def _read_row(self, row: Row) -> None:
        kind = text_of(row.data, "type") or "row without a type"
        match kind:
            case "user" | "assistant":
                self._read_message(row)
            case "attachment":
                self._attach(object_of(row.data, "attachment"))
            case "summary" | "custom-title" | "ai-title":
                self.title = text_of(row.data, "summary", "customTitle", "aiTitle", "title") or self.title
            case "system" if text_of(row.data, "subtype") == "compact_boundary":
                self._note_compaction()
            case _:
                self.report.left_out[f"{_short(kind)} rows"] += 1

    def _read_message(self, row: Row) -> None:
        data = row.data
        kind = text_of(data, "type") or ""
        message = object_of(data, "message") or {"content": text_of(data, "message")}
        time = self.clock.read(data.get("timestamp"), row.line, self.report)
        if is_prompt(data):
            self._begin_turn(data, time)
        if kind == "assistant":
            self._note_reply(message)
        blocks = blocks_of(message.get("content"), _ROLES.get(kind, Role.USER))
        unread = [part for part in parts_of(message) if not is_known(part)]
        for part in unread:
            self.report.left_out[f"{_short(text_of(part, 'type') or 'unknown')} blocks"] += 1
        for block in blocks:
            self._add(block, data, message, time)

    def _begin_turn(self, data: dict[str, Any], time: str | None) -> None:
        self._settle()
        self.gathered.next_turn()
        text = prompt_text(data)
        root = text_of(data, "cwd") or ""
        turn = BundleTurn(
            input=UserInput(text=text),
            after_message=self.messages[-1].id if self.messages else None,
            workspace=Workspace(
                root=root, git_branch=text_of(data, "gitBranch") or None, referenced_paths=referenced_paths(text)
            ),
            created_at=time,
        )
        self.turns.append(_Begun(turn))

    def _settle(self) -> None:
        """Give the turn at hand what was attached since it began."""
        if self.turns:
            begun = self.turns[-1]
            begun.turn = replace(begun.turn, attachments=self.gathered.attachments())

    def _attach(self, attachment: dict[str, Any]) -> None:
        kind = _short(text_of(attachment, "type") or "unknown")
        known = gather(attachment, self.gathered)
        (self.report.read if known else self.report.left_out)[f"{kind} attachments"] += 1

    def _note_reply(self, message: dict[str, Any]) -> None:
        model = text_of(message, "model")
        if model and model != _SYNTHETIC:
            self.models[model] = None
            if self.turns and self.turns[-1].model is None:
                self.turns[-1].model = model
        self._replies.add(text_of(message, "id") or f"reply {len(self.messages)}")

    def _add(self, block: Block, data: dict[str, Any], message: dict[str, Any], time: str | None) -> None:
        path = block.path
        if block.role is Role.ASSISTANT and block.call:
            self._calls[block.call] = path
        if block.role is Role.TOOL:
            path = result_path(data.get("toolUseResult")) or self._calls.get(block.call or "")
        spoken = block.role is Role.ASSISTANT
        model = text_of(message, "model") if spoken else None
        self.messages.append(
            BundleMessage(
                id=self._fresh_id(text_of(data, "uuid")),
                role=block.role,
                content=block.text,
                provider=PROVIDER if spoken else None,
                model=model,
                path=path or None,
                created_at=time,
            )
        )

    def _fresh_id(self, uuid: str | None) -> str:
        """The row's own id where it is free; a row that makes several messages numbers them."""
        base = uuid or f"message-{len(self.messages) + 1}"
        name, number = base, 1
        while name in self._ids:
            number += 1
            name = f"{base}#{number}"
        self._ids.add(name)
        return name

    def _note_compaction(self) -> None:
        self.report.read["compactions"] += 1
        self.report.note(
            f"The tool compacted its context after message {len(self.messages):,}: from there on it held a summary instead "
            "of what came before. The history here keeps both."
        )

    def _finished(self) -> list[BundleTurn]:
        self._settle()
        last = next((begun.model for begun in reversed(self.turns) if begun.model), next(iter(self.models), _UNKNOWN))
        finished = []
        for begun in reversed(self.turns):
            last = begun.model or last
            finished.append(replace(begun.turn, policy=_policy(last), credentials=(PROVIDER,)))
        return finished[::-1]

    def _count(self) -> None:
        read = self.report.read
        read["turns"], read["messages"], read["assistant replies"] = (
            len(self.turns),
            len(self.messages),
            len(self._replies),
        )
        self.report.note(
            f"A transcript names no window, no policy and no preferences: each model is taken to hold {_WINDOW:,} tokens and to reply "
            f"with up to {_REPLY:,}, the turn's own model is its route, and nothing is restricted."
        )

    def _title(self) -> str:
        first = next((text for begun in self.turns if (text := str(begun.turn.input.text).strip())), "")
        title = " ".join((self.title or first or PurePath(self.name).name).split())
        return title if len(title) <= _MOST_TITLE else f"{title[: _MOST_TITLE - 1]}…"


def _short(kind: str) -> str:
    return kind if len(kind) <= len("file-history-snapshot") * 2 and kind.isprintable() else "unknown"


def _policy(model: str) -> Policy:
    return Policy(
        source="recorded",
        routing=RoutingPolicy(default=DefaultRoute(model=f"{PROVIDER}/{model}")),
        privacy=PrivacyPolicy(remote=RemotePrivacy(mode=Mode.ALLOW)),
    )


def _descriptor(name: str) -> ModelDescriptor:
    can = (Capability.STREAMING, Capability.TOOLS, Capability.SYSTEM_PROMPT, Capability.IMAGES)
    return ModelDescriptor(
        provider=PROVIDER,
        model=name,
        auth=Auth.API_KEY,
        capabilities=dict.fromkeys(can, True),
        max_context_tokens=_WINDOW,
        max_output_tokens=_REPLY,
    )
