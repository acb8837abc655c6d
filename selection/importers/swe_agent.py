"""SWE-agent trajectories: `history` is what the model saw, `trajectory` the steps, `info.submission` the diff at the end. No times, no ids."""

from collections.abc import Iterator
from typing import Any, BinaryIO, Final

from selection.engine.codes import Role
from selection.importers.blocks import arguments_of, result_text
from selection.importers.chat import take_message
from selection.importers.conversation import Conversation
from selection.importers.head import Head, Shape
from selection.importers.lines import Row, read_document
from selection.importers.reading import list_of, object_of, text_of
from selection.importers.recorded import RecordedFormat, TakesRecord, items_of
from selection.importers.report import Report


def sniff(head: Head) -> bool:
    """An object with a trajectory, or with a history of messages."""
    if head.shape is not Shape.OBJECT:
        return False
    if "trajectory" in head.keys:
        return True
    return any(
        "history" in row and not ({"sessionId", "session_id", "instance_id", "conversation_id"} & row.keys())
        for row in head.rows
    )


def _records(file: BinaryIO, report: Report) -> Iterator[Row]:
    document = read_document(file, report)
    history = list_of(document, "history")
    steps = list_of(document, "trajectory")
    yield from items_of([{"about": _about(document)}], report)
    yield from items_of(history, report)
    # A history that a tool cut down is told by the steps, which stay whole.
    yield from items_of([{"step": step, "told": bool(history)} for step in steps], report)


def _about(document: Any) -> dict[str, Any]:
    info, last = object_of(document, "info"), (list_of(document, "trajectory") or [{}])[-1]
    state = object_of(last, "state") or arguments_of(text_of(last, "state"))
    config = arguments_of(text_of(document, "replay_config"))
    model = text_of(object_of(object_of(config, "agent"), "model"), "name", "model_name")
    return {"root": text_of(state, "working_dir"), "diff": text_of(info, "submission"), "model": model}


def begin(to: Conversation) -> TakesRecord:
    """Give what takes a message of the history, or a step."""

    def take(row: Row) -> str | None:
        if "about" in row.data:
            _note(to, row.data["about"])
            return None
        if "step" in row.data:
            return _step(to, row.data["step"], told=row.data["told"])
        if row.data.get("is_demo") is True:
            _show(to, row.data)
            return None
        message = row.data
        observed = text_of(message, "message_type") == "observation" and to.has_turns
        if text_of(message, "role") == "user" and observed:
            to.say(Role.TOOL, result_text(message.get("content")))
            return None
        calls = list_of(message, "tool_call_ids")
        return take_message(to, message | {"tool_call_id": next((c for c in calls if isinstance(c, str)), "")}, None)

    return take


def _note(to: Conversation, about: dict[str, Any]) -> None:
    to.root, to.model = about["root"] or "", about["model"]
    if about["diff"]:
        to.report.note("The diff of the submission was made after the last turn; it is of no turn, and left out.")


def _show(to: Conversation, message: dict[str, Any]) -> None:
    """A demonstration stands in every prompt, and nobody said it here: an instruction."""
    text = result_text(message.get("content"))
    number = sum(1 for source in to.gathered.instructions if source.startswith("demonstration"))
    to.gathered.instruct(f"demonstration {number + 1}", text)


def _step(to: Conversation, step: Any, *, told: bool) -> str | None:
    if not isinstance(step, dict):
        return "steps that are no records"
    if told:
        to.report.mark("steps")
        return None
    if not to.has_turns:
        to.begin_turn("")
    to.answers(to.model)
    to.say(Role.ASSISTANT, text_of(step, "response", "thought", "action") or "", model=to.model)
    to.say(Role.TOOL, result_text(step.get("observation")))
    return None


FORMAT: Final = RecordedFormat(
    name="swe-agent",
    title="a SWE-agent trajectory",
    provider="swe-agent",
    sniff=sniff,
    records=_records,
    begin=begin,
    lacks=("times", "attached files", "diff of the workspace at a turn"),
)
