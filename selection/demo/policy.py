"""The policy and the catalog of the demo."""

from dataclasses import replace
from types import MappingProxyType
from typing import Final

from selection.engine.codes import Auth, Capability, ContextKind, Intent, Mode
from selection.engine.values import (
    ClassificationPolicy,
    ClassificationRule,
    DefaultRoute,
    ModelDescriptor,
    Policy,
    PrivacyPolicy,
    RemotePrivacy,
    RoutingPolicy,
    RoutingRule,
    ToolsPolicy,
)

_CODING: Final = MappingProxyType({Capability.STREAMING: True, Capability.TOOLS: True, Capability.SYSTEM_PROMPT: True})
_REASONING: Final = MappingProxyType({**_CODING, Capability.REASONING: True})

SONNET, OPUS, GPT = "anthropic/claude-sonnet", "anthropic/claude-opus", "openai/gpt-5.5"
CODER, LLAMA = "ollama/qwen2.5-coder", "ollama/llama3"

MODELS: Final = (
    ModelDescriptor(
        provider="anthropic",
        model="claude-sonnet",
        display_name="Claude Sonnet",
        auth=Auth.API_KEY,
        capabilities=_CODING,
        max_context_tokens=6_144,
        max_output_tokens=1_536,
        input_cost_per_million="3.00",
        output_cost_per_million="15.00",
    ),
    ModelDescriptor(
        provider="anthropic",
        model="claude-opus",
        display_name="Claude Opus",
        auth=Auth.API_KEY,
        capabilities=_REASONING,
        max_context_tokens=65_536,
        max_output_tokens=8_192,
        input_cost_per_million="15.00",
        output_cost_per_million="75.00",
    ),
    ModelDescriptor(
        provider="openai",
        model="gpt-5.5",
        auth=Auth.API_KEY,
        capabilities=_REASONING,
        max_context_tokens=16_384,
        max_output_tokens=4_096,
    ),
    ModelDescriptor(
        provider="ollama",
        model="qwen2.5-coder",
        local=True,
        capabilities=_CODING,
        max_context_tokens=12_288,
        max_output_tokens=2_048,
    ),
    ModelDescriptor(provider="ollama", model="llama3", local=True, max_context_tokens=8_192),
)

POLICY: Final = Policy(
    source="merged",
    classification=ClassificationPolicy(
        rules=(
            ClassificationRule(
                intent=Intent.REVIEW,
                priority=10,
                keywords=("review", "check"),
                requires_any_context=(ContextKind.GIT_DIFF,),
            ),
            ClassificationRule(intent=Intent.EDIT, priority=20, keywords=("refactor", "fix", "rename", "implement")),
            ClassificationRule(intent=Intent.SUMMARIZE, priority=30, keywords=("summarize",)),
        )
    ),
    routing=RoutingPolicy(
        rules=(
            RoutingRule(
                name="infrastructure stays local",
                model=CODER,
                priority=10,
                paths=("deploy/**", "*.tf"),
                local_only=True,
            ),
            RoutingRule(
                name="auth edits use Claude",
                model=SONNET,
                priority=20,
                intent=Intent.EDIT,
                paths=("src/auth/**",),
                fallbacks=(GPT, OPUS, CODER, LLAMA),
            ),
            RoutingRule(
                name="reviews reason",
                model=SONNET,
                priority=30,
                intent=Intent.REVIEW,
                fallbacks=(GPT, OPUS),
                requires_capabilities=MappingProxyType({Capability.REASONING: True}),
            ),
            RoutingRule(
                name="summaries are cheap", model=LLAMA, priority=40, intent=Intent.SUMMARIZE, fallbacks=(CODER,)
            ),
        ),
        default=DefaultRoute(model=SONNET, fallbacks=(CODER,)),
    ),
    tools=ToolsPolicy(permissions=MappingProxyType({"shell": Mode.ASK, "read": Mode.ALLOW})),
    privacy=PrivacyPolicy(
        restricted_paths=(".env", ".env.*", "!.env.example", "secrets/**", "*.pem"),
        remote=RemotePrivacy(mode=Mode.ASK, blocked_paths=("customers/**",)),
    ),
)
ALLOWING: Final = replace(
    POLICY, privacy=replace(POLICY.privacy, remote=RemotePrivacy(mode=Mode.ALLOW, blocked_paths=("customers/**",)))
)
