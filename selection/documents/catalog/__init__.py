"""Models in common use: windows, output limits and prices, as data with its date and source; and lists in the format of LLM proxies.

The format is an object of models by name, each with `max_input_tokens`, `max_output_tokens`, `input_cost_per_token` and `output_cost_per_token` in dollars;
the data here adds `max_context_tokens`, the whole window, which some models do not give to the input alone.
"""

import re
from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from selection.documents.parsing import read_json
from selection.engine.codes import Auth, Capability
from selection.engine.values import ModelDescriptor

_DATA: Final = Path(__file__).with_name("models.json")
# What a tool writes behind a model's own name: a date, a version, a marker of the newest.
_REVISION: Final = re.compile(
    r"^(?:[-@:](?:\d{4,8}|\d{4}-\d\d-\d\d|latest|preview|exp|v\d[\w.:]*|thinking|high|low|medium))+$"
)
_MOST_TOKENS: Final = 2**31
_LOCAL: Final = frozenset(("ollama", "ollama_chat", "lm_studio", "llamafile", "vllm", "hosted_vllm"))
_SUPPORTS: Final = {
    Capability.TOOLS: "supports_function_calling",
    Capability.IMAGES: "supports_vision",
    Capability.REASONING: "supports_reasoning",
    Capability.JSON_OUTPUT: "supports_response_schema",
}


def known_model(provider: str, model: str) -> ModelDescriptor | None:
    """Give what is known of a model under the provider that a recording names; None for one that is not in common use."""
    name = model.rpartition("/")[2].rpartition("anthropic.")[2].lower()
    models = _models()
    found = next((known for known in _longest_first() if name == known or _is_revision(name, known)), None)
    return None if found is None else descriptor_of(provider, model, models[found])


def as_of() -> str:
    """Tell of when the data is."""
    date: str = _document()["about"]["as_of"]
    return date


def descriptor_of(provider: str, model: str, entry: Mapping[str, Any]) -> ModelDescriptor | None:
    """Read one entry of a proxy's list; None where it has no usable window, or is no model that answers in text."""
    window = _tokens(entry, "max_context_tokens") or _tokens(entry, "max_input_tokens") or _tokens(entry, "max_tokens")
    if window is None or entry.get("mode", "chat") not in {"chat", "completion", "responses"}:
        return None
    local = entry.get("litellm_provider") in _LOCAL
    can = {code: True for code, name in _SUPPORTS.items() if entry.get(name) is True}
    return ModelDescriptor(
        provider=provider,
        model=model,
        local=local,
        auth=Auth.NONE if local else Auth.API_KEY,
        capabilities=MappingProxyType({Capability.STREAMING: True, Capability.SYSTEM_PROMPT: True, **can}),
        max_context_tokens=window,
        max_output_tokens=_tokens(entry, "max_output_tokens"),
        input_cost_per_million=_price(entry, "input_cost_per_token"),
        output_cost_per_million=_price(entry, "output_cost_per_token"),
    )


def _is_revision(name: str, known: str) -> bool:
    return name.startswith(known) and _REVISION.match(name[len(known) :]) is not None


def _tokens(entry: Mapping[str, Any], name: str) -> int | None:
    value = entry.get(name)
    if isinstance(value, str) and value.isdecimal() and len(value) <= len(str(_MOST_TOKENS)):
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < _MOST_TOKENS else None


def _price(entry: Mapping[str, Any], name: str) -> str | None:
    """Give a price per million tokens as a decimal; `0.000003` a token is `3`."""
    value = entry.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1:
        return None
    million = (Decimal(repr(value)) * 1_000_000).normalize()
    return f"{million:f}"


@cache
def _document() -> dict[str, Any]:
    document: dict[str, Any] = read_json(_DATA.read_bytes())
    return document


def _models() -> Mapping[str, Mapping[str, Any]]:
    models: Mapping[str, Mapping[str, Any]] = _document()["models"]
    return models


@cache
def _longest_first() -> tuple[str, ...]:
    return tuple(sorted(_models(), key=len, reverse=True))
