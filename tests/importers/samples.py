"""A small recording of every format, of our own making: a person asks about `src/app.py`, a tool reads it, the model answers, the person asks again.

Nearly all tell the same story, so that one expectation fits them; what a format cannot tell is left out of its expectation.
"""

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A file, and what its import has to give."""

    format: str
    name: str
    data: bytes
    prompts: tuple[str, ...] = ("what is in @src/app.py", "thanks")
    roles: str = "uatau"
    model: str = "unknown"
    provider: str = ""
    path: str | None = "src/app.py"
    instructions: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


def lines(*rows: Any) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def whole(document: Any) -> bytes:
    return json.dumps(document, indent=1).encode()


ASK, THANKS, ANSWER, CODE = "what is in @src/app.py", "thanks", "a function", "def app(): pass"
_TIME = "2026-03-01T10:00:0{}Z"
_CALL = {"path": "src/app.py"}


def _claude() -> bytes:
    def row(number: int, kind: str, content: Any, **more: Any) -> dict[str, Any]:
        shared = {"type": kind, "uuid": f"u{number}", "sessionId": "s", "cwd": "/w", "timestamp": _TIME.format(number)}
        return shared | {"message": {"role": kind, "content": content, "model": "claude-x", "id": f"r{number}"}} | more

    read = {"file": {"filePath": "src/app.py", "content": CODE, "numLines": 1, "startLine": 1, "totalLines": 1}}
    return lines(
        row(1, "user", ASK),
        row(2, "assistant", [{"type": "tool_use", "id": "c1", "name": "Read", "input": {"file_path": "src/app.py"}}]),
        row(3, "user", [{"type": "tool_result", "tool_use_id": "c1", "content": CODE}], toolUseResult=read),
        row(4, "assistant", [{"type": "text", "text": ANSWER}]),
        row(5, "user", THANKS),
    )


def _codex() -> bytes:
    def item(number: int, **payload: Any) -> dict[str, Any]:
        return {"timestamp": _TIME.format(number), "type": "response_item", "payload": payload}

    def said(number: int, role: str, text: str) -> dict[str, Any]:
        return item(number, type="message", role=role, content=[{"type": "input_text", "text": text}])

    return lines(
        {
            "timestamp": _TIME.format(0),
            "type": "session_meta",
            "payload": {"id": "s", "cwd": "/w", "model_provider": "openai"},
        },
        said(0, "user", "# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nuse tabs\n</INSTRUCTIONS>"),
        {"timestamp": _TIME.format(1), "type": "turn_context", "payload": {"cwd": "/w", "model": "gpt-x"}},
        {
            "timestamp": _TIME.format(1),
            "type": "event_msg",
            "payload": {"type": "task_started", "model_context_window": 99_000},
        },
        {"timestamp": _TIME.format(1), "type": "event_msg", "payload": {"type": "user_message", "message": ASK}},
        said(1, "user", ASK),
        item(2, type="function_call", name="read_file", arguments=json.dumps(_CALL), call_id="c1"),
        item(3, type="function_call_output", call_id="c1", output=json.dumps({"output": CODE})),
        said(4, "assistant", ANSWER),
        said(5, "user", THANKS),
    )


def _chat_messages() -> list[dict[str, Any]]:
    call = {"id": "c1", "type": "function", "function": {"name": "read_file", "arguments": json.dumps(_CALL)}}
    return [
        {"role": "system", "content": "be brief"},
        {"role": "user", "content": ASK},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": CODE},
        {"role": "assistant", "content": [{"type": "text", "text": ANSWER}]},
        {"role": "user", "content": [{"type": "text", "text": THANKS}]},
    ]


def _anthropic() -> list[dict[str, Any]]:
    return [
        {"role": "user", "content": [{"type": "text", "text": ASK}]},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "read", "input": _CALL}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": CODE}]},
        {"role": "assistant", "content": ANSWER},
        {"role": "user", "content": THANKS},
    ]


def _cline() -> list[dict[str, Any]]:
    environment = (
        "<environment_details>\n# Visual Studio Code Visible Files\nsrc/open.py\n\n"
        "# Current Working Directory (/w) Files\nsrc/\n</environment_details>"
    )
    about = {"modelInfo": {"modelId": "claude-x", "providerId": "anthropic"}}
    call = {"type": "tool_use", "id": "c1", "name": "read_file", "input": _CALL}
    return [
        {"role": "user", "content": [{"type": "text", "text": f"<task>\n{ASK}\n</task>\n\n{environment}"}]},
        {"role": "assistant", "content": [call], **about},
        {
            "role": "user",
            "content": [{"type": "text", "text": f"[read_file for 'src/app.py'] Result:\n{CODE}\n{environment}"}],
        },
        {"role": "assistant", "content": [{"type": "text", "text": ANSWER}], **about},
        {"role": "user", "content": [{"type": "text", "text": f"<feedback>{THANKS}</feedback>"}]},
    ]


def _swe_agent() -> dict[str, Any]:
    call = {"id": "c1", "type": "function", "function": {"name": "open", "arguments": json.dumps(_CALL)}}
    return {
        "environment": "main",
        "history": [
            {"role": "system", "content": "you are", "agent": "main"},
            {"role": "user", "content": ASK, "agent": "main"},
            {"role": "assistant", "content": "", "agent": "main", "tool_calls": [call]},
            {"role": "tool", "content": CODE, "agent": "main", "tool_call_ids": ["c1"], "message_type": "observation"},
            {"role": "assistant", "content": ANSWER, "agent": "main"},
        ],
        "trajectory": [
            {"action": "open", "observation": CODE, "response": "", "state": json.dumps({"working_dir": "/w"})}
        ],
        "info": {"submission": "diff --git a/x b/x", "model_stats": {}},
    }


def _openhands() -> list[dict[str, Any]]:
    reply = {"tool_call_metadata": {"tool_call_id": "c1", "model_response": {"model": "claude-x"}}}
    return [
        {
            "id": 0,
            "source": "user",
            "timestamp": "2026-03-01T10:00:00.1",
            "action": "message",
            "args": {"content": ASK},
        },
        {"id": 1, "source": "agent", "action": "read", "args": _CALL, **reply},
        {"id": 2, "source": "agent", "cause": 1, "observation": "read", "content": CODE, "extras": _CALL},
        {"id": 3, "source": "agent", "action": "message", "args": {"content": ANSWER}},
        {"id": 4, "source": "user", "action": "message", "args": {"content": THANKS}},
        {"id": 5, "source": "environment", "observation": "agent_state_changed", "content": "", "extras": {}},
    ]


def _openhands_events() -> bytes:
    def message(number: int, source: str, role: str, text: str) -> dict[str, Any]:
        said = {"role": role, "content": [{"type": "text", "text": text}]}
        return {"id": str(number), "source": source, "kind": "MessageEvent", "llm_message": said}

    call = {"id": "c1", "name": "read", "arguments": json.dumps(_CALL)}
    stats = {"usage_to_metrics": {"default": {"model_name": "model-x"}}}
    return lines(
        {"id": "0", "source": "agent", "kind": "SystemPromptEvent", "system_prompt": {"type": "text", "text": "you are"}},
        {"id": "1", "source": "environment", "kind": "ConversationStateUpdateEvent", "key": "stats", "value": stats},
        message(2, "user", "user", ASK),
        {"id": "3", "source": "agent", "kind": "ActionEvent", "tool_name": "read", "tool_call_id": "c1", "tool_call": call},
        {
            "id": "4", "source": "environment", "kind": "ObservationEvent", "tool_call_id": "c1",
            "observation": {"kind": "Read", "content": [{"type": "text", "text": CODE}]},
        },
        message(5, "agent", "assistant", ANSWER),
        message(6, "user", "user", THANKS),
    )  # fmt: skip


def _gemini_messages() -> list[dict[str, Any]]:
    result = [{"functionResponse": {"id": "c1", "name": "read_file", "response": {"output": CODE}}}]
    call = {"id": "c1", "name": "read_file", "args": _CALL, "result": result, "status": "success"}
    return [
        {"id": "1", "timestamp": _TIME.format(1), "type": "user", "content": ASK},
        {
            "id": "2",
            "timestamp": _TIME.format(2),
            "type": "gemini",
            "content": "",
            "model": "gemini-x",
            "toolCalls": [call],
        },
        {"id": "3", "timestamp": _TIME.format(3), "type": "gemini", "content": ANSWER, "model": "gemini-x"},
        {"id": "4", "timestamp": _TIME.format(4), "type": "user", "content": [{"text": THANKS}]},
    ]


_GEMINI_HEADER = {"sessionId": "s", "projectHash": "0b7d", "startTime": _TIME.format(0)}


def _copilot() -> bytes:
    def event(number: int, kind: str, **data: Any) -> dict[str, Any]:
        return {"type": kind, "data": data, "id": f"e{number}", "timestamp": _TIME.format(number), "parentId": None}

    call = {"toolCallId": "c1", "name": "view", "arguments": _CALL}
    return lines(
        event(0, "session.start", sessionId="s", context={"cwd": "/w", "branch": "main"}),
        event(0, "session.model_change", newModel="gpt-x"),
        event(1, "user.message", content=ASK, attachments=[]),
        event(2, "assistant.message", content="", toolRequests=[call]),
        event(2, "tool.execution_start", toolCallId="c1"),
        event(3, "tool.execution_complete", toolCallId="c1", success=True, result={"content": CODE}),
        event(4, "assistant.message", content=ANSWER, toolRequests=[]),
        event(5, "user.message", content=THANKS),
    )


def _pi() -> bytes:
    def said(number: int, **message: Any) -> dict[str, Any]:
        return {"type": "message", "id": f"m{number}", "timestamp": _TIME.format(number), "message": message}

    call = {"type": "toolCall", "id": "c1", "name": "read", "arguments": _CALL}
    return lines(
        {"type": "session", "id": "s", "version": 3, "cwd": "/w", "timestamp": _TIME.format(0)},
        {"type": "model_change", "provider": "anthropic", "modelId": "claude-x"},
        said(1, role="user", content=ASK),
        said(2, role="assistant", content=[call], model="claude-x", provider="anthropic"),
        said(3, role="toolResult", toolCallId="c1", toolName="read", content=[{"type": "text", "text": CODE}]),
        said(4, role="assistant", content=[{"type": "text", "text": ANSWER}], model="claude-x", provider="anthropic"),
        said(5, role="user", content=[{"type": "text", "text": THANKS}]),
    )


def _cursor() -> bytes:
    return lines(*({"role": message["role"], "message": {"content": message["content"]}} for message in _anthropic()))


_AIDER = b"""
# aider chat started at 2026-03-01 10:00:00

