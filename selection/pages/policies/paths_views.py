"""The path tester: paste paths, and see what a policy says of each."""

from dataclasses import dataclass
from uuid import UUID

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views import View

from selection import policy_queries
from selection.actions.check_paths import MOST_CHARACTERS, CheckedPath, check_paths, lines_of
from selection.documents.errors import InvalidDocument
from selection.documents.policy_text import LONGEST_TEXT, CheckedPolicy, check_policy_toml
from selection.models import PolicyVersion


class PathsForm(forms.Form):
    """The paths, and the policy as text."""

    paths = forms.CharField(strip=False, max_length=MOST_CHARACTERS)
    text = forms.CharField(strip=False, max_length=LONGEST_TEXT)
    root = forms.CharField(required=False, max_length=1_000)

    def clean_paths(self) -> list[str]:
        """Take a line as a path."""
        return lines_of(self.cleaned_data["paths"])


@dataclass(frozen=True, slots=True, kw_only=True)
class PathsPage:
    """The form as it was filled in, and what came of it; `checked` is there where a text was tested."""

    version: PolicyVersion | None
    text: str
    paths: str
    root: str
    errors: tuple[str, ...]
    checked: CheckedPolicy | None
    results: tuple[CheckedPath, ...]
    restricted: int


class PathsView(View):
    """The tester."""

    def get(self, request: HttpRequest) -> HttpResponse:
        """Ask for paths, with the text of a version where the address names one."""
        version = _version(request)
        return _show(request, version, {"text": version.text if version else "", "paths": "", "root": ""}, PathsForm())

    def post(self, request: HttpRequest) -> HttpResponse:
        """Test them."""
        form = PathsForm(request.POST)
        typed = {name: request.POST.get(name, "") for name in ("text", "paths", "root")}
        return _show(request, _version(request), typed, form)


def _version(request: HttpRequest) -> PolicyVersion | None:
    raw = request.GET.get("version")
    if not raw:
        return None
    try:
        version = policy_queries.version_by_id(request.user, UUID(raw))
    except ValueError:
        version = None
    if version is None:
        raise Http404
    return version


def _show(request: HttpRequest, version: PolicyVersion | None, typed: dict[str, str], form: PathsForm) -> HttpResponse:
    text = typed["text"].replace("\r\n", "\n")
    checked = check_policy_toml(text) if form.is_bound else None
    results: list[CheckedPath] = []
    valid = form.is_bound and form.is_valid()
    if valid and checked is not None and checked.policy is not None:
        held = form.cleaned_data
        try:
            results = check_paths(checked.policy, held["paths"], root=held["root"], text=text)
        except InvalidDocument as error:
            form.add_error("paths", error.faults[0].message)
            valid = False
    refused = form.is_bound and (not valid or checked is None or not checked.valid)
    page = PathsPage(
        version=version,
        text=text,
        paths=typed["paths"],
        root=typed["root"],
        errors=tuple(f"{name}: {error}" for name, errors in form.errors.items() for error in errors),
        checked=checked,
        results=tuple(results),
        restricted=sum(result.restricted for result in results),
    )
    response = render(request, "selection/policies/paths.html", {"page": page}, status=422 if refused else 200)
    response["Cache-Control"] = "private, no-store"
    return response
