"""Which paths a diff touches, however it was made."""

import subprocess
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from selection.engine.diffs import diff_hunks, diff_paths

PATHS = [
    ("nothing", "", ()),
    ("no diff at all", "hello\nworld", ()),
    ("a header alone", "diff --git a/x.py b/x.py\n+1\n", ("x.py",)),
    ("two names in a header", "diff --git a/docs\\k.pem b/src/.env\n+x\n", ("docs\\k.pem", "src/.env")),
    ("a changed file", "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", ("x",)),
    ("a new file", "diff --git a/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+b\n", ("x",)),
    (
        "a deleted file",
        "diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n",
        ("x",),
    ),
    ("a renamed file", "diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n", ("x", "y")),
    ("a copied file", "diff --git a/x b/y\nsimilarity index 90%\ncopy from x\ncopy to y\n", ("x", "y")),
    ("a rename with spaces", "diff --git a/x b/c b/y b/d\nrename from x b/c\nrename to y b/d\n", ("x b/c", "y b/d")),
    ("a binary file", "diff --git a/x.png b/x.png\nBinary files a/x.png and b/x.png differ\n", ("x.png",)),
    ("a binary file of `diff -r`", "Binary files one/x.png and two/x.png differ\n", ("one/x.png", "two/x.png")),
    ("a changed mode", "diff --git a/x y b/x y\nold mode 100644\nnew mode 100755\n", ("x y",)),
    ("a quoted name", 'diff --git "a/\\303\\251\\t\\"\\\\" "b/\\303\\251\\t\\"\\\\"\nindex 1..2\n', ('é\t"\\',)),
    ("one quoted name of two", 'diff --git a/x "b/\\"y"\nrename from x\nrename to "\\"y"\n', ("x", '"y')),
    ("a quoted name that is no text", 'diff --git "a/\\377\\000" "b/\\377\\000"\n', ("\ufffd\u2400",)),
    ("a quote that is never closed", 'diff --git "a/x b/x\n', ('"a/x', "b/x")),
    ("no prefixes", "diff --git x y x y\n--- x y\t\n+++ x y\t\n@@ -1 +1 @@\n-a\n+b\n", ("x y",)),
    ("no prefixes in a folder called a", "diff --git a/x a/x\n--- a/x\n+++ a/x\n", ("a/x",)),
    ("no prefixes, from folder a to b", "diff --git a/x b/x\nrename from a/x\nrename to b/x\n", ("a/x", "b/x")),
    ("other letters as prefixes", "diff --git i/x w/x\n--- i/x\n+++ w/x\n", ("x",)),
    ("a name with a space", "diff --git a/x y b/x y\n--- a/x y\t\n+++ b/x y\t\n", ("x y",)),
    ("time stamps", "--- a/x\t2024-01-01 10:00\n+++ b/x\t2024-01-02 10:00\n@@ -1 +1 @@\n-a\n+b\n", ("a/x", "b/x")),
    ("a git diff whose header was cut", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", ("x",)),
    ("a new file whose header was cut", "--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+b\n", ("x",)),
    ("carriage returns", "diff --git a/x b/x\r\n--- a/x\r\n+++ b/x\r\n@@ -1 +1 @@\r\n-a\r\n+b\r\n", ("x",)),
    (
        "a merge",
        "diff --cc x y\nindex 1,2..3\n--- a/x y\t\n+++ b/x y\t\n@@@ -1,1 -1,1 +1,1 @@@\n- a\n -b\n++c\n",
        ("x y",),
    ),
    ("two files of `diff -u`", "--- x\n+++ x\n@@ -1 +1 @@\n-a\n+b\n--- y\n+++ y\n@@ -1 +1 @@\n-a\n+b\n", ("x", "y")),
    ("a removed line that looks like a header", "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n c\n--- a/no\n+++ b/no\n", ("x",)),
    ("a line separator within a line", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\u2028--- a/no\x0c+++ b/no\n+b\n", ("x",)),
    ("a hunk that promises too much", "--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n-a\ndiff --git a/y b/y\n", ("x", "y")),
    (
        "a file without a line feed at its end",
        "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No",
        ("x",),
    ),
    ("a merge, then a file", "diff --cc x\n@@@ -1 -1 +1 @@@\n++c\n--a\n--- y\n+++ y\n", ("x", "y")),
    ("half a header", "--- a/x", ()),
]


@pytest.mark.parametrize(("_", "diff", "paths"), PATHS, ids=[row[0] for row in PATHS])
def test_a_diff_touches(_: str, diff: str, paths: tuple[str, ...]) -> None:
    assert diff_paths(diff) == paths


def test_hunks_are_told_apart_with_the_paths_of_their_file() -> None:
    diff = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@ f()\n-c\n+d\ndiff --git a/p b/q\nrename from p\nrename to q\n"
    assert [(hunk.paths, hunk.text) for hunk in diff_hunks(diff)] == [
        (("x",), "@@ -1 +1 @@\n-a\n+b"),
        (("x",), "@@ -9 +9 @@ f()\n-c\n+d"),
        (("p", "q"), "diff --git a/p b/q\nrename from p\nrename to q\n"),
    ]


@pytest.mark.parametrize(
    "options", [(), ("--no-prefix",), ("-R",), ("--src-prefix=i/", "--dst-prefix=w/"), ("--binary",)], ids=" ".join
)
def test_what_git_itself_writes_is_read(tmp_path: Path, options: tuple[str, ...]) -> None:
    def git(*arguments: str) -> str:
        identity = ("-c", "user.name=n", "-c", "user.email=n@example.org", "-c", "core.fileMode=false")
        done = subprocess.run(
            ["git", "-C", str(tmp_path), *identity, *arguments], check=True, capture_output=True, text=True
        )
        return done.stdout

    git("init", "-q")
    names = ["plain", "two words", "tab\there", 'quo"te', "é", "a/b", "new\nline"]
    for number, name in enumerate(names):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"{number}\n--- a/not\n+++ b/not\n" * 5, encoding="utf-8")
    git("add", "-A")
    git("commit", "-qm", "first")
    (tmp_path / "two words").rename(tmp_path / "b b")
    for name in ("plain", "tab\there", "é", "a/b", "new\nline"):
        (tmp_path / name).write_text("++ b/not\n-- a/not\n", encoding="utf-8")
    (tmp_path / 'quo"te').unlink()
    (tmp_path / "blob").write_bytes(b"\0\1")
    git("add", "-A")
    touched = set(diff_paths(git("diff", "--cached", "-M", *options)))
    assert touched == {*names, "b b", "blob"}


def test_a_long_diff_takes_linear_time() -> None:
    started = time.perf_counter()
    diff_paths("diff --git " + "a/ b/" * 100_000)
    diff_paths("@@ -" + "1," * 100_000)
    diff_hunks("--- a\n+++ b\n" * 50_000)
    diff_hunks("@@ -1,999999999 +1,999999999 @@\n" + " x\n" * 100_000)
    assert time.perf_counter() - started < 5.0


LINES = st.sampled_from(
    [
        *(
            "diff --git ",
            "a/x",
            " b/y",
            "--- ",
            "+++ ",
            "\n",
            "@@ -1,2 +1 @@",
            "@@@ -1 -1 +1 @@@",
            '"',
            "\\303",
            "\\",
            "rename from ",
        ),
        *(
            "rename to ",
            "/dev/null",
            "\t",
            "\r\n",
            "Binary files ",
            " and ",
            " differ",
            "diff --cc ",
            "\ud800",
            "\0",
            "-",
            "+",
            " ",
        ),
    ]
)


@given(st.lists(LINES, max_size=30).map("".join))
def test_no_text_raises_and_hunks_name_only_paths_of_the_diff(diff: str) -> None:
    paths = diff_paths(diff)
    assert "" not in paths
    assert {path for hunk in diff_hunks(diff) for path in hunk.paths} == set(paths)
