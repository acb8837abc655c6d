"""Shapes that recordings take, whichever tool wrote them: contents, numbers, sealed rows, sub-agents, compactions; and documents that break off."""

import json
from typing import Any

import pytest

from selection.documents.errors import InvalidDocument
from selection.engine.codes import Role
from selection.importers import Imported, read_session
from tests.importers.samples import lines, whole


def chat(*messages: Any) -> Imported:
    return read_session("chat.json", whole(list(messages)))


def test_content_is_a_text_a_list_an_object_or_nothing_and_arguments_may_be_no_json() -> None:
    found = chat(
        {"role": "system", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
        {"role": "user", "content": "c"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "x", "function": {"name": "f", "arguments": '{"a": '}}],
        },
        {"role": "tool", "content": [{"type": "text", "text": "d"}], "tool_call_id": "x"},
        {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}]},
        {"role": "user", "content": {"type": "text", "text": "object instead of list"}},
    )
    assert found.report.used == found.report.records == 6
    assert [str(message.content) for message in found.bundle.messages] == [
        "c",
        '[call f] {"a": ',
        "d",
        "[image_url, about 19 bytes]",
        "object instead of list",
    ]
    assert [held.content for held in found.bundle.turns[0].attachments.instructions] == ["a\n\nb"]


@pytest.mark.parametrize(
    "number", [-5, 1e308, "12", 12.5, None, 123456789012345678901234567890, "NaN", "Infinity", True]
)
def test_numbers_that_are_no_windows_are_not_taken_for_one(number: Any) -> None:
    document = {"model": "m", "context_window": number, "messages": [{"role": "user", "content": "x"}], "usage": number}
    found = read_session("log.json", whole(document))
    assert [model.max_context_tokens for model in found.bundle.models] == [200_000]


def test_numbers_that_are_no_json_are_read_as_nothing() -> None:
    found = read_session(
        "x", b'{"role":"user","content":"a","usage":NaN}\n{"role":"user","content":"b","usage":-Infinity}\n'
    )
    assert len(found.bundle.messages) == 2
    assert any("NaN" in line for line in found.report.lines)


def test_sealed_reasoning_is_told_and_is_no_empty_message() -> None:
    item = {"type": "reasoning", "summary": [], "encrypted_content": "c2VhbGVk"}
    asked = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "x"}]}
    rows = [
        {"timestamp": "2026-03-01T10:00:00Z", "type": "response_item", "payload": payload} for payload in (asked, item)
    ]
    found = read_session("r.jsonl", lines(*rows))
    assert len(found.bundle.messages) == 1
    assert found.report.left_out_parts["sealed thoughts"] == 1
    assert any(
        "tokens are not known" in line and "cannot be sent to another model" in line for line in found.report.lines
    )
    assert "c2VhbGVk" not in json.dumps(found.report.document)


def claude(kind: str, number: int, text: str, **more: Any) -> dict[str, Any]:
    return {"type": kind, "uuid": f"m{number}", "sessionId": "s", "message": {"role": kind, "content": text}} | more


def test_rows_of_sub_agents_are_counted_apart_and_told() -> None:
    found = read_session(
        "main.jsonl",
        lines(
            claude("user", 1, "go"),
            claude("user", 2, "Summarise .env: TOKEN=demo", isSidechain=True),
            claude("assistant", 3, "ok"),
        ),
    )
    assert [message.id for message in found.bundle.messages] == ["m1", "m3"]
    assert found.report.left_out["rows of sub-agents"] == 1
    assert found.report.adds_up


def test_a_row_kept_by_one_compaction_is_not_lost_in_the_next() -> None:
    boundary = {"type": "system", "subtype": "compact_boundary", "sessionId": "s", "content": "Conversation compacted"}
    found = read_session(
        "main.jsonl",
        lines(
            claude("user", 1, "one"),
            claude("user", 2, "two"),
            boundary,
            claude("user", 3, "three"),
            boundary,
            claude("user", 4, "four"),
        ),
    )
    assert [message.id for message in found.bundle.messages] == ["m1", "m2", "m3", "m4"]
    assert found.report.read["compactions"] == 2
    assert [turn.after_message for turn in found.bundle.turns] == [None, "m1", "m2", "m3"]


ASKED = [{"role": "user", "content": f"question {number}"} for number in range(5)]


def test_a_document_that_breaks_off_is_read_up_to_there() -> None:
    data = whole(ASKED)
    found = read_session("chat.json", data[: data.index(b"question 3")])
    assert [str(message.content) for message in found.bundle.messages] == ["question 0", "question 1", "question 2"]
    assert found.report.skipped_count == 1
    assert found.report.adds_up
    assert any("what could be read" in line for line in found.report.lines)


