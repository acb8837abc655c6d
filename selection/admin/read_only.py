"""What every audit page shares: it shows, and changes nothing."""

from typing import Any

from django.contrib import admin
from django.core.paginator import Paginator
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.functional import cached_property

_MOST_COUNTED = 10_000


class BoundedPaginator(Paginator[Any]):
    """Counts no further than a person pages, so that a list of millions opens as fast as a short one."""

    @cached_property
    def count(self) -> int:
        """Give the number of rows, or the bound."""
        rows = self.object_list
        return rows.order_by()[: _MOST_COUNTED + 1].count() if isinstance(rows, QuerySet) else len(rows)


class ReadOnlyAdmin(admin.ModelAdmin[Any]):
    """An audit page."""

    paginator = BoundedPaginator
    show_full_result_count = False
    list_per_page = 100
    list_max_show_all = 500
    actions = None
    view_on_site = False

    def has_add_permission(self, _request: HttpRequest, _obj: Model | None = None) -> bool:
        """Nothing is added here."""
        return False

    def has_change_permission(self, _request: HttpRequest, _obj: Model | None = None) -> bool:
        """Nothing is changed here."""
        return False

    def has_delete_permission(self, _request: HttpRequest, _obj: Model | None = None) -> bool:
        """Nothing is deleted here."""
        return False
