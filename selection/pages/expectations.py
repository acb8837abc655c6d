"""Pinned expectations: the list, a run of all, pinning one from the inspector, deleting one."""

from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django import forms
from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views import View

from selection import queries
from selection.actions.expectations import (
    Checked,
    NameTaken,
    check_expectation,
    knobs_of_expectation,
    pin_expectation,
)
from selection.models import Expectation
from selection.pages.inspector.address import query_of
from selection.pages.inspector.look import look_at, turn_or_404

_A_PAGE: Final = 50
_MOST_RUN: Final = 200
_MOST_DIFFERENCES: Final = 20


class NameForm(forms.Form):
    """The name of an expectation."""

    name = forms.CharField(max_length=200)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One expectation: where it opens, and what came of checking it, where it was."""

    expectation: Expectation
    href: str
    checked: Checked | None
    more: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectationsPage:
    """One page of expectations. `held` and `failed` count what was checked; `most` is how many a page checks."""

    rows: tuple[Row, ...]
    expectations: Page[Expectation]
    ran: bool
    held: int
    failed: int
    most: int


class ExpectationsView(View):
    """The user's expectations."""

    def get(self, request: HttpRequest) -> HttpResponse:
        """List them; with `run` check them too."""
        ran = "run" in request.GET
        pages = Paginator(queries.expectations_of(request.user), _MOST_RUN if ran else _A_PAGE)
        shown = pages.get_page(request.GET.get("page"))
        rows = tuple(_row(expectation, ran=ran) for expectation in shown)
        held = sum(row.checked is not None and row.checked.holds for row in rows)
        page = ExpectationsPage(
            rows=rows,
            expectations=shown,
            ran=ran,
            held=held,
            failed=len(rows) - held if ran else 0,
            most=_MOST_RUN,
        )
        return render(request, "selection/expectations/detail.html", {"page": page})


def _row(expectation: Expectation, *, ran: bool) -> Row:
    knobs = knobs_of_expectation(expectation)
    query = query_of(knobs).removesuffix("?") if knobs else ""
    checked = check_expectation(expectation) if ran else None
    differences = checked.differences if checked else ()
    if checked is not None:
        checked = Checked(
            expectation=expectation, differences=differences[:_MOST_DIFFERENCES], unchecked=checked.unchecked
        )
    return Row(
        expectation=expectation,
        href=f"{reverse('pages:turn', args=[expectation.run_input_id])}{query}",
        checked=checked,
        more=max(0, len(differences) - _MOST_DIFFERENCES),
    )


class PinView(View):
    """Pin what a turn selects under the what-if of the address."""

    def post(self, request: HttpRequest, turn_id: UUID) -> HttpResponse:
        """Pin it; a name that cannot be taken leads back to the what-if."""
        row = turn_or_404(request, turn_id)
        look, form = look_at(request, row), NameForm(request.POST)
        back = f"{reverse('pages:turn', args=[row.pk])}{query_of(look.knobs, **look.view.with_())}"
        if not form.is_valid():
            messages.error(request, f"Not pinned, name: {form.errors['name'][0]}")
            return redirect(back)
        try:
            pin_expectation(request.user, look.opened, look.knobs, form.cleaned_data["name"])
        except NameTaken:
            messages.error(request, "Not pinned: you have an expectation of that name.")
            return redirect(back)
        messages.success(request, "Pinned.")
        return redirect("pages:expectations")


class DeleteExpectationView(View):
    """Delete an expectation, after a question."""

    def get(self, request: HttpRequest, expectation_id: UUID) -> HttpResponse:
        """Ask."""
        found = queries.expectations_of(request.user).filter(pk=expectation_id).first()
        if found is None:
            raise Http404
        return render(request, "selection/expectations/delete.html", {"expectation": found})

    def post(self, request: HttpRequest, expectation_id: UUID) -> HttpResponse:
        """Delete."""
        deleted, _ = queries.expectations_of(request.user).filter(pk=expectation_id).delete()
        if not deleted:
            raise Http404
        messages.success(request, "The expectation is deleted.")
        return redirect("pages:expectations")
