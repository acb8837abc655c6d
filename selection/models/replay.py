"""`replay` and what came of it: a policy over turns that really happened, beside the policy that they had."""

from enum import StrEnum

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from selection.engine.codes import EffectCode, Fate
from selection.models.base import Owned, one_of
from selection.models.policy import PolicyVersion
from selection.models.policy_draft import PolicyDraft
from selection.models.session import Session
from selection.models.session_run_input import SessionRunInput


class ReplayState(StrEnum):
    """How far a replay is."""

    RUNNING = "running"
    DONE = "done"
    CANCELLED = "cancelled"


class SliceState(StrEnum):
    """How far a slice is."""

    WAITING = "waiting"
    TAKEN = "taken"
    DONE = "done"


class ReplayVerdict(StrEnum):
    """What a replay says of a turn."""

    UNCHANGED = "unchanged"
    CHANGED = "changed"
    UNKNOWN = "unknown"


class Replay(Owned):
    """One replay: the text that was replayed, as it stood, and which turns were chosen. `version` is there where the text is a version's."""

    version = models.ForeignKey(PolicyVersion, null=True, on_delete=models.SET_NULL, related_name="replays")
    # The same text as the inspector opens it.
    draft = models.ForeignKey(PolicyDraft, null=True, on_delete=models.SET_NULL, related_name="+")
    label = models.CharField(max_length=250)
    text = models.TextField()
    digest = models.CharField(max_length=64)
    chosen = models.JSONField(default=dict)
    state = models.CharField(max_length=20, default=ReplayState.RUNNING.value)
    turns = models.PositiveIntegerField(default=0)
    ended_at = models.DateTimeField(null=True)
    engine_version = models.CharField(max_length=20)

    class Meta:
        db_table = "replay"
        ordering = ["-created_at", "-id"]
        constraints = [one_of(ReplayState, "replay_state", field="state")]
        indexes = [models.Index(fields=["user", "-created_at"], name="replay_of_user")]

    def __str__(self) -> str:
        return self.label


class ReplaySlice(Owned):
    """Some turns of a replay, done at once or not at all. `taken_by` holds it until `taken_until`; after that somebody else may take it."""

    replay = models.ForeignKey(Replay, on_delete=models.CASCADE, related_name="slices")
    number = models.PositiveIntegerField()
    turn_ids = models.JSONField()
    state = models.CharField(max_length=20, default=SliceState.WAITING.value)
    taken_by = models.UUIDField(null=True)
    taken_until = models.DateTimeField(null=True)

    class Meta:
        db_table = "replay_slice"
        ordering = ["replay", "number"]
        constraints = [
            models.UniqueConstraint(fields=["replay", "number"], name="replay_slice_number"),
            one_of(SliceState, "replay_slice_state", field="state"),
        ]
        indexes = [models.Index(fields=["replay", "state", "number"], name="replay_slice_next")]


class ReplayRow(Owned):
    """A row that a replay wrote. Times are those of the row; `happened_at` is when the turn took place.

    There are many of these, so the database checks one tie of each alone, the turn's or the slice's, and keeps no index that nobody asks.
    """

    created_at = models.DateTimeField(db_default=Now())
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_constraint=False, db_index=False
    )
    replay = models.ForeignKey(Replay, on_delete=models.CASCADE, related_name="+", db_constraint=False, db_index=False)

    class Meta:
        abstract = True


class OfTurn(ReplayRow):
    """A row about a turn."""

    run_input = models.ForeignKey(SessionRunInput, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    # With a session go its turns, and with these what was found of them.
    session = models.ForeignKey(
        Session, on_delete=models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False
    )
    happened_at = models.DateTimeField()

    class Meta:
        abstract = True


class ReplayTurn(OfTurn):
    """One turn under both policies. Tokens are those of the replayed policy: what leaves, what stays, what is withheld."""

    run_input = models.ForeignKey(SessionRunInput, on_delete=models.CASCADE, related_name="+")
    verdict = models.CharField(max_length=20)
    why = models.CharField(max_length=40, blank=True)
    changes = models.PositiveIntegerField()
    model_before = models.TextField(null=True)
    model_after = models.TextField(null=True)
    provider_after = models.TextField(null=True)
    remote_tokens = models.BigIntegerField()
    local_tokens = models.BigIntegerField()
    withheld_tokens = models.BigIntegerField()

    class Meta:
        db_table = "replay_turn"
        ordering = ["replay", "id"]
        constraints = [
            # Invariant: no turn is counted twice, whoever replays it.
            models.UniqueConstraint(fields=["replay", "run_input"], name="replay_turn_once"),
            one_of(ReplayVerdict, "replay_turn_verdict", field="verdict"),
        ]
        indexes = [models.Index(fields=["replay", "verdict", "id"], name="replay_turn_of_verdict")]


class ReplayChange(OfTurn):
    """One decision that changes: a candidate's, or the turn's own, which has no `position`.

    `path` is empty where the candidate has none, `pattern` where none decided; `place` says where in the policy of record, or in the replayed one, it stands.
    """

    # The place of its code in the order in which changes are told, disclosed first.
    gravity = models.PositiveSmallIntegerField()
    change = models.CharField(max_length=30)
    position = models.PositiveIntegerField(null=True)
    kind = models.CharField(max_length=20, blank=True)
    path = models.TextField(blank=True)
    pattern = models.TextField(blank=True)
    place = models.TextField(blank=True)
    tokens = models.BigIntegerField()

    class Meta:
        db_table = "replay_change"
        ordering = ["replay", "gravity", "id"]
        constraints = [one_of(EffectCode, "replay_change_change", field="change")]
        indexes = [models.Index(fields=["replay", "gravity", "id"], name="replay_change_graver")]


class ReplayPath(ReplayRow):
    """What becomes of a path in one slice of a replay: in how many turns, and how many tokens; several rows of a path add up."""

    slice = models.ForeignKey(ReplaySlice, on_delete=models.CASCADE, related_name="+")
    path = models.TextField()
    fate = models.CharField(max_length=20)
    provider = models.TextField(blank=True)
    required = models.BooleanField()
    turns = models.PositiveIntegerField()
    tokens = models.BigIntegerField()

    class Meta:
        db_table = "replay_path"
        ordering = ["replay", "id"]
        constraints = [one_of(Fate, "replay_path_fate", field="fate")]
        indexes = [models.Index(fields=["replay", "fate"], name="replay_path_fate")]
