"""Every format: its sample is known by its content, read in full, and survives whatever happens to its bytes."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from selection.documents.errors import InvalidDocument
from selection.engine.codes import Role
from selection.importers import FORMATS, Imported, read_session
from tests.importers.harm import HARMS, swap, swell
from tests.importers.samples import SAMPLES, Sample

# One fault to a file; and, where they are at hand, what real tools recorded.
FOLDERS = (Path(__file__).parent / "handmade", Path(__file__).resolve().parents[3] / "shared" / "data" / "sessions")
RECORDED = sorted(path for folder in FOLDERS for path in folder.rglob("*") if path.is_file())
_LETTERS = {"u": Role.USER, "a": Role.ASSISTANT, "t": Role.TOOL, "s": Role.SYSTEM}
each_sample = pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: f"{sample.format}:{sample.name}")


def imported(sample: Sample) -> Imported:
    return read_session(sample.name, sample.data)


def test_every_format_has_a_sample() -> None:
    assert {sample.format for sample in SAMPLES} | {"bundle"} == set(FORMATS)


@each_sample
def test_a_sample_is_known_by_its_content_and_read_as_the_story_that_it_tells(sample: Sample) -> None:
    found = read_session("without a telling name", sample.data)
    assert found.report.format == FORMATS[sample.format]
    bundle = found.bundle
    assert tuple(str(turn.input.text) for turn in bundle.turns) == sample.prompts
    assert [message.role for message in bundle.messages] == [_LETTERS[letter] for letter in sample.roles]
    assert bundle.turns[0].workspace.referenced_paths[-1] == "src/app.py"
    answered = [(message.provider, message.model) for message in bundle.messages if message.role is Role.ASSISTANT]
    assert {provider for provider, _ in answered} == {sample.provider}
    assert {model for _, model in answered} <= {sample.model, None}


@each_sample
def test_a_turn_goes_to_the_model_that_answered_and_nothing_is_restricted(sample: Sample) -> None:
    bundle = imported(sample).bundle
    routes = [turn.policy.routing.default for turn in bundle.turns]
    assert {route.model for route in routes if route} == {f"{sample.provider}/{sample.model}"}
    assert all(turn.policy.privacy.restricted_paths == () for turn in bundle.turns)
    assert [(model.provider, model.model) for model in bundle.models] == [(sample.provider, sample.model)]


@each_sample
def test_a_result_keeps_its_path_and_what_was_read_is_attached_to_the_turn_after_it(sample: Sample) -> None:
    bundle = imported(sample).bundle
    assert {message.path for message in bundle.messages if message.role is Role.TOOL} <= {sample.path}
    last = bundle.turns[-1]
    assert tuple(file.path for file in last.attachments.files) == sample.files
    assert imported(sample).report.read["attached files"] == len(sample.files)
    assert all(file.content == "def app(): pass" for file in last.attachments.files)
    assert not bundle.turns[0].attachments.files
    assert tuple(held.source for held in last.attachments.instructions) == sample.instructions


@each_sample
def test_a_report_adds_up_and_uses_nearly_all_of_a_whole_file(sample: Sample) -> None:
    report = imported(sample).report
    assert report.adds_up
    assert report.records > 0
    assert report.skipped_count == 0
    assert report.used >= report.records - 1


def test_a_recorded_window_is_the_window() -> None:
    codex = next(sample for sample in SAMPLES if sample.format == "codex")
    assert [model.max_context_tokens for model in imported(codex).bundle.models] == [99_000]


def test_bud_19_a_window_that_nobody_tells_is_assumed_aloud() -> None:
    cursor = next(sample for sample in SAMPLES if sample.format == "cursor")
    told = [line for line in imported(cursor).report.lines if "are not known" in line]
    assert told == [
        "The windows of 1 of 1 models are not known: 200,000 tokens, and replies of up to 32,000, are assumed."
    ]


def test_what_a_tool_says_under_the_users_name_is_no_prompt() -> None:
    aider = next(sample for sample in SAMPLES if sample.format == "aider")
    answer = imported(aider).bundle.messages[1]
    assert "#### not a prompt" in str(answer.content)


def test_a_format_can_be_named() -> None:
    cursor = next(sample for sample in SAMPLES if sample.format == "cursor")
    assert read_session("x", cursor.data, "cursor").report.format == FORMATS["cursor"]
    with pytest.raises(InvalidDocument):
        read_session("x", cursor.data, "aider-of-another-world")


def read_or_refused(name: str, data: bytes, format_name: str | None = None) -> Imported | None:
    """Import a file; None for one that is refused, which has to say why."""
    try:
        return read_session(name, data, format_name)
    except InvalidDocument as refused:
        told = [fault.message for fault in refused.faults]
    assert told
    assert all(told)
    return None


@each_sample
@pytest.mark.parametrize("harm", HARMS, ids=lambda harm: harm.__name__)
def test_harm_gives_a_session_that_adds_up_or_a_refusal_never_a_traceback(
    sample: Sample, harm: Callable[[bytes, random.Random], bytes]
) -> None:
    chance = random.Random(f"{sample.format}{harm.__name__}")  # noqa: S311 - repeatable, no secret
    read = 0
    for _ in range(60):
        harmed = harm(sample.data, chance)
        for format_name in (None, sample.format):
            found = read_or_refused(sample.name, harmed, format_name)
            if found is None:
                continue
            read += 1
            assert found.report.adds_up
            assert len(found.bundle.messages) == found.report.read["messages"]
    # A document whose lines changed places is none, and one long line may be torn anywhere.
    assert read > 0 or harm in {swap, swell} or sample.format == "otel"


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: "/".join(path.parts[-3:]))
def test_every_recorded_file_is_read_and_adds_up_or_is_refused_as_what_it_is(path: Path) -> None:
    found = read_or_refused(path.name, path.read_bytes())
    if found is not None:
        report = found.report
        assert report.adds_up
        assert report.used > 0
        # What a later version of a tool might write is told as unknown.
        assert report.share >= 0.95 or report.skipped_count or "drift" in path.name, report.left_out
