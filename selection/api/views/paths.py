"""`POST policies/paths`: what a policy says of paths, as the page and `manage.py check_path` tell it."""

from rest_framework.request import Request
from rest_framework.response import Response

from selection.actions.api_tokens import Scope
from selection.actions.check_paths import check_paths, document_of
from selection.api import shapes
from selection.api.base import ApiView
from selection.api.described import Described, described
from selection.documents.policy import read_policy_toml
from selection.documents.requests import PathsRequest, read_request


class PathsView(ApiView):
    """Test paths."""

    scope = Scope.READ

    @described(
        Described(summary="Test paths against a policy", request=PathsRequest, answers={200: shapes.PathsTested})
    )
    def post(self, request: Request) -> Response:
        """Test them."""
        asked = read_request(PathsRequest, self.body(request))
        policy = read_policy_toml(asked.text).policy
        results = check_paths(policy, asked.paths, root=asked.root, text=asked.text)
        return self.answer({"paths": [document_of(result) for result in results]})
