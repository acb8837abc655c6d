"""The pages: who may see what, what they cost, and what they show of hostile content."""

from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings
from sesame.utils import get_query_string

from selection.actions.import_bundle import import_bundle
from selection.demo.policy import MODELS, POLICY
from selection.documents.bundle import BundleMessage, BundleTurn, SessionBundle, SessionInfo
from selection.engine.codes import Role
from selection.engine.values import AttachedFile, Attachments, UserInput
from selection.models import SelectionRun, Session, SessionRunInput
from tests.conftest import HOST

pytestmark = pytest.mark.django_db

HOSTILE = "<script>alert(1)</script>{{ 7|add:1 }}{% now 'Y' %}\u202egnp.exe\x1b[31m\U0001f600"


def turn_of(session: Session, position: int = 0) -> str:
    return reverse("pages:turn", args=[SessionRunInput.objects.get(session=session, position=position).pk])


def test_everything_asks_for_a_sign_in(session: Session) -> None:
    stranger = Client(headers=HOST)
    for address in (
        "/",
        reverse("pages:import"),
        reverse("pages:session", args=[session.pk]),
        turn_of(session),
        "/admin/",
    ):
        assert stranger.get(address).status_code == 302


def test_a_link_signs_in_once(ada: User) -> None:
    address = reverse("sign_in_link") + get_query_string(ada)
    assert Client(headers=HOST).get(address).headers["location"] == "/"
    assert Client(headers=HOST).get(address).status_code == 403


@pytest.mark.usefixtures("ada")
def test_a_password_signs_in_too() -> None:
    client = Client(headers=HOST)
    assert b"do not match" in client.post(reverse("sign_in"), {"username": "ada", "password": "wrong"}).content
    done = client.post(reverse("sign_in"), {"username": "ada", "password": "a long enough password"})
    assert done.headers["location"] == "/"


def test_to_others_a_session_does_not_exist(as_eve: Client, session: Session) -> None:
    turn = SessionRunInput.objects.filter(session=session)[0].pk
    gets = [("session", session.pk), ("delete", session.pk), ("export", session.pk), ("turn", turn), ("summary", turn)]
    for name, key in gets:
        assert as_eve.get(reverse(f"pages:{name}", args=[key])).status_code == 404
    assert as_eve.get(reverse("pages:content", args=[turn, 0])).status_code == 404
    assert as_eve.post(reverse("pages:record", args=[turn]), {"key": str(uuid4())}).status_code == 404
    assert as_eve.post(reverse("pages:delete", args=[session.pk])).status_code == 404
    assert Session.objects.filter(pk=session.pk).exists()
    assert b"Demo" not in as_eve.get("/").content


def test_sessions_are_found_by_title(as_ada: Client, session: Session) -> None:
    assert session.title
    assert session.title in as_ada.get("/?search=AUTH").content.decode()
    assert b"Nothing found" in as_ada.get("/?search=elsewhere%00").content


def test_a_list_of_sessions_asks_the_same_number_of_queries_whatever_its_length(
    as_ada: Client, ada: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(30):
        Session.objects.create(user=ada)
    with django_assert_max_num_queries(6):
        as_ada.get("/")


def test_a_session_shows_its_turns(as_ada: Client, session: Session) -> None:
    page = as_ada.get(reverse("pages:session", args=[session.pk])).content.decode()
    assert "Turn 12" in page
    assert "Review my change before I push it." in page


def test_a_deletion_is_asked_for_first(as_ada: Client, session: Session) -> None:
    address = reverse("pages:delete", args=[session.pk])
    assert b"cannot be undone" in as_ada.get(address).content
    assert Session.objects.filter(pk=session.pk).exists()
    assert as_ada.post(address).status_code == 302
    assert not Session.objects.filter(pk=session.pk).exists()


def test_an_export_imports_again(as_ada: Client, session: Session) -> None:
    exported = as_ada.get(reverse("pages:export", args=[session.pk])).getvalue()
    page = as_ada.post(reverse("pages:import"), {"file": SimpleUploadedFile("again.json", exported)})
    assert page.status_code == 200
    assert b"Imported" in page.content
    assert Session.objects.count() == 2


def test_the_same_file_twice_is_one_session_and_another_persons_is_their_own(
    as_ada: Client, ada: User, as_eve: Client
) -> None:
    def send(client: Client, data: bytes) -> str:
        return client.post(reverse("pages:import"), {"file": SimpleUploadedFile("s.jsonl", data)}).content.decode()

    line = b'{"type":"user","uuid":"u1","sessionId":"s","message":{"role":"user","content":"hello"}}\n'
    assert "Imported before" not in send(as_ada, line)
    again = send(as_ada, line)
    assert "Imported before" in again
    assert "Records: 1 in all, 1 used, 0 left out, 0 skipped." in again
    assert Session.objects.filter(user=ada).count() == 1
    assert "Imported before" not in send(as_eve, line)
    assert "Imported before" not in send(as_ada, line + b"\n")
    Session.objects.filter(user=ada).delete()
    assert "Imported before" not in send(as_ada, line)


def test_pasted_text_imports(as_ada: Client) -> None:
    text = '{"type":"user","uuid":"u1","sessionId":"s","message":{"role":"user","content":"hello"}}\n{"type":"user"'
    page = as_ada.post(reverse("pages:import"), {"text": text}).content.decode()
    assert "1 turns" in page
    assert "Line 2" in page
    kept = as_ada.get(reverse("pages:session", args=[Session.objects.get().pk])).content.decode()
    assert "How it was imported" in kept
    assert "Records: 2 in all, 1 used, 0 left out, 1 skipped." in kept


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({}, "choose files or a folder, or paste a session"),
        ({"text": "nothing that is known"}, "not a recording of a known format; it looks like plain text"),
        ({"text": '{"format": "smista.session/1", "turns": [{"input": {}}]}'}, "turns[0].input.text"),
    ],
    ids=["nothing", "unknown", "malformed"],
)
def test_what_cannot_be_imported_is_told_and_nothing_is_stored(as_ada: Client, data: dict[str, str], says: str) -> None:
    answer = as_ada.post(reverse("pages:import"), data)
    assert answer.status_code == 422
    assert says in answer.content.decode()
    assert not Session.objects.exists()


