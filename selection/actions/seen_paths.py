"""The paths that the turns of a user name: of messages, references and attached files, normalised, each once. No content is read."""

from collections.abc import Iterator
from typing import Any, Final
from uuid import UUID

from django.core.cache import cache
from django.db import connection

from selection.engine.lint import SeenPath
from selection.engine.paths import PathNormaliser
from selection.models import Owner, SessionMessage, SessionRunInput
from selection.models.base import key_of

# Of more turns than these the newest are looked at, so that a page does not wait for years of work.
MOST_TURNS: Final = 2_000
_MOST_PATHS: Final = 50_000
_SECONDS: Final = 60

_ATTACHED: Final = {
    "sqlite": """
        SELECT DISTINCT turn.session_id, json_extract(file.value, '$.path'), json_extract(file.value, '$.required') = 1
        FROM (SELECT id, session_id FROM session_run_input WHERE user_id = %s ORDER BY created_at DESC LIMIT %s) turn
        JOIN session_run_input_content held ON held.run_input_id = turn.id, json_each(held.attachments, '$.files') file
    """,
    "postgresql": """
        SELECT DISTINCT turn.session_id, file.value ->> 'path', coalesce((file.value ->> 'required')::boolean, false)
        FROM (SELECT id, session_id FROM session_run_input WHERE user_id = %s ORDER BY created_at DESC LIMIT %s) turn
        JOIN session_run_input_content held ON held.run_input_id = turn.id,
        jsonb_array_elements(held.attachments -> 'files') file
    """,
}


def seen_paths(user: Owner) -> list[SeenPath]:
    """Give the paths of the user's newest turns in order; `required` those that a turn referenced or flagged. What was found is kept for a minute."""
    newest = SessionRunInput.objects.owned_by(user).order_by("-created_at", "-id").values_list("pk", flat=True).first()
    key = f"seen_paths:{key_of(user)}:{newest}"
    kept: list[tuple[str, bool]] | None = cache.get(key)
    if kept is None:
        kept = list(_found(user))
        cache.set(key, kept, _SECONDS)
    return [SeenPath(path=path, required=required) for path, required in kept]


def _found(user: Owner) -> Iterator[tuple[str, bool]]:
    turns = SessionRunInput.objects.owned_by(user).order_by("-created_at")
    workspaces = list(turns.values_list("session_id", "workspace")[:MOST_TURNS])
    normalisers = {session: PathNormaliser(workspace.get("root", "")) for session, workspace in workspaces}
    found: dict[str, bool] = {}
    for session, raw, required in _named(user, workspaces):
        path = normalisers[session].normalise(raw) if raw and session in normalisers else None
        if path is not None:
            found[path] = found.get(path, False) or required
    yield from sorted(found.items())


def _named(user: Owner, workspaces: list[tuple[UUID, dict[str, Any]]]) -> Iterator[tuple[UUID, str | None, bool]]:
    for session, workspace in workspaces:
        yield from ((session, path, True) for path in workspace.get("referenced_paths", ()))
        yield session, workspace.get("active_file"), False
    messages = SessionMessage.objects.owned_by(user).filter(path__isnull=False).order_by("session_id", "path")
    yield from (
        (session, path, False) for session, path in messages.values_list("session_id", "path").distinct()[:_MOST_PATHS]
    )
    with connection.cursor() as cursor:
        cursor.execute(_ATTACHED[connection.vendor], [key_of(user), MOST_TURNS])
        for session, path, required in cursor.fetchmany(_MOST_PATHS):
            yield UUID(str(session)), path, bool(required)
