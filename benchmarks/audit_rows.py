"""Recorded rows without end, made by PostgreSQL itself: seeded, shaped as recordings are, and brought into the chain afterwards.

Runs of 100 candidates each, over the twelve months before this one: of 50 users with 100 sessions each, some 40,000 paths, a few of them in every prompt and
most of them hardly ever, six models, 20 policies.
"""

from datetime import UTC, datetime, timedelta
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.db import connection, transaction

from selection.actions.audit.adopt import adopt_runs
from selection.actions.audit.partitions import make_partitions

PER_RUN: Final = 100
USERS: Final = 50
SESSIONS: Final = 5_000
VERSIONS: Final = 20
DAYS: Final = 360
# (name, place, below which number of a hundred its runs are)
_MODELS: Final = (
    ("anthropic/claude-sonnet-4-5", "remote", 40),
    ("openai/gpt-5", "remote", 65),
    ("google/gemini-2.5-pro", "remote", 75),
    ("ollama/qwen3-coder", "local", 90),
    ("ollama/llama3.3", "local", 97),
    ("mistral/codestral", "remote", 100),
)


def make_references(count: int, seed: int = 1) -> None:
    """Store `count` references with the runs that they are of, and all that belongs to these; then chain them."""
    begins = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=DAYS)
    with transaction.atomic():
        make_partitions(begins + timedelta(days=day) for day in range(DAYS + 1))
    people = get_user_model()
    people.objects.bulk_create(people(username=f"person{number}") for number in range(USERS))
    first = people.objects.order_by("pk").values_list("pk", flat=True)[0]
    runs = count // PER_RUN
    given: dict[str, Any] = {
        "seed": seed, "runs": runs, "first": first, "begins": begins, "step": timedelta(days=DAYS) / runs,
        "users": USERS, "sessions": SESSIONS, "versions": VERSIONS, "per_run": PER_RUN,
    }  # fmt: skip
    with transaction.atomic(), connection.cursor() as cursor:
        # Neither guards nor ties are asked: what is stored here is right by its making, and the chain is made of it below.
        cursor.execute("SET LOCAL session_replication_role = replica")
        for statement in _statements():
            cursor.execute(statement, given)
    adopt_runs()
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")


def _statements() -> Any:
    yield from _HELPERS
    yield _POLICIES
    yield _VERSIONS
    yield _SESSIONS
    yield _TURNS
    yield _RUNS
    yield _DECISIONS
    yield _EVENTS
    yield _PAYLOADS
    yield _REFERENCES


_HELPERS: Final = (
    # A number from 0 to `below` - 1, always the same for the same thing.
    """CREATE FUNCTION pg_temp.pick(seed int, what int, number bigint, below int) RETURNS int LANGUAGE sql IMMUTABLE
       AS 'SELECT (abs(hashint8extended(number, seed * 1000 + what) %% below))::int'""",
    # A key as the app makes them: ordered by time, then by number.
    """CREATE FUNCTION pg_temp.key(at timestamptz, what int, number bigint) RETURNS uuid LANGUAGE sql IMMUTABLE
       AS $$SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(what), 3, '0') || '8'
                    || lpad(to_hex(number), 15, '0'))::uuid$$""",
    # Where a run of this number goes.
    f"""CREATE FUNCTION pg_temp.model(share int) RETURNS text LANGUAGE sql IMMUTABLE
        AS $$SELECT CASE {" ".join(f"WHEN share < {below} THEN '{name}'" for name, _, below in _MODELS)} END$$""",
    f"""CREATE FUNCTION pg_temp.place(model text) RETURNS text LANGUAGE sql IMMUTABLE
        AS $$SELECT CASE {" ".join(f"WHEN model = '{name}' THEN '{place}'" for name, place, _ in _MODELS)} END$$""",
    # A few paths are everywhere, most are rare.
    """CREATE FUNCTION pg_temp.path(seed int, number bigint) RETURNS text LANGUAGE sql IMMUTABLE
       AS $$SELECT CASE pg_temp.pick(seed, 20, number, 10)
                   WHEN 0 THEN 'AGENTS.md' WHEN 1 THEN 'README.md'
                   WHEN 2 THEN 'src/core/module_' || pg_temp.pick(seed, 21, number, 100) || '.py'
                   ELSE 'services/service_' || pg_temp.pick(seed, 22, number, 40) || '/src/part_'
                        || pg_temp.pick(seed, 23, number, 100) || '/file_' || pg_temp.pick(seed, 24, number, 10) || '.ts' END$$""",
)
_POLICIES: Final = """
    INSERT INTO policy (id, user_id, created_at, name)
    SELECT pg_temp.key(%(begins)s, 1, number), %(first)s + number %% %(users)s, %(begins)s, 'policy ' || number
    FROM generate_series(0, %(versions)s - 1) number"""
_VERSIONS: Final = """
    INSERT INTO policy_version (id, user_id, created_at, policy_id, number, text, digest, text_digest, author, note)
    SELECT pg_temp.key(%(begins)s, 2, number), %(first)s + number %% %(users)s, %(begins)s, pg_temp.key(%(begins)s, 1, number), 1, '',
           md5('a' || number) || md5('b' || number), md5('c' || number) || md5('d' || number), 'person', ''
    FROM generate_series(0, %(versions)s - 1) number"""
