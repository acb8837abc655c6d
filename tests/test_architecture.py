"""The walls hold: who imports whom, what the engine may not call, how large a file and a function may be."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
CODE = sorted(
    path for folder in ("selection", "smista_site", "tools", "benchmarks") for path in (ROOT / folder).rglob("*.py")
)
ENGINE = sorted((ROOT / "selection" / "engine").rglob("*.py"))
MOST_LINES, MOST_LINES_OF_A_FUNCTION = 400, 40
IMPURE = {"open", "hash", "input", "print", "eval", "exec", "compile", "id"}


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_import_contracts_hold() -> None:
    done = subprocess.run(
        [Path(sys.executable).parent / "lint-imports", "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def imports_of(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


@pytest.mark.parametrize("path", ENGINE, ids=named)
def test_the_engine_calls_nothing_that_could_differ_between_two_runs(path: Path) -> None:
    called = {
        node.func.id
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert not called & IMPURE


def iterated(tree: ast.AST) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        if isinstance(node, ast.For | ast.comprehension):
            yield node.iter


@pytest.mark.parametrize("path", ENGINE, ids=named)
def test_the_engine_walks_no_set(path: Path) -> None:
    for walked in iterated(ast.parse(path.read_text())):
        assert not isinstance(walked, ast.Set | ast.SetComp), f"line {walked.lineno}"
        if isinstance(walked, ast.Call) and isinstance(walked.func, ast.Name):
            assert walked.func.id not in {"set", "frozenset"}, f"line {walked.lineno}"


@pytest.mark.parametrize("folder", ["actions", "queries.py"])
def test_actions_and_queries_know_no_request(folder: str) -> None:
    place = ROOT / "selection" / folder
    for path in [place] if place.is_file() else place.rglob("*.py"):
        assert not [
            name for name in imports_of(path) if name.startswith(("django.http", "django.shortcuts", "rest_framework"))
        ]


@pytest.mark.parametrize("path", CODE, ids=named)
def test_files_and_functions_stay_small(path: Path) -> None:
    text = path.read_text()
    assert len(text.splitlines()) <= MOST_LINES
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            assert length <= MOST_LINES_OF_A_FUNCTION, f"{node.name} has {length} lines"


@pytest.mark.parametrize("path", sorted((ROOT / "templates").rglob("*.html")), ids=named)
def test_templates_hold_no_inline_style_or_script(path: Path) -> None:
    text = path.read_text()
    assert "style=" not in text
    assert "<style" not in text
    assert " onclick" not in text
    assert "<script>" not in text
    assert "|safe" not in text
