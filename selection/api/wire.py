"""JSON in and out: read strictly and within bounds, written fast."""

from typing import Any, Final

import msgspec
from django.conf import settings
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer

from selection.api.errors import ApiError

JSON: Final = "application/json"


class RawParser(BaseParser):
    """Gives the bytes of a JSON body as they came: documents are read by the readers of documents, which tell every fault with its place."""

    media_type = JSON

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:  # noqa: ARG002 - of the base
        """Read the body. Raises `ApiError` at once for one that is too large."""
        most = settings.MAX_API_BYTES
        length = int(stream.META.get("CONTENT_LENGTH") or 0) if hasattr(stream, "META") else 0
        if length > most:
            raise ApiError("body_too_large", 413, f"the body is larger than {most:,} bytes")
        data: bytes = stream.read(most + 1)
        if len(data) > most:
            raise ApiError("body_too_large", 413, f"the body is larger than {most:,} bytes")
        return data


class FastRenderer(BaseRenderer):
    """Writes answers as JSON."""

    media_type = JSON
    format = "json"
    charset = None
    render_style = "binary"

    def render(self, data: Any, accepted_media_type: Any = None, renderer_context: Any = None) -> bytes:  # noqa: ARG002 - of the base
        """Write `data`; nothing for an answer without a body."""
        return b"" if data is None else msgspec.json.encode(data)