def test_one_broken_item_of_a_document_does_not_lose_the_rest() -> None:
    found = read_session("chat.json", whole(ASKED).replace(b'"question 2"', b'"question 2'))
    assert [str(message.content) for message in found.bundle.messages] == [
        f"question {number}" for number in (0, 1, 3, 4)
    ]
    assert found.report.skipped_count == 1


def test_a_line_longer_than_what_is_looked_at_is_known_all_the_same() -> None:
    long = {
        "timestamp": "t",
        "type": "response_item",
        "payload": {"type": "message", "role": "user", "content": "x" * 400_000},
    }
    found = read_session("r.jsonl", lines(long))
    assert found.report.format == "a Codex CLI rollout"
    assert [len(str(message.content)) for message in found.bundle.messages] == [400_000]


def test_an_array_whose_first_item_is_longer_than_what_is_looked_at_is_known_all_the_same() -> None:
    found = chat({"role": "user", "content": "x" * 400_000}, {"role": "assistant", "content": "y"})
    assert [message.role for message in found.bundle.messages] == [Role.USER, Role.ASSISTANT]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_read_and_told(encoding: str) -> None:
    text = lines(claude("user", 1, "caf\u00e9 \U0001f600"), claude("assistant", 2, "ok")).decode()
    found = read_session("s.jsonl", text.replace("\\u00e9", "\u00e9").encode(encoding))
    assert [str(message.content) for message in found.bundle.messages] == ["caf\u00e9 \U0001f600", "ok"]
    assert any("UTF-16" in line for line in found.report.lines)


def test_a_utf_16_file_that_was_cut_in_the_middle_of_a_character_is_read_up_to_there() -> None:
    data = lines(claude("user", 1, "a"), claude("user", 2, "b")).decode().encode("utf-16")
    found = read_session("s.jsonl", data[:-3])
    assert [message.id for message in found.bundle.messages] == ["m1"]
    assert found.report.skipped_count == 1


def test_a_text_that_only_speaks_of_a_format_is_not_of_it() -> None:
    with pytest.raises(InvalidDocument, match="plain text"):
        read_session(
            "notes.md", b"A history begins with `# aider chat started at 2026-03-01 10:00:00` on a line of its own.\n"
        )


def test_a_diff_that_a_tool_showed_is_that_of_the_turn_after() -> None:
    diff = "diff --git a/src/app.py b/src/app.py\n--- a/src/app.py\n+++ b/src/app.py\n@@ -1 +1 @@\n-a\n+b\n"

    def call(number: int, command: str) -> dict[str, Any]:
        return {"type": "tool_use", "id": f"t{number}", "name": "Bash", "input": {"command": command}}

    def row(number: int, kind: str, content: Any) -> dict[str, Any]:
        return {"type": kind, "uuid": f"u{number}", "sessionId": "s", "message": {"role": kind, "content": content}}

    def result(number: int, text: str) -> dict[str, Any]:
        return {"type": "tool_result", "tool_use_id": f"t{number}", "content": text}

    rows = [
        row(1, "user", "show me"),
        row(2, "assistant", [call(1, "git --no-pager diff HEAD")]),
        row(3, "user", [result(1, diff)]),
        row(4, "user", "thanks"),
        row(5, "assistant", [call(2, "cat old.patch")]),
        row(6, "user", [result(2, diff)]),
        row(7, "user", "and now"),
        row(8, "assistant", [call(3, "git diff --stat")]),
        row(9, "user", [result(3, " src/app.py | 2 +-")]),
        row(10, "user", "done"),
    ]
    turns = read_session("s.jsonl", lines(*rows)).bundle.turns
    assert [turn.workspace.git_diff for turn in turns] == [None, diff, None, None]


def test_images_are_counted_wherever_they_stand_and_the_version_is_told() -> None:
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}}
    result = {"type": "tool_result", "tool_use_id": "t", "content": [{"type": "text", "text": "seen"}, image]}
    rows = [
        {"type": "user", "uuid": "1", "sessionId": "s", "version": "2.0.14", "message": {"role": "user", "content": [image, image]}},
        {"type": "user", "uuid": "2", "sessionId": "s", "message": {"role": "user", "content": [result]}},
    ]  # fmt: skip
    report = read_session("s.jsonl", lines(*rows)).report
    assert report.images == 3
    assert report.lines[0].startswith("Read as a Claude Code transcript of version 2.0.14: ")
    assert any(line.startswith("Set aside: 3 images") for line in report.lines)
