"""A seeded transcript of any size, in Claude Code's format: prompts, answers, and files that were read, as long as real lines are."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from uuid import UUID

_SEED: Final = 20_260_101
_READS: Final = 6
_FILES: Final = 400
_WORDS: Final = (
    "session",
    "token",
    "request",
    "verify",
    "header",
    "return",
    "await",
    "config",
    "value",
    "index",
    "parse",
)
_LENGTHS: Final = (300, 1_200, 2_500, 4_000)


def write_transcript(path: Path, megabytes: int) -> int:
    """Write at least so many megabytes to `path`; give the number of lines."""
    size, lines = megabytes * 1_000_000, 0
    with path.open("wb") as file:
        for line in _lines():
            file.write(line)
            lines += 1
            if file.tell() >= size:
                return lines
    raise AssertionError("the lines never end")


def _lines() -> Iterator[bytes]:
    chance = random.Random(_SEED)
    code = [_code(chance, length) for length in _LENGTHS for _ in range(40)]
    parent: str | None = None
    number = 0
    while True:
        for data in _turn(chance, code, number):
            uuid = str(UUID(int=chance.getrandbits(128)))
            number += 1
            time = f"2026-01-{number // 86_400 % 28 + 1:02}T{number // 3600 % 24:02}:{number // 60 % 60:02}:{number % 60:02}.000Z"
            row = {
                "parentUuid": parent,
                "isSidechain": False,
                "userType": "external",
                "cwd": "/home/ann/app",
                "sessionId": "0f5c7d1e-2b7c-4d27-9a51-6c1b6c1f4e11",
                "version": "2.0.14",
                "gitBranch": "main",
                "uuid": uuid,
                "timestamp": time,
            }
            yield json.dumps(row | data, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
            parent = uuid


def _turn(chance: random.Random, code: list[str], number: int) -> Iterator[dict[str, Any]]:
    yield _said("user", chance.choice(code[:40]))
    for place in range(_READS):
        call, path = f"toolu_{number}_{place}", f"/home/ann/app/src/module_{chance.randrange(_FILES)}.py"
        yield _said("assistant", [{"type": "text", "text": chance.choice(code[:80])}])
        asked = {"type": "tool_use", "id": call, "name": "Read", "input": {"file_path": path}}
        yield _said("assistant", [asked])
        content = chance.choice(code[80:])
        count = content.count("\n") + 1
        result = {"type": "tool_result", "tool_use_id": call, "content": content}
        file = {"filePath": path, "content": content, "numLines": count, "startLine": 1, "totalLines": count}
        yield _said("user", [result]) | {"toolUseResult": {"type": "text", "file": file}}


def _said(role: str, content: Any) -> dict[str, Any]:
    message = {"role": role, "content": content}
    if role == "assistant":
        usage = {"input_tokens": 4, "cache_read_input_tokens": 31_337, "output_tokens": 212, "service_tier": "standard"}
        message |= {"model": "claude-sonnet-4-5", "type": "message", "stop_reason": None, "usage": usage}
    return {"type": role, "message": message}


def _code(chance: random.Random, length: int) -> str:
    lines: list[str] = []
    while sum(map(len, lines)) < length:
        words = chance.choices(_WORDS, k=3)
        lines.append(f'{" " * chance.choice((0, 4, 8))}{words[0]} = {words[1]}("{words[2]}", {chance.randrange(99)})')
    return "\n".join(lines)
