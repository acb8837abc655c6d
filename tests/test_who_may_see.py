"""Everybody who might ask, at every address, with every method: nothing that was recorded is changed, no foreign row is there, and no content is anywhere."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.contrib.auth.models import Group, User
from django.core.cache import cache as throttles
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from selection.actions.api_tokens import Scope, make_token
from selection.actions.expectations import pin_expectation
from selection.actions.knobs import Knobs
from selection.actions.open_turn import open_turn
from selection.actions.policies import save_version
from selection.actions.replays import Chosen, make_replay, work_on
from selection.actions.save_draft import save_draft
from selection.models import AuditEntry, AuditView, SelectionRun, SessionRunInput
from tests.conftest import HOST, client_of
from tests.recording import record

pytestmark = pytest.mark.django_db
TEXT = '[privacy]\nrestricted_paths = ["src/**"]\n[routing.default]\nmodel = "anthropic/claude-sonnet"\n'
CONTENT = (
    b"Every endpoint asks for a scope",
    b"not-a-real-password",
    b"What does this service do",
    b"refactor the auth",
)
METHODS = ("get", "post", "put", "patch", "delete")
# Open to everybody, and about nothing of anybody.
NOBODYS = {"api:status", "api_schema", "sign_in"}
QUERIES = {"pages:audit_export": "?form=csv"}


@dataclass(frozen=True)
class Address:
    """One address of Ada's: whether a key of hers is in it, and whether it is of the audit, which is of all users."""

    name: str
    path: str
    hers: bool

    @property
    def audits(self) -> bool:
        return self.path.startswith("/audit/")


@pytest.fixture
def keys(ada: User, turns: list[SessionRunInput]) -> dict[str, Any]:
    """A row of Ada's of every kind that an address can name."""
    for row in turns[2:6]:
        record(ada, row)
    run = SelectionRun.objects.latest("created_at")
    version = save_version(ada, "team", TEXT)
    replays = [make_replay(ada, "team", TEXT, Chosen(last=2), version) for _ in range(2)]
    for replay in replays:
        list(work_on(replay))
    token, _ = make_token(ada, "hers", (Scope.READ,), None)
    return {
        "session_id": turns[0].session_id,
        "turn_id": turns[3].pk,
        "run_id": run.pk,
        "expectation_id": pin_expectation(ada, open_turn(turns[3]), Knobs(), "pinned").pk,
        "token_id": token.pk,
        "policy_id": version.policy_id,
        "replay_id": replays[0].pk,
        "other_id": replays[1].pk,
        "draft_id": save_draft(ada, "draft", TEXT).pk,
        "view_id": AuditView.objects.create(user=ada, name="hers", query="kind=file").pk,
        "job_id": uuid4(),
        "position": 1,
        "what": "decisions",
        "form": "csv",
    }


def patterns(resolver: URLResolver, prefix: str = "", space: str = "") -> Iterator[tuple[str, str]]:
    for each in resolver.url_patterns:
        route = prefix + str(each.pattern)
        if isinstance(each, URLResolver):
            if each.namespace != "admin":
                yield from patterns(each, route, f"{each.namespace}:" if each.namespace else space)
        elif isinstance(each, URLPattern) and each.name != "unknown":
            yield f"{space}{each.name}", route


def addresses(keys: Mapping[str, Any]) -> list[Address]:
    """Give every address of the site but the admin's, which has a matrix of its own; one that names an unknown kind of key fails here."""
    found = []
    for name, route in patterns(get_resolver()):
        path, hers = f"/{route}", False
        while "<" in path:
            begin, _, rest = path.partition("<")
            inner, _, end = rest.partition(">")
            key = inner.partition(":")[2]
            path, hers = f"{begin}{keys[key]}{end}", hers or key.endswith("_id")
        found.append(Address(name, path + QUERIES.get(name, ""), hers))
    return found


def state_of(user: User) -> str:
    """Give a digest of everything that is there of a user, and of the chain so far."""
    told = sha256()
    for model in sorted(apps.get_app_config("selection").get_models(), key=lambda model: model.__name__):
        columns = [field.attname for field in model._meta.concrete_fields]
        if "user_id" in columns and model is not AuditEntry:
            rows: Any = model._default_manager.filter(user_id=user.pk).order_by("pk")
            told.update(repr(list(rows.values_list(*columns))).encode())
    return told.hexdigest()


def chain() -> list[str]:
    return list(AuditEntry.objects.order_by("sequence").values_list("digest", flat=True))


def actor(who: str) -> User | None:
    match who:
        case "nobody":
            return None
        case "an auditor":
            user = User.objects.create_user("aud")
            user.groups.add(Group.objects.get(name="auditor"))
            return user
        case "a superuser":
            return User.objects.create_superuser("root")
        case _:
            return User.objects.create_user("other", is_staff=who == "staff")


def asking(user: User | None) -> Callable[[Address, str], Any]:
    """Give a client that asks pages with a session, and the API with a token of both scopes."""
    client = client_of(user) if user else Client(headers=HOST)
    token = make_token(user, "theirs", (Scope.READ, Scope.WRITE), None)[1] if user else ""
    shown = {"authorization": f"Bearer {token}"} if token else {}

    def ask(address: Address, method: str) -> Any:
        throttles.clear()
        if not address.path.startswith("/api/"):
            return getattr(client, method)(address.path)
        body = {} if method == "get" else {"data": "{}", "content_type": "application/json"}
        return getattr(Client(headers={**HOST, **shown}), method)(address.path, **body)

    return ask


def expected(who: str, address: Address, method: str) -> set[int]:
    if who == "nobody":
        return {302, 401, 403, 405} | ({200} if address.name in NOBODYS else set())
    if address.audits:
        if address.name == "pages:audit_retention" and who != "a superuser":
            return {403}
        if who not in {"an auditor", "a superuser"}:
            return {403}
        if address.name in {"pages:audit_view", "pages:delete_audit_view"}:
            return {404, 405}
        return {200, 405} if method == "get" else {302, 405, 422}
    return {404, 405} if address.hers else {200, 201, 302, 400, 403, 404, 405, 422}


@pytest.mark.parametrize("who", ["nobody", "a user", "staff", "an auditor", "a superuser"])
def test_nobody_but_the_owner_sees_or_changes_what_is_the_owners(ada: User, keys: dict[str, Any], who: str) -> None:
    user = actor(who)
    ask, before, entries = asking(user), state_of(ada), chain()
    places = addresses(keys)
    assert len(places) > 65
    for address in places:
        for method in METHODS if address.path.startswith("/api/") else METHODS[:2]:
            if address.name in {"sign_in", "sign_in_link", "sign_out"} and user is not None:
                continue
            answer = ask(address, method)
            assert answer.status_code in expected(who, address, method), (address, method, answer.status_code)
            said = b"".join(answer.streaming_content) if answer.streaming else answer.content
            assert not [text for text in CONTENT if text in said], (address, method)
    assert state_of(ada) == before
    assert chain()[: len(entries)] == entries


def test_the_matrix_would_find_content(ada: User, keys: dict[str, Any]) -> None:
    """Of the owner the same walk does find it; else the texts above would prove nothing."""
    ask, seen = asking(ada), set()
    for address in addresses(keys):
        if address.name in {"pages:turn", "pages:session", "api:messages", "pages:prompt", "pages:sessions"}:
            answer = ask(address, "get")
            said = b"".join(answer.streaming_content) if answer.streaming else answer.content
            seen |= {text for text in CONTENT if text in said}
    assert len(seen) >= 3
