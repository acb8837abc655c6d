"""The catalog of models in common use, and the format of LLM proxies that it is kept in."""

import json

import pytest

from selection.documents.catalog import built_in, descriptor_of, read_proxy_list
from selection.documents.errors import InvalidDocument
from selection.engine.codes import Auth, Capability


@pytest.mark.parametrize(
    ("provider", "model", "window", "reply"),
    [
        ("anthropic", "claude-sonnet-4-20250514", 200_000, 64_000),
        ("anthropic", "claude-opus-4-1-20250805", 200_000, 32_000),
        ("anthropic", "claude-3-5-sonnet-latest", 200_000, 8_192),
        ("bedrock", "us.anthropic.claude-3-5-sonnet-20241022-v2:0", 200_000, 8_192),
        ("openai", "gpt-4o-2024-08-06", 128_000, 16_384),
        ("openai", "gpt-5-codex", 400_000, 128_000),
        ("litellm_proxy", "openai/gpt-4.1-mini", 1_047_576, 32_768),
        ("google", "models/gemini-2.5-pro", 1_048_576, 65_536),
    ],
)
def test_a_model_is_known_by_its_name_whatever_revision_it_is(
    provider: str, model: str, window: int, reply: int
) -> None:
    found = built_in().known(provider, model)
    assert found is not None
    assert (found.provider, found.model) == (provider, model)
    assert (found.max_context_tokens, found.max_output_tokens) == (window, reply)
    assert not found.local


@pytest.mark.parametrize(
    "model", ["gpt-4o-audio", "claude", "gpt-5-of-somebody", "llama3", "", "gpt-4.1-minimal", "o3000"]
)
def test_a_name_that_is_only_alike_is_not_known(model: str) -> None:
    assert built_in().known("x", model) is None


def test_the_data_says_of_when_it_is() -> None:
    assert built_in().told == "as of 2025-11"


def test_an_entry_of_a_proxy_is_read_with_prices_per_million() -> None:
    entry = {
        "max_tokens": 4_096, "max_input_tokens": 128_000, "max_output_tokens": 4_096, "input_cost_per_token": 0.00000015,
        "output_cost_per_token": 6e-07, "litellm_provider": "openai", "mode": "chat", "supports_function_calling": True,
    }  # fmt: skip
    found = descriptor_of("openai", "m", entry)
    assert found is not None
    assert (found.input_cost_per_million, found.output_cost_per_million) == ("0.15", "0.6")
    assert found.max_context_tokens == 128_000
    assert found.capabilities[Capability.TOOLS]


def test_a_local_model_needs_no_key() -> None:
    found = descriptor_of("ollama", "m", {"max_tokens": 8_192, "litellm_provider": "ollama", "input_cost_per_token": 0})
    assert found is not None
    assert (found.local, found.auth, found.input_cost_per_million) == (True, Auth.NONE, "0")


@pytest.mark.parametrize(
    "entry",
    [{}, {"max_tokens": 0}, {"max_tokens": -1}, {"max_tokens": True}, {"max_tokens": "many"}, {"max_tokens": 2**40}, {"max_tokens": 9, "mode": "embedding"}],
)  # fmt: skip
def test_an_entry_without_a_usable_window_is_none(entry: dict[str, object]) -> None:
    assert descriptor_of("x", "m", entry) is None


@pytest.mark.parametrize("price", [-1, 2, float("nan"), float("inf"), "0.1", True, None])
def test_a_price_that_is_none_is_left_out(price: object) -> None:
    found = descriptor_of("x", "m", {"max_tokens": 10, "input_cost_per_token": price})
    assert found is not None
    assert found.input_cost_per_million is None


def test_a_list_of_a_proxy_is_read_by_the_models_own_names() -> None:
    entry = {"max_input_tokens": 10, "litellm_provider": "x"}
    data = {
        "sample_spec": entry,
        "azure/New-Model": entry | {"max_input_tokens": 11},
        "new-model": entry | {"max_input_tokens": 12},
        "bedrock/us.anthropic.claude-x": entry,
        "embedder": entry | {"mode": "embedding"},
        "no-window": {},
        "none": 7,
    }
    read = read_proxy_list(json.dumps(data).encode())
    assert {name: model.max_context_tokens for name, model in read.models.items()} == {"new-model": 12, "claude-x": 10}
    assert read.left_out == 4


@pytest.mark.parametrize("data", [b"[]", b"{}", b"7", b'{"a": 1}', b"{", b"\xff"])
def test_what_is_no_list_is_refused(data: bytes) -> None:
    with pytest.raises(InvalidDocument):
        read_proxy_list(data)
