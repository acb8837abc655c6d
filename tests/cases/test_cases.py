"""Cases that people reported of other tools, each with its right answer here.

Where the domain's own rule differs from what a case asks for, the rule wins, and what the case is about is a finding.
"""

import json
from dataclasses import replace
from typing import Any, Final

import pytest

from selection.documents.policy_text import check_policy_toml
from selection.engine import build_prompt, select
from selection.engine.codes import Auth, Role, SelectionError, Verdict
from selection.engine.diffs import diff_paths
from selection.engine.values import Instruction, Workspace
from selection.importers import read_session
from selection.pages.inspector.forms import LinesField
from tests.cases.world import (
    CASES,
    LOCAL,
    REMOTE,
    codes_of,
    file,
    message,
    model,
    names_of,
    restricted_paths,
    sized,
    turn,
)

# What the law says otherwise: privacy ignores letter case, and `?` matches one character where git matches one byte.
DOMAIN_WINS: Final = {("GLOB-26", "BIN/x"): True, ("GLOB-28", "\u00e9.key"): True}
GLOBS: Final = [
    name
    for name, case in CASES.items()
    if isinstance(case["input"].get("policy"), dict)
    and "paths" in case["input"]
    and isinstance(case["expected"].get("restricted"), dict)
]
ELSEWHERE: Final = {
    "the law counts characters and nothing beside": ["BUD-11", "BUD-22"],
    "names are listed only as their candidates are": ["LEAK-08"],
}


@pytest.mark.parametrize("name", GLOBS)
def test_paths_are_restricted_as_git_would_ignore_them(name: str) -> None:
    given, wanted = CASES[name]["input"], CASES[name]["expected"]["restricted"]
    got = restricted_paths(tuple(given["policy"]["restricted_paths"]), given["paths"], given.get("workspace_root", ""))
    for path, answer in wanted.items():
        assert got[path] == DOMAIN_WINS.get((name, path), answer), path


@pytest.mark.parametrize("name", ["PATH-01", "PATH-07", "PATH-08"])
def test_all_spellings_of_a_restricted_path_are_restricted(name: str) -> None:
    given = CASES[name]["input"]
    root = given.get("workspace_root", "")
    paths = [path for path in given["paths"] if not path.startswith("C:/srv")]
    assert all(restricted_paths(tuple(given["policy"]["restricted_paths"]), paths, root).values())


def test_glob_19_and_22_what_cannot_be_seen_in_a_pattern_is_part_of_it() -> None:
    for name in ("GLOB-19", "GLOB-22"):
        patterns = tuple(CASES[name]["input"]["patterns_text"].rstrip("\n").split("\n"))
        assert restricted_paths(patterns, [".env", "a.key"]) == {".env": False, "a.key": False}
    outcome = select(turn(file(".env"), restricted=(".env\t", "*.key\u00a0")))
    assert "pattern_trailing_white_space" in codes_of(outcome)
    for character in "\x0b\x0c\x1c\x1d\x85\u2028\u2029":
        outcome = select(turn(file(".env"), restricted=(f".env{character}*.key",)))
        assert "pattern_invisible_character" in codes_of(outcome)


def test_path_02_and_04_patterns_that_look_like_paths_of_a_machine_are_told() -> None:
    outcome = select(turn(file("src/secrets/k"), restricted=("src\\secrets\\*",)))
    assert "pattern_backslash_separator" in codes_of(outcome)
    outcome = select(turn(file(".env"), file("secrets/k"), restricted=("./.env",)))
    assert "pattern_dot_segment" in codes_of(outcome)
    outcome = select(turn(file("secrets/k"), restricted=("/srv/demo/secrets/",), workspace=Workspace(root="/srv/demo")))
    assert "pattern_repeats_root" in codes_of(outcome)
    assert not any(restricted_paths(("./.env", "/srv/demo/secrets/"), [".env", "secrets/k"], "/srv/demo").values())


def test_path_11_and_bud_23_one_file_under_several_spellings_is_one_candidate() -> None:
    given = CASES["PATH-11"]["input"]
    files = tuple(file(item["path"], item["content"]) for item in given["candidates"])
    outcome = select(turn(*files, workspace=Workspace(root=given["workspace_root"])))
    assert len(outcome.included) == 1
    assert outcome.candidates is not None
    assert len(outcome.candidates.duplicates) == 2


