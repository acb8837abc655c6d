"""What the schema says of each operation: its request, read off the validators themselves, its answers, and its refusals."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import msgspec
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiRequest, OpenApiResponse

from selection.api import shapes
from selection.api.examples import EXAMPLES
from selection.documents.schema import json_schema_of

_REF: Final = "#/components/schemas/{name}"
_Method = TypeVar("_Method", bound=Callable[..., Any])
# What every operation with a token may refuse.
_ALWAYS: Final = {
    400: "credentials in the address",
    401: "no token, or none that is good",
    403: "the token's scopes do not allow it",
    406: "another type was asked for",
    429: "too many requests",
}
_WITH_BODY: Final = {
    413: "the body is too large",
    415: "the body is not JSON",
    422: "the body cannot be read, or what it asks cannot be done",
}
_WHY: Final = {
    404: "there is no such thing, or it is another's",
    409: "it cannot be done now; the code says why",
    412: "it is not as it was when it was fetched",
    422: "a parameter is wrong",
    503: "no model of the chain can serve",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """One operation: `request` is the kind of its document, `answers` the shape of each status, `refusals` further statuses."""

    summary: str
    request: Any = None
    answers: dict[int, Any]
    refusals: tuple[int, ...] = ()
    parameters: tuple[OpenApiParameter, ...] = ()


def described(told: Described) -> Callable[[_Method], _Method]:
    """Tell what an operation takes and gives."""

    def tell(method: _Method) -> _Method:
        vars(method)["described"] = told
        return method

    return tell


def query(name: str, why: str, kind: Any = str) -> OpenApiParameter:
    """Tell of a part of an address."""
    return OpenApiParameter(name=name, description=why, type=kind, location=OpenApiParameter.QUERY)


def header(name: str, why: str) -> OpenApiParameter:
    """Tell of a header."""
    return OpenApiParameter(name=name, description=why, type=str, location=OpenApiParameter.HEADER)


ONCE: Final = (header("Idempotency-Key", "asked again with the same key, it is stored once"),)
PAGED: Final = (
    query("limit", "how many, up to 200", int),
    query("after", "the cursor that the page before gave as `next`"),
)


class DescribedSchema(AutoSchema):
    """Reads what `described` told of a view's method."""

    @property
    def _told(self) -> Described:
        method = getattr(self.view, self.method.lower())
        told: Described = method.described
        return told

    def get_operation_id(self) -> str:
        """Name the operation after its view and method."""
        return f"{self.method.lower()}_{type(self.view).__name__.removesuffix('View').lower()}"

    def get_auth(self) -> list[Any]:
        """Leave it to the hook, which knows that there is one way."""
        return []

    def get_summary(self) -> str:
        """Give the summary."""
        return self._told.summary

    def get_description(self) -> str:  # type: ignore[override]  # as drf-spectacular calls it
        """Give the method's own docstring."""
        return (getattr(self.view, self.method.lower()).__doc__ or "").strip()

    def get_tags(self) -> list[str]:
        """Sort operations by the first part of their address."""
        return [self.path.strip("/").split("/")[2]]

    def get_request_serializer(self) -> Any:
        """Give the schema of the body."""
        told = self._told
        if told.request is None:
            return None
        name = told.request.__name__
        examples = [OpenApiExample("example", value=EXAMPLES[name], request_only=True)]
        return {"application/json": OpenApiRequest(request={"$ref": _REF.format(name=name)}, examples=examples)}

    def get_response_serializers(self) -> Any:
        """Give the schema of every answer."""
        told, method = self._told, self.method
        answers: dict[Any, Any] = {
            (status, "application/json") if shape is not None else status: OpenApiResponse(
                response=_shape(shape), description=_description(shape)
            )
            for status, shape in told.answers.items()
        }
        refusals = {405: "not this method"} | (
            _ALWAYS if self.view.permission_classes else {400: _ALWAYS[400], 406: _ALWAYS[406], 429: _ALWAYS[429]}
        )
        refusals |= _WITH_BODY if method in {"POST", "PUT", "PATCH"} else {}
        refusals |= {status: _WHY[status] for status in told.refusals if status not in refusals}
        for status, why in sorted(refusals.items()):
            answers[(status, "application/json")] = OpenApiResponse(
                response={"$ref": _REF.format(name="Error")}, description=why
            )
        return answers

    def get_override_parameters(self) -> list[Any]:
        """Give the parameters beside those of the path."""
        return list(self._told.parameters)


def _shape(shape: Any) -> Any:
    if shape is None:
        return None
    if isinstance(shape, dict):
        return shape
    if isinstance(shape, tuple):
        return {"oneOf": [{"$ref": _REF.format(name=each.__name__)} for each in shape]}
    return {"$ref": _REF.format(name=shape.__name__)}


def _description(shape: Any) -> str:
    kinds = shape if isinstance(shape, tuple) else (shape,)
    told = " Or: ".join((each.__doc__ or "").strip().split("\n")[0] for each in kinds if isinstance(each, type))
    return told or "done"


def add_components(result: dict[str, Any], generator: Any, request: Any, public: Any) -> dict[str, Any]:  # noqa: ARG001 - as the hook is called
    """Add the schemas of requests, off their validators, and of answers, off their shapes."""
    from selection.api.urls import urlpatterns  # noqa: PLC0415 - the addresses name the views, which name this module

    views = [getattr(pattern.callback, "view_class", None) for pattern in urlpatterns]
    methods = [getattr(view, name, None) for view in views for name in ("get", "post", "put", "patch", "delete")]
    requests = {told.request for method in methods if (told := getattr(method, "described", None)) and told.request}
    kinds = [getattr(shapes, name) for name in shapes.__all__]
    _, answers = msgspec.json.schema_components(kinds, ref_template=_REF)
    schemas: dict[str, Any] = dict(answers)
    for kind in requests:
        schemas[kind.__name__] = _named({**json_schema_of(kind), "title": ""}, schemas)
    result.setdefault("components", {})["schemas"] = dict(sorted(schemas.items()))
    result["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    for operations in result["paths"].values():
        for operation in operations.values():
            if isinstance(operation, dict) and operation.get("operationId") != "get_status":
                operation["security"] = [{"token": []}]
            if isinstance(operation, dict) and "requestBody" in operation:
                operation["requestBody"]["required"] = True
    return result


def _named(schema: Any, into: dict[str, Any]) -> Any:
    """Give a schema in which every named object is a reference; the objects go `into` the components."""
    if isinstance(schema, list):
        return [_named(each, into) for each in schema]
    if not isinstance(schema, dict):
        return schema
    held = {name: _named(each, into) for name, each in schema.items()}
    title = held.pop("title", "") if isinstance(held.get("title"), str) else ""
    if held.get("type") == "object" and "properties" in held:
        # What the validators do not know they refuse.
        held["additionalProperties"] = False
    if title and "properties" in held:
        into[title] = held
        return {"$ref": _REF.format(name=title)}
    return held
