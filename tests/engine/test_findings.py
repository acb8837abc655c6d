"""What the inspector adds to a selection: each finding where it holds, and not where it does not."""

from dataclasses import replace

import pytest

from selection.engine import select
from selection.engine.codes import Auth, Capability, Intent, Mode, Role, Severity
from selection.engine.findings import Finding, find
from selection.engine.findings.sizes import likely_ratio
from selection.engine.values import (
    AttachedFile,
    Attachments,
    ClassificationPolicy,
    ClassificationRule,
    DefaultRoute,
    Envelope,
    Instruction,
    LocalPreferences,
    Message,
    ModelDescriptor,
    Policy,
    PrivacyPolicy,
    Recalled,
    RemotePrivacy,
    RoutingPolicy,
    RoutingRule,
    TurnInput,
    UserInput,
    Workspace,
)

REMOTE = ModelDescriptor(provider="cloud", model="large", max_context_tokens=20_000, max_output_tokens=1_000)
LOCAL = ModelDescriptor(provider="here", model="small", max_context_tokens=8_000, max_output_tokens=1_000, local=True)
SECRET = "password = correct horse battery staple"  # noqa: S105 - the content of an example
DIFF = "diff --git a/vault/k b/vault/k\n--- a/vault/k\n+++ b/vault/k\n@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\n-c\n+d\n"


def turn(
    *,
    text: str = "hello",
    restricted: tuple[str, ...] = (),
    files: tuple[AttachedFile, ...] = (),
    messages: tuple[Message, ...] = (),
    **more: object,
) -> TurnInput:
    """Make a turn that a remote model serves."""
    made = TurnInput(
        input=UserInput(text=text),
        workspace=Workspace(root="/demo"),
        attachments=Attachments(files=files),
        recalled=Recalled(messages=messages),
        policy=Policy(
            routing=RoutingPolicy(default=DefaultRoute(model="cloud/large")),
            privacy=PrivacyPolicy(restricted_paths=restricted, remote=RemotePrivacy(mode=Mode.ALLOW)),
        ),
        models=(REMOTE, LOCAL),
    )
    return replace(made, **more)  # type: ignore[arg-type]


def message(content: str, role: Role = Role.USER, path: str | None = None) -> Message:
    return Message(id=content[:8], role=role, content=content, path=path)


def instructed(*instructions: Instruction, restricted: tuple[str, ...] = ()) -> TurnInput:
    return turn(restricted=restricted, attachments=Attachments(instructions=instructions))


def routed(*rules: RoutingRule, default: DefaultRoute | None = None) -> TurnInput:
    route = RoutingPolicy(rules=rules, default=default or DefaultRoute(model="cloud/large"))
    return turn(policy=Policy(routing=route, privacy=PrivacyPolicy(remote=RemotePrivacy(mode=Mode.ALLOW))))


def found(made: TurnInput, code: str) -> Finding | None:
    return next((finding for finding in find(select(made)) if finding.code == code), None)


def sure(made: TurnInput, code: str) -> Finding:
    finding = found(made, code)
    assert finding is not None, [held.code for held in find(select(made))]
    return finding


def test_a_plain_turn_has_no_findings() -> None:
    assert find(select(turn(files=(AttachedFile(path="a.py", content="x = 1"),)))) == ()


def test_findings_come_most_severe_first() -> None:
    made = turn(restricted=("[", "a "), text="x" * 80_000)
    severities = [list(Severity).index(finding.severity) for finding in find(select(made))]
    assert len(severities) > 1
    assert severities == sorted(severities)


def test_no_finding_holds_content() -> None:
    quoting = turn(
        restricted=("vault/",),
        files=(AttachedFile(path="vault/k", content=SECRET),),
        messages=(message(f"cat vault/k\n{SECRET}"),),
    )
    assert all(SECRET not in finding.sentence + finding.advice for finding in find(select(quoting)))


def test_a_diff_of_a_restricted_path_to_a_remote_model() -> None:
    made = turn(restricted=("vault/",), workspace=Workspace(root="/demo", git_diff=DIFF))
    finding = sure(made, "diff_discloses_restricted")
    assert "1 restricted path in 2 hunks" in finding.sentence
    assert finding.places == ("privacy.restricted_paths[0]",)
    assert finding.positions == (0,)


