"""Claude Code's transcripts: what a person would recognise as their session, whatever the file went through."""

import json
from pathlib import Path
from typing import Any

import pytest

from selection.documents.errors import InvalidDocument
from selection.engine.codes import Role
from selection.importers import Imported, read_session

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data" / "sessions"
# One fault to a file; and, where they are at hand, what real tools recorded.
HANDMADE = sorted((Path(__file__).parent / "handmade").glob("*.jsonl"))
SAMPLES = HANDMADE + sorted(path for folder in ("claude*", "agent*") for path in SHARED.glob(f"{folder}/**/*.json*"))


def row(kind: str, number: int, content: Any = None, **more: Any) -> dict[str, Any]:
    message = {"role": kind, "content": content} | (
        {"id": f"msg{number}", "model": "claude-x"} if kind == "assistant" else {}
    )
    shared = {
        "type": kind,
        "uuid": f"u{number}",
        "parentUuid": f"u{number - 1}" if number > 1 else None,
        "sessionId": "s",
        "timestamp": f"2026-03-01T10:00:{number:02d}.000Z",
        "cwd": "/srv/demo",
        "gitBranch": "main",
    }
    return shared | ({"message": message} if content is not None else {}) | more


def attachment(number: int, **held: Any) -> dict[str, Any]:
    return row("attachment", number, attachment=held)


def read(*rows: dict[str, Any] | str | bytes) -> Imported:
    lines = [
        line if isinstance(line, bytes) else line.encode() if isinstance(line, str) else json.dumps(line).encode()
        for line in rows
    ]
    return read_session("session.jsonl", b"\n".join(lines))


def call(number: int, name: str, path: str) -> dict[str, Any]:
    return row(
        "assistant", number, [{"type": "tool_use", "id": f"t{number}", "name": name, "input": {"file_path": path}}]
    )


def result(number: int, of: int, text: str, **more: Any) -> dict[str, Any]:
    return row("user", number, [{"type": "tool_result", "tool_use_id": f"t{of}", "content": text}], **more)


def test_messages_keep_their_order_roles_and_model() -> None:
    bundle = read(row("user", 1, "hello"), row("assistant", 2, [{"type": "text", "text": "hi"}])).bundle
    assert [(m.id, m.role, m.content, m.provider, m.model) for m in bundle.messages] == [
        ("u1", Role.USER, "hello", None, None),
        ("u2", Role.ASSISTANT, "hi", "anthropic", "claude-x"),
    ]
    assert bundle.messages[0].created_at == "2026-03-01T10:00:01Z"


def test_a_tools_result_gets_the_path_of_its_file() -> None:
    bundle = read(
        row("user", 1, "look"),
        call(2, "Read", "/srv/demo/a.py"),
        result(3, 2, "text of a"),
        call(4, "Bash", ""),
        result(5, 4, "text of b", toolUseResult={"file": {"filePath": "/srv/demo/b.py", "content": "text of b"}}),
    ).bundle
    assert [(m.role, m.path) for m in bundle.messages[1:]] == [
        (Role.ASSISTANT, "/srv/demo/a.py"),
        (Role.TOOL, "/srv/demo/a.py"),
        (Role.ASSISTANT, None),
        (Role.TOOL, "/srv/demo/b.py"),
    ]


def test_each_prompt_is_a_turn_after_what_was_said_before() -> None:
    bundle = read(
        row("user", 1, "first"),
        row("assistant", 2, "answer"),
        row("user", 3, "and @src/a.py, not @ada"),
        row("user", 4, "meta", isMeta=True),
    ).bundle
    assert [(t.input.text, t.after_message) for t in bundle.turns] == [
        ("first", None),
        ("and @src/a.py, not @ada", "u2"),
    ]
    assert bundle.turns[1].workspace.root == "/srv/demo"
    assert bundle.turns[1].workspace.git_branch == "main"
    assert bundle.turns[1].workspace.referenced_paths == ("src/a.py",)
    assert bundle.turns[1].policy.routing.default is not None
    assert bundle.turns[1].policy.routing.default.model == "anthropic/claude-x"


