"""A coding session of a dozen turns; each turn shows one rule of context selection at work."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from selection.demo.policy import ALLOWING, MODELS, POLICY, SONNET
from selection.demo.texts import DIFF, FILES, SKILLS
from selection.documents.bundle import BundleMemory, BundleMessage, BundleTurn, SessionBundle, SessionInfo
from selection.engine.codes import Intent, Role
from selection.engine.values import (
    AttachedFile,
    Attachments,
    Instruction,
    LocalPreferences,
    Policy,
    Skill,
    UserInput,
    Workspace,
)

ROOT: Final = "/home/ada/shop"
_INSTRUCTIONS: Final = (Instruction(source="AGENTS.md", content=FILES["AGENTS.md"]),)
_OWN_WAY: Final = LocalPreferences()
_AVAILABLE: Final = tuple(Skill(name=name, content=text) for name, text in SKILLS.items())


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One turn of the story: what is asked, what it shows, and what the assistant reads and answers afterwards."""

    asks: str
    reads: Sequence[str] = ()
    answers: str
    files: Sequence[str] = ()
    references: Sequence[str] = ()
    active: str | None = None
    diff: str | None = None
    command: Intent | None = None
    model: str | None = None
    invokes: Sequence[str] = ()
    policy: Policy = POLICY
    preferences: LocalPreferences = _OWN_WAY
    credentials: tuple[str, ...] = ("anthropic", "openai")


SCENES: Final = (
    # The default route; a remote model whose policy says `ask` waits for approval.
    Scene(
        asks="What does this service do, and where does a request get its session?",
        files=("README.md",),
        reads=("README.md", "src/auth/middleware.py"),
        answers="It serves a shop's orders and customers. The middleware reads the session from the token.",
    ),
    # A command forces the intent.
    Scene(
        asks="How would you split the middleware?",
        command=Intent.PLAN,
        files=("docs/auth-flow.md",),
        reads=("src/auth/tokens.py", "docs/auth-flow.md"),
        answers="Three steps: one reader of tokens, one of sessions, and the scopes beside the routes.",
    ),
    # Route-driving globs require what they match.
    Scene(
        asks="Refactor the middleware so that the token is read once.",
        references=("src/auth/middleware.py",),
        files=("src/auth/middleware.py", "src/auth/tokens.py", "tests/test_auth.py"),
        reads=("tests/test_auth.py",),
        answers="Done: the token is read in one place and kept on the request.",
    ),
    # A secret that nobody required is withheld from a remote model; the turn goes on without it.
    Scene(
        asks="Why does the service not start on my machine?",
        files=(".env", ".env.example", "secrets/payment.pem", "customers/export.csv", "README.md"),
        reads=("src/api/customers.py",),
        answers="A setting is missing; compare your settings with the example.",
    ),
    # The same secret, referenced: only a local model may serve.
    Scene(
        asks="Look at @.env and tell me which setting is wrong.",
        references=(".env",),
        files=(".env", ".env.example"),
        answers="The address of the database names a host that does not resolve.",
    ),
    # Copies collapse: one path twice, and two paths with the same content.
    Scene(
        asks="Are the package files still needed?",
        files=("src/api/__init__.py", "src/auth/__init__.py", f"{ROOT}/src/api/orders.py", "src/api/orders.py"),
        reads=("src/api/orders.py",),
        answers="Both are empty, and both are needed for imports.",
    ),
    # The diff; a model that cannot reason is passed over.
    Scene(
        asks="Review my change before I push it.",
        diff=DIFF,
        files=("src/auth/middleware.py",),
        answers="The comment is right, but the test for an expired token is missing.",
    ),
    # A generated file too large for any budget of the model stays out; smaller ones below it come in.
    Scene(
        asks="Which endpoints take no scope?",
        files=("src/generated/schema.py", "src/api/orders.py", "src/api/customers.py"),
        reads=("src/api/orders.py", "src/api/customers.py"),
        answers="None: each asks for one.",
    ),
    # What is required passes the window of the first models of the chain; a larger one serves.
    Scene(
        asks="Fix the generated schema to use the new token reader.",
        references=("src/generated/schema.py", "src/auth/tokens.py"),
        files=("src/generated/schema.py", "src/auth/tokens.py"),
        policy=ALLOWING,
        answers="The generator is changed, not its output; run it again.",
    ),
    # An invoked skill goes in whole, the others are an offer; without a key for its provider the first model is passed over.
    Scene(
        asks="Write the missing test.",
        command=Intent.SKILL,
        invokes=("write-tests",),
        references=("tests/test_auth.py",),
        files=("tests/test_auth.py",),
        policy=ALLOWING,
        credentials=("openai",),
        answers="One test a behaviour: expired, malformed, and revoked.",
    ),
    # A remote override is refused outright while the preferences keep everything local.
    Scene(
        asks="Summarize what we did today.",
        model=SONNET,
        preferences=LocalPreferences(local_only=True),
        answers="Nothing was answered: the model that was asked for is remote.",
    ),
    # A rule that is local only; and its files are restricted for every remote model.
    Scene(
        asks="Is the deployment large enough for the sale?",
        active="deploy/main.tf",
        files=("deploy/main.tf", "README.md"),
        credentials=(),
        answers="Three small servers carry a normal day; plan for six.",
    ),
)


