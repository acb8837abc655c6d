"""A policy as somebody types it: every fault has its line and column, and none hides another."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from selection.demo.policy import POLICY
from selection.documents.policy import write_policy_toml
from selection.documents.policy_text import check_policy_toml
from selection.documents.policy_text.places import places_of

TEXT = """# the router's configuration
version = 1

[routing.default]
model = "far/a"

[[routing.rules]]
name = "auth"
model = "far/a"
paths = [
  "src/auth/**",
  "docs/*.md",  # and these
]

[[routing.rules]]
name = "secrets"
model = "near/b"
local_only = true
paths = ["secrets/**"]

[privacy]
restricted_paths = [".env", "*.pem"]
remote = { mode = "ask", blocked_paths = ["customers/**"] }
"""


def spots(text: str) -> list[tuple[int, int, str]]:
    return [(fault.line, fault.column, fault.message) for fault in check_policy_toml(text).faults]


def test_a_sound_text_is_a_policy() -> None:
    checked = check_policy_toml(TEXT)
    assert (checked.faults, checked.valid) == ((), True)
    assert checked.policy is not None
    assert checked.policy.routing.rules[1].local_only


def test_every_value_has_its_spot() -> None:
    found = places_of(TEXT)
    assert found["version"] == (2, 1)
    assert found["routing.default.model"] == (5, 1)
    assert found["routing.rules[0].paths[1]"] == (12, 3)
    assert found["routing.rules[1].paths[0]"] == (19, 10)
    assert found["privacy.restricted_paths[1]"] == (22, 29)
    assert found["privacy.remote.blocked_paths[0]"] == (23, 43)


@pytest.mark.parametrize(
    ("old", "new", "line", "column", "said"),
    [
        ('model = "near/b"', "model = 3", 17, 1, "is not text"),
        ('"docs/*.md"', "7", 12, 3, "is not text"),
        ('mode = "ask"', 'mode = "never"', 23, 12, "is none of"),
        ('name = "auth"\n', "", 7, 1, "is missing"),
        ("local_only = true", "local_onyl = true", 18, 1, "is not known here"),
        ('"*.pem"', '"[z-a]"', 22, 29, "restricts every path"),
    ],
)
def test_a_fault_is_told_where_it_stands(old: str, new: str, line: int, column: int, said: str) -> None:
    assert TEXT.count(old) == 1
    (found,) = spots(TEXT.replace(old, new))
    assert found[:2] == (line, column)
    assert said in found[2]


def test_no_fault_hides_another() -> None:
    text = (
        TEXT.replace('model = "far/a"\n\n[[', "model = \n\n[[")
        .replace('"*.pem"]', '"*.pem"')
        .replace("version = 1", "version = = 1")
    )
    text = text.replace("local_only = true", 'local_only = "yes"')
    found = spots(text)
    assert [line for line, _, _ in found if line in {2, 5, 18}] == [2, 5, 18]
    assert any(line >= 22 for line, _, _ in found)
    assert check_policy_toml(text).policy is None


def test_a_text_that_is_no_toml_at_all_is_told_line_by_line() -> None:
    assert {line for line, _, _ in spots("one\ntwo\n[privacy]\nrestricted_paths = [1]\n")} >= {1, 4}


@given(st.text(max_size=300))
def test_no_text_is_too_strange(text: str) -> None:
    checked = check_policy_toml(text)
    assert checked.valid or checked.faults
    assert all(1 <= fault.line <= text.count("\n") + 1 and fault.column >= 1 for fault in checked.faults)


@given(st.data())
def test_a_text_with_characters_lost_is_told_or_read(data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(TEXT) - 1))
    length = data.draw(st.integers(1, 30))
    checked = check_policy_toml(TEXT[:start] + TEXT[start + length :])
    assert checked.valid or checked.faults


def test_the_demo_policy_reads_back_from_its_own_text() -> None:
    assert check_policy_toml(write_policy_toml(POLICY)).policy == POLICY


def test_a_text_that_is_too_long_is_refused() -> None:
    assert "longer than 200,000 characters" in spots("#" * 200_001)[0][2]
