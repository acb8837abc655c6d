"""Requests as people would write them, for the schema; a test sends each of them."""

from typing import Any, Final

MODEL: Final[dict[str, Any]] = {"provider": "ollama", "model": "llama3", "local": True, "max_context_tokens": 8192}
POLICY: Final[dict[str, Any]] = {
    "routing": {"default": {"model": "ollama/llama3"}},
    "privacy": {"restricted_paths": [".env", "secrets/**"]},
}
REQUEST: Final[dict[str, Any]] = {
    "input": {"text": "Fix how src/settings.py reads."},
    "workspace": {"root": "/srv/shop", "referenced_paths": ["src/settings.py"]},
    "policy": POLICY,
    "attachments": {"files": [{"path": "src/settings.py", "content": "DEBUG = True\n"}]},
}
TURN: Final[dict[str, Any]] = {
    **REQUEST,
    "recalled": {"messages": [{"id": "m1", "role": "user", "content": "Where are the settings?"}]},
    "models": [MODEL],
}
MESSAGES: Final[dict[str, Any]] = {
    "messages": [
        {"id": "m1", "role": "user", "content": "Where are the settings?"},
        {"role": "assistant", "content": "In `src`."},
    ]
}
EXAMPLES: Final[dict[str, Any]] = {
    "TurnInput": TURN,
    "SweepRequest": {"turn": TURN, "budgets": [0, 1000, 8000]},
    "FlipsRequest": {"turn": TURN, "position": 0},
    "CompareRequest": {"left": TURN, "right": {**TURN, "recalled": {}}},
    "PolicyRequest": {"text": '[privacy]\nrestricted_paths = [".env"]\n'},
    "PathsRequest": {"text": '[privacy]\nrestricted_paths = [".env"]\n', "paths": ["config/.env", "src/a.py"]},
    "NewSession": {"title": "from a router", "models": [MODEL]},
    "SessionChange": {"title": "renamed", "archived": False},
    "NewMessages": MESSAGES,
    "BundleTurn": REQUEST,
    "Catalog": {"models": [MODEL]},
    "ExecuteRequest": REQUEST,
    "Continuation": {"type": "break"},
    "SessionBundle": {
        "format": "smista.session/1",
        "session": {"title": "by hand"},
        "messages": MESSAGES["messages"],
        "models": [MODEL],
        "turns": [{**REQUEST, "after_message": "m1"}],
    },
}