@pytest.fixture
def hostile(ada: User) -> Session:
    bundle = SessionBundle(
        session=SessionInfo(title=HOSTILE),
        messages=(
            BundleMessage(id=HOSTILE, role=Role.TOOL, content=HOSTILE, path=f"a/{HOSTILE}/" + "x" * 5_000),
            BundleMessage(id="m2", role=Role.USER, content="y" * 10_000_000),
        ),
        models=MODELS,
        turns=(
            BundleTurn(
                after_message="m2",
                policy=POLICY,
                credentials=("anthropic",),
                input=UserInput(text=HOSTILE),
                attachments=Attachments(files=(AttachedFile(path=HOSTILE, content=HOSTILE, required=True),)),
            ),
        ),
    )
    return import_bundle(ada, bundle)


@pytest.mark.parametrize(
    "query",
    ["", "?tab=prompt", "?tab=findings", "?row=0", "?row=2", "?search=%3Cscript%3E", "?referenced=%3Cscript%3E"],
)
def test_hostile_content_is_shown_as_text(as_ada: Client, hostile: Session, query: str) -> None:
    for address in (turn_of(hostile) + query, reverse("pages:session", args=[hostile.pk]), "/"):
        page = as_ada.get(address).content.decode()
        assert "<script>alert" not in page
        assert "\u202e" not in page
        assert "\x1b" not in page
        assert len(page) < 500_000


def test_a_long_content_is_cut_and_its_length_told(as_ada: Client, hostile: Session) -> None:
    turn = SessionRunInput.objects.get(session=hostile)
    page = as_ada.get(reverse("pages:content", args=[turn.pk, 1])).content.decode()
    assert "9,980,000 more characters" in page


def test_errors_hold_no_content(as_ada: Client, caplog: pytest.LogCaptureFixture) -> None:
    secret = "a-very-secret-word"  # noqa: S105
    text = f'{{"format": "smista.session/1", "messages": [{{"role": "{secret}", "content": {{"{secret}": 1}}}}]}}'
    answer = as_ada.post(reverse("pages:import"), {"text": text})
    assert answer.status_code == 422
    told = answer.content.decode().split("Nothing was imported")[1].split("</section>")[0]
    assert secret not in told
    assert secret not in caplog.text


def test_a_turn_is_recorded_once_for_one_key(as_ada: Client, session: Session) -> None:
    turn = SessionRunInput.objects.get(session=session, position=2)
    key = str(uuid4())
    for _ in range(2):
        assert as_ada.post(reverse("pages:record", args=[turn.pk]), {"key": key}).status_code == 302
    run = SelectionRun.objects.get()
    assert run.references.count() == 22
    assert "Recorded" in as_ada.get(turn_of(session, 2) + "?tab=recorded").content.decode()


def test_pages_carry_a_strict_policy_and_are_not_kept(as_ada: Client, session: Session) -> None:
    answer = as_ada.get(turn_of(session))
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["cache-control"] == "private, no-store"
    assert "HX-Request" in answer.headers["vary"]


def test_a_file_that_is_too_large_is_refused_with_the_limit(as_ada: Client, settings: Settings) -> None:
    settings.MAX_IMPORT_BYTES = 1024 * 1024
    file = SimpleUploadedFile("large.jsonl", b" " * (1024 * 1024 + 1))
    answer = as_ada.post(reverse("pages:import"), {"file": file})
    assert answer.status_code == 422
    assert "larger than 1 MB, the most that this server imports" in answer.content.decode()
    assert not Session.objects.exists()


def test_pages_of_equal_sessions_show_each_once(as_ada: Client, ada: User) -> None:
    moment = timezone.now()
    for _ in range(120):
        Session.objects.create(user=ada, created_at=moment)
    shown = [session.pk for page in (1, 2, 3) for session in as_ada.get(f"/?page={page}").context["page"].sessions]
    assert len(shown) == len(set(shown)) == 120
