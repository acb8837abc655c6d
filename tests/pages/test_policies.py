"""The pages of a policy author: versions, lint, replay, the rows behind every number, and what belongs to somebody else."""

import io
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from selection.actions.exports import stream_export, verify_export
from selection.actions.open_turn import open_turn
from selection.actions.policies import save_version, set_stage, version_of
from selection.actions.record_run import record_run
from selection.actions.replays import Chosen, make_replay, work_on
from selection.documents.plain import from_plain
from selection.documents.policy import write_policy_toml
from selection.engine.values import Policy
from selection.models import (
    NamedPolicy,
    PolicyVersion,
    Replay,
    ReplayChange,
    ReplayPath,
    ReplayTurn,
    SessionRunInput,
    Stage,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def policy(turns: list[SessionRunInput]) -> Policy:
    return from_plain(Policy, turns[0].policy)


@pytest.fixture
def version(ada: User, policy: Policy) -> PolicyVersion:
    return save_version(ada, "team", write_policy_toml(policy), "the first")


def without(policy: Policy, *patterns: str) -> Policy:
    kept = tuple(held for held in policy.privacy.restricted_paths if held not in patterns)
    return replace(policy, privacy=replace(policy.privacy, restricted_paths=kept))


@pytest.fixture
def replay(ada: User, policy: Policy) -> Replay:
    made = make_replay(ada, "test", write_policy_toml(without(policy, ".env")), Chosen())
    list(work_on(made))
    made.refresh_from_db()
    return made


def address(version: PolicyVersion) -> str:
    return f"{reverse('pages:policy_object', args=[version.policy_id])}?version={version.number}"


def test_a_text_becomes_a_version_once_and_its_number_grows(ada: User, policy: Policy, version: PolicyVersion) -> None:
    assert (version.number, version.author, version.note) == (1, "ada", "the first")
    assert save_version(ada, "team", version.text) == version
    assert save_version(ada, "team", write_policy_toml(without(policy, ".env"))).number == 2


def test_a_version_is_never_changed(version: PolicyVersion) -> None:
    version.note = "another"
    with pytest.raises(TypeError, match="never changed"):
        version.save()


def test_every_recorded_run_names_the_version_that_decided(
    ada: User, turns: list[SessionRunInput], version: PolicyVersion
) -> None:
    for row in turns:
        run = record_run(ada, row, open_turn(row).outcome, uuid4())
        assert run.policy_version is not None
        assert run.policy_version.digest == run.policy_digest
    assert record_run(ada, turns[0], open_turn(turns[0]).outcome, uuid4()).policy_version == version
    assert version_of(ada, from_plain(Policy, turns[0].policy)) == version


def test_a_policy_is_saved_from_the_page_and_a_text_that_is_none_is_refused(as_ada: Client) -> None:
    refused = as_ada.post(reverse("pages:policies"), {"name": "team", "text": "[privacy]\nrestricted_paths = 3\n"})
    assert refused.status_code == 422
    assert "line 2, column 1" in refused.content.decode()
    assert not NamedPolicy.objects.exists()
    saved = as_ada.post(reverse("pages:policies"), {"name": "team", "text": "[privacy]\n", "note": "empty"})
    assert saved.status_code == 302
    assert "empty" in as_ada.get(saved["Location"]).content.decode()


def test_the_page_tells_what_is_doubtful_over_the_paths_of_the_turns(as_ada: Client, ada: User, policy: Policy) -> None:
    less = without(policy, ".env", "*.pem")
    more = replace(less, privacy=replace(less.privacy, restricted_paths=(*less.privacy.restricted_paths, "none/**")))
    found = save_version(ada, "team", write_policy_toml(more))
    told = as_ada.get(address(found)).content.decode()
    assert "that no privacy list restricts: environment files" in told
    assert "matches nothing" in told


def test_the_dialects_disagree_before_a_policy_ships(as_ada: Client, version: PolicyVersion) -> None:
    checked = as_ada.post(
        address(version),
        {"do": "check", "text": version.text.replace('dialect = "gitignore"', 'dialect = "globset"')},
        headers={"HX-Request": "true"},
    )
    assert checked.status_code == 200
    assert "dialects disagree" in checked.content.decode()


def test_stages_follow_each_other_and_stand_on_the_page(
    as_ada: Client, ada: User, policy: Policy, version: PolicyVersion
) -> None:
    second = save_version(ada, "team", write_policy_toml(without(policy, ".env")))
    as_ada.post(address(version), {"do": "current"})
    as_ada.post(address(second), {"do": "propose"})
    told = as_ada.get(reverse("pages:policies")).content.decode()
    assert told.count("version 1") == 1
    assert told.count("version 2") == 2
    set_stage(ada, second, Stage.CURRENT)
    listed = as_ada.get(reverse("pages:policies")).context["page"].policies[0]
    assert (listed.current, listed.proposed) == (second, None)


def test_two_versions_are_compared_line_by_line(
    as_ada: Client, ada: User, policy: Policy, version: PolicyVersion
) -> None:
    second = save_version(ada, "team", write_policy_toml(without(policy, ".env")))
    told = as_ada.get(f"{address(second)}&against=1").content.decode()
    assert 'class="removed"' in told
    assert 'class="added"' in told
    assert version.number == 1


def test_a_replay_starts_from_the_page_and_opens_its_turns_with_the_policy_loaded(
    as_ada: Client, ada: User, policy: Policy
) -> None:
    found = save_version(ada, "team", write_policy_toml(without(policy, ".env")))
    started = as_ada.post(address(found), {"do": "replay"})
    page = as_ada.get(started["Location"]).context["page"]
    first = page.shown[0]
    assert (first.words, first.held["path"]) == ("newly disclosed to a remote model", ".env")
    opened = as_ada.get(first.href)
    assert opened.status_code == 200
    assert "policy draft" in opened.content.decode()


def test_a_long_replay_shows_how_far_it_is_and_can_be_called_off(
    as_ada: Client, version: PolicyVersion, settings: Any, turns: list[SessionRunInput]
) -> None:
    settings.REPLAY_AT_ONCE_TURNS = 0
    started = as_ada.post(address(version), {"do": "replay"})
    told = as_ada.get(started["Location"]).content.decode()
    assert f"0 of {len(turns)} turns" in told
    assert 'hx-trigger="every 2s"' in told
    assert as_ada.post(started["Location"]).status_code == 302
    told = as_ada.get(started["Location"]).content.decode()
    assert f"called off after 0 of {len(turns)} turns" in told
    assert "hx-trigger" not in told
    assert list(work_on(Replay.objects.get())) == []


def test_a_filter_that_cannot_be_read_is_told_beside_its_field(as_ada: Client, version: PolicyVersion) -> None:
    for name, value in (("last", "0"), ("since", "tomorrow"), ("session", "x"), ("sample", "-1")):
        refused = as_ada.post(address(version), {"do": "replay", name: value})
        assert refused.status_code == 422
        assert refused.context["page"].replay_form.errors.keys() == {name}
    assert not Replay.objects.exists()


def test_every_number_of_a_replay_can_be_reached_as_rows_and_adds_up(as_ada: Client, replay: Replay) -> None:
    page = as_ada.get(reverse("pages:replay", args=[replay.pk])).context["page"]
    assert sum(count for _, count, _ in page.verdicts) == page.tally.examined == replay.turns
    for _, count, href in page.verdicts:
        assert as_ada.get(href).context["page"].rows.paginator.count == count
    assert sum(each.decisions for each in page.filters) == page.decisions == ReplayChange.objects.count()
    assert sum(line.held["decisions"] for line in page.shown) == page.decisions
    for line in page.shown:
        assert as_ada.get(line.rows_href).context["page"].rows.paginator.count == line.held["decisions"]
    for _, _, count, href in page.exposure.paths:
        assert as_ada.get(href).context["page"].rows.paginator.count == count
    for name in ("remote", "local", "withheld"):
        total = sum(getattr(row, f"{name}_tokens") for row in ReplayTurn.objects.all())
        assert page.exposure.total[name] == total == sum(day[name] for day in page.exposure.days)


def test_two_replays_are_compared_line_by_line(
    as_ada: Client, as_eve: Client, ada: User, policy: Policy, replay: Replay
) -> None:
    same = make_replay(ada, "same", write_policy_toml(policy), Chosen())
    list(work_on(same))
    address = reverse("pages:compare_replays", args=[same.pk, replay.pk])
    page = as_ada.get(address).context["page"]
    alone = [line.held["path"] for line in page.right.lines]
    assert ".env" in alone
    assert page.same_turns
    assert as_ada.get(reverse("pages:compare_replays", args=[replay.pk, replay.pk])).context["page"].left.lines == ()
    assert as_eve.get(address).status_code == 404
    assert "Compare with another replay" in as_ada.get(reverse("pages:replay", args=[replay.pk])).content.decode()


def test_zero_is_stated_as_zero(as_ada: Client, ada: User, policy: Policy) -> None:
    made = make_replay(ada, "same", write_policy_toml(policy), Chosen(last=1))
    list(work_on(made))
    told = as_ada.get(reverse("pages:replay", args=[made.pk])).content.decode()
    assert "newly disclosed to a remote model 0" in told


@pytest.mark.parametrize("form", ["csv", "ndjson"])
@pytest.mark.parametrize("what", ["decisions", "turns", "paths"])
def test_an_export_verifies_and_one_that_was_touched_does_not(
    as_ada: Client, replay: Replay, tmp_path: Path, what: str, form: str
) -> None:
    response: Any = as_ada.get(reverse("pages:replay_export", args=[replay.pk, what, form]))
    file = tmp_path / "export.zip"
    file.write_bytes(b"".join(response.streaming_content))
    manifest, wrong = verify_export(file)
    assert wrong == ""
    rows = {"decisions": ReplayChange, "turns": ReplayTurn, "paths": None}[what]
    count = ReplayPath.objects.values("path", "fate").distinct().count() if rows is None else rows.objects.count()
    assert manifest["count"] == count > 0
    assert manifest["policy_digest"] == replay.digest
    with zipfile.ZipFile(file) as archive:
        held = {name: archive.read(name) for name in archive.namelist()}
    held[f"{what}.{form}"] = held[f"{what}.{form}"].replace(b"1", b"2", 1)
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in held.items():
            archive.writestr(name, data)
    assert "digest differs" in verify_export(file)[1]


def test_no_cell_of_an_export_runs_and_what_is_no_export_is_told(tmp_path: Path) -> None:
    file = tmp_path / "export.zip"
    rows = [{"path": "=cmd()"}, {"path": "a\nb"}]
    file.write_bytes(b"".join(stream_export("rows", "csv", rows, {"path": lambda row: row["path"]}, {})))
    assert verify_export(file)[1] == ""
    with zipfile.ZipFile(file) as archive:
        assert archive.read("rows.csv") == b'path\r\n\'=cmd()\r\n"a\nb"\r\n'
    for data in (b"", b"PK\x03\x04 no archive", file.read_bytes()[:-30]):
        file.write_bytes(data)
        assert verify_export(file)[1].startswith("no export")
    empty = io.BytesIO()
    zipfile.ZipFile(empty, "w").close()
    file.write_bytes(empty.getvalue())
    assert verify_export(file)[1].startswith("no export")


def test_paths_are_tested_with_verdict_pattern_and_line(as_ada: Client, version: PolicyVersion) -> None:
    asked = as_ada.get(f"{reverse('pages:paths')}?version={version.pk}")
    assert asked.context["page"].text == version.text
    told = as_ada.post(
        reverse("pages:paths"), {"text": version.text, "paths": "/w/config/.env\nsrc/a.py\n", "root": "/w"}
    )
    first, second = told.context["page"].results
    assert (first.path, first.restricted, first.deciding.match.pattern) == ("config/.env", True, ".env")
    assert version.text.splitlines()[first.deciding.line - 1].strip().startswith(("restricted_paths", '".env"'))
    assert not second.restricted
    many = "\n".join(f"a{number}" for number in range(1_001))
    for text, paths in (("[", "a"), (version.text, many)):
        refused = as_ada.post(reverse("pages:paths"), {"text": text, "paths": paths})
        assert refused.status_code == 422
    assert "too many at once" in refused.content.decode()


def test_another_users_policies_and_replays_do_not_exist(
    as_eve: Client, version: PolicyVersion, replay: Replay
) -> None:
    addresses = [
        address(version),
        f"{reverse('pages:paths')}?version={version.pk}",
        reverse("pages:replay", args=[replay.pk]),
        *(reverse(f"pages:replay_{what}", args=[replay.pk]) for what in ("decisions", "turns", "paths")),
        reverse("pages:replay_export", args=[replay.pk, "turns", "csv"]),
    ]
    for each in addresses:
        assert as_eve.get(each).status_code == 404
    assert as_eve.post(address(version), {"do": "current"}).status_code == 404
    assert as_eve.post(reverse("pages:replay", args=[replay.pk])).status_code == 404
    assert "team" not in as_eve.get(reverse("pages:policies")).content.decode()


def test_addresses_that_name_nothing_lead_nowhere(as_ada: Client, version: PolicyVersion, replay: Replay) -> None:
    policy = reverse("pages:policy_object", args=[version.policy_id])
    for each in (
        f"{policy}?version=99",
        f"{policy}?version=x",
        f"{policy}?version=1&against=7",
        f"{reverse('pages:paths')}?version=x",
        reverse("pages:replay_export", args=[replay.pk, "secrets", "csv"]),
        reverse("pages:replay_export", args=[replay.pk, "turns", "exe"]),
    ):
        assert as_ada.get(each).status_code == 404
    assert as_ada.get(f"{reverse('pages:replay', args=[replay.pk])}?change=x&page=x").status_code == 200


def test_the_page_of_a_replay_asks_few_queries_and_stays_small(
    as_ada: Client, ada: User, policy: Policy, turns: list[SessionRunInput], django_assert_max_num_queries: Any
) -> None:
    replay = make_replay(ada, "many", write_policy_toml(policy), Chosen())
    list(work_on(replay))
    turn = ReplayTurn.objects.earliest("id")
    ReplayChange.objects.bulk_create(
        ReplayChange(
            user=ada, replay=replay, run_input_id=turn.run_input_id, session_id=turn.session_id,
            happened_at=turn.happened_at, gravity=number % 9, change="newly_disclosed", position=number,
            kind="file", path=f"src/{'deep/' * 40}{number % 3_000}.py", pattern=f"*.{number % 7}", tokens=number,
        )
        for number in range(10_000)
    )  # fmt: skip
    assert turns
    for query in ("", "?change=newly_disclosed", "?change=newly_disclosed&page=3"):
        with django_assert_max_num_queries(15):
            response = as_ada.get(f"{reverse('pages:replay', args=[replay.pk])}{query}")
        assert len(response.content) < 400_000
    with django_assert_max_num_queries(15):
        rows = as_ada.get(reverse("pages:replay_decisions", args=[replay.pk]))
    assert len(rows.content) < 400_000
