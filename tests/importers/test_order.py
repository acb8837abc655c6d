"""The order is that of the file, whatever the clocks say; and bytes, line ends and paths are taken as they come, in every format."""

import json
import re
from datetime import datetime

import pytest

from selection.importers import read_session
from tests.importers.samples import SAMPLES, Sample

each_sample = pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: f"{sample.format}:{sample.name}")
_ISO = re.compile(rb"2026-03-01T10:00:(\d\d)(?:\.\d+)?Z?")
LINES = [sample for sample in SAMPLES if sample.data.lstrip().startswith(b"{") and sample.data.count(b"\n{") > 1]
each_of_lines = pytest.mark.parametrize("sample", LINES, ids=lambda sample: f"{sample.format}:{sample.name}")


def contents(data: bytes) -> list[str]:
    return [str(message.content) for message in read_session("recording", data).bundle.messages]


def with_times(data: bytes, *times: str) -> bytes:
    """Put other times in place, one after another, again and again."""
    count = iter(range(10_000))
    return _ISO.sub(lambda _: times[next(count) % len(times)].encode(), data)


CLOCKS = {
    "equal": ("2026-03-01T10:00:00Z",),
    "backwards": ("2026-03-01T10:00:09Z", "2026-03-01T10:00:08Z", "2020-01-01T00:00:00Z"),
    "mixed zones": (
        "2026-03-01T10:00:00+02:00",
        "2026-03-01T08:00:01Z",
        "2026-02-28T22:00:02-10:00",
        "2026-03-01T10:00:03",
    ),
    "nonsense": ("yesterday", "", "2026-13-45T99:99:99Z", "9" * 400),
    "far": ("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00"),
}


@each_sample
@pytest.mark.parametrize("times", CLOCKS.values(), ids=CLOCKS)
def test_the_order_of_the_file_stands_whatever_the_clocks_say(sample: Sample, times: tuple[str, ...]) -> None:
    assert contents(with_times(sample.data, *times)) == contents(sample.data)


def test_times_of_mixed_zones_are_kept_as_moments() -> None:
    codex = next(sample for sample in SAMPLES if sample.format == "codex")
    bundle = read_session("recording", with_times(codex.data, *CLOCKS["mixed zones"])).bundle
    told = [datetime.fromisoformat(message.created_at) for message in bundle.messages if message.created_at]
    assert len({moment.utcoffset() for moment in told}) > 1
    assert max(told) - min(told) <= datetime.fromisoformat("2026-03-01T10:00:03Z") - datetime.fromisoformat(
        "2026-03-01T08:00:00Z"
    )


@each_sample
def test_bytes_of_other_systems_change_nothing(sample: Sample) -> None:
    wanted = contents(sample.data)
    text = sample.data.decode()
    assert contents(b"\xef\xbb\xbf" + sample.data) == wanted
    assert contents(text.replace("\n", "\r\n").encode()) == wanted
    if sample.data.lstrip()[:1] in b"{[":
        assert contents(text.encode("utf-16")) == wanted
        assert contents(text.encode("utf-16-le")) == wanted
        assert contents(text.encode("utf-16-be")) == wanted
    else:
        assert contents(text.encode("utf-16")) == wanted


@each_of_lines
def test_a_last_line_that_is_cut_takes_nothing_else_with_it(sample: Sample) -> None:
    kept, _, last = sample.data.rstrip(b"\n").rpartition(b"\n")
    whole = contents(kept)
    for length in (1, len(last) // 2, len(last) - 1):
        found = read_session("recording", kept + b"\n" + last[:length])
        assert [str(message.content) for message in found.bundle.messages] == whole
        assert found.report.skipped_count == 1
        assert found.report.skipped[0].line == sample.data.count(b"\n")


@each_sample
def test_nul_and_lone_surrogates_are_replaced_and_counted(sample: Sample) -> None:
    if not sample.data.lstrip().startswith((b"{", b"[")):
        assert read_session("recording", sample.data.replace(b"a function", b"a\0b")).report.replaced["NUL"] >= 1
        return
    harmed = sample.data.replace(b"a function", b"a\\u0000b\\ud800c")
    found = read_session("recording", harmed)
    assert any("a\u2400b\ufffdc" in str(message.content) for message in found.bundle.messages)
    assert found.report.replaced.total() >= 2


WINDOWS = r"C:\Users\ann\app\src\app.py"


@each_sample
def test_windows_paths_are_kept_as_they_are(sample: Sample) -> None:
    escaped = json.dumps(json.dumps(WINDOWS)[1:-1])[1:-1]
    plain, twice = json.dumps(WINDOWS)[1:-1], escaped
    if not sample.data.lstrip().startswith((b"{", b"[")):
        plain = twice = WINDOWS
    if sample.format == "otel":
        plain = twice  # its messages are text of JSON throughout
    # A path in arguments that are text of JSON is escaped twice.
    data = sample.data.replace(b'\\"src/app.py\\"', f'\\"{twice}\\"'.encode()).replace(b"src/app.py", plain.encode())
    found = read_session("recording", data)
    paths = {message.path for message in found.bundle.messages if message.path}
    if sample.path:
        assert WINDOWS in paths
    assert WINDOWS in found.bundle.turns[0].workspace.referenced_paths
