"""The rules of "Globs" in domain.md, one by one, and git's own answers where the reference lies beside the project."""

import json
from pathlib import Path

import pytest

from selection.engine.globs import compile_privacy, compile_routing, fault_of

REFERENCE = Path(__file__).parents[2].parent / "shared" / "reference" / "globs" / "cases.json"
REFERENCE_CASES = json.loads(REFERENCE.read_text("utf-8")) if REFERENCE.exists() else []

MATCHED = [
    ("a name matches at the root", ["token"], "token"),
    ("a name matches at every depth", ["token"], "x/y/token"),
    ("a name covers a folder's files", ["keys"], "x/keys/y/z"),
    ("an extension matches at every depth", ["*.pem"], "x/y/server.pem"),
    ("an extension matches a name that is nothing else", ["*.pem"], ".pem"),
    ("an extension of two parts", ["*.tar.gz"], "x/y.tar.gz"),
    ("a leading slash anchors", ["/token"], "token"),
    ("a slash in the middle anchors", ["conf/*.yml"], "conf/app.yml"),
    ("two stars below a folder cover all of it", ["vault/**"], "vault/x/y"),
    ("a trailing slash covers the folder's files", ["out/"], "x/out/y/z"),
    ("two stars in the middle match no folder", ["x/**/y"], "x/y"),
    ("two stars in the middle match many folders", ["x/**/y"], "x/1/2/3/y"),
    ("two stars at the start match at the root", ["**/y"], "y"),
    ("two stars behind a literal head cross folders", ["app**/run"], "apple/1/run"),
    ("two stars at the end of a literal head cover what is below", ["x/app**"], "x/apple/1/run"),
    ("two stars twice leave the second all that they can", ["**/a/**/a/b"], "a/a/b"),
    ("two stars before an escaped slash, then two more", ["**\\/a/**/b"], "x/a/y/b"),
    ("two stars in front and behind", ["**/vault/**"], "x/vault/y/z"),
    ("three stars are two", ["x/***/y"], "x/1/2/y"),
    ("two stars within a name are one", ["**ken"], "x/token"),
    ("two stars before an escaped slash want a folder", ["x/**\\/y"], "x/1/y"),
    ("a star matches nothing too", ["to*ken"], "token"),
    ("a star matches a leading dot", ["*"], ".env"),
    ("a star matches a line feed", ["a*z"], "a\nz"),
    ("a name behind a folder with a line feed", ["token"], "a\nb/token"),
    ("a question mark matches one character", ["t?ken"], "token"),
    ("a question mark matches one character of many bytes", ["t?ken"], "t🔑ken"),
    ("a class", ["[st]oken"], "token"),
    ("a negated class", ["[!s]oken"], "token"),
    ("a class negated with a caret", ["[^s]oken"], "token"),
    ("a range", ["[r-u]oken"], "token"),
    ("a class of many bytes", ["t[öø]ken"], "tøken"),
    ("a bracket that comes first is a member", ["x[]]y"], "x]y"),
    ("a hyphen at the end is a member", ["x[a-]y"], "x-y"),
    ("a hyphen behind a range is a member", ["x[a-c-e]y"], "x-y"),
    ("an escaped bracket in a class", ["x[\\]]y"], "x]y"),
    ("a POSIX class", ["key[[:digit:]]"], "key7"),
    ("a negated POSIX class", ["key[![:digit:]]"], "keyx"),
    ("a POSIX class beside members", ["key[[:digit:]_]"], "key_"),
    ("a bracket and colon that no `:]` ends are members", ["x[[:a]y"], "x:y"),
    ("signs that Python reads in classes are members", ["x[a&&b||c~~d]y"], "x~y"),
    ("signs that Python reads in expressions are themselves", ["a+(b)$|^.{2}"], "a+(b)$|^.{2}"),
    ("a backslash escapes a star", ["a\\*"], "a*"),
    ("a backslash escapes a hash", ["\\#a"], "#a"),
    ("a backslash escapes a bang", ["\\!a"], "!a"),
    ("an escaped trailing space stays", ["a\\ "], "a "),
    ("a trailing space goes", ["a  "], "a"),
    ("a trailing tab stays", ["a\t"], "a\t"),
    ("a carriage return at the end goes", ["a\r"], "a"),
    ("a hash in the middle is itself", ["a#b"], "a#b"),
    ("the last pattern decides", ["*.key", "!b.key", "b.key"], "b.key"),
    ("a negation never lifts out of a matched folder", ["vault", "!vault/open"], "vault/open"),
    ("a negated folder leaves its files to other patterns", ["*.key", "!vault/"], "vault/b.key"),
    ("a folder's own file, whose parent is matched by a star", ["vault/*", "!vault/a/b"], "vault/a/b"),
    ("patterns are brought to one spelling of accents", ["cafe\u0301"], "caf\u00e9"),
    ("half a character matches itself", ["x\udce9"], "x\udce9"),
    ("a path outside the root is matched by name", ["token"], "../x/token"),
    ("an absolute path is matched by name", ["*.pem"], "/etc/x.pem"),
]

