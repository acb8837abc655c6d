"""Whether the service is there, for everybody."""

from rest_framework.request import Request
from rest_framework.response import Response

from selection.api import shapes
from selection.api.base import ApiView
from selection.api.described import Described, described
from selection.version import ENGINE_VERSION


class StatusView(ApiView):
    """`GET /status`: public."""

    authentication_classes = []
    permission_classes = []

    @described(Described(summary="Whether the service is there", answers={200: shapes.ServiceStatus}))
    def get(self, _request: Request) -> Response:
        """Say so."""
        return self.answer({"status": "ok", "engine_version": ENGINE_VERSION, "api_version": "1"})
