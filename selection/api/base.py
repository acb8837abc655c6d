"""What every view of the API shares."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from selection.api.authentication import refuse_credentials_in_query
from selection.api.errors import NO_STORE


class ApiView(APIView):
    """A view of the API: it reads a document, asks, and answers one."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse credentials in the address before anything else is asked."""
        refuse_credentials_in_query(request)
        super().initial(request, *args, **kwargs)

    @staticmethod
    def body(request: Request) -> bytes:
        """Give the body as it came; nothing where there is none."""
        data: Any = request.data
        return data if isinstance(data, bytes) else b""

    @staticmethod
    def answer(document: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
        """Answer with a document, which nothing on the way may keep."""
        return Response(document, status=status, headers={**NO_STORE, **(headers or {})})