def test_a_sealed_diff_is_judged_by_its_paths_in_clear() -> None:
    envelope = Envelope(version=1, algorithm="xchacha20poly1305", key_id="k", nonce="AAAA", ciphertext="A" * 40)
    workspace = Workspace(root="/demo", git_diff=envelope, diff_paths=("vault/k",))
    assert (
        "1 restricted path and"
        in sure(turn(restricted=("vault/",), workspace=workspace), "diff_discloses_restricted").sentence
    )


def test_a_diff_that_stays_here_discloses_nothing() -> None:
    here = RoutingPolicy(default=DefaultRoute(model="here/small"))
    policy = Policy(routing=here, privacy=PrivacyPolicy(restricted_paths=("vault/",)))
    assert found(turn(policy=policy, workspace=Workspace(git_diff=DIFF)), "diff_discloses_restricted") is None


def test_a_message_that_quotes_a_restricted_file() -> None:
    made = turn(
        restricted=("vault/",),
        files=(AttachedFile(path="vault/k", content=f"{SECRET}\n"),),
        messages=(message("nothing"), message(f"it says: {SECRET}!")),
    )
    finding = sure(made, "quotes_restricted_file")
    assert finding.positions == (1,)
    assert finding.places == ("privacy.restricted_paths[0]",)


def test_a_message_with_a_path_or_of_a_short_content_quotes_nothing() -> None:
    short = turn(restricted=("k",), files=(AttachedFile(path="k", content="abc"),), messages=(message("abc abc"),))
    own = turn(
        restricted=("k",), files=(AttachedFile(path="k", content=SECRET),), messages=(message(f"> {SECRET}", path="n"),)
    )
    assert found(short, "quotes_restricted_file") is None
    assert found(own, "quotes_restricted_file") is None


def test_what_is_not_examined_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("selection.engine.findings.leaks._MOST_CHARACTERS", 10)
    made = turn(
        restricted=("k",), files=(AttachedFile(path="k", content=SECRET),), messages=(message("a long message"),)
    )
    assert found(made, "quotes_not_all_examined") is not None


@pytest.mark.parametrize(
    "text", ["cat vault/key", "see ./VAULT/key.", "open C:\\demo\\vault\\key", "/demo/vault/key: denied"]
)
def test_a_message_that_names_a_restricted_path(text: str) -> None:
    made = turn(restricted=("vault/",), messages=(message(text),))
    if text.startswith("open"):
        made = replace(made, workspace=Workspace(root="C:/demo"))
    assert sure(made, "mentions_restricted_path").positions == (0,)


def test_a_message_that_names_an_open_path_mentions_nothing() -> None:
    assert found(turn(restricted=("vault/",), messages=(message("cat src/key"),)), "mentions_restricted_path") is None


def test_an_invalid_list_makes_no_mention_of_every_word() -> None:
    assert found(turn(restricted=("[",), messages=(message("cat src/key"),)), "mentions_restricted_path") is None


def test_a_restriction_that_covers_an_open_copy() -> None:
    files = (AttachedFile(path="vault/k", content=SECRET), AttachedFile(path="open/k", content=SECRET))
    finding = sure(turn(restricted=("vault/",), files=files), "marks_differ_among_copies")
    assert finding.places == ("privacy.restricted_paths[0]",)


def _torn(small: str, large: str) -> TurnInput:
    small_model = replace(REMOTE, max_context_tokens=1_300)
    texts = {"call": small if small == "call" else "c" * 2_000, "result": small if small == "result" else "r" * 2_000}
    history = (message(texts["call"], Role.ASSISTANT), message(texts["result"], Role.TOOL))
    assert large in texts
    return turn(messages=history, models=(small_model,))


def test_a_result_without_its_call() -> None:
    assert sure(_torn("result", "call"), "result_without_call").positions == (1,)


def test_a_call_without_its_result() -> None:
    assert sure(_torn("call", "result"), "call_without_result").positions == (0,)


def test_a_result_that_nobody_called_for() -> None:
    history = (message("question"), message("result", Role.TOOL))
    assert sure(turn(messages=history), "result_without_call").positions == (1,)


