"""The schema of the API, as JSON for programs and as a page for people; both off one source."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import msgspec
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from drf_spectacular.generators import SchemaGenerator

_METHODS: Final = ("get", "post", "put", "patch", "delete")


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One operation as the page shows it: `parameters` with their place and meaning, `answers` by status."""

    identity: str
    method: str
    path: str
    summary: str
    description: str
    parameters: tuple[dict[str, Any], ...]
    request: str
    example: str
    answers: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """One schema of the components."""

    name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DocsPage:
    """Everything that the page shows."""

    operations: tuple[Operation, ...]
    shapes: tuple[Shape, ...]


@lru_cache(maxsize=1)
def schema_document() -> dict[str, Any]:
    """Give the OpenAPI document."""
    generator: Any = SchemaGenerator
    document = generator().get_schema(request=None, public=True)
    return msgspec.json.decode(msgspec.json.encode(document))  # type: ignore[no-any-return]  # as plain data


def schema_text() -> str:
    """Give the document as it is committed."""
    return msgspec.json.format(msgspec.json.encode(schema_document(), order="sorted"), indent=1).decode() + "\n"


@login_not_required
def schema_view(_request: HttpRequest) -> HttpResponse:
    """`GET /api/v1/openapi.json`, public."""
    return HttpResponse(schema_text(), content_type="application/json")


def docs_view(request: HttpRequest) -> HttpResponse:
    """`GET /api/docs/`: the schema as a page, without any script."""
    document = schema_document()
    page = DocsPage(
        operations=tuple(
            _operation(path, method, told)
            for path, operations in document["paths"].items()
            for method, told in operations.items()
            if method in _METHODS
        ),
        shapes=tuple(
            Shape(name=name, text=msgspec.json.format(msgspec.json.encode(shape), indent=2).decode())
            for name, shape in document["components"]["schemas"].items()
        ),
    )
    return render(request, "selection/api_docs/detail.html", {"page": page})


def _operation(path: str, method: str, told: dict[str, Any]) -> Operation:
    body = told.get("requestBody", {}).get("content", {})
    return Operation(
        identity=told["operationId"],
        method=method.upper(),
        path=path,
        summary=told.get("summary", ""),
        description=told.get("description", ""),
        parameters=tuple(told.get("parameters", ())),
        request=_name(next(iter(body.values()), {})),
        example=_written(next(iter(body.values()), {})),
        answers=tuple(
            (status, answer.get("description", ""), _name(next(iter(answer.get("content", {}).values()), {})))
            for status, answer in told["responses"].items()
        ),
    )


def _written(media: dict[str, Any]) -> str:
    """Give the first example of a body."""
    example: dict[str, Any] = next(iter(media.get("examples", {}).values()), {})
    return msgspec.json.format(msgspec.json.encode(example["value"]), indent=2).decode() if example else ""


def _name(media: dict[str, Any]) -> str:
    schema = media.get("schema", {})
    refs = [each.get("$ref", "") for each in schema.get("oneOf", [schema])]
    return " or ".join(ref.rsplit("/", 1)[-1] for ref in refs if ref)
