"""This server's catalog: what staff keeps takes the place of what comes with the program, for what is imported from then on."""

import json
from datetime import date
from io import BytesIO
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client

from selection.actions.catalog import catalog_here, import_models
from selection.actions.import_session import import_session
from selection.documents.errors import InvalidDocument
from selection.models import CatalogModel, ModelDescriptor
from tests.importers.samples import SAMPLES

pytestmark = pytest.mark.django_db
TODAY = date(2026, 12, 1)
ADDRESS = "/admin/selection/catalogmodel/import/"
LIST: dict[str, dict[str, object]] = {
    "claude-x": {"max_input_tokens": 50_000, "max_output_tokens": 900, "input_cost_per_token": 0.000003, "supports_vision": True},
    "ollama/qwen-x": {"max_tokens": 8_192, "litellm_provider": "ollama"},
    "embedder": {"max_tokens": 10, "mode": "embedding"},
}  # fmt: skip


def as_data(models: object) -> bytes:
    return json.dumps(models).encode()


def test_a_list_is_brought_in_and_brought_up_to_date() -> None:
    first = import_models(as_data(LIST), "a list", TODAY)
    assert (first.added, first.changed, first.same, first.left_out) == (2, 0, 0, 1)
    other = {**LIST, "claude-x": LIST["claude-x"] | {"max_input_tokens": 60_000}}
    second = import_models(as_data(other), "a newer list", TODAY)
    assert (second.added, second.changed, second.same) == (0, 1, 1)
    row = CatalogModel.objects.get(name="claude-x")
    assert (row.max_context_tokens, row.source) == (60_000, "a newer list")


def test_what_is_no_list_changes_nothing() -> None:
    with pytest.raises(InvalidDocument):
        import_models(b"[]", "a list", TODAY)
    assert not CatalogModel.objects.exists()


def test_an_import_takes_its_windows_from_the_catalog(ada: User) -> None:
    import_models(as_data(LIST), "a list", TODAY)
    claude = next(sample for sample in SAMPLES if sample.format == "claude-code")
    imported = import_session(ada, "s.jsonl", BytesIO(claude.data))
    model = ModelDescriptor.objects.get(session=imported.session)
    assert (model.max_context_tokens, model.max_output_tokens, model.input_cost_per_million) == (50_000, 900, "3")
    assert any("those of the catalog" in line and "as this server's staff keeps it" in line for line in imported.lines)


def test_staff_takes_the_place_of_what_comes_with_the_program() -> None:
    known = catalog_here().known("openai", "gpt-4o-2024-08-06")
    assert known is not None
    CatalogModel.objects.create(name="GPT-4o", max_context_tokens=77, as_of=TODAY)
    found = catalog_here().known("openai", "gpt-4o-2024-08-06")
    assert found is not None
    assert (found.provider, found.model, found.max_context_tokens) == ("openai", "gpt-4o-2024-08-06", 77)


def test_the_admin_keeps_the_catalog(as_auditor: Client) -> None:
    given = {"file": SimpleUploadedFile("list.json", as_data(LIST)), "source": "a list", "as_of": "2026-12-01"}
    answer = as_auditor.post(ADDRESS, given, follow=True)
    assert "2 models added, 0 changed, 0 as they were, 1 entries left out." in answer.content.decode()
    bad = {"file": SimpleUploadedFile("list.json", b"[]"), "source": "a list", "as_of": "2026-12-01"}
    assert "not a list of models" in as_auditor.post(ADDRESS, bad).content.decode()
    row = CatalogModel.objects.get(name="qwen-x")
    change = f"/admin/selection/catalogmodel/{row.pk}/change/"
    shown = as_auditor.get(change)
    fields = {
        name: value for name, value in shown.context["adminform"].form.initial.items() if value not in {None, False}
    }
    assert as_auditor.post(change, fields | {"max_context_tokens": 16_384, "local": "on"}).status_code == 302
    row.refresh_from_db()
    assert (row.max_context_tokens, row.local) == (16_384, True)


def test_the_catalog_is_for_staff_who_may(as_ada: Client, client: Client) -> None:
    assert as_ada.get(ADDRESS).status_code == 302
    client.force_login(User.objects.create_user("clerk", is_staff=True))
    assert client.get(ADDRESS, headers={"host": "127.0.0.1"}).status_code == 403


def test_the_command_brings_a_list(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "list.json").write_bytes(as_data(LIST))
    call_command("import_models", str(tmp_path / "list.json"), "--as-of", "2026-11-30")
    assert "2 models added" in capsys.readouterr().out
    assert {row.as_of for row in CatalogModel.objects.all()} == {date(2026, 11, 30)}
    with pytest.raises(CommandError, match="no such file"):
        call_command("import_models", str(tmp_path / "gone.json"))
    (tmp_path / "bad.json").write_text("[]")
    with pytest.raises(CommandError, match="not a list of models"):
        call_command("import_models", str(tmp_path / "bad.json"))
