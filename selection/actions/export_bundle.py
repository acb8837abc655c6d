"""Export a session as a bundle: what was imported comes out again, up to ids of rows that had none."""

from typing import Any

from selection.actions.gather_turn import content_of, models_of
from selection.documents.bundle import BundleMemory, BundleMessage, BundleTurn, SessionBundle, SessionInfo
from selection.documents.plain import from_plain
from selection.engine.codes import Role
from selection.engine.values import Attachments, LocalPreferences, Policy, UserInput, Workspace
from selection.models import ContextMemory, RecalledUserMemory, Session, SessionMessage, SessionRunInput


def export_bundle(session: Session) -> SessionBundle:
    """Give a session as a bundle, in a number of queries that does not grow with its size."""
    return SessionBundle(
        session=SessionInfo(title=session.title, key_id=session.key_id, **session.recorded),
        messages=tuple(_message(row) for row in _rows(SessionMessage, session)),
        user_memory=tuple(_memory(row, row.content.plaintext) for row in _rows(RecalledUserMemory, session)),
        context_memory=tuple(
            _memory(row, content_of(row.content.plaintext, row.content.envelope))
            for row in _rows(ContextMemory, session)
        ),
        models=models_of(session.pk),
        turns=tuple(_turn(row) for row in _rows(SessionRunInput, session, "after_message")),
    )


def _rows(model: Any, session: Session, *related: str) -> Any:
    rows = model.objects.filter(session=session).select_related("content", *related).order_by("position")
    return rows.iterator(chunk_size=500)


def _message(row: SessionMessage) -> BundleMessage:
    return BundleMessage(
        id=name_of(row),
        role=Role(row.role),
        provider=row.provider,
        model=row.model,
        path=row.path,
        created_at=row.recorded_at,
        content=content_of(row.content.plaintext, row.content.envelope),
    )


def name_of(row: SessionMessage) -> str:
    """Give the id of a message as documents know it: the recorded one, else the row's."""
    return row.recorded_id or str(row.pk)


def _memory(row: ContextMemory | RecalledUserMemory, content: Any) -> BundleMemory:
    recorded = {**row.recorded, "id": row.recorded.get("id") or str(row.pk)}
    return BundleMemory(key=row.key, content=content, **recorded)


def _turn(row: SessionRunInput) -> BundleTurn:
    workspace = {**row.workspace, "git_diff": row.content.git_diff}
    return BundleTurn(
        after_message=None if row.after_message is None else name_of(row.after_message),
        input=from_plain(UserInput, row.content.input),
        workspace=from_plain(Workspace, workspace),
        attachments=from_plain(Attachments, row.content.attachments),
        policy=from_plain(Policy, row.policy),
        local_preferences=from_plain(LocalPreferences, row.local_preferences),
        credentials=tuple(row.credentials),
        created_at=row.recorded_at,
    )