def test_attachments_become_what_they_are() -> None:
    imported = read(
        row("user", 1, "go"),
        attachment(
            2,
            type="nested_memory",
            displayPath="CLAUDE.md",
            content={"path": "/srv/demo/CLAUDE.md", "content": "be kind"},
        ),
        attachment(3, type="file", filename="/srv/demo/a.py", content={"type": "text", "file": {"content": "a"}}),
        attachment(4, type="edited_text_file", filename="/srv/demo/b.py", snippet="b"),
        attachment(5, type="invoked_skills", skills=[{"name": "review", "content": "read twice"}]),
        attachment(6, type="skill_listing", content="- review: reviews\n- plan: plans", isInitial=True),
        attachment(7, type="hook_additional_context", hookName="start", content=["from", "a hook"]),
        attachment(8, type="date_change"),
        row("assistant", 9, "done"),
        row("user", 10, "again"),
    )
    first, second = (turn.attachments for turn in imported.bundle.turns)
    assert [(i.source, i.content) for i in first.instructions] == [
        ("CLAUDE.md", "be kind"),
        ("hook start", "from\na hook"),
    ]
    assert [(f.path, f.content) for f in first.files] == [("/srv/demo/a.py", "a"), ("/srv/demo/b.py", "b")]
    assert [(s.name, s.content) for s in first.invoked_skills] == [("review", "read twice")]
    assert [(s.name, s.content) for s in first.available_skills] == [("plan", "plans")]
    assert imported.report.marked["date_change attachments"] == 1
    assert second.instructions == first.instructions
    assert second.files == ()
    assert second.invoked_skills == ()


def test_a_prompt_that_was_taken_back_and_sub_agents_are_left_out_and_counted() -> None:
    imported = read(
        row("user", 1, "hello"),
        row("assistant", 2, "hi"),
        row("user", 3, "wrong way"),
        row("assistant", 4, "lost"),
        row("user", 5, "right way", parentUuid="u2"),
        row("user", 6, "an agent's prompt", isSidechain=True),
    )
    assert [m.content for m in imported.bundle.messages] == ["hello", "hi", "right way"]
    assert imported.report.left_out == {"rows on a branch that was left": 2, "rows of sub-agents": 1}


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b'{"type":"user","uuid":"x', "line 2: unterminated string at column 23"),
        (b"\0" * 300, "line 2: 300 NUL bytes"),
        (b"[]", "line 2: not a record"),
        (b"42", "line 2: not a record"),
        (b"{}", "line 2: not a record"),
        (b'{"a":' * 2_000, "line 2: nested too deeply"),
        (b'{"a":' + b"9" * 5_000 + b"}", "line 2: a number with too many digits"),
    ],
)
def test_a_line_that_cannot_be_read_is_skipped_counted_and_told(line: bytes, why: str) -> None:
    imported = read(row("user", 1, "before"), line, row("user", 2, "after"))
    assert [m.content for m in imported.bundle.messages] == ["before", "after"]
    assert imported.report.skipped_count == 1
    assert [f"line {s.line}: {s.why}" for s in imported.report.skipped] == [why]


def test_two_objects_on_one_line_are_two_rows() -> None:
    glued = json.dumps(row("user", 1, "a")) + json.dumps(row("user", 2, "b"))
    assert [m.content for m in read(glued).bundle.messages] == ["a", "b"]


def test_only_a_line_feed_ends_a_line() -> None:
    text = "a\u2028b\u2029c\u0085d"
    assert read(json.dumps(row("user", 1, text), ensure_ascii=False)).bundle.messages[0].content == text


def test_a_mark_at_the_start_and_carriage_returns_do_no_harm() -> None:
    data = b"\xef\xbb\xbf" + b"\r\n".join(json.dumps(row("user", n, f"m{n}")).encode() for n in (1, 2)) + b"\r\n"
    assert len(read_session("x", data).bundle.messages) == 2