@pytest.mark.parametrize("name", ["GLOB-16", "GLOB-17"])
def test_the_mark_that_a_file_of_patterns_begins_with_is_none_of_its_first_line(name: str) -> None:
    given, wanted = CASES[name]["input"], CASES[name]["expected"]["restricted"]
    pasted = bytes.fromhex(given["policy_file_bytes_hex"]).decode()
    assert restricted_paths(LinesField().clean(pasted), given["paths"]) == wanted
    toml = f"\ufeff[privacy]\nrestricted_paths = {json.dumps(pasted.lstrip(chr(0xFEFF)).split())}\n"
    policy = check_policy_toml(toml).policy
    assert policy is not None
    assert restricted_paths(policy.privacy.restricted_paths, given["paths"]) == wanted


def test_glob_29_a_list_opens_nothing_that_another_list_closed() -> None:
    (first, second), paths = CASES["GLOB-29"]["input"]["layers"], CASES["GLOB-29"]["input"]["paths"]
    for closing, opening in ((0, 1), (1, 0)):
        lists = [first["restricted_paths"], second["restricted_paths"]]
        given = turn(file(paths[0]), restricted=tuple(lists[closing]))
        remote = replace(given.policy.privacy.remote, blocked_paths=tuple(lists[opening]))
        privacy = replace(given.policy.privacy, remote=remote)
        outcome = select(replace(given, policy=replace(given.policy, privacy=privacy)))
        assert outcome.candidates is not None
        restriction = outcome.candidates[0].restriction
        assert restriction is not None
        assert restriction.pattern == "secret_docs.md"


def test_path_10_a_file_with_the_content_of_a_restricted_one_is_restricted_under_every_name() -> None:
    given = CASES["PATH-10"]["input"]
    files = tuple(file(each["path"], each["content"]) for each in given["candidates"])
    outcome = select(turn(*files, restricted=tuple(given["policy"]["restricted_paths"])))
    assert outcome.candidates is not None
    assert {candidate.path: candidate.restricted for candidate in outcome.candidates} == {
        "docs/example.txt": True,
        "docs/other.txt": True,
        ".env": True,
    }
    assert "marks_differ_among_copies" in codes_of(outcome)


def test_bud_17_an_image_is_told_by_kind_and_size_and_never_priced_as_text() -> None:
    rows = [*CASES["BUD-17"]["input"]["messages"]]
    picture = rows[0]["content"][1]["source"]
    picture["data"] = picture["data"]["repeat"] * picture["data"]["times"]
    line = {"type": "user", "uuid": "1", "sessionId": "s", "message": rows[0]}
    content = str(read_session("case.jsonl", json.dumps(line).encode()).bundle.messages[0].content)
    assert content == "see\n\n[image/png, about 3,148,260 bytes]"
    outcome = select(turn(messages=(message(content),)))
    assert sum(candidate.tokens for candidate in outcome.candidates or ()) < 100


def test_path_13_only_the_users_own_mentions_are_references() -> None:
    rows = (
        '{"type":"user","uuid":"1","sessionId":"s","message":{"role":"user","content":"look at @src/a.py"}}\n'
        '{"type":"user","uuid":"2","sessionId":"s","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t",'
        '"content":"see @secrets/k.pem"}]}}\n'
        '{"type":"assistant","uuid":"3","sessionId":"s","message":{"role":"assistant","content":"I will read @docs/b.md"}}\n'
    )
    turns = read_session("case.jsonl", rows.encode()).bundle.turns
    assert [each.workspace.referenced_paths for each in turns] == [("src/a.py",)]


@pytest.mark.parametrize("text", ["src/a.py:3:x=1\nsecrets/k.pem:1:MIIC", "src/a.py\nrun `cat secrets/k.pem`"])
def test_path_14_and_leak_01_a_mention_of_a_restricted_path_is_told(text: str) -> None:
    outcome = select(turn(messages=(message(text, Role.TOOL),), restricted=("secrets/",)))
    assert "mentions_restricted_path" in codes_of(outcome)


