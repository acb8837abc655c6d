"""What a file is that no importer reads: named where it is known, else told by its shape; never by its content."""

import re
from collections.abc import Callable
from typing import Final

from selection.importers.head import Head, Shape

_KEYS: Final = frozenset((
    "type", "role", "content", "messages", "name", "version", "id", "data", "events", "payload", "timestamp", "title", "openapi", "properties",
    "dependencies", "spans", "attributes", "request", "response", "trace", "session",
))  # fmt: skip
_DEEP: Final = re.compile(r"(?:[\[{]\s*){200}")
_FRONT_MATTER: Final = re.compile(r"^---\r?\n(?:[\w-]+:.*\r?\n)*?---", re.MULTILINE)
_Test = Callable[[Head], bool]


def looks(head: Head) -> str:
    """Tell what a file looks like."""
    named = next((name for name, is_one in _NAMED if is_one(head)), None)
    if named is not None:
        return f"it looks like {named}"
    if head.shape is Shape.TEXT:
        return "it looks like plain text"
    # Any other key may be somebody's content.
    keys = ", ".join(f"`{key}`" for key in sorted(head.keys & _KEYS))
    return f"it looks like {head.shape} with the keys {keys}" if keys else f"it looks like {head.shape}"


def _has(*keys: str) -> _Test:
    return lambda head: head.keys >= set(keys)


def _held(key: str, *values: str) -> _Test:
    return lambda head: head.holds(key, *values)


def _starts(*beginnings: str) -> _Test:
    return lambda head: head.text.startswith(beginnings)


def _both(first: _Test, second: _Test) -> _Test:
    return lambda head: first(head) and second(head)


def _is_grok(head: Head) -> bool:
    return head.shape is Shape.LINES and head.holds("type", "system") and {"type", "content"} <= head.keys


# The narrow ones first.
_NAMED: Final[tuple[tuple[str, _Test], ...]] = (
    ("a zip archive: it is unpacked by the import page and by `import_session`, nowhere else", _starts("PK\x03\x04")),
    ("a gzip file: unpack it first", _starts("\x1f\ufffd", "\x1f\x8b")),
    ("an SQLite database", _starts("SQLite format 3")),
    ("an image", _starts("\ufffdPNG", "GIF8", "\ufffd\ufffd\ufffd")),
    ("a PDF", _starts("%PDF")),
    ("JSON that is nested too deeply", lambda head: _DEEP.search(head.text) is not None),
    ("a Langfuse trace with observations, which is not read yet", _has("trace", "observations")),
    ("a trace of the router, which holds references and no session", lambda head: head.keys == {"trace"}),
    ("a request to the router: `manage.py select` runs a turn document of it", _has("input", "workspace", "policy")),
    ("the router's own answer about a session, not a bundle of it", lambda head: head.keys == {"session"}),
    ("a part or message of OpenCode's storage, which is spread over many files and not read yet", _has("sessionID")),
    ("a part of OpenCode's storage, which is spread over many files and not read yet", _has("messageID")),
    ("a session file of OpenCode's storage, which is spread over many files and not read yet", _has("projectID", "directory")),
    ("a part of OpenCode's storage, which is spread over many files and not read yet", _both(_held("type", "text", "tool"), _has("id", "time"))),
    ("a Kimi CLI session, which is not read yet", _has("protocol_version")),
    ("the state file of a Kimi CLI session", _has("agents", "isCustomTitle")),
    ("an Antigravity session, which is not read yet", _has("step_index", "source")),
    ("an Antigravity export, which is not read yet", _held("app", "Antigravity")),
    ("a Windsurf export, which is not read yet", _held("app", "Windsurf")),
    ("a Kiro export, which is not read yet", _has("conversation_id", "history")),
    ("the summary file of a Grok CLI session", _has("session_summary")),
    ("recorded HTTP calls, of which each holds a call of its own and none the session", _has("scope", "method", "path")),
    ("a recorded answer of an HTTP call", _has("status", "headers", "body")),
    ("an HTTP archive", _both(_has("log"), lambda head: '"entries"' in head.text)),
    ("a cassette of HTTP calls", _both(_starts("interactions:", "version:"), lambda head: "\n- request:" in head.text)),
    ("a JSON schema", lambda head: bool({"$defs", "$schema", "definitions"} & head.keys)),
    ("an OpenAPI document", _has("openapi")),
    ("a package's manifest", lambda head: bool({"dependencies", "devDependencies"} & head.keys)),
    ("a prompt history of Claude Code: prompts alone, of many sessions", _has("display", "pastedContents")),
    ("a prompt history of Codex CLI: prompts alone, of many sessions", _has("session_id", "ts", "text")),
    ("the state file of an OpenHands session; its events are in files of their own", _both(_has("agent", "id"), lambda head: "llm" in head.text)),
    ("the description of a sub-agent", _has("agentType", "spawnDepth")),
    ("the findings of a review", _has("findings", "overall_correctness")),
    ("answers of an evaluation", _has("question_id", "text")),
    ("groups of spans; an array of spans is read", lambda head: head.shape is Shape.OBJECT and "spanContext" in head.text),
    ("one message of a conversation", lambda head: head.shape is Shape.OBJECT and {"role", "content"} <= head.keys),
    ("a Grok CLI session, which is not read yet", _is_grok),
    ("a diff", _starts("diff --git ", "--- a/")),
    ("Markdown with a head, such as a skill", lambda head: _FRONT_MATTER.match(head.text) is not None),
    ("a Markdown document", _both(_starts("# ", "## "), lambda head: head.shape is Shape.TEXT)),
    ("a web page", _starts("<!doctype html", "<!DOCTYPE html", "<html")),
)  # fmt: skip
