"""A question as an address, so that it can be sent to somebody, kept, and asked again."""

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse

from selection.pages.audit.forms import QuestionForm

# Beside the question, where a page of its answer begins.
PLACE: Final = "place"
_YES_NO: Final[Mapping[Any, str]] = {True: "yes", False: "no"}


def asked_by(address: QueryDict) -> dict[str, str]:
    """Give what of an address is a question: the fields of the form that are filled in."""
    names = QuestionForm.base_fields
    return {name: str(address[name]) for name in names if address.get(name, "") != ""}


def address_of(name: str, asked: Mapping[str, Any], /, **changes: Any) -> str:
    """Give the address of a page with a question; a change to `None` takes a field out."""
    held = {**asked, **changes}
    said = {field: _YES_NO.get(value, value) for field, value in held.items() if value is not None}
    query = urlencode(said, errors="surrogatepass")
    return f"{reverse(f'pages:{name}')}?{query}" if query else reverse(f"pages:{name}")
