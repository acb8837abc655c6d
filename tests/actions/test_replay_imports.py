"""A replay over imported recordings: by hand, `src/**` changes the one turn whose history tells of `src/app.py`, and no other."""

import io
from dataclasses import replace

import pytest
from django.contrib.auth.models import User

from selection.actions.import_session import import_session
from selection.actions.replays import Chosen, make_replay, work_on
from selection.documents.plain import from_plain
from selection.documents.policy import write_policy_toml
from selection.engine.values import Policy
from selection.models import ReplayChange, ReplayTurn, SessionRunInput
from tests.importers.samples import SAMPLES, Sample

pytestmark = pytest.mark.django_db

# Recordings of a prompt that names `src/app.py`, an answer that read it, and a second prompt; these tell no path, or have one turn.
OTHERS = {".aider.chat.history.md", "x.traj", "log.json"}
TWO_TURNS = [sample for sample in SAMPLES if sample.name not in OTHERS]


@pytest.mark.parametrize("sample", TWO_TURNS, ids=lambda sample: f"{sample.format} {sample.name}")
def test_restricting_src_withholds_it_from_the_second_turn_alone(ada: User, sample: Sample) -> None:
    imported = import_session(ada, sample.name, io.BytesIO(sample.data))
    first, second = SessionRunInput.objects.filter(session=imported.session).order_by("position")
    policy = from_plain(Policy, second.policy)
    for patterns, changed in (((), []), (("src/**",), [second.pk]), (("docs/**",), [])):
        restricted = replace(policy, privacy=replace(policy.privacy, restricted_paths=patterns))
        replay = make_replay(ada, "test", write_policy_toml(restricted), Chosen(sessions=(imported.session.pk,)))
        list(work_on(replay))
        found = ReplayChange.objects.filter(replay=replay)
        assert list(found.values_list("run_input", flat=True).distinct()) == changed
        assert set(found.values_list("change", "path", "pattern")) == (
            {("newly_withheld", "src/app.py", "src/**")} if changed else set()
        )
        turns = ReplayTurn.objects.filter(replay=replay)
        assert set(turns.values_list("run_input", flat=True)) == {first.pk, second.pk}