def test_text_that_cannot_be_stored_is_replaced_one_for_one_and_counted() -> None:
    imported = read(
        '{"type":"user","uuid":"u","sessionId":"s\\u0000","message":{"role":"user","content":"a\\u0000b\\ud800c\\ud83d\\ude00"}}'
    )
    assert imported.bundle.messages[0].content == "a\u2400b\ufffdc\U0001f600"
    assert imported.report.replaced == {"NUL": 2, "lone surrogate": 1}


def test_a_ring_of_parents_ends_and_is_told() -> None:
    imported = read(row("user", 1, "a", parentUuid="u3"), row("assistant", 2, "b"), row("user", 3, "c"))
    assert len(imported.bundle.messages) == 3
    assert any("run in a ring" in note for note in imported.report.notes)


def test_times_that_cannot_be_read_are_none_and_the_order_of_the_file_stands() -> None:
    imported = read(
        row("user", 1, "a", timestamp="soon"),
        row("user", 2, "b", timestamp=1_772_359_200_000),
        row("user", 3, "c", timestamp="2020-01-01T00:00:00"),
    )
    assert [m.created_at for m in imported.bundle.messages] == [None, "2026-03-01T10:00:00Z", "2020-01-01T00:00:00Z"]
    assert any("backwards at line 3" in note for note in imported.report.notes)


def test_an_image_is_told_by_kind_and_size() -> None:
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "A" * 4_000}}
    assert (
        read(row("user", 1, [{"type": "text", "text": "see"}, image])).bundle.messages[0].content
        == "see\n\n[image/png, about 3,000 bytes]"
    )


def test_rows_that_share_an_id_get_ids_of_their_own() -> None:
    bundle = read(row("user", 1, "a"), row("user", 2, "b", uuid="u1")).bundle
    assert [m.id for m in bundle.messages] == ["u1", "u1#2"]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "the file is empty"),
        (b"\n \n", "the file is empty"),
        (b"hello", "not a recording of a known format; it looks like plain text"),
        (b'{"type":"summary","leafUuid":"x","summary":"s"}', "a Claude Code transcript in which nobody says anything"),
    ],
)
def test_what_is_no_session_is_refused_with_a_reason(data: bytes, why: str) -> None:
    with pytest.raises(InvalidDocument) as refused:
        read_session("x", data)
    assert refused.value.faults[0].message == why


def test_a_report_holds_no_content() -> None:
    imported = read(row("user", 1, "a-secret"), '{"type":"user","a-secret', attachment(2, type="a-secret kind " * 20))
    assert "a-secret" not in " ".join(imported.report.lines)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: "/".join(path.parts[-3:]))
def test_every_recorded_sample_is_read_or_refused_with_a_reason(path: Path) -> None:
    told = told_of(path)
    assert told
    assert all(told)


def messages_of(name: str) -> tuple[int, int]:
    """How many messages a handmade file gives, and how many lines of it were skipped."""
    path = next(path for path in HANDMADE if path.name.startswith(name))
    imported = read_session(path.name, path.read_bytes())
    return len(imported.bundle.messages), imported.report.skipped_count


@pytest.mark.parametrize(
    ("name", "messages", "skipped"),
    [
        ("cc_00", 4, 0), ("cc_01", 4, 0), ("cc_02", 3, 1), ("cc_03", 3, 1), ("cc_04", 4, 0), ("cc_06", 4, 0), ("cc_07", 4, 0),
        ("cc_08", 2, 1), ("cc_09", 3, 0), ("cc_10", 3, 0), ("cc_12", 3, 0), ("cc_13", 3, 0), ("cc_14", 2, 5), ("cc_18", 4, 0), ("cc_23", 4, 0),
        ("cc_26", 3, 0), ("cc_27", 4, 0),
    ],
)  # fmt: skip
def test_each_fault_costs_what_it_must_and_no_more(name: str, messages: int, skipped: int) -> None:
    assert messages_of(name) == (messages, skipped)


def told_of(path: Path) -> list[str]:
    """What the importer says of a file: its report, or why it was refused."""
    try:
        with path.open("rb") as file:
            imported = read_session(path.name, file)
    except InvalidDocument as refused:
        return [fault.message for fault in refused.faults]
    return list(imported.report.lines) if imported.bundle.messages else []
