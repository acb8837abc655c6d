"""Every path has one spelling ("Paths" in domain.md)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from selection.engine.paths import PathNormaliser, lies_outside, normalise_path

ROOT = "/home/dev/demo"
WINDOWS = "C:\\work\\demo"

SPELLINGS = [
    ("a plain path stays", "src/a.py", ROOT, "src/a.py"),
    ("a backslash becomes a slash", "src\\a.py", ROOT, "src/a.py"),
    ("the root goes", "/home/dev/demo/src/a.py", ROOT, "src/a.py"),
    ("a root with a trailing slash goes", "/home/dev/demo/src/a.py", f"{ROOT}/", "src/a.py"),
    ("a root that only begins alike stays", "/home/dev/demolition/a.py", ROOT, "/home/dev/demolition/a.py"),
    ("a root tells letter cases apart", "/home/dev/Demo/a.py", ROOT, "/home/dev/Demo/a.py"),
    ("a root on a drive ignores letter case", "c:/WORK/Demo/src/a.py", WINDOWS, "src/a.py"),
    ("another drive stays absolute", "D:/work/demo/a.py", WINDOWS, "D:/work/demo/a.py"),
    ("empty and dot segments go", "./src//./a.py", ROOT, "src/a.py"),
    ("a parent folds", "src/x/../a.py", ROOT, "src/a.py"),
    ("a climb out of the root stays", "../other/a.py", ROOT, "../other/a.py"),
    ("a climb out and back in is inside", "../demo/a.py", ROOT, "a.py"),
    ("a parent within the root's own prefix folds before it goes", "/home/dev/x/../demo/a.py", ROOT, "a.py"),
    ("an absolute path elsewhere stays", "/etc/passwd", ROOT, "/etc/passwd"),
    ("nothing is above the top", "/../etc/passwd", ROOT, "/etc/passwd"),
    ("accents come in one spelling", "cafe\u0301", ROOT, "caf\u00e9"),
    ("a trailing slash goes", "src/", ROOT, "src"),
    ("an empty path is none", "", ROOT, None),
    ("a dot is none", ".", ROOT, None),
    ("the root itself is none", ROOT, ROOT, None),
    ("a file URL is a path", "file:///home/dev/demo/a%20b.py", ROOT, "a b.py"),
    ("a file URL of this machine", "file://localhost/home/dev/demo/a.py", ROOT, "a.py"),
    ("a file URL on a drive", "file:///C:/work/demo/a.py", WINDOWS, "a.py"),
    ("a NUL in a URL becomes visible", "file:///home/dev/demo/a%00", ROOT, "a\u2400"),
    ("the mark of long paths goes", "\\\\?\\C:\\work\\demo\\a.py", WINDOWS, "a.py"),
    ("without a root nothing is stripped", "/src/a.py", "", "/src/a.py"),
]


@pytest.mark.parametrize(("_", "raw", "root", "path"), SPELLINGS, ids=[row[0] for row in SPELLINGS])
def test_a_path_has_one_spelling(_: str, raw: str, root: str, path: str | None) -> None:
    assert normalise_path(raw, root) == path


@pytest.mark.parametrize("path", ["../a", "..", "/etc/passwd", "D:/a", "c:/"])
def test_a_path_lies_outside(path: str) -> None:
    assert lies_outside(path)


@pytest.mark.parametrize("path", ["a", "src/a", "..a", "a..", "C:a"])
def test_a_path_lies_inside(path: str) -> None:
    assert not lies_outside(path)


def test_many_paths_are_normalised_in_order_and_none_stays_none() -> None:
    assert PathNormaliser(ROOT).each(["./a", None, "", "a"]) == ["a", None, None, "a"]
    assert PathNormaliser("demo").each(["demo/a", None, "b"]) == ["a", None, "b"]


@given(
    raw=st.text(alphabet=st.sampled_from("ab./\\:C%é\u0301\n\ud800~"), max_size=20),
    root=st.sampled_from(["", ROOT, WINDOWS]),
)
def test_normalising_twice_is_normalising_once(raw: str, root: str) -> None:
    once = normalise_path(raw, root)
    assert once is None or normalise_path(once, root) == once
    assert PathNormaliser(root).each([raw]) == [once]
