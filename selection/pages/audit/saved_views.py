"""Searches that somebody keeps under a name: each has an address of its own."""

from typing import Final
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect

from selection.models import AuditView
from selection.pages.audit.access import AuditorView
from selection.pages.audit.addresses import address_of, asked_by

_LONGEST: Final = 4_000
_MOST: Final = 100


class SaveForm(forms.Form):
    """The name of a search."""

    name = forms.CharField(max_length=120)
    query = forms.CharField(required=False, max_length=_LONGEST, strip=False)


class SaveView(AuditorView):
    """`/audit/views/`: keep a search; one of the same name is taken over."""

    def post(self, request: HttpRequest) -> HttpResponse:
        """Keep it."""
        form = SaveForm(request.POST)
        if not form.is_valid():
            messages.error(request, "A search is kept under a name of at most 120 characters.")
            return redirect("pages:audit_references")
        asked = asked_by(QueryDict(form.cleaned_data["query"]))
        address = address_of("audit_references", asked)
        if AuditView.objects.owned_by(request.user).count() >= _MOST:
            messages.error(request, f"No more than {_MOST} searches are kept: delete one first.")
            return redirect(address)
        query = address.partition("?")[2]
        AuditView.objects.update_or_create(
            user_id=request.user.pk, name=form.cleaned_data["name"], defaults={"query": query}
        )
        messages.success(request, "The search is kept; the first page of the audit lists it.")
        return redirect(address)


class SavedView(AuditorView):
    """`/audit/views/<id>/`: the search that is kept there."""

    def get(self, request: HttpRequest, view_id: UUID) -> HttpResponse:
        """Go to it."""
        asked = asked_by(QueryDict(_view(request, view_id).query))
        return redirect(address_of("audit_references", asked))


class DeleteSavedView(AuditorView):
    """`/audit/views/<id>/delete/`."""

    def post(self, request: HttpRequest, view_id: UUID) -> HttpResponse:
        """Keep it no longer."""
        _view(request, view_id).delete()
        messages.success(request, "The search is kept no longer.")
        return redirect("pages:audit")


def _view(request: HttpRequest, view_id: UUID) -> AuditView:
    view = AuditView.objects.owned_by(request.user).filter(pk=view_id).first()
    if view is None:
        raise Http404
    return view
