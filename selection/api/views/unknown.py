"""An address that nothing answers to, told in the API's own shape."""

from typing import Any

from django.http import Http404
from rest_framework.request import Request

from selection.api.base import ApiView


class UnknownView(ApiView):
    """Everything else under `/api/v1`."""

    schema = None
    authentication_classes = []
    permission_classes = []

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:  # noqa: ARG002 - of the base
        """Say that there is nothing here, whatever the method."""
        raise Http404
