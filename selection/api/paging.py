"""Lists by keyset: a page says where the next one begins, so that what is added meanwhile moves nothing."""

from collections.abc import Callable
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from rest_framework.request import Request

from selection.api.errors import ApiError

MOST: Final = 200
_USUAL: Final = 50


def page_of(
    request: Request,
    rows: QuerySet[Any],
    field: str,
    document: Callable[[Any], dict[str, Any]],
    *,
    newest: bool = False,
) -> dict[str, Any]:
    """Give one page of `rows` in the order of `field`, a unique one: `?limit=` rows from `?after=` on, the cursor that the page before gave."""
    limit = number_in(request, "limit", _USUAL, least=1, most=MOST)
    after = request.query_params.get("after")
    ordered = rows.order_by(f"-{field}" if newest else field)
    if after is not None:
        try:
            ordered = ordered.filter(**{f"{field}__{'lt' if newest else 'gt'}": after})
        except (ValueError, ValidationError):
            raise invalid("after", "is no cursor of this list") from None
    held = list(ordered[: limit + 1])
    more = len(held) > limit
    return {
        "items": [document(row) for row in held[:limit]],
        "next": str(getattr(held[limit - 1], field)) if more else None,
    }


def number_in(request: Request, name: str, usual: int, *, least: int, most: int) -> int:
    """Give a whole number of the address. Raises `ApiError` where it is none, or out of bounds."""
    text = request.query_params.get(name)
    if text is None:
        return usual
    if not (text.isascii() and text.isdigit() and len(text) < len("1000000000000") and least <= int(text) <= most):
        raise invalid(name, f"is not a whole number from {least:,} to {most:,}")
    return int(text)


def invalid(place: str, message: str) -> ApiError:
    """Give the refusal of one part of a request."""
    return ApiError("invalid_request", 422, f"{place}: {message}", ({"place": place, "message": message},))
