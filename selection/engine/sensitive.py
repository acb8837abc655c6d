"""Paths that look sensitive and that no rule keeps from a remote model: suggestions for a policy, never a decision ("Findings" in domain.md)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from selection.engine.codes import Dialect
from selection.engine.globs import compile_privacy
from selection.engine.outcome import Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """Lines that a policy could add to `restricted_paths`: what they are for, and the paths of this turn that they would restrict, each once."""

    what: str
    patterns: tuple[str, ...]
    paths: tuple[str, ...]
    positions: tuple[int, ...] = ()


# What teams keep out of a repository, or would rather that nobody read; examples of such files are none.
_SENSITIVE: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    ("environment files", (".env", ".env.*", "!.env.example", "!.env.sample", "!.env.template", "!.env.dist")),
    ("private keys and certificates", ("*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore", "id_rsa", "id_ed25519", "id_ecdsa")),
    ("credentials of tools", (".npmrc", ".pypirc", ".netrc", ".git-credentials", ".htpasswd", ".dockercfg", ".aws/", ".ssh/", ".gnupg/")),
    ("credentials by name", ("credentials.*", "*credentials*.json", "service-account*.json", "kubeconfig", "*.kubeconfig")),
    ("folders and files of secrets", ("secrets/", ".secrets/", "secrets.*", "*.secret", "*.secrets")),
    ("password stores", ("*.kdbx", "*.agilekeychain", ".password-store/")),
    ("state and variables of infrastructure", ("*.tfstate", "*.tfstate.*", "*.tfvars", "!*.example.tfvars")),
    ("databases and dumps", ("*.sqlite", "*.sqlite3", "*.dump", "*.sql.gz")),
)  # fmt: skip
_COMPILED: Final = tuple((what, patterns, compile_privacy(patterns)) for what, patterns in _SENSITIVE)


def suggest(outcome: Outcome) -> tuple[Suggestion, ...]:
    """Give the kinds of sensitive paths among the candidates that no privacy list of the policy restricts; equal outcomes give equal suggestions."""
    return tuple(_suggestions(outcome))


def _suggestions(outcome: Outcome) -> Iterator[Suggestion]:
    candidates = outcome.candidates
    if candidates is None:
        return
    holders: dict[str, list[int]] = {}
    for position, path in enumerate(candidates.columns.paths):
        if path is not None:
            holders.setdefault(path, []).append(position)
    free = [path for path in holders if candidates.privacy.mark(path) is None]
    for suggestion in suggest_for(free):
        positions = tuple(sorted(position for path in suggestion.paths for position in holders[path]))
        patterns = written_for(suggestion.patterns, outcome.turn.policy.dialect)
        yield replace(suggestion, patterns=patterns, positions=positions)


def written_for(patterns: tuple[str, ...], dialect: Dialect) -> tuple[str, ...]:
    """Write suggested patterns, names at every depth, for a policy of another dialect, which knows no lifting."""
    if dialect is Dialect.GITIGNORE:
        return patterns
    names = (pattern for pattern in patterns if not pattern.startswith("!"))
    return tuple(f"**/{name}**" if name.endswith("/") else f"**/{name}" for name in names)


def suggest_for(paths: Sequence[str]) -> tuple[Suggestion, ...]:
    """Give the kinds of sensitive paths among paths that nothing restricts yet, of no turn in particular."""
    found = (
        (what, patterns, tuple(path for path in paths if compiled.deciding(path) >= 0))
        for what, patterns, compiled in _COMPILED
    )
    return tuple(
        Suggestion(what=what, patterns=_needed(patterns, held), paths=held) for what, patterns, held in found if held
    )


def _needed(patterns: tuple[str, ...], paths: tuple[str, ...]) -> tuple[str, ...]:
    """Give the patterns that restrict one of the paths, and what lifts them again."""
    lifting = tuple(pattern for pattern in patterns if pattern.startswith("!"))
    used = tuple(
        pattern
        for pattern in patterns
        if not pattern.startswith("!") and any(compile_privacy((pattern,)).deciding(path) >= 0 for path in paths)
    )
    wide = any("*" in pattern for pattern in used)
    return (*used, *lifting) if wide else used
