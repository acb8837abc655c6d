"""What is no session is refused as what it is, without a word of its content."""

import json
from typing import Any

import pytest

from selection.documents.errors import InvalidDocument
from selection.importers import read_session

SECRET = "sk-nobody-may-read-this"  # noqa: S105 - nobody's
FILES: dict[str, tuple[Any, str]] = {
    "zip": (b"PK\x03\x04rest", "a zip archive"),
    "gzip": (b"\x1f\x8b\x08\x00rest", "a gzip file: unpack it first"),
    "sqlite": (b"SQLite format 3\0rest", "an SQLite database"),
    "image": (b"\x89PNG\r\n\x1a\nrest", "an image"),
    "pdf": (b"%PDF-1.7", "a PDF"),
    "deep": (b'{"a":' + b"[" * 9_000, "JSON that is nested too deeply"),
    "langfuse": ({"trace": {"id": SECRET}, "observations": []}, "a Langfuse trace"),
    "trace": ({"trace": {"session_id": SECRET}}, "a trace of the router"),
    "request": ({"input": {"text": SECRET}, "workspace": {}, "policy": {}}, "a request to the router"),
    "answer": ({"session": {"title": SECRET}}, "the router's own answer"),
    "opencode": ({"id": "p", "sessionID": "s", "type": "text", "text": SECRET}, "OpenCode's storage"),
    "kimi": ({"type": "metadata", "protocol_version": "1.4"}, "a Kimi CLI session"),
    "antigravity": ({"app": "Antigravity", "conversation": {"title": SECRET}}, "an Antigravity export"),
    "windsurf": ({"app": "Windsurf", "conversation": {"title": SECRET}}, "a Windsurf export"),
    "kiro": ({"conversation_id": "x", "history": [{"user": SECRET}]}, "a Kiro export"),
    "calls": ([{"scope": "https://example.invalid", "method": "POST", "path": "/x"}], "recorded HTTP calls"),
    "cassette": ({"status": 200, "headers": {}, "body": SECRET}, "a recorded answer of an HTTP call"),
    "schema": ({"$schema": "x", "properties": {SECRET: {}}}, "a JSON schema"),
    "openapi": ({"openapi": "3.1.0", "paths": {}}, "an OpenAPI document"),
    "manifest": ({"name": SECRET, "dependencies": {}}, "a package's manifest"),
    "prompts": ({"display": SECRET, "pastedContents": {}}, "a prompt history of Claude Code"),
    "message": ({"role": "of nobody", "content": SECRET}, "one message of a conversation"),
    "diff": (f"diff --git a/{SECRET} b/x\n".encode(), "a diff"),
    "skill": (f"---\nname: {SECRET}\n---\n\n# Title\n".encode(), "Markdown with a head"),
    "readme": (f"# {SECRET}\n".encode(), "a Markdown document"),
    "page": (b"<!doctype html><p>", "a web page"),
    "text": (f"{SECRET}\n".encode(), "plain text"),
    "quoting": (f"one line of JSON\n{{}}\n{SECRET}\n".encode(), "plain text"),
    "unknown": ({SECRET: 1, "id": 2, "version": 3}, "a JSON object with the keys `id`, `version`"),
}


@pytest.mark.parametrize(("content", "named"), FILES.values(), ids=FILES)
def test_what_is_no_session_is_refused_by_name(content: Any, named: str) -> None:
    data = content if isinstance(content, bytes) else json.dumps(content).encode()
    with pytest.raises(InvalidDocument) as refused:
        read_session("file", data)
    told = "; ".join(map(str, refused.value.faults))
    assert named in told
    assert SECRET not in told


def test_a_recording_in_which_nobody_speaks_is_refused_as_that() -> None:
    meta = {"timestamp": "2026-03-01T10:00:00Z", "type": "session_meta", "payload": {"id": "x", "cwd": SECRET}}
    with pytest.raises(InvalidDocument, match="a Codex CLI rollout in which nobody says anything"):
        read_session("file", json.dumps(meta).encode())