_SESSIONS: Final = """
    INSERT INTO session (id, user_id, created_at, updated_at, title, encrypted, recorded, import_report, shared_messages)
    SELECT pg_temp.key(%(begins)s, 3, number), %(first)s + number %% %(users)s, %(begins)s, %(begins)s, '', false, '{}', '{}', 0
    FROM generate_series(0, %(sessions)s - 1) number"""
# One turn of each session: what is asked is about runs.
_TURNS: Final = """
    INSERT INTO session_run_input (id, user_id, created_at, session_id, position, workspace, policy, local_preferences, credentials)
    SELECT pg_temp.key(%(begins)s, 4, number), %(first)s + number %% %(users)s, %(begins)s, pg_temp.key(%(begins)s, 3, number), 0, '{}', '{}', '{}', '[]'
    FROM generate_series(0, %(sessions)s - 1) number"""
_RUNS: Final = """
    INSERT INTO selection_run (id, user_id, session_id, created_at, run_input_id, idempotency_key, status, opened, error, model, destination, "window",
        reply_reserve, effective_budget, required_tokens, used_tokens, attempts, policy_version_id, policy_digest, input_digest, catalog_digest, engine_version)
    SELECT pg_temp.key(at, 5, number), %(first)s + session %% %(users)s, pg_temp.key(%(begins)s, 3, session), at, pg_temp.key(%(begins)s, 4, session),
        pg_temp.key(at, 6, number), 'selected', false, NULL, model, pg_temp.place(model), 200000, 8000, 192000, 4000, 60000, '[]',
        pg_temp.key(%(begins)s, 2, pg_temp.pick(%(seed)s, 3, number, %(versions)s)), md5(number::text) || md5('p'), md5('i' || number) || md5('i'),
        md5('c') || md5('c'), '1'
    FROM (SELECT number, %(begins)s + number * %(step)s AS at, pg_temp.pick(%(seed)s, 1, number, %(sessions)s) AS session,
                 pg_temp.model(pg_temp.pick(%(seed)s, 2, number, 100)) AS model
          FROM generate_series(0::bigint, %(runs)s - 1) number) made"""
_DECISIONS: Final = """
    INSERT INTO session_routing_decision (id, user_id, session_id, created_at, run_id, task_type, provider, model, matched_rule, fallback_used,
        override_used, reason)
    SELECT pg_temp.key(created_at, 7, row_number() OVER (ORDER BY id)), user_id, session_id, created_at, id, 'chat', split_part(model, '/', 1),
        split_part(model, '/', 2), NULL, false, false, 'The first model of the chain that fits.'
    FROM selection_run"""
_EVENTS: Final = """
    INSERT INTO trace_event (id, user_id, session_id, created_at, run_id, position, event_type, task_type, provider, model, matched_rule)
    SELECT pg_temp.key(created_at, 8 + position, row_number() OVER (ORDER BY id)), user_id, session_id, created_at, id, position,
        (ARRAY['classification', 'routing_decision', 'context_selection'])[position + 1], 'chat', NULL, NULL, NULL
    FROM selection_run, generate_series(0, 2) position"""
_PAYLOADS: Final = "INSERT INTO trace_event_content (event_id, payload) SELECT id, '{}'::jsonb FROM trace_event"
_REFERENCES: Final = """
    INSERT INTO session_context_reference (id, user_id, session_id, created_at, run_id, position, rank, path, kind, included, required, restricted,
        estimated_tokens, score, reason_code, reason, duplicate_of_id, model, destination)
    SELECT pg_temp.key(created_at, 20, number * %(per_run)s + position), user_id, session_id, created_at, id, position, position,
        CASE WHEN restricted OR kind IN ('message', 'memory') THEN NULL ELSE pg_temp.path(%(seed)s, number * %(per_run)s + position) END,
        kind, included, false, restricted, 20 + pg_temp.pick(%(seed)s, 11, number * %(per_run)s + position, 2000), 1000 - position,
        CASE WHEN included THEN 'fits' WHEN restricted THEN 'restricted_remote' ELSE 'over_budget' END,
        CASE WHEN included THEN 'In by rank.' ELSE 'It did not fit.' END, NULL, model, CASE WHEN included THEN destination END
    FROM (SELECT run.*, position, restricted, kind, NOT (restricted AND destination = 'remote') AND position < 60 AS included
          FROM (SELECT *, row_number() OVER (ORDER BY id) - 1 AS number FROM selection_run) run,
          generate_series(0, %(per_run)s - 1) position,
          LATERAL (SELECT pg_temp.pick(%(seed)s, 10, number * %(per_run)s + position, 50) = 0 AS restricted,
                          CASE WHEN position < 15 THEN 'message' WHEN position < 20 THEN 'memory' WHEN position < 25 THEN 'instruction'
                               ELSE 'file' END AS kind) shape
         ) made
    ORDER BY created_at, position"""