def story() -> SessionBundle:
    """Give the session as a bundle, the same at every call."""
    messages, turns = _play(SCENES)
    return SessionBundle(
        session=SessionInfo(title="Demo: refactor the auth middleware", created_at=_time(0)),
        messages=tuple(messages),
        user_memory=(
            BundleMemory(id="um1", key="language", content="Answers in short English sentences.", created_at=_time(0)),
            BundleMemory(id="um2", key="tests", content="Prefers tests named as sentences.", created_at=_time(0)),
        ),
        context_memory=(
            BundleMemory(id="cm1", key="branch", content="The work goes to `auth-once`.", created_at=_time(0)),
        ),
        models=MODELS,
        turns=tuple(turns),
    )


def _play(scenes: Sequence[Scene]) -> tuple[list[BundleMessage], list[BundleTurn]]:
    messages: list[BundleMessage] = []
    turns: list[BundleTurn] = []
    for scene in scenes:
        turns.append(_turn(scene, messages[-1].id if messages else None, len(messages)))
        messages += _spoken(scene, len(messages))
    return messages, turns


def _turn(scene: Scene, after: str | None, clock: int) -> BundleTurn:
    return BundleTurn(
        after_message=after,
        input=UserInput(text=scene.asks, command=scene.command, explicit_model=scene.model),
        workspace=Workspace(
            root=ROOT,
            git_branch="auth-once",
            git_diff=scene.diff,
            referenced_paths=tuple(scene.references),
            active_file=scene.active,
        ),
        attachments=Attachments(
            files=tuple(_file(path) for path in scene.files),
            instructions=_INSTRUCTIONS,
            invoked_skills=tuple(Skill(name=name, content=SKILLS[name]) for name in scene.invokes),
            available_skills=tuple(skill for skill in _AVAILABLE if skill.name not in scene.invokes),
        ),
        policy=scene.policy,
        local_preferences=scene.preferences,
        credentials=scene.credentials,
        created_at=_time(clock),
    )


def _file(path: str) -> AttachedFile:
    return AttachedFile(path=path, content=FILES[path.removeprefix(f"{ROOT}/")])


def _spoken(scene: Scene, start: int) -> list[BundleMessage]:
    said: list[dict[str, Any]] = [{"role": Role.USER, "content": scene.asks}]
    for path in scene.reads:
        said.append(
            {"role": Role.ASSISTANT, "content": f"I read `{path}`.", "provider": "anthropic", "model": "claude-sonnet"}
        )
        said.append({"role": Role.TOOL, "content": FILES[path], "path": path})
    said.append({"role": Role.ASSISTANT, "content": scene.answers, "provider": "anthropic", "model": "claude-sonnet"})
    return [
        BundleMessage(id=f"m{number}", created_at=_time(number), **words)
        for number, words in enumerate(said, start + 1)
    ]


def _time(minutes: int) -> str:
    return f"2026-03-02T{9 + minutes // 60:02d}:{minutes % 60:02d}:00Z"
