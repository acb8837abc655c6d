"""Generated turns to measure on: history, files, memory and duplicates in the mix that recorded sessions show; seeded, so that every run sees the same."""

import random
from typing import Final

from selection.engine.codes import Mode, Role
from selection.engine.values import (
    AttachedFile,
    Attachments,
    DefaultRoute,
    Memory,
    Message,
    ModelDescriptor,
    Policy,
    PrivacyPolicy,
    Recalled,
    RemotePrivacy,
    RoutingPolicy,
    TurnInput,
    UserInput,
    Workspace,
)

WORDS: Final = (
    "token", "session", "user", "request", "file", "path", "read", "write", "error", "value", "return", "import", "class", "test", "config", "build",
)  # fmt: skip
FOLDERS: Final = ("src", "tests", "docs", "config", "secrets", "lib", "web", "scripts")
ENDINGS: Final = (".py", ".md", ".toml", ".json", ".ts", ".pem", ".env", ".log")
ROLES: Final = (Role.USER, Role.ASSISTANT, Role.TOOL, Role.ASSISTANT)


def patterns(count: int, seed: int = 7) -> tuple[str, ...]:
    """Privacy patterns as people write them: names, endings, anchored folders, a few with stars inside."""
    source = random.Random(seed)
    shapes = (
        "{w}{n}.key",
        "*.{w}{n}",
        "/{f}/{w}{n}/",
        "secrets/{w}{n}/**",
        "**/{w}{n}/*.pem",
        "{f}/**/{w}{n}*",
        ".{w}{n}",
    )
    made = [
        source.choice(shapes).format(w=source.choice(WORDS), f=source.choice(FOLDERS), n=number)
        for number in range(count - 3)
    ]
    return (".env", "*.pem", "secrets/**", *made)[:count]


def paths(count: int, seed: int = 11) -> list[str]:
    """Distinct paths as a project has them: a few folders deep, some ten files to a folder."""
    source = random.Random(seed)
    folders = [_folder(source) for _ in range(max(1, count // 10))]
    names = (f"{source.choice(WORDS)}{number}{source.choice(ENDINGS)}" for number in range(count))
    return [f"{source.choice(folders)}/{name}" for name in names]


def _folder(source: random.Random) -> str:
    below = (f"{source.choice(WORDS)}{source.randint(0, 40)}" for _ in range(source.randint(1, 4)))
    return "/".join([source.choice(FOLDERS), *below])


def text(source: random.Random, words: int) -> str:
    """Some words of text, seldom the same twice."""
    return " ".join(source.choices(WORDS, k=words)) + f" {source.random()}"


def turn(count: int, *, window: int | None = None, pattern_count: int = 100, seed: int = 3) -> TurnInput:
    """A turn of `count` candidates to a remote model: 70 % history (a fifth of it about a file), 22 % files, 8 % memory; one in twenty is a copy."""
    source = random.Random(seed)
    known = paths(max(1, count * 3 // 10), seed)
    file_count = count * 22 // 100
    contents = [text(source, source.randint(4, 120)) for _ in range(count)]
    for position in range(0, count, 20):
        contents[position] = contents[source.randrange(count)]
    memory_count = count * 8 // 100
    message_count = count - file_count - memory_count
    spare = known[file_count:] or known
    return TurnInput(
        input=UserInput(text="go on"),
        workspace=Workspace(root="/srv/demo", referenced_paths=(known[0],)),
        attachments=Attachments(
            files=tuple(AttachedFile(path=known[n], content=contents[n]) for n in range(file_count)),
        ),
        recalled=Recalled(
            messages=tuple(_message(n, contents[file_count + n], spare, source) for n in range(message_count)),
            context_memory=tuple(
                Memory(id=f"c{n}", content=contents[file_count + message_count + n]) for n in range(memory_count)
            ),
        ),
        policy=Policy(
            routing=RoutingPolicy(default=DefaultRoute(model="remote/large")),
            privacy=PrivacyPolicy(restricted_paths=patterns(pattern_count), remote=RemotePrivacy(mode=Mode.ALLOW)),
        ),
        models=(
            ModelDescriptor(
                provider="remote",
                model="large",
                max_context_tokens=window or count * 40,
                max_output_tokens=4096,
            ),
        ),
    )


def _message(number: int, content: str, known: list[str], source: random.Random) -> Message:
    path = source.choice(known) if number % 5 == 0 else None
    return Message(
        id=f"m{number}", role=ROLES[number % 4], content=content, path=path, provider="remote", model="large"
    )


def texts_of(made: TurnInput) -> list[str]:
    """The texts of a turn, in candidate order: what the bare floor and the peers are given."""
    parts = (made.recalled.messages, made.recalled.context_memory, made.attachments.files)
    return [item.content for part in parts for item in part if isinstance(item.content, str)]