@pytest.mark.parametrize("name", ["diff-leak", "diff-leak-rename", "LEAK-02", "LEAK-04"])
def test_a_diff_of_a_restricted_path_is_included_and_told(name: str) -> None:
    given = CASES[name]["input"]
    diff = given.get("git_diff") or given["workspace"]["git_diff"]
    restricted = tuple(given.get("restricted_paths") or given["policy"]["restricted_paths"])
    outcome = select(turn(workspace=Workspace(git_diff=diff), restricted=restricted))
    assert len(outcome.included) == 1
    assert "diff_discloses_restricted" in codes_of(outcome)


def test_leak_04_a_quoted_name_is_read() -> None:
    assert diff_paths(CASES["LEAK-04"]["input"]["workspace"]["git_diff"]) == ("Or\u00e7amento/x.txt",)


def test_leak_05_marks_that_differ_among_copies_are_told_and_the_stricter_holds() -> None:
    files = (file("secrets/conf.yml", "k: v"), file("docs/conf-copy.yml", "k: v", required=True))
    outcome = select(turn(*files, restricted=("secrets/",), models=(REMOTE, LOCAL)))
    assert outcome.model == LOCAL
    assert "marks_differ_among_copies" in codes_of(outcome)


def test_leak_07_an_instruction_from_a_restricted_file_is_told() -> None:
    instructions = (Instruction(source="templates/GEMINI.md", content="x"),)
    outcome = select(turn(instructions=instructions, restricted=("templates/",)))
    assert "instruction_from_restricted_file" in codes_of(outcome)


def test_imp_35_and_37_instructions_that_only_point_elsewhere_are_told() -> None:
    instructions = (
        Instruction(source=".claude/CLAUDE.md", content="@AGENTS.md"),
        Instruction(source="CLAUDE.md", content="AGENTS.md"),
    )
    assert {"instruction_imports_missing", "instruction_is_a_file_name"} <= codes_of(
        select(turn(instructions=instructions))
    )


def test_quote_leak_a_message_that_quotes_a_restricted_file_is_told() -> None:
    given = CASES["quote-leak"]["input"]
    files = tuple(file(path, content) for path, content in given["files"])
    outcome = select(turn(*files, messages=(message(given["messages"][0]),), restricted=(".env",)))
    assert len(outcome.included) == 1
    assert "quotes_restricted_file" in codes_of(outcome)


def test_name_leak_not_even_the_name_of_a_withheld_file_is_in_the_prompt() -> None:
    outcome = select(turn(file("secrets/customer-acme.txt"), restricted=("secrets/**",)))
    assert outcome.excluded == (0,)
    assert "acme" not in str(build_prompt(outcome))


def test_glob_typo_a_pattern_that_matches_nothing_is_told() -> None:
    given = CASES["glob-typo"]["input"]
    outcome = select(turn(*map(file, given["paths"]), restricted=tuple(given["restricted_paths"])))
    assert "pattern_matches_nothing" in codes_of(outcome)


@pytest.mark.parametrize(
    ("sizes", "wanted"),
    [([60, 40], [0, 1]), ([60, 41], [0]), ([100], [0]), ([101], []), ([60, 50, 40], [0, 2]), ([8, 5, 2], [0, 1, 2])],
    ids=["exact", "one over", "all of it", "too large", "skip and go on", "all fit"],
)
def test_bud_08_bud_10_an_exact_fit_is_a_fit_and_the_walk_goes_on(sizes: list[int], wanted: list[int]) -> None:
    files = tuple(sized(chr(97 + place), size) for place, size in enumerate(sizes))
    assert select(turn(*files, models=(model(100),))).included == tuple(wanted)


def test_stop_at_misfit_a_smaller_one_below_still_fits() -> None:
    files = tuple(
        sized(name, size) for name, size in zip("abc", CASES["stop-at-misfit"]["input"]["ranked_sizes"], strict=True)
    )
    assert [files[place].path for place in select(turn(*files, models=(model(10),))).included] == ["a", "c"]


