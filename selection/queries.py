"""Reads that span tables. Each takes the user first: another user's row does not exist."""

from collections.abc import Sequence
from uuid import UUID

from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.fields.json import KeyTextTransform, KeyTransform
from django.db.models.functions import Left

from selection.models import (
    ApiToken,
    Expectation,
    Owner,
    PolicyDraft,
    SelectionRun,
    Session,
    SessionMessage,
    SessionRunInput,
)

PROMPT_SHOWN = 400


def sessions_of(user: Owner, search: str = "") -> QuerySet[Session]:
    """Give the user's sessions, newest first, each with how many `turns` and `messages` it has; `search` looks in titles."""
    found = Session.objects.owned_by(user)
    if search:
        found = found.filter(title__icontains=search)
    return found.annotate(turns=_count_of(SessionRunInput), messages=_count_of(SessionMessage))


def _count_of(model: type[SessionRunInput] | type[SessionMessage]) -> Subquery:
    """Count the rows of each session apart: two joins at once would multiply each other."""
    rows = model.objects.filter(session_id=OuterRef("pk")).order_by().values("session_id")
    return Subquery(rows.annotate(rows=Count("pk")).values("rows"))


def session_of(user: Owner, session_id: UUID) -> Session | None:
    """Give one session of the user; None where there is none."""
    return sessions_of(user).filter(pk=session_id).first()


def imported_sessions_of(user: Owner, session_ids: Sequence[UUID]) -> dict[UUID, Session]:
    """Give those of the user's sessions that are there, by key, each with the key of its `last_turn`."""
    turns = SessionRunInput.objects.filter(session_id=OuterRef("pk")).order_by("-position")
    found = Session.objects.owned_by(user).annotate(last_turn=Subquery(turns.values("pk")[:1]))
    return {session.pk: session for session in found.filter(pk__in=session_ids)}


def last_turn_of(user: Owner, session: Session) -> SessionRunInput | None:
    """Give the last turn of a session, if it has any."""
    return SessionRunInput.objects.owned_by(user).filter(session=session).order_by("position").last()


def paths_of(user: Owner, session: Session) -> list[str]:
    """Give the paths that the messages of a session are about and that its prompts refer to, each once, in order."""
    messages = SessionMessage.objects.owned_by(user).filter(session=session, path__isnull=False)
    told = messages.order_by("path").values_list("path", flat=True).distinct()
    turns = SessionRunInput.objects.owned_by(user).filter(session=session).values_list("workspace", flat=True)
    referenced = (path for workspace in turns.iterator() for path in workspace.get("referenced_paths", ()))
    return sorted({*(path for path in told if path), *referenced})


def turns_of(user: Owner, session: Session) -> QuerySet[SessionRunInput]:
    """Give the turns of a session in order, each with the start of its `prompt_text`, the key that it is `sealed_with`, and its `last_run`."""
    last = SelectionRun.objects.filter(run_input_id=OuterRef("pk")).order_by("-created_at", "-id")
    return (
        SessionRunInput.objects.owned_by(user)
        .filter(session=session)
        .annotate(
            prompt_text=Left(KeyTextTransform("text", "content__input"), PROMPT_SHOWN),
            sealed_with=KeyTextTransform("key_id", KeyTransform("text", "content__input")),
            last_run=Subquery(last.values("pk")[:1]),
        )
        .select_related("after_message")
        .order_by("position")
    )


def turn_of(user: Owner, turn_id: UUID) -> SessionRunInput | None:
    """Give one turn of the user, its content left aside until somebody gathers it; None where there is none."""
    return SessionRunInput.objects.owned_by(user).select_related("session", "after_message").filter(pk=turn_id).first()


def neighbours_of(user: Owner, turn: SessionRunInput) -> tuple[UUID | None, UUID | None, int]:
    """Give the turns before and after one, and how many its session has."""
    rows = dict(SessionRunInput.objects.owned_by(user).filter(session_id=turn.session_id).values_list("position", "pk"))
    return rows.get(turn.position - 1), rows.get(turn.position + 1), len(rows)


def runs_of(user: Owner, turn: SessionRunInput) -> QuerySet[SelectionRun]:
    """Give the recorded selections of a turn, newest first."""
    runs = SelectionRun.objects.owned_by(user).select_related("policy_version__policy")
    return runs.filter(run_input=turn).order_by("-created_at", "-id")


def api_tokens_of(user: Owner) -> QuerySet[ApiToken]:
    """Give the tokens of the user, the newest first."""
    return ApiToken.objects.owned_by(user)


def drafts_of(user: Owner) -> QuerySet[PolicyDraft]:
    """Give the policy drafts of the user, the last written first."""
    return PolicyDraft.objects.owned_by(user)


def draft_of(user: Owner, draft_id: UUID) -> PolicyDraft | None:
    """Give one draft of the user; None where there is none."""
    return drafts_of(user).filter(pk=draft_id).first()


def run_of(user: Owner, run_id: UUID) -> SelectionRun | None:
    """Give one recorded selection of the user, with its turn; None where there is none."""
    runs = SelectionRun.objects.owned_by(user).select_related("run_input__session", "run_input__after_message")
    return runs.filter(pk=run_id).first()


def turns_by_id(user: Owner, turn_ids: Sequence[UUID]) -> list[SessionRunInput]:
    """Give turns of the user, in order, each with what it takes to open it."""
    rows = SessionRunInput.objects.owned_by(user).select_related("session", "after_message")
    return list(rows.filter(pk__in=turn_ids).order_by("position"))


def expectations_of(user: Owner, session_id: UUID | None = None) -> QuerySet[Expectation]:
    """Give the user's expectations by name, each with what it takes to check it; of one session where it is named."""
    rows = Expectation.objects.owned_by(user).select_related(
        "session", "run_input__session", "run_input__after_message"
    )
    return rows.filter(session_id=session_id) if session_id else rows
