"""The catalog of models: the one page of the admin that changes something, and nothing that was recorded."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path
from django.utils import timezone

from selection.actions.catalog import import_models
from selection.documents.errors import InvalidDocument
from selection.models import CatalogModel

_MOST_BYTES = 20_000_000


class ListForm(forms.Form):
    """A list in the format of LLM proxies."""

    file = forms.FileField(label="A JSON file in the price-and-window format of LLM proxies")
    source = forms.CharField(max_length=300, label="Where the figures are from")
    as_of = forms.DateField(label="When they were right", widget=forms.DateInput(attrs={"type": "date"}))

    def clean_file(self) -> Any:
        """Bound it."""
        file = self.cleaned_data["file"]
        if file.size > _MOST_BYTES:
            raise forms.ValidationError(f"larger than {_MOST_BYTES // 1_000_000} MB")
        return file


@admin.register(CatalogModel)
class CatalogModelAdmin(admin.ModelAdmin[CatalogModel]):
    """Models of this server's catalog."""

    list_display = (
        "name", "max_context_tokens", "max_output_tokens", "input_cost_per_million", "output_cost_per_million", "local", "as_of", "source",
    )  # fmt: skip
    list_filter = ("local", "as_of")
    search_fields = ("name", "source")
    change_list_template = "admin/selection/catalogmodel/change_list.html"

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """Begin with today."""
        return {"as_of": timezone.localdate(), **super().get_changeform_initial_data(request)}

    def get_urls(self) -> list[URLPattern]:
        """Add the page that takes a list."""
        own = path("import/", self.admin_site.admin_view(self.import_list), name="selection_catalogmodel_import")
        return [own, *super().get_urls()]

    def import_list(self, request: HttpRequest) -> HttpResponse:
        """Take a list."""
        if not (self.has_add_permission(request) and self.has_change_permission(request)):
            raise PermissionDenied
        form = ListForm(request.POST or None, request.FILES or None, initial={"as_of": timezone.localdate()})
        if request.method == "POST" and form.is_valid() and self._import(request, form):
            return redirect("admin:selection_catalogmodel_changelist")
        context = {**self.admin_site.each_context(request), "form": form, "title": "Bring a list", "opts": self.opts}
        return render(request, "admin/selection/catalogmodel/import.html", context)

    @staticmethod
    def _import(request: HttpRequest, form: ListForm) -> bool:
        given = form.cleaned_data
        try:
            done = import_models(given["file"].read(), given["source"], given["as_of"])
        except InvalidDocument as error:
            for fault in error.faults:
                form.add_error("file", str(fault))
            return False
        told = f"{done.added:,} models added, {done.changed:,} changed, {done.same:,} as they were, {done.left_out:,} entries left out."
        messages.success(request, told)
        return True
