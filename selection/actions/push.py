"""Store what a router pushes: a session that begins, and its messages and turns as they happen, each once."""

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from selection.actions.import_bundle import (
    OwnedColumns,
    content_columns,
    message_row,
    store_models,
    store_recalled,
    turn_rows,
)
from selection.documents.bundle import BundleMemory, BundleMessage, BundleTurn, SessionInfo
from selection.documents.errors import Fault, InvalidDocument, shown
from selection.documents.pushes import NewSession, SessionChange
from selection.documents.rules import Draft, faults_across
from selection.engine.values import ModelDescriptor as Descriptor
from selection.models import (
    ApiRequest,
    ModelDescriptor,
    Owner,
    Session,
    SessionMessage,
    SessionMessageContent,
    SessionRunInput,
    UserMemory,
    key_of,
)


class KeyReused(Exception):
    """An idempotency key that came before with another request."""


def once(
    user: Owner, operation: str, key: str, body: bytes, store: Callable[[], dict[str, Any]]
) -> tuple[dict[str, Any], bool]:
    """Store something once for each `key`; give the answer, and whether it is that of an earlier request. Raises `KeyReused`."""
    digest = sha256(body).hexdigest()
    with transaction.atomic():
        row, fresh = ApiRequest.objects.get_or_create(
            user_id=key_of(user), operation=operation, key=key, defaults={"digest": digest, "answer": {}}
        )
        if not fresh:
            if row.digest != digest:
                raise KeyReused
            return row.answer, True
        row.answer = store()
        row.save(update_fields=["answer"])
    return row.answer, False


@transaction.atomic
def create_session(user: Owner, asked: NewSession) -> Session:
    """Begin a session, which recalls what is remembered of the user now."""
    _refuse(faults_across(_draft(SessionInfo(key_id=asked.key_id), models=asked.models)))
    session = Session(user_id=key_of(user), title=asked.title, encrypted=asked.key_id is not None, key_id=asked.key_id)
    session.save(force_insert=True)
    owner = OwnedColumns(session, user, timezone.now())
    store_models(owner, asked.models)
    remembered = UserMemory.objects.owned_by(user).select_related("content").order_by("pk")
    store_recalled(
        owner, [BundleMemory(id=str(row.pk), key=row.key, content=row.content.plaintext) for row in remembered]
    )
    return session


def change_session(session: Session, asked: SessionChange) -> Session:
    """Change what of a session can be changed."""
    if asked.title is not None:
        session.title = asked.title
    if asked.archived is not None:
        session.archived_at = timezone.now() if asked.archived else None
    session.save(update_fields=["title", "archived_at", "updated_at"])
    return session


def replace_catalog(user: Owner, session: Session, models: Sequence[Descriptor]) -> None:
    """Give a session another catalog."""
    _refuse(faults_across(_draft(_info(session), models=models)))
    with transaction.atomic():
        _lock(session)
        ModelDescriptor.objects.filter(session=session).delete()
        store_models(OwnedColumns(session, user, timezone.now()), models)


def append_messages(user: Owner, session: Session, messages: Sequence[BundleMessage]) -> list[SessionMessage]:
    """Append to the history of a session. Raises `InvalidDocument` where a message is not sealed as the session is, or names an id that is taken."""
    with transaction.atomic():
        _lock(session)
        _refuse([*faults_across(_draft(_info(session), messages=messages)), *_taken(session, messages)])
        start = SessionMessage.objects.filter(session=session).count()
        owner = OwnedColumns(session, user, timezone.now())
        rows = [message_row(owner, start + place, message) for place, message in enumerate(messages)]
        SessionMessage.objects.bulk_create(rows)
        SessionMessageContent.objects.bulk_create(
            SessionMessageContent(message=row, **content_columns(message.content))
            for row, message in zip(rows, messages, strict=True)
        )
    return rows


def append_turn(user: Owner, session: Session, turn: BundleTurn) -> SessionRunInput:
    """Append a turn, after the message that it names or else the last. Raises `InvalidDocument` as `append_messages` does."""
    with transaction.atomic():
        _lock(session)
        after = _after(session, turn.after_message)
        named = {} if after is None else {turn.after_message or str(after.pk): after}
        placed = _placed(turn, after)
        _refuse(
            Fault(fault.place.removeprefix("turns[0]."), fault.message)
            for fault in faults_across(_draft(_info(session), turns=[placed]))
            if "after_message" not in fault.place
        )
        position = SessionRunInput.objects.filter(session=session).count()
        row, content = turn_rows(OwnedColumns(session, user, timezone.now()), position, placed, named)
        row.save(force_insert=True)
        content.save(force_insert=True)
    return row


def _placed(turn: BundleTurn, after: SessionMessage | None) -> BundleTurn:
    if turn.after_message is not None or after is None:
        return turn
    values = {name: getattr(turn, name) for name in BundleTurn.__dataclass_fields__}
    return BundleTurn(**{**values, "after_message": str(after.pk)})


def _after(session: Session, name: str | None) -> SessionMessage | None:
    """Give the message that a turn comes after, by the id that it was pushed with, or by its row's."""
    history = SessionMessage.objects.filter(session=session).order_by("position")
    if name is None:
        return history.last()
    found = history.filter(recorded_id=name).first() or _by_row(history, name)
    if found is None:
        raise InvalidDocument([Fault("after_message", f"no message is called `{shown(name)}`")])
    return found


def _by_row(history: Any, name: str) -> SessionMessage | None:
    try:
        found: SessionMessage | None = history.filter(pk=UUID(name)).first()
    except ValueError:
        return None
    return found


def _lock(session: Session) -> None:
    """Let one writer after the other append, and tell those who keep opened turns that the session has changed."""
    Session.objects.select_for_update().get(pk=session.pk)
    session.save(update_fields=["updated_at"])


def _taken(session: Session, messages: Sequence[BundleMessage]) -> list[Fault]:
    names = {message.id for message in messages if message.id is not None}
    held = SessionMessage.objects.filter(session=session, recorded_id__in=names)
    taken = set(held.values_list("recorded_id", flat=True))
    return [
        Fault(f"messages[{place}].id", f"`{shown(message.id)}` is taken")
        for place, message in enumerate(messages)
        if message.id is not None and message.id in taken
    ]


def _info(session: Session) -> SessionInfo:
    return SessionInfo(key_id=session.key_id)


def _draft(info: SessionInfo, **parts: Any) -> Draft:
    lists: dict[str, Any] = {"messages": (), "user_memory": (), "context_memory": (), "models": (), "turns": ()}
    return Draft(session=info, **{**lists, **parts})


def _refuse(faults: Any) -> None:
    found = list(faults)
    if found:
        raise InvalidDocument(found)
