"""`attachment` lines: what the tool itself put into the context. Each kind is a kind of candidate of its own."""

from collections.abc import Callable
from typing import Any, Final

from selection.engine.values import Skill
from selection.importers.blocks import result_text
from selection.importers.gathered import Gathered
from selection.importers.reading import list_of, object_of, text_of


def gather(attachment: dict[str, Any], into: Gathered) -> bool:
    """Add one attachment; False where its kind is none that selection knows, or it carries nothing."""
    reader = _READERS.get(text_of(attachment, "type") or "")
    return reader(attachment, into) if reader else False


def is_known(kind: str) -> bool:
    """Tell whether a kind is known; one that carries nothing only marks something."""
    return kind in _READERS or kind in _MARKS


def _instruction(attachment: dict[str, Any], into: Gathered) -> bool:
    content = object_of(attachment, "content")
    text = text_of(content, "content") or text_of(attachment, "content")
    source = text_of(attachment, "displayPath", "path") or text_of(content, "path")
    return into.instruct(source, text)


def _hook(attachment: dict[str, Any], into: Gathered) -> bool:
    lines = [line for line in list_of(attachment, "content") if isinstance(line, str)]
    blocking = text_of(object_of(attachment, "blockingError"), "blockingError")
    text = text_of(attachment, "content") or "\n".join(lines) or blocking or text_of(attachment, "stderr")
    name = text_of(attachment, "hookName", "hookEvent") or "unnamed"
    return into.instruct(f"hook {name}", text)


def _delta(source: str, name: str) -> Callable[[dict[str, Any], Gathered], bool]:
    """Read what is added to a list that the prompt holds."""

    def read(attachment: dict[str, Any], into: Gathered) -> bool:
        return into.instruct(source, "\n".join(line for line in list_of(attachment, name) if isinstance(line, str)))

    return read


def _todos(attachment: dict[str, Any], into: Gathered) -> bool:
    items = [item for item in list_of(attachment, "content") if isinstance(item, dict)]
    told = (f"{text_of(item, 'status') or '?'}: {text_of(item, 'content', 'subject') or ''}" for item in items)
    return into.instruct("todo list", "\n".join(told))


def _notice(attachment: dict[str, Any], into: Gathered) -> bool:
    return into.instruct(f"notice {text_of(attachment, 'type')}", text_of(attachment, "text", "banner", "content"))


def _file(attachment: dict[str, Any], into: Gathered) -> bool:
    content = attachment.get("content")
    file = object_of(content, "file")
    text = text_of(file, "content") or text_of(content, "text", "content") or result_text(content)
    return into.attach(text_of(attachment, "filename") or text_of(file, "filePath"), text)


def _edited(attachment: dict[str, Any], into: Gathered) -> bool:
    return into.attach(text_of(attachment, "filename"), text_of(attachment, "snippet"))


def _invoked(attachment: dict[str, Any], into: Gathered) -> bool:
    for skill in list_of(attachment, "skills"):
        name, text = text_of(skill, "name"), text_of(skill, "content")
        if name and text is not None:
            into.invoked[name] = Skill(name=name, content=text)
    return bool(into.invoked)


def _listing(attachment: dict[str, Any], into: Gathered) -> bool:
    """A listing names skills, a line each where it can be told apart; else it stands as one offer."""
    text = text_of(attachment, "content") or ""
    listed = dict(_listed(line) for line in text.split("\n") if line.startswith("- ") and ":" in line)
    if not listed and text:
        listed = {"skills": text}
    if text_of(attachment, "isInitial") or attachment.get("isInitial") is True:
        into.available.clear()
    into.available |= {name: Skill(name=name, content=content) for name, content in listed.items()}
    return bool(listed)


def _listed(line: str) -> tuple[str, str]:
    name, _, what = line.removeprefix("- ").partition(":")
    return name.strip(), what.strip()


# Kinds whose text is not in the transcript.
_MARKS: Final = frozenset((
    "auto_mode", "auto_mode_exit", "budget_usd", "command_permissions", "compact_file_reference", "date_change", "dynamic_skill", "plan_mode",
    "plan_mode_exit", "plan_mode_reentry", "task_status", "ultra_effort_enter", "ultra_effort_exit",
))  # fmt: skip
_READERS: Final[dict[str, Callable[[dict[str, Any], Gathered], bool]]] = {
    "nested_memory": _instruction,
    "hook_additional_context": _hook,
    "hook_success": _hook,
    "hook_blocking_error": _hook,
    "hook_non_blocking_error": _hook,
    "deferred_tools_delta": _delta("deferred tools", "addedLines"),
    "agent_listing_delta": _delta("agents", "addedLines"),
    "mcp_instructions_delta": _delta("MCP instructions", "addedBlocks"),
    "todo_reminder": _todos,
    "task_reminder": _todos,
    "total_tokens_reminder": _notice,
    "read_truncation_notice": _notice,
    "file": _file,
    "edited_text_file": _edited,
    "invoked_skills": _invoked,
    "skill_listing": _listing,
}
