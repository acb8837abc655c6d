"""The texts of the demo: a small shop's web service, written so that each file has the size that the story needs."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_HANDLER = '''

@router.{verb}("/{name}/{{{name}_id}}")
async def {verb}_{name}(request: Request, {name}_id: int) -> Response:
    """{verb} one {name}; the caller needs the scope `{name}:{verb}`."""
    session = await require_scope(request, "{name}:{verb}")
    {name} = await repository.{name}s.find({name}_id, tenant=session.tenant)
    if {name} is None:
        raise NotFound("{name}", {name}_id)
    audit.record(session.user, "{verb}", {name}.id)
    return Response({name}.public())
'''
_TEST = """

async def test_{verb}_{name}_asks_for_the_scope(client, make_token):
    token = make_token(scopes=["{name}:other"])
    answer = await client.{verb}("/{name}/1", headers={{"authorization": f"Bearer {{token}}"}})
    assert answer.status_code == 403
"""
_VERBS: Final = ("get", "put", "delete")


def _module(title: str, names: tuple[str, ...], part: str) -> str:
    body = "".join(part.format(verb=verb, name=name) for name in names for verb in _VERBS)
    return f'"""{title}"""\n\nfrom shop.web import Request, Response, router\n{body}'


MIDDLEWARE: Final = _module("Reads the session of each request.", ("session", "token", "device"), _HANDLER)
FILES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "README.md": "# Shop\n\nOrders, customers and payments of a small shop, as a web service.\n\n"
        "Run `make dev`, then open http://localhost:8080/docs.\n",
        "AGENTS.md": "Keep functions small. Every endpoint asks for a scope. Tests come with the change.\n"
        "Never log a token. Ask before a migration.\n",
        "src/auth/middleware.py": MIDDLEWARE,
        "src/auth/tokens.py": _module("Issues and reads tokens.", ("token", "key"), _HANDLER),
        "src/auth/__init__.py": "",
        "src/api/__init__.py": "",
        "src/api/orders.py": _module("Orders.", ("order", "line", "refund", "voucher"), _HANDLER),
        "src/api/customers.py": _module("Customers.", ("customer", "address"), _HANDLER),
        "tests/test_auth.py": _module("Who may do what.", ("session", "token", "order", "refund"), _TEST),
        "docs/auth-flow.md": "# How a request is allowed\n\n"
        + "A request carries a token; the token names scopes. " * 40
        + "\n",
        ".env": "DATABASE_URL=postgres://shop:not-a-real-password@db/shop\nPAYMENT_KEY=not-a-real-key\n",
        ".env.example": "DATABASE_URL=\nPAYMENT_KEY=\n",
        "secrets/payment.pem": "-----BEGIN PRIVATE KEY-----\n(no real key is kept here)\n-----END PRIVATE KEY-----\n",
        "customers/export.csv": "id,name,city\n"
        + "".join(f"{row},Customer {row},City {row % 17}\n" for row in range(300)),
        "deploy/main.tf": 'resource "server" "web" {\n  count = 3\n  size  = "small"\n}\n' * 12,
        "src/generated/schema.py": _module(
            "Generated from the API description; do not edit.",
            tuple(f"entity_{number}" for number in range(60)),
            _HANDLER,
        ),
    }
)

DIFF: Final = """\
diff --git a/src/auth/middleware.py b/src/auth/middleware.py
index 1111111..2222222 100644
--- a/src/auth/middleware.py
+++ b/src/auth/middleware.py
@@ -1,4 +1,5 @@
 \"\"\"Reads the session of each request.\"\"\"
+# The token is read once and kept on the request.

 from shop.web import Request, Response, router

diff --git a/tests/test_auth.py b/tests/test_auth.py
index 3333333..4444444 100644
--- a/tests/test_auth.py
+++ b/tests/test_auth.py
@@ -1,3 +1,4 @@
 \"\"\"Who may do what.\"\"\"
+# One test a scope.

 from shop.web import Request, Response, router
"""

SKILLS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "write-tests": "Write one test for each behaviour; name it as a sentence. Begin with the one that fails today.",
        "review-change": "Read the diff twice: once for what it does, once for what it forgets. Name file and line.",
        "plan-migration": "List the steps, each of which can be undone. Say what happens to rows written meanwhile.",
    }
)
