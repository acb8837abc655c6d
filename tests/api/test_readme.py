"""The clients in the README do what they say."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from pytest_django.live_server_helper import LiveServer

from selection.models import SessionRunInput
from tests.api.conftest import token_of

README = (Path(__file__).parents[2] / "README.md").read_text()


def block(language: str) -> str:
    """Give the one block of a language."""
    [found] = re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)
    return str(found)


@pytest.fixture
def environment(live_server: LiveServer, ada: User) -> dict[str, str]:
    return {**os.environ, "SMISTA_API": f"{live_server.url}/api/v1", "SMISTA_TOKEN": token_of(ada)}


@pytest.mark.django_db(transaction=True)
def test_the_client_in_python_pushes_a_turn_and_reads_the_ledger(environment: dict[str, str]) -> None:
    code = block("python")
    assert len([line for line in code.splitlines() if line and not line.startswith("import")]) <= 16
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    page, *ledger = done.stdout.splitlines()
    assert page == f"/turns/{SessionRunInput.objects.get().pk}/"
    assert [line.split()[:2] for line in ledger] == [
        ["fits", f"message:{SessionRunInput.objects.get().after_message_id}"],
        ["fits", "file:a.py"],
    ]


@pytest.mark.django_db(transaction=True)
def test_the_command_with_curl_begins_a_session(environment: dict[str, str]) -> None:
    command = "\n".join(line for line in block("sh").splitlines() if not line.startswith("export"))
    done = subprocess.run(["bash", "-c", command], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["title"] == "from a router"