FREE = [
    ("an empty list", [], "token"),
    ("blank lines do nothing", ["", "   ", "\r"], "token"),
    ("a comment does nothing", ["#token"], "token"),
    ("a comment does nothing to what it looks like", ["#token"], "#token"),
    ("a lone slash does nothing", ["/", "//"], "a/b"),
    ("a negated slash does nothing", ["!/"], "a/b"),
    ("a folder pattern leaves a file of its name", ["out/"], "out"),
    ("an anchored name leaves other depths", ["/token"], "x/token"),
    ("a slash in the middle leaves other depths", ["conf/app.yml"], "x/conf/app.yml"),
    ("a star stays in its folder", ["conf/*.yml"], "conf/x/app.yml"),
    ("two stars below a folder leave the folder itself", ["vault/**"], "vault"),
    ("two stars before an escaped slash do not match no folder", ["x/**\\/y"], "x/y"),
    ("two stars within a name stay in their folder", ["a/**b"], "a/x/cb"),
    ("a question mark matches no slash", ["a?b"], "a/b"),
    ("a negated class matches no slash", ["a[!x]b"], "a/b"),
    ("a range over the slash matches no slash", ["a[.-0]b"], "a/b"),
    ("a class with a slash matches no slash", ["a[x/]b"], "a/b"),
    ("a line feed at the end is part of the name", ["token"], "token\n"),
    ("routing tells letter cases apart", ["*.PEM"], "a.pem"),
    ("a leading dot segment is not folded", ["./token"], "token"),
    ("an escaped letter is no folder", ["conf\\app.yml"], "conf/app.yml"),
    ("a negation lifts a match", ["*.key", "!b.key"], "x/b.key"),
    ("a negation lifts what a star in a folder matched", ["vault/*", "!vault/open"], "vault/open"),
    ("a negated folder opens its files", ["vault/*", "!vault/a/"], "vault/a/b"),
    ("two stars before an escaped slash want a folder, then two more do not", ["**\\/a/**/b"], "a/b"),
    ("two stars in front and behind leave the folder itself", ["**/vault/**"], "x/vault"),
    ("a negation with two stars at the end of a head lifts files below", ["*.txt", "!x/app**"], "x/apple/y.txt"),
    ("two bangs negate a name that begins with one", ["!!a"], "!a"),
    ("a space in front is part of the name", [" a"], "a"),
]

# Which pattern decides, in the form of the reference.
DECIDED: list[dict[str, object]] = [
    {"label": "the last of two", "patterns": ["*.key", "b.*"], "path": "b.key", "ignored": True, "by": "b.*"},
    {"label": "the folder's", "patterns": ["v/", "*.key"], "path": "v/b.key", "ignored": True, "by": "v/"},
    {"label": "the outer folder's", "patterns": ["x/v/", "x"], "path": "x/v/b", "ignored": True, "by": "x"},
    {"label": "none when lifted", "patterns": ["*.key", "!b.key"], "path": "b.key", "ignored": False, "by": "!b.key"},
]

# Git matches bytes here; the answers differ on purpose, as do patterns in another spelling of accents.
CHARACTER_WISE = {"NFD pattern NFC path", "? and multibyte", "?? and multibyte", "[é] multibyte", "? emoji"} | {
    "???? emoji",
    "[а-я] range",  # noqa: RUF001 - the label of the case
    "[!x] multibyte",
}


def _ids(table: list[tuple[str, list[str], str]]) -> list[str]:
    return [label for label, _, _ in table]


@pytest.mark.parametrize(("_", "patterns", "path"), MATCHED, ids=_ids(MATCHED))
def test_a_list_matches(_: str, patterns: list[str], path: str) -> None:
    assert compile_routing(patterns).matches(path)
    assert compile_privacy(patterns).deciding(path) == compile_routing(patterns).deciding(path)


@pytest.mark.parametrize(("_", "patterns", "path"), FREE, ids=_ids(FREE))
def test_a_list_leaves(_: str, patterns: list[str], path: str) -> None:
    assert not compile_routing(patterns).matches(path)


def _comparable() -> list[dict[str, object]]:
    return DECIDED + [case for case in REFERENCE_CASES if case["label"] not in CHARACTER_WISE]


@pytest.mark.parametrize("case", _comparable(), ids=lambda case: case["label"])
def test_a_list_and_git_name_the_same_pattern(case: dict[str, object]) -> None:
    patterns, path = case["patterns"], case["path"]
    assert isinstance(patterns, list)
    assert isinstance(path, str)
    valid = ["" if fault_of(pattern) else pattern for pattern in patterns]
    index = compile_routing(valid).deciding(path)
    assert (index >= 0) == case["ignored"]
    assert index < 0 or patterns[index].rstrip("\r") == case["by"] or patterns[index].startswith(str(case["by"]))
