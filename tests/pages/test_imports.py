"""The import page: files, folders, archives; at once or beside the answer, with its progress, its end, and a way to call it off."""

import io
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import resolve, reverse
from pytest_django import Settings

from selection.actions import import_jobs
from selection.actions.import_jobs import Job, State, job_of
from selection.actions.import_sources import Result
from selection.actions.watch import Phase, Progress, Watch
from selection.models import Session, SessionMessage
from tests.actions.test_import_session import long_codex
from tests.importers.samples import SAMPLES

CODEX = next(sample.data for sample in SAMPLES if sample.format == "codex")
AIDER = next(sample.data for sample in SAMPLES if sample.format == "aider")


def brought(name: str, data: bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, data)


def archive(**members: bytes) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in members.items():
            packed.writestr(name, data)
    return made.getvalue()


def text_of(answer: Any) -> str:
    return str(answer.content.decode())


@pytest.mark.django_db
def test_many_files_are_each_a_session_and_what_is_none_keeps_nobody_out(as_ada: Client) -> None:
    files = [brought("a.jsonl", CODEX), brought("README.md", b"# nothing of the kind"), brought("b.md", AIDER)]
    told = text_of(as_ada.post(reverse("pages:import"), {"file": files}))
    assert "3 files: 2 gave a session, 1 did not." in told
    assert "README.md" in told
    assert Session.objects.count() == 2


@pytest.mark.django_db
def test_an_archive_is_its_members(as_ada: Client) -> None:
    packed = archive(**{"one/a.jsonl": CODEX, "two/b.md": AIDER, "__MACOSX/a.jsonl": b"\0\5\26\7", "empty": b""})
    told = text_of(as_ada.post(reverse("pages:import"), {"file": brought("all.zip", packed)}))
    assert "3 files: 2 gave a session, 1 did not." in told
    assert "all.zip/one/a.jsonl" in told
    assert Session.objects.count() == 2
    again = text_of(as_ada.post(reverse("pages:import"), {"file": brought("all.zip", packed)}))
    assert again.count("Imported before") == 2
    assert Session.objects.count() == 2


@pytest.mark.django_db
def test_an_archive_that_swells_or_is_damaged_is_refused_member_by_member(as_ada: Client, settings: Settings) -> None:
    settings.MAX_IMPORT_BYTES = 1024 * 1024
    packed = archive(**{"bomb.jsonl": b"0" * 3_000_000, "a.jsonl": CODEX})
    broken = bytearray(packed)
    broken[packed.rindex(b"PK\x03\x04") + 60] ^= 0xFF
    told = text_of(as_ada.post(reverse("pages:import"), {"file": brought("all.zip", bytes(broken))}))
    assert "arger than 1 MB unpacked" in told
    assert "encrypted, damaged" in told
    assert not Session.objects.exists()


@pytest.mark.django_db
def test_a_folder_comes_as_its_files(as_ada: Client) -> None:
    told = text_of(as_ada.post(reverse("pages:import"), {"folder": [brought("a", CODEX), brought("b", AIDER)]}))
    assert "2 files: 2 gave a session, 0 did not." in told


@pytest.mark.django_db
def test_files_and_a_text_at_once_are_refused(as_ada: Client) -> None:
    answer = as_ada.post(reverse("pages:import"), {"file": brought("a", CODEX), "text": "{}"})
    assert answer.status_code == 422
    assert "one of the three" in text_of(answer)


def job_from(answer: Any) -> UUID:
    found = resolve(answer.headers["Location"]).kwargs["job_id"]
    assert isinstance(found, UUID)
    return found


def until(holds: Callable[[], object]) -> None:
    for _ in range(200):
        if holds():
            return
        time.sleep(0.05)
    raise AssertionError("it never held")


