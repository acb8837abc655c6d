"""Every refusal of the API in one shape: `{"error": {"code", "message", "details"}}`, with codes that stay."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.http import Http404
from rest_framework import exceptions
from rest_framework.response import Response

from selection.actions.decrypt_pause import AnswerRefused
from selection.documents.errors import InvalidDocument

NO_STORE: Final = {"Cache-Control": "private, no-store"}


@dataclass(eq=False)
class ApiError(Exception):
    """A refusal: its code, its status, and in words what is wrong; `details` are places and messages, or what else the code promises."""

    code: str
    status: int
    message: str
    details: tuple[Any, ...] = ()


_KNOWN: Final[dict[type[Exception], tuple[str, int, str]]] = {
    Http404: ("not_found", 404, "there is nothing here"),
    exceptions.NotFound: ("not_found", 404, "there is nothing here"),
    PermissionDenied: ("forbidden", 403, "this is not allowed"),
    exceptions.PermissionDenied: ("insufficient_scope", 403, "the token's scopes do not allow this"),
    exceptions.NotAuthenticated: ("missing_credentials", 401, "no token was shown: `Authorization: Bearer ...`"),
    exceptions.AuthenticationFailed: ("invalid_token", 401, "the token is not known"),
    exceptions.MethodNotAllowed: ("method_not_allowed", 405, "this method is not known here"),
    exceptions.NotAcceptable: ("not_acceptable", 406, "only `application/json` is given"),
    exceptions.UnsupportedMediaType: ("unsupported_media_type", 415, "only `application/json` is taken"),
    RequestDataTooBig: ("body_too_large", 413, "the body is larger than this server takes"),
}


def error_response(error: ApiError, headers: dict[str, str] | None = None) -> Response:
    """Give a refusal as a response."""
    body = {"error": {"code": error.code, "message": error.message, "details": list(error.details)}}
    return Response(body, status=error.status, headers={**NO_STORE, **(headers or {})})


def handle(raised: Exception, _context: dict[str, Any]) -> Response | None:
    """Turn what a view raised into a response; None for what nobody foresaw, which is a 500 and goes to the log."""
    error = error_of(raised)
    if error is None:
        return None
    response = error_response(error, _headers(raised, error))
    response.exception = True
    return response


def error_of(raised: Exception) -> ApiError | None:
    """Give the refusal that an exception stands for."""
    if isinstance(raised, ApiError):
        return raised
    if isinstance(raised, InvalidDocument):
        return ApiError("invalid_request", 422, str(raised), tuple(_places(raised)))
    if isinstance(raised, AnswerRefused):
        return ApiError(raised.code, 409, str(raised), ({"place": raised.record_id, "message": raised.why},))
    if isinstance(raised, exceptions.Throttled):
        return ApiError("throttled", 429, f"too many requests; again in {_wait(raised):,} seconds")
    known = next((_KNOWN[kind] for kind in type(raised).__mro__ if kind in _KNOWN), None)
    return None if known is None else ApiError(*known)


def _places(refused: InvalidDocument) -> Iterable[dict[str, str]]:
    return ({"place": fault.place, "message": fault.message} for fault in refused.faults)


def _headers(raised: Exception, error: ApiError) -> dict[str, str]:
    headers = {}
    if error.status == exceptions.NotAuthenticated.status_code:
        headers["WWW-Authenticate"] = 'Bearer realm="smista"'
    if isinstance(raised, exceptions.Throttled):
        headers["Retry-After"] = str(_wait(raised))
    return headers


def _wait(raised: exceptions.Throttled) -> int:
    """Give the seconds to wait, at least one."""
    wait: float | None = getattr(raised, "wait", None)
    return 1 if wait is None else max(1, round(wait))
