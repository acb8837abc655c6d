"""Policy files on the command line: every fault as `FILE:line:column: message`, as compilers tell theirs."""

from pathlib import Path

from django.core.management.base import CommandError

from selection.documents.policy_text import CheckedPolicy, check_policy_toml
from selection.management.ledger import visible

UNREADABLE = 2


def read_policy_file(path: Path) -> str:
    """Give the text of a policy file. Raises `CommandError`, exit code 2, where it cannot be read or is no policy."""
    text = text_of(path)
    checked = check_policy_toml(text)
    if not checked.valid:
        told = "\n".join(fault_lines(path, checked, warnings=False))
        raise CommandError(f"no policy:\n{told}", returncode=UNREADABLE)
    return text


def text_of(path: Path) -> str:
    """Give the text of a file. Raises `CommandError`, exit code 2."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise CommandError(f"{path}: {(error.strerror or 'cannot be read').lower()}", returncode=UNREADABLE) from error
    except UnicodeDecodeError:
        raise CommandError(f"{path}: not UTF-8", returncode=UNREADABLE) from None


def fault_lines(path: Path, checked: CheckedPolicy, *, warnings: bool = True) -> list[str]:
    """Give the faults and, unless told otherwise, the doubts of a policy, a line each."""
    return [
        f"{path}:{fault.line}:{fault.column}: {'warning: ' if fault.warning else ''}{visible(fault.message)}"
        for fault in checked.faults
        if warnings or not fault.warning
    ]
