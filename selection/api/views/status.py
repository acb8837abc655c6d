"""Whether the service is there, for everybody."""

from rest_framework.request import Request
from rest_framework.response import Response

from selection.api.base import ApiView
from selection.version import ENGINE_VERSION


class StatusView(ApiView):
    """`GET /status`: public."""

    authentication_classes = []
    permission_classes = []

    def get(self, _request: Request) -> Response:
        """Say so."""
        return self.answer({"status": "ok", "engine_version": ENGINE_VERSION, "api_version": "1"})
