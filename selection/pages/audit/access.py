"""Who sees these pages: whoever holds the permission, which the group of auditors has. To others they are forbidden, whatever there is on them."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.mixins import PermissionRequiredMixin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views import View

AUDIT = "selection.audit"
RETAIN = "selection.retain"


class AuditorView(PermissionRequiredMixin, View):
    """A page for auditors."""

    permission_required = AUDIT
    raise_exception = True


def private(request: HttpRequest, template: str, context: Mapping[str, Any], status: int = 200) -> HttpResponse:
    """Give a page that no cache keeps."""
    response = render(request, f"selection/audit/{template}", dict(context), status=status)
    response["Cache-Control"] = "private, no-store"
    return response
