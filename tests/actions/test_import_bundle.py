"""A bundle in, a bundle out: nothing lost, all or nothing."""

from dataclasses import replace

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError

from selection.actions.delete_session import delete_session
from selection.actions.export_bundle import export_bundle
from selection.actions.gather_turn import gather_turn
from selection.actions.import_bundle import import_bundle
from selection.demo import story
from selection.documents.bundle import BundleMemory, BundleMessage, BundleTurn, SessionBundle, SessionInfo
from selection.engine import select
from selection.engine.codes import Role
from selection.engine.values import AttachedFile, Attachments, Envelope, UserInput, Workspace
from selection.models import Session, SessionMessage, SessionRunInput, UserMemory

pytestmark = pytest.mark.django_db

SEALED = Envelope(version=1, algorithm="xchacha20poly1305", key_id="kf_1", nonce="A" * 32, ciphertext="A" * 40)
ENCRYPTED = SessionBundle(
    session=SessionInfo(title="sealed", key_id="kf_1", created_at="2026-01-02T03:04:05+02:00"),
    messages=(
        BundleMessage(id="m1", role=Role.TOOL, content=SEALED, path="a.py", created_at="2026-01-02T03:04:05.123456Z"),
    ),
    user_memory=(BundleMemory(id="u1", key="style", content="short"),),
    context_memory=(BundleMemory(id="c1", content=SEALED, updated_at="2026-01-03T00:00:00Z"),),
    turns=(
        BundleTurn(
            after_message="m1",
            input=UserInput(text=SEALED),
            workspace=Workspace(git_diff=SEALED, diff_paths=("a.py",)),
            attachments=Attachments(files=(AttachedFile(path="a.py", content=SEALED, required=True),)),
        ),
    ),
)


@pytest.mark.parametrize("bundle", [story(), ENCRYPTED, SessionBundle()], ids=["demo", "encrypted", "empty"])
def test_an_export_of_an_import_equals_it(ada: User, bundle: SessionBundle) -> None:
    assert export_bundle(import_bundle(ada, bundle)) == bundle


def test_rows_without_ids_get_the_ids_of_their_rows(ada: User) -> None:
    bundle = SessionBundle(
        messages=(BundleMessage(role=Role.USER, content="a"), BundleMessage(role=Role.USER, content="a"))
    )
    session = import_bundle(ada, bundle)
    assert [message.id for message in export_bundle(session).messages] == [
        str(row.pk) for row in SessionMessage.objects.filter(session=session).order_by("position")
    ]


def test_a_gathered_turn_selects_as_its_document_does(ada: User) -> None:
    bundle = story()
    session = import_bundle(ada, bundle)
    row = SessionRunInput.objects.get(session=session, position=6)
    turn = gather_turn(row)
    count = next(
        place for place, message in enumerate(bundle.messages, 1) if message.id == bundle.turns[6].after_message
    )
    assert [message.content for message in turn.recalled.messages] == [m.content for m in bundle.messages[:count]]
    assert turn.policy == bundle.turns[6].policy
    assert turn.attachments == bundle.turns[6].attachments
    assert select(turn).model is not None


def test_a_fault_half_way_leaves_nothing(ada: User) -> None:
    twice = BundleMemory(key="same", content="x")
    with pytest.raises(IntegrityError):
        import_bundle(ada, replace(story(), context_memory=(twice, twice)))
    assert not Session.objects.exists()
    assert not SessionMessage.objects.exists()
    assert not UserMemory.objects.exists()


def test_deleting_a_session_takes_its_rows_and_leaves_what_is_remembered_of_the_user(ada: User) -> None:
    session = import_bundle(ada, story())
    delete_session(session)
    assert not SessionMessage.objects.exists()
    assert not SessionRunInput.objects.exists()
    assert UserMemory.objects.owned_by(ada).count() == 2


def test_an_import_never_overwrites_what_is_remembered_of_the_user(ada: User) -> None:
    import_bundle(ada, SessionBundle(user_memory=(BundleMemory(key="style", content="long"),)))
    second = import_bundle(ada, SessionBundle(user_memory=(BundleMemory(key="style", content="short"),)))
    assert UserMemory.objects.get(user=ada, key="style").content.plaintext == "long"
    assert [memory.content for memory in export_bundle(second).user_memory] == ["short"]


def test_a_second_import_remembers_nothing_twice(ada: User) -> None:
    bundle = SessionBundle(user_memory=(BundleMemory(content="no key"), BundleMemory(key="k", content="keyed")))
    import_bundle(ada, bundle)
    import_bundle(ada, bundle)
    assert UserMemory.objects.owned_by(ada).count() == 2