def test_backfill_a_withheld_candidate_leaves_its_room() -> None:
    outcome = select(turn(sized("k", 9), sized("p", 6), restricted=("k",), models=(model(10),)))
    assert names_of(outcome, outcome.included) == ["p"]


@pytest.mark.parametrize(
    ("window", "reserve", "effective"),
    [(0, 0, 0), (8_000, 8_000, 0), (8_000, 0, 8_000), (8_192, 20_000, 0), (1_000, None, 744)],
)
def test_bud_05_bud_07_a_budget_is_never_negative(window: int, reserve: int | None, effective: int) -> None:
    outcome = select(turn(messages=(message("abc"),), models=(model(window, reserve),)))
    assert outcome.budget is not None
    assert outcome.budget.effective == effective
    assert outcome.budget.free >= 0
    assert ("reserve_beyond_window" in codes_of(outcome)) == (effective == 0)


def test_bud_04_bud_26_reserve_missing_what_is_required_is_never_cut() -> None:
    outcome = select(turn(sized("a", 900, required=True), sized("b", 900, required=True), models=(model(1_000),)))
    assert (outcome.error, outcome.included) == (SelectionError.CONTEXT_WINDOW_EXCEEDED, ())
    assert (outcome.attempts[0].needed, outcome.attempts[0].available) == (1_800, 1_000)
    short = select(turn(sized("a", 150, required=True), models=(model(1_000, 900),)))
    assert short.error is SelectionError.CONTEXT_WINDOW_EXCEEDED
    assert short.attempts[0].available == 100


def test_target_window_a_chain_is_walked_to_a_window_that_is_large_enough() -> None:
    models = (model(400, 0, "ollama/small", local=True), model(4_000, 0, "ollama/large", local=True))
    outcome = select(turn(sized("a", 500, required=True), models=models))
    assert [attempt.verdict.value for attempt in outcome.attempts] == CASES["target-window"]["expected"]["attempts"]


def test_bud_20_and_sum_the_parts_add_up_to_the_window() -> None:
    outcome = select(turn(sized("a", 300), models=(model(1_000, 100),)))
    assert outcome.budget is not None
    budget = outcome.budget
    assert (budget.reply_reserve, budget.used, budget.free) == (100, 300, 600)


