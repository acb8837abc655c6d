"""What all tests share: people, their clients, and the demo session."""

import os
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.core.cache import cache as known
from django.db import connection
from django.test import Client

from selection.actions.import_bundle import import_bundle
from selection.actions.open_turn import cache
from selection.demo import story
from selection.models import Session, SessionRunInput
from tests.tampering import without_guards

HOST = {"host": "127.0.0.1"}


@pytest.fixture(autouse=True)
def _empty_cache() -> Iterator[None]:
    """No test sees a turn that another one opened, nor paths that it saw."""
    cache.clear()
    known.clear()
    yield
    cache.clear()


@pytest.fixture(autouse=True, scope="session")
def _emptied_between_tests() -> Iterator[None]:
    """A test that commits is cleaned up after by emptying every table, which the guards would refuse."""
    with pytest.MonkeyPatch.context() as patch:
        operations = type(connection.ops)
        flush = operations.execute_sql_flush

        def flushed(self: Any, statements: list[str]) -> None:
            with without_guards():
                flush(self, statements)

        patch.setattr(operations, "execute_sql_flush", flushed)
        yield


@pytest.fixture
def ada(db: None) -> User:  # noqa: ARG001 - opens the database
    return get_user_model().objects.create_user("ada", password="a long enough password")  # noqa: S106


@pytest.fixture
def eve(db: None) -> User:  # noqa: ARG001 - opens the database
    return get_user_model().objects.create_user("eve")


@pytest.fixture
def auditor(db: None) -> User:  # noqa: ARG001 - opens the database
    return get_user_model().objects.create_superuser("auditor")


def client_of(user: User) -> Client:
    client = Client(headers=HOST)
    client.force_login(user)
    return client


@pytest.fixture
def as_ada(ada: User) -> Client:
    return client_of(ada)


@pytest.fixture
def as_eve(eve: User) -> Client:
    return client_of(eve)


@pytest.fixture
def as_auditor(auditor: User) -> Client:
    return client_of(auditor)


@pytest.fixture
def session(ada: User) -> Session:
    """The demo session, as Ada's."""
    return import_bundle(ada, story())


@pytest.fixture
def turns(session: Session) -> list[SessionRunInput]:
    return list(SessionRunInput.objects.filter(session=session).order_by("position"))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Where everything must run, a test that was skipped is a test that failed."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") == "true" and reporter is not None and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