@pytest.mark.django_db(transaction=True)
def test_a_large_import_runs_beside_the_answer_and_leaves_no_file_behind(
    as_ada: Client, ada: User, settings: Settings
) -> None:
    settings.IMPORT_AT_ONCE_BYTES = 0
    key = job_from(as_ada.post(reverse("pages:import"), {"file": brought("a.jsonl", long_codex(30))}))
    until(lambda: (job := job_of(ada, key)) and job.state is State.DONE)
    page = text_of(as_ada.get(reverse("pages:import_job", args=[key])))
    assert "Imported" in page
    assert "hx-trigger" not in page
    assert Session.objects.get().import_report["used"] == 61
    assert not (Path(settings.DATA_DIR) / "imports" / str(key)).exists()


@pytest.mark.django_db(transaction=True)
def test_an_import_that_is_called_off_leaves_nothing(
    as_ada: Client, ada: User, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.IMPORT_AT_ONCE_BYTES = 0
    monkeypatch.setattr("selection.actions.watch._SECONDS", 0)
    slow = Watch.heed

    def heed(watch: Watch, done: int, size: int) -> None:
        time.sleep(0.05)
        slow(watch, done, size)

    monkeypatch.setattr(Watch, "heed", heed)
    key = job_from(as_ada.post(reverse("pages:import"), {"file": brought("a.jsonl", long_codex(300))}))
    assert "Importing" in text_of(as_ada.get(reverse("pages:import_job", args=[key])))
    as_ada.post(reverse("pages:import_job", args=[key]))
    until(lambda: (job := job_of(ada, key)) and job.state is not State.RUNNING)
    assert "Called off" in text_of(as_ada.get(reverse("pages:import_job", args=[key])))
    assert not Session.objects.exists()
    assert not SessionMessage.objects.exists()


@pytest.mark.django_db
def test_an_import_of_somebody_else_does_not_exist(as_ada: Client, eve: User) -> None:
    answer = as_ada.post(reverse("pages:import"), {"file": brought("a.jsonl", CODEX)}, headers={"HX-Request": "true"})
    own = answer.headers["HX-Push-Url"]
    assert as_ada.get(own).status_code == 200
    as_eve = Client(headers={"host": "127.0.0.1"})
    as_eve.force_login(eve)
    for address in (own, reverse("pages:import_job", args=[uuid4()])):
        assert as_eve.get(address).status_code == 404
        assert as_eve.post(address).status_code == 404


@pytest.mark.django_db
def test_an_import_whose_server_stopped_is_told_as_broken(ada: User, as_ada: Client) -> None:
    key = uuid4()
    import_jobs._put(key, Job(owner=ada.pk, name="a.jsonl", heard=time.time() - 1_000))
    assert "The import broke" in text_of(as_ada.get(reverse("pages:import_job", args=[key])))


@pytest.mark.django_db
def test_what_breaks_is_told_without_what_broke_it(as_ada: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(*_: object, **__: object) -> Result:
        raise ValueError("a secret of the session")

    monkeypatch.setattr("selection.actions.import_sources.import_session", breaks)
    told = text_of(as_ada.post(reverse("pages:import"), {"file": brought("a.jsonl", CODEX)}))
    assert "The import broke" in told
    assert "secret" not in told


def test_progress_is_told_in_whole_percents() -> None:
    assert [Progress(Phase.STORING, done, size).percent for done, size in ((0, 0), (1, 3), (3, 3), (9, 3))] == [
        100,
        33,
        100,
        100,
    ]


@pytest.mark.django_db
def test_of_very_many_files_the_page_shows_some_and_counts_all(as_ada: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("selection.actions.import_jobs._MOST_TOLD", 2)
    monkeypatch.setattr("selection.pages.imports.views._MOST_LISTED", 3)
    packed = archive(**{f"{number}.md": AIDER.replace(b"thanks", b"%d" % number) for number in range(6)})
    told = text_of(as_ada.post(reverse("pages:import"), {"file": brought("all.zip", packed)}))
    assert "6 files: 6 gave a session, 0 did not." in told
    assert told.count("Read as an aider chat history") == 2
    assert "3 more are not shown" in told