def test_bud_16_characters_are_code_points() -> None:
    texts = CASES["BUD-16"]["input"]["texts"]
    outcome = select(turn(messages=tuple(message(text, number=n) for n, text in enumerate(texts.values()))))
    assert outcome.candidates is not None
    assert outcome.candidates.tokens == [-(-len(text) // 4) for text in texts.values()]
    assert "undercounted" in codes_of(select(turn(messages=(message("\u4f60\u597d" * 500),))))


def test_bud_01_bud_02_orphan_tool_a_torn_pair_is_told() -> None:
    messages = (message("[call read_file] " + "x" * 4_000, Role.ASSISTANT), message("result", Role.TOOL, number=1))
    outcome = select(turn(messages=messages, models=(model(100),)))
    assert names_of(outcome, outcome.included) == [messages[1].id]
    assert "result_without_call" in codes_of(outcome)
    assert {prompted.role for prompted in build_prompt(outcome)} == {Role.USER}


def test_bud_14_empty_messages_harm_nothing() -> None:
    messages = tuple(message(text, Role.ASSISTANT, number=n) for n, text in enumerate(["", "", "  \n\t"]))
    outcome = select(turn(messages=messages))
    assert outcome.candidates is not None
    assert len(outcome.reasons) == 3
    assert outcome.budget is not None
    assert outcome.budget.used == 1


def test_dup_routes_and_dup_reads_equal_material_counts_once() -> None:
    same = tuple(Instruction(source=name, content=text) for name, text in CASES["dup-routes"]["input"]["instructions"])
    outcome = select(turn(instructions=same))
    assert outcome.budget is not None
    assert outcome.budget.used == 2
    reads = tuple(message(f"v{n}", Role.TOOL, "src/a.py", n) for n in (1, 2, 3))
    outcome = select(turn(messages=reads))
    assert names_of(outcome, outcome.included) == [reads[2].id]


def test_served_model_a_fallback_is_told() -> None:
    models = (model(100, 0, "anthropic/a", auth=Auth.API_KEY), model(100, 0, "openai/b"))
    outcome = select(turn(models=models))
    assert [attempt.verdict for attempt in outcome.attempts] == [Verdict.MISSING_PROVIDER_CREDENTIALS, Verdict.SELECTED]
    assert outcome.fallback_used


def test_quiet_fallback_there_is_none_to_a_remote_model() -> None:
    outcome = select(
        turn(file(".env", required=True), restricted=(".env",), models=(REMOTE, model(100, 0, "openai/b")))
    )
    assert outcome.error is SelectionError.NO_LOCAL_MODEL


IMPORTED: Final[dict[str, tuple[bytes, dict[str, Any]]]] = {
    "nul": (b'{"type":"user","message":{"role":"user","content":"a\\u0000b"}}', {"content": "a\u2400b", "replaced": 1}),
    "surrogate": (
        b'{"type":"user","message":{"role":"user","content":"caf\\udcb2"}}',
        {"content": "caf\ufffd", "replaced": 1},
    ),
    "nul-tail": (
        b'{"type":"user","message":{"role":"user","content":"a"}}\n' + b"\0" * 4_096,
        {"content": "a", "skipped": 1},
    ),
}


@pytest.mark.parametrize("name", IMPORTED)
def test_text_that_cannot_be_stored_is_replaced_and_counted(name: str) -> None:
    data, wanted = IMPORTED[name]
    imported = read_session("case.jsonl", data)
    assert imported.bundle.messages[0].content == wanted["content"]
    assert imported.report.replaced.total() == wanted.get("replaced", 0)
    assert imported.report.skipped_count == wanted.get("skipped", 0)


# Held by tests of the part that they are about.
BY_OTHERS: Final = {
    "importers/test_claude_code.py": [
        "IMP-01", "IMP-02", "IMP-04", "IMP-05", "IMP-07", "IMP-08", "IMP-10", "IMP-11", "IMP-13", "IMP-14", "IMP-16", "IMP-17",
        "IMP-22", "IMP-23", "IMP-38", "IMP-40",
    ],
    "importers/test_shapes.py": ["BUD-13", "BUD-25", "BUD-28", "IMP-32", "LEAK-10"],
    "pages/test_pages.py and pages/test_inspector.py": ["IMP-26", "IMP-28", "IMP-29", "IMP-31", "IMP-41", "filter-lost", "nul-query"],
    "admin/test_admin.py": ["admin-count"],
    "admin/test_export.py": ["export-page", "export-unfiltered"],
    "actions/test_import_session.py": ["IMP-25", "double-count"],
    "actions/test_record_run.py": ["LEAK-11"],
    "importers/test_formats.py": ["BUD-19"],
    "browser/test_sealed.py": ["IMP-34"],
    "browser/test_times.py": ["IMP-19", "IMP-20"],
}  # fmt: skip
HERE: Final = {
    *GLOBS,
    *IMPORTED,
    "GLOB-16", "GLOB-17", "GLOB-29", "PATH-10", "BUD-17", "PATH-01", "PATH-04", "PATH-07", "PATH-08", "PATH-11", "PATH-13", "PATH-14", "GLOB-19", "GLOB-22",
    "LEAK-01", "LEAK-02", "LEAK-04", "LEAK-05", "LEAK-07", "IMP-35", "IMP-37",
    "BUD-01", "BUD-02", "BUD-04", "BUD-05", "BUD-07", "BUD-08", "BUD-10", "BUD-14", "BUD-16", "BUD-20", "BUD-23", "BUD-26",
    "glob-typo", "diff-leak", "diff-leak-rename", "quote-leak", "name-leak", "reserve-missing", "sum", "target-window",
    "stop-at-misfit", "backfill", "dup-routes", "dup-reads", "orphan-tool", "served-model", "quiet-fallback",
}  # fmt: skip


def test_each_case_is_answered_somewhere_or_said_to_be_of_a_later_day() -> None:
    placed = [*HERE, *(name for names in (*BY_OTHERS.values(), *ELSEWHERE.values()) for name in names)]
    assert sorted(placed) == sorted(CASES)
