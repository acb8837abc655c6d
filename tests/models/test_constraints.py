"""What the database itself refuses, whoever writes."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, models, transaction

from selection.models import (
    ContextMemory,
    ModelDescriptor,
    Session,
    SessionMessage,
    SessionMessageContent,
    UserMemory,
    UserMemoryContent,
)

pytestmark = pytest.mark.django_db


def refused(write: Callable[[], models.Model]) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        write()


@pytest.fixture
def session(ada: User) -> Session:
    return Session.objects.create(user=ada)


@pytest.mark.parametrize(("encrypted", "key_id"), [(True, None), (False, "kf_1")], ids=["no key", "needless key"])
def test_a_key_is_present_exactly_when_a_session_is_encrypted(ada: User, encrypted: bool, key_id: str | None) -> None:  # noqa: FBT001
    refused(lambda: Session.objects.create(user=ada, encrypted=encrypted, key_id=key_id))


def test_a_user_has_one_memory_under_a_key(ada: User, eve: User) -> None:
    UserMemory.objects.create(user=ada, key="style")
    UserMemory.objects.create(user=eve, key="style")
    refused(lambda: UserMemory.objects.create(user=ada, key="style"))


def test_memories_without_a_key_are_many(ada: User, session: Session) -> None:
    for _ in range(2):
        UserMemory.objects.create(user=ada, key=None)
    for position in range(2):
        ContextMemory.objects.create(user=ada, session=session, position=position, key=None)
    assert UserMemory.objects.count() == ContextMemory.objects.count() == 2


def test_a_session_has_one_memory_under_a_key(ada: User, session: Session) -> None:
    ContextMemory.objects.create(user=ada, session=session, position=0, key="branch")
    refused(lambda: ContextMemory.objects.create(user=ada, session=session, position=1, key="branch"))


@pytest.fixture
def message(ada: User, session: Session) -> SessionMessage:
    return SessionMessage.objects.create(user=ada, session=session, position=0, role="user")


@pytest.mark.parametrize(
    "columns",
    [{}, {"plaintext": "a", "envelope": {"version": 1}}],
    ids=["neither plain nor sealed", "both plain and sealed"],
)
def test_content_is_either_plain_or_sealed(message: SessionMessage, columns: dict[str, object]) -> None:
    refused(lambda: SessionMessageContent.objects.create(message=message, **columns))


def test_a_row_has_one_content(message: SessionMessage) -> None:
    SessionMessageContent.objects.create(message=message, plaintext="first")
    refused(lambda: SessionMessageContent.objects.create(message=message, plaintext="second"))


def test_a_place_in_the_history_is_taken_once(ada: User, session: Session, message: SessionMessage) -> None:
    refused(lambda: SessionMessage.objects.create(user=ada, session=session, position=message.position, role="user"))


def test_a_role_is_one_of_the_four(ada: User, session: Session) -> None:
    refused(lambda: SessionMessage.objects.create(user=ada, session=session, position=1, role="robot"))


def test_a_catalog_names_a_model_once(ada: User, session: Session) -> None:
    model = {"provider": "ollama", "model": "m", "local": True, "auth": "none", "max_context_tokens": 10}
    ModelDescriptor.objects.create(user=ada, session=session, position=0, **model)
    refused(lambda: ModelDescriptor.objects.create(user=ada, session=session, position=1, **model))


def test_empty_content_is_content(message: SessionMessage) -> None:
    SessionMessageContent.objects.create(message=message, plaintext="")
    assert SessionMessageContent.objects.get().plaintext == ""


def test_keys_sort_by_the_time_of_their_making(ada: User) -> None:
    made = [Session.objects.create(user=ada).pk for _ in range(20)]
    assert made == sorted(made)


def test_user_memory_is_always_plain() -> None:
    assert {field.name for field in UserMemoryContent._meta.get_fields()} == {"memory", "plaintext"}
