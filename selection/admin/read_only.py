"""What every audit page shares: it shows, and changes nothing; and it pages through millions of rows as fast as through a few, since it counts none of them."""

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.contrib.auth import get_user_model
from django.core.paginator import Paginator
from django.db.models import Model, Q, QuerySet, UUIDField
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html

from selection.actions.audit.paging import Place, read_place, slice_of

_PLACE: Final = "place"


class KeyedChangeList(ChangeList):
    """A list that knows where its pages begin, and not how many there are. `older`, `newer` and `newest` are addresses, empty where there is nothing there."""

    older = newer = newest = ""
    model_admin: "ReadOnlyAdmin"

    def get_filters_params(self, params: Any = None) -> Any:
        """Leave out where the page begins: an export is of all pages."""
        asked = super().get_filters_params(params)
        asked.pop(_PLACE, None)
        return asked

    def get_ordering(self, request: HttpRequest, queryset: QuerySet[Any]) -> list[Any]:  # noqa: ARG002 - always the same
        """Order by what pages begin at."""
        return ["-created_at", "-pk"] if self.model_admin.by_time else ["-pk"]

    def get_results(self, request: HttpRequest) -> None:
        """Read one page, with the names of its people in one query more."""
        timed = self.model_admin.by_time
        place = self._fitting(read_place(request.GET.get(_PLACE, ""), timed=timed))
        found = slice_of(self.queryset, place, self.list_per_page, timed=timed)
        self.result_list: Any = found.rows
        self.result_count = self.full_result_count = len(found.rows)
        self.show_full_result_count = self.show_admin_actions = False
        self.can_show_all = self.multi_page = False
        self.paginator = Paginator(found.rows, self.list_per_page)
        self.older, self.newer = self._address(found.older), self._address(found.newer)
        self.newest = self.get_query_string(remove=[_PLACE]) if place else ""
        self.model_admin.prepare(found.rows)

    def _fitting(self, place: Place | None) -> Place | None:
        """A place of a list with other keys is none of this one."""
        if place is None or isinstance(place.key, UUID) != isinstance(self.opts.pk, UUIDField):
            return None
        return place

    def _address(self, place: Place | None) -> str:
        return self.get_query_string({_PLACE: str(place)}) if place else ""


class ReadOnlyAdmin(admin.ModelAdmin[Any]):
    """An audit page. `keys` are what its search compares with a key, `texts` what it compares with a text, each as a whole and each by an index or a glance."""

    show_full_result_count = False
    list_per_page = 100
    list_select_related = ()
    # Lists show one order, the one that an index has.
    sortable_by = ()
    actions = None
    view_on_site = False
    change_list_template = "admin/selection/keyed_change_list.html"
    # The place of the form; what is searched is said below.
    search_fields = ("pk",)
    search_help_text = "the id of the row, or of its session"
    by_time = False
    keys: tuple[str, ...] = ("id", "session_id")
    texts: tuple[str, ...] = ()
    prefetched: tuple[str, ...] = ()

    def has_add_permission(self, _request: HttpRequest, _obj: Model | None = None) -> bool:
        """Nothing is added here."""
        return False

    def has_change_permission(self, _request: HttpRequest, _obj: Model | None = None) -> bool:
        """Nothing is changed here."""
        return False

    def has_delete_permission(self, _request: HttpRequest, _obj: Model | None = None) -> bool:
        """Nothing is deleted here."""
        return False

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:  # noqa: ARG002 - the same for all
        """Give a list that counts nothing."""
        return KeyedChangeList

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Read what a row of the list names beside itself a page at a time."""
        return super().get_queryset(request).prefetch_related(*self.prefetched)

    def get_search_results(
        self, _request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Find rows by key or by text, as a whole: parts are for the search of the audit."""
        term = search_term.strip().replace("\0", "")
        return (queryset.filter(self.named_by(term)) if term else queryset), False

    def named_by(self, term: str) -> Q:
        """Give the condition of a search."""
        said = Q(pk__in=())
        key = _key(term)
        if key is not None:
            for name in self.keys:
                said |= Q(**{name: key})
        for name in self.texts:
            said |= Q(**{name: term})
        return said

    def prepare(self, rows: Any) -> None:
        """Look up the people of a page at once."""
        keys = {row.user_id for row in rows if getattr(row, "user_id", None) is not None}
        people: Any = get_user_model().objects.filter(pk__in=keys)
        names = dict(people.values_list("pk", "username"))
        for row in rows:
            row.whose_name = names.get(getattr(row, "user_id", None), "")

    @admin.display(description="user")
    def whose(self, row: Any) -> Any:
        """Name the user; the name leads to the rest that is of them."""
        return format_html('<a href="?{}">{}</a>', urlencode({"user__id__exact": row.user_id}), row.whose_name)

    @admin.display(description="session")
    def in_session(self, row: Any) -> Any:
        """Name the session; it leads to the runs that were recorded of it."""
        return listed("selectionrun", {"session__id__exact": row.session_id}, str(row.session_id)[-12:])


def _key(term: str) -> UUID | None:
    try:
        return UUID(term)
    except ValueError:
        return None


def listed(model: str, asked: Mapping[str, object], words: str) -> Any:
    """Give a link to a list of what is asked."""
    address = reverse(f"admin:selection_{model}_changelist")
    return format_html('<a href="{}?{}">{}</a>', address, urlencode(dict(asked)), words)
