"""Models in common use: windows, output limits and prices, as data with its date and source; and lists in the format of LLM proxies.

The format is an object of models by name, each with `max_input_tokens`, `max_output_tokens`, `input_cost_per_token` and `output_cost_per_token` in dollars;
the data here adds `max_context_tokens`, the whole window, which some models do not give to the input alone.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from selection.documents.errors import Fault, InvalidDocument
from selection.documents.parsing import read_json
from selection.engine.codes import Auth, Capability
from selection.engine.values import ModelDescriptor

_DATA: Final = Path(__file__).with_name("models.json")
# What a tool writes behind a model's own name: a date, a version, a marker of the newest.
_REVISION: Final = re.compile(
    r"^(?:[-@:](?:\d{4,8}|\d{4}-\d\d-\d\d|latest|preview|exp|v\d[\w.:]*|thinking|high|low|medium))+$"
)
_MOST_TOKENS: Final = 2**31
_MOST_MODELS: Final = 20_000
_MOST_NAME: Final = 200
# An entry that only explains the format.
_SAMPLE: Final = "sample_spec"
_LOCAL: Final = frozenset(("ollama", "ollama_chat", "lm_studio", "llamafile", "vllm", "hosted_vllm"))
_SUPPORTS: Final = {
    Capability.TOOLS: "supports_function_calling",
    Capability.IMAGES: "supports_vision",
    Capability.REASONING: "supports_reasoning",
    Capability.JSON_OUTPUT: "supports_response_schema",
}


@dataclass(frozen=True, slots=True)
class Catalog:
    """Models by the names that their providers give them; `told` says of when they are, as a report tells it."""

    models: Mapping[str, ModelDescriptor]
    told: str
    _longest_first: tuple[str, ...]

    def known(self, provider: str, model: str) -> ModelDescriptor | None:
        """Give what is known of a model under the provider that a recording names; None for one that is not in the catalog."""
        name = own_name(model)
        found = next((known for known in self._longest_first if name == known or _is_revision(name, known)), None)
        return None if found is None else replace(self.models[found], provider=provider, model=model)

    def with_models(self, more: Mapping[str, ModelDescriptor], told: str) -> "Catalog":
        """Give the catalog with more models; those of the same name take the place of others."""
        return _catalog({**self.models, **more}, told) if more else self


def own_name(model: str) -> str:
    """Give a model's own name: `us.anthropic.claude-x` and `openrouter/anthropic/Claude-X` are both `claude-x`."""
    return model.rpartition("/")[2].rpartition("anthropic.")[2].lower()


@cache
def built_in() -> Catalog:
    """Give the models that come with this program."""
    document = read_json(_DATA.read_bytes())
    models = {name: found for name, entry in document["models"].items() if (found := descriptor_of("", name, entry))}
    return _catalog(models, f"as of {document['about']['as_of']}")


def _catalog(models: Mapping[str, ModelDescriptor], told: str) -> Catalog:
    return Catalog(MappingProxyType(dict(models)), told, tuple(sorted(models, key=len, reverse=True)))


@dataclass(frozen=True, slots=True)
class ProxyList:
    """The models of a list in the format of LLM proxies, by their own names; and how many of its entries are none that answer in text, or tell no window."""

    models: Mapping[str, ModelDescriptor]
    left_out: int


def read_proxy_list(data: bytes) -> ProxyList:
    """Read a list. Raises `InvalidDocument` where it is none; an entry that cannot be used keeps nobody else out.

    Where several providers offer one model, the entry under the model's bare name counts, or the first.
    """
    document = read_json(data)
    held = document.get("models", document) if isinstance(document, dict) else None
    if not isinstance(held, dict) or not any(isinstance(entry, dict) for entry in held.values()):
        raise InvalidDocument(
            [Fault("", "not a list of models: an object of models by name, each with its windows and prices")]
        )
    if len(held) > _MOST_MODELS:
        raise InvalidDocument([Fault("", f"more than {_MOST_MODELS:,} models")])
    models: dict[str, ModelDescriptor] = {}
    left_out = 0
    for name, entry in held.items():
        own = own_name(name)
        found = descriptor_of(str(entry.get("litellm_provider", "")), own, entry) if isinstance(entry, dict) else None
        if found is None or not own or len(own) > _MOST_NAME or not own.isprintable() or name == _SAMPLE:
            left_out += 1
        elif own not in models or name.lower() == own:
            models[own] = found
    return ProxyList(MappingProxyType(models), left_out)


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