def test_a_call_with_its_results_is_whole() -> None:
    history = (message("call", Role.ASSISTANT), message("one", Role.TOOL), message("two", Role.TOOL))
    codes = {finding.code for finding in find(select(turn(messages=history)))}
    assert not codes & {"result_without_call", "call_without_result"}


def test_a_prompt_beyond_the_window() -> None:
    assert "20,001 tokens" in sure(turn(text="x" * 80_001), "prompt_beyond_window").sentence


def test_a_prompt_that_eats_the_reserve() -> None:
    assert "effective budget of 19,000" in sure(turn(text="x" * 78_000), "prompt_eats_reserve").sentence


@pytest.mark.parametrize(("reserve", "words"), [(20_001, "is larger than"), (20_000, "takes all of")])
def test_a_reserve_that_leaves_nothing(reserve: int, words: str) -> None:
    made = turn(models=(LOCAL, replace(REMOTE, max_output_tokens=reserve)))
    finding = sure(made, "reserve_beyond_window")
    assert words in finding.sentence
    assert finding.places == ("models[1].max_output_tokens",)


@pytest.mark.parametrize(
    ("text", "ratio"),
    [
        ("", 1.0),
        ("def f():\n    return 1\n" * 50, 1.0),
        ("漢字" * 100, 0.46),
        ("😀" * 100, 0.11),
        ("QUJD" * 100, 0.37),
        ('{"a":[1,2],' * 100, 0.54),
        ("function(a){b();}" * 100, 0.66),
    ],
    ids=["nothing", "code", "Chinese", "emoji", "base64", "minified JSON", "minified script"],
)
def test_text_has_a_likely_ratio(text: str, ratio: float) -> None:
    assert likely_ratio(text) == ratio


def test_text_that_the_estimate_falls_short_of() -> None:
    made = turn(files=(AttachedFile(path="a", content="漢" * 4_000),))
    assert "1 included candidate of a kind" in sure(made, "undercounted").sentence


def test_text_that_may_overflow_in_truth() -> None:
    assert found(turn(files=(AttachedFile(path="a", content="😀" * 40_000),)), "undercounted_overflow") is not None


def test_a_path_outside_the_workspace() -> None:
    made = turn(files=(AttachedFile(path="/etc/passwd", content="x"), AttachedFile(path="a", content="y")))
    assert sure(made, "path_outside_workspace").positions == (0,)


def test_an_invalid_pattern_restricts_every_path() -> None:
    finding = sure(turn(restricted=("a", "[z-a]")), "pattern_invalid")
    assert finding.severity is Severity.HIGH
    assert finding.places == ("privacy.restricted_paths[1]",)
    assert "runs backwards; until it is mended, every path counts as restricted" in finding.sentence


def test_an_invalid_pattern_of_a_rule_matches_nothing() -> None:
    finding = sure(routed(RoutingRule(name="r", model="cloud/large", paths=("[",))), "pattern_invalid")
    assert finding.places == ("routing.rules[0].paths[0]",)
    assert "the rule `r` matches nothing" in finding.sentence


def test_a_doubtful_pattern() -> None:
    assert sure(turn(restricted=("./a",)), "pattern_dot_segment").places == ("privacy.restricted_paths[0]",)


def test_a_pattern_that_matches_nothing_and_one_that_is_shadowed() -> None:
    made = turn(
        restricted=("# names", "a.key", "", "*.key", "nothing"), files=(AttachedFile(path="a.key", content="x"),)
    )
    assert sure(made, "pattern_matches_nothing").places == ("privacy.restricted_paths[4]",)
    assert sure(made, "pattern_shadowed").places == ("privacy.restricted_paths[1]",)


def test_paths_beyond_what_is_tried_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("selection.engine.findings.patterns._MOST_TRIALS", 4)
    files = tuple(AttachedFile(path=f"f{number}", content=str(number)) for number in range(3))
    made = turn(restricted=("a", "b"), files=files)
    assert "none of the first 2 of 3 paths" in sure(made, "pattern_matches_nothing").sentence


def test_a_negation_that_lifts_a_path_is_of_use() -> None:
    made = turn(
        restricted=("*.key", "!a.key"),
        files=(AttachedFile(path="a.key", content="x"), AttachedFile(path="b.key", content="y")),
    )
    codes = {finding.code for finding in find(select(made))}
    assert not codes & {"pattern_matches_nothing", "pattern_shadowed"}