> Main model: gpt-x with diff edit format
> Added src/app.py to the chat.

#### what is in @src/app.py

a function

```
#### not a prompt
> not a notice
```

> Tokens: 1k sent

#### thanks
"""


def _otel() -> dict[str, Any]:
    def parts(role: str, **part: Any) -> dict[str, Any]:
        return {"role": role, "parts": [part]}

    inputs = [
        parts("user", type="text", content=ASK),
        parts("assistant", type="tool_call", id="c1", name="read", arguments=_CALL),
        parts("tool", type="tool_call_response", id="c1", response=CODE),
        parts("assistant", type="text", content=ANSWER),
        parts("user", type="text", content=THANKS),
    ]
    values = {
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": "gpt-x",
        "gen_ai.input.messages": json.dumps(inputs),
    }
    attributes = [{"key": key, "value": {"stringValue": value}} for key, value in values.items()]
    span = {"traceId": "t", "spanId": "1", "startTimeUnixNano": "1772359200000000000", "attributes": attributes}
    return {"resourceSpans": [{"resource": {}, "scopeSpans": [{"scope": {}, "spans": [span, span]}]}]}


SAMPLES = (
    Sample(format="claude-code", name="s.jsonl", data=_claude(), model="claude-x", provider="anthropic", files=("src/app.py",)),
    Sample(format="codex", name="rollout.jsonl", data=_codex(), model="gpt-x", provider="openai", instructions=("AGENTS.md",)),
    Sample(format="chat", name="chat.json", data=whole(_chat_messages()), provider="openai", instructions=("system prompt",)),
    Sample(format="chat", name="chat.jsonl", data=lines(*_anthropic()), provider="openai"),
    Sample(
        format="chat", name="log.json", model="gpt-x", provider="openai",
        data=whole({"model": "gpt-x", "messages": _anthropic()[:4], "response": {"choices": []}}),
        prompts=(ASK,), roles="uata",
    ),
    Sample(
        format="cline", name="api_conversation_history.json", data=whole(_cline()), model="claude-x", provider="anthropic",
        files=("src/app.py",), instructions=("environment details",),
    ),
    Sample(
        format="swe-agent", name="x.traj", data=whole(_swe_agent()), provider="swe-agent", prompts=(ASK,), roles="uata",
        instructions=("system prompt",),
    ),
    Sample(
        format="openhands", name="events.json", data=whole(_openhands()), model="claude-x", provider="openhands",
        files=("src/app.py",),
    ),
    Sample(
        format="openhands", name="events.jsonl", data=_openhands_events(), model="model-x", provider="openhands",
        instructions=("system prompt",),
    ),
    Sample(
        format="gemini", name="session.json", data=whole({**_GEMINI_HEADER, "messages": _gemini_messages()}), model="gemini-x",
        provider="google", files=("src/app.py",),
    ),
    Sample(
        format="gemini", name="session.jsonl", data=lines(_GEMINI_HEADER, *_gemini_messages()), model="gemini-x",
        provider="google", files=("src/app.py",),
    ),
    Sample(format="copilot", name="events.jsonl", data=_copilot(), model="gpt-x", provider="github"),
    Sample(format="pi", name="pi.jsonl", data=_pi(), model="claude-x", provider="anthropic"),
    Sample(format="cursor", name="cursor.jsonl", data=_cursor(), provider="cursor"),
    Sample(format="aider", name=".aider.chat.history.md", data=_AIDER, model="gpt-x", provider="aider", roles="uau", path=None),
    Sample(format="otel", name="spans.json", data=whole(_otel()), model="gpt-x", provider="openai"),
)  # fmt: skip
