"""A policy by itself: as the router's `config.toml`, or as JSON."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import tomlkit

from selection.documents.errors import shown
from selection.documents.parsing import read_json
from selection.documents.reading import validate
from selection.documents.toml import read_toml
from selection.documents.writing import to_document
from selection.engine.values import Policy

_PARTS: Final = ("version", "source", "dialect", "classification", "routing", "tools", "privacy")


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyFile:
    """A policy that was read from a configuration, and the tables of it that are not policy."""

    policy: Policy
    ignored: tuple[str, ...] = ()


def read_policy_toml(text: str) -> PolicyFile:
    """Read the router's configuration. Raises `InvalidDocument` with every fault and its place."""
    held = read_toml(text)
    policy = validate(Policy, {name: held[name] for name in _PARTS if name in held})
    return PolicyFile(policy=policy, ignored=tuple(shown(name) for name in held if name not in _PARTS))


def read_policy_json(data: bytes | str) -> Policy:
    """Read a policy document. Raises `InvalidDocument` with every fault and its place."""
    return validate(Policy, read_json(data))


def write_policy_toml(policy: Policy) -> str:
    """Give a policy as a configuration that reads back equal."""
    return tomlkit.dumps(_without_none(to_document(policy)))


def _without_none(value: Any) -> Any:
    """Leave out what is not said: TOML has no word for it."""
    if isinstance(value, Mapping):
        return {name: _without_none(item) for name, item in value.items() if item is not None}
    return [_without_none(item) for item in value] if isinstance(value, list) else value
