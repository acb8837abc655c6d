"""Retention: what would go is shown first, and goes only while it is still that."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Any, Final, cast

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone

from selection.actions.audit.retention import Extent, ExtentChanged, Scope, apply_retention, preview_retention
from selection.models import AuditEntry, AuditKind
from selection.pages.audit.access import RETAIN, AuditorView, private
from selection.pages.audit.entries import EntryRow, sentence_of
from selection.tasks import remove_retained

_LATEST: Final = 20
# So many rows go while somebody waits; more are left to a worker.
AT_ONCE: Final = 20_000


class ScopeForm(forms.Form):
    """By age or by session: one of the two."""

    before = forms.DateField(required=False, label="Recorded before")
    session = forms.UUIDField(required=False, label="Session")

    def clean(self) -> dict[str, Any]:
        """Ask for one of the two, and for a day that has begun."""
        held: dict[str, Any] = super().clean() or {}
        if not self.errors and (held.get("before") is None) == (held.get("session") is None):
            raise forms.ValidationError("name a day or a session, one of the two")
        before: date | None = held.get("before")
        if before is not None and before > timezone.now().astimezone(UTC).date():
            self.add_error("before", "this day is still to come")
        return held

    def scope(self) -> Scope:
        """Give the scope; the form is valid."""
        before: date | None = self.cleaned_data["before"]
        if before is not None:
            return Scope(before=datetime.combine(before, time.min, UTC))
        return Scope(sessions=(self.cleaned_data["session"],))


class ConfirmForm(ScopeForm):
    """The same with the number of rows that were previewed."""

    rows = forms.IntegerField(min_value=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class RetentionPage:
    """The form, what it would remove, and what went before."""

    form: ScopeForm
    extent: Extent | None
    latest: tuple[EntryRow, ...]
    at_once: int = AT_ONCE


class RetentionView(AuditorView):
    """`/audit/retention/`."""

    permission_required = RETAIN

    def get(self, request: HttpRequest) -> HttpResponse:
        """Show what would go; an address without a scope asks for one."""
        form = ScopeForm(request.GET) if request.GET else ScopeForm()
        extent = preview_retention(form.scope()) if form.is_bound and form.is_valid() else None
        return _show(request, form, extent, 422 if form.errors else 200)

    def post(self, request: HttpRequest) -> HttpResponse:
        """Remove it, if it is still what was shown."""
        form = ConfirmForm(request.POST)
        if not form.is_valid():
            return _show(request, form, None, 422)
        user, scope, rows = cast("User", request.user), form.scope(), form.cleaned_data["rows"]
        if rows > AT_ONCE:
            remove_retained.enqueue(user.pk, scope.document(), rows)
            messages.success(request, "Left to a worker: it begins in a moment, and its entries tell how far it is.")
            return redirect("pages:audit_retention")
        try:
            gone = apply_retention(user, scope, expected=rows)
        except ExtentChanged as changed:
            return _show(request, form, changed.now, 409)
        messages.success(request, f"{gone.rows:,} recorded rows and {gone.sessions:,} sessions were removed.")
        return redirect("pages:audit_retention")


def _show(request: HttpRequest, form: ScopeForm, extent: Extent | None, status: int = 200) -> HttpResponse:
    latest = AuditEntry.objects.filter(kind=AuditKind.RETENTION.value).defer("leaves").order_by("-sequence")
    page = RetentionPage(
        form=form, extent=extent, latest=tuple(EntryRow(held=row, said=sentence_of(row)) for row in latest[:_LATEST])
    )
    return private(request, "retention.html", {"page": page}, status)