def test_a_fallback_that_repeats() -> None:
    made = routed(default=DefaultRoute(model="cloud/large", fallbacks=("here/small", "cloud/large")))
    assert sure(made, "fallback_repeats").places == ("routing.default.fallbacks[1]",)


def test_a_fallback_that_can_never_serve() -> None:
    weaker = replace(REMOTE, model="weak", max_context_tokens=10_000, auth=Auth.API_KEY)
    made = routed(default=DefaultRoute(model="cloud/large", fallbacks=("cloud/weak",)))
    assert found(replace(made, models=(REMOTE, weaker)), "fallback_never_reached") is not None


@pytest.mark.parametrize(
    "better",
    [{"local": True}, {"max_context_tokens": 30_000}, {"capabilities": {Capability.IMAGES: True}}],
    ids=["local", "larger", "more capable"],
)
def test_a_fallback_that_can_do_more_is_reached(better: dict[str, object]) -> None:
    other = replace(REMOTE, model="other", **better)  # type: ignore[arg-type]
    made = routed(default=DefaultRoute(model="cloud/large", fallbacks=("cloud/other",)))
    assert found(replace(made, models=(REMOTE, other)), "fallback_never_reached") is None


def test_two_rules_that_only_their_order_parts() -> None:
    one, other = (RoutingRule(name=name, model="cloud/large", intent=Intent.CHAT) for name in ("one", "other"))
    assert sure(routed(one, other), "rules_overlap").places == ("routing.rules[0]", "routing.rules[1]")
    assert found(routed(one, replace(other, priority=1)), "rules_overlap") is None
    assert found(routed(one, replace(other, intent=Intent.EDIT)), "rules_overlap") is None


def test_rules_of_different_paths_overlap_where_a_path_of_the_turn_meets_both() -> None:
    made = routed(*(RoutingRule(name=glob, model="cloud/large", paths=(glob,)) for glob in ("src/", "*.py")))
    assert found(made, "rules_overlap") is None
    assert found(replace(made, workspace=Workspace(active_file="src/a.py")), "rules_overlap") is not None


def test_a_keyword_that_can_never_match() -> None:
    rules = (ClassificationRule(intent=Intent.EDIT, keywords=("fix", "fix it")),)
    made = turn()
    made = replace(made, policy=replace(made.policy, classification=ClassificationPolicy(rules=rules)))
    assert sure(made, "keyword_never_matches").places == ("classification.rules[0].keywords[1]",)


def test_findings_about_routes_need_no_candidates() -> None:
    made = turn(
        policy=Policy(routing=RoutingPolicy(rules=(RoutingRule(name="r", model="m", paths=("x",), fallbacks=("m",)),)))
    )
    assert [finding.code for finding in find(select(made))] == ["fallback_repeats"]


def test_an_instruction_from_a_restricted_file() -> None:
    made = instructed(Instruction(source="vault/AGENTS.md", content="be kind"), restricted=("vault/",))
    assert sure(made, "instruction_from_restricted_file").severity is Severity.HIGH
    here = replace(made, models=(LOCAL,), local_preferences=LocalPreferences(local_only=True))
    here = replace(here, policy=replace(made.policy, routing=RoutingPolicy(default=DefaultRoute(model="here/small"))))
    assert sure(here, "instruction_from_restricted_file").severity is Severity.LOW


def test_an_instruction_that_is_a_file_name() -> None:
    assert (
        found(instructed(Instruction(source="CLAUDE.md", content="AGENTS.md\n")), "instruction_is_a_file_name")
        is not None
    )
    assert found(instructed(Instruction(source="CLAUDE.md", content="be kind")), "instruction_is_a_file_name") is None


def test_an_instruction_that_imports_what_is_not_there() -> None:
    importing = Instruction(source="docs/AGENTS.md", content="Rules:\n@style.md\n@../more.md\n")
    beside = (Instruction(source="docs/style.md", content="s"), Instruction(source="more.md", content="m"))
    assert "`style.md`" in sure(instructed(importing, beside[1]), "instruction_imports_missing").sentence
    assert found(instructed(importing, *beside), "instruction_imports_missing") is None
