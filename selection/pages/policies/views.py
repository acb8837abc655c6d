"""The addresses of policies: the list, one policy with its versions, a new version, a stage, and the start of a replay."""

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views import View

from selection import policy_queries
from selection.actions.policies import save_version, set_stage
from selection.actions.replays import make_replay
from selection.models import NamedPolicy, PolicyVersion, Stage
from selection.pages.inspector.look import HtmxRequest
from selection.pages.inspector.view_state import read_number
from selection.pages.policies.contexts import PolicyPage, policies_page, policy_page
from selection.pages.policies.forms import ReplayForm, VersionForm
from selection.tasks import run_or_enqueue


class PoliciesView(View):
    """All policies of the user."""

    def get(self, request: HttpRequest) -> HttpResponse:
        """List them."""
        return render(request, "selection/policies/list.html", {"page": policies_page(request, VersionForm())})

    def post(self, request: HttpRequest) -> HttpResponse:
        """Make a policy, or add a version to the one of that name."""
        form = VersionForm(request.POST)
        if not form.is_valid():
            page = policies_page(request, form)
            return render(request, "selection/policies/list.html", {"page": page}, status=422)
        version = _saved(request, form)
        return redirect(address_of(version))


class PolicyView(View):
    """One policy with one of its versions open."""

    def get(self, request: HttpRequest, policy_id: UUID) -> HttpResponse:
        """Show it."""
        policy = _policy(request, policy_id)
        against = request.GET.get("against")
        return _show(
            request,
            policy_page(
                request,
                policy,
                _version(policy, request.GET.get("version")),
                _version(policy, against) if against else None,
            ),
        )

    def post(self, request: HtmxRequest, policy_id: UUID) -> HttpResponse:
        """Check or save what was typed, set the stage of the open version, or replay it."""
        policy = _policy(request, policy_id)
        version = _version(policy, request.GET.get("version"))
        match request.POST.get("do"):
            case "propose":
                return _staged(request, version, Stage.PROPOSED)
            case "current":
                return _staged(request, version, Stage.CURRENT)
            case "replay":
                return _replay(request, policy, version)
        form = VersionForm({**request.POST.dict(), "name": policy.name})
        if request.POST.get("do") == "save" and form.is_valid():
            return redirect(address_of(_saved(request, form)))
        refused = request.POST.get("do") == "save"
        page = policy_page(request, policy, version, form=form)
        if request.htmx and not refused:
            return render(request, "selection/policies/_verdict.html", {"page": page})
        return _show(request, page, status=422 if refused else 200)


def address_of(version: PolicyVersion) -> str:
    """Give the address of a version."""
    return f"{reverse('pages:policy_object', args=[version.policy_id])}?version={version.number}"


def _show(request: HttpRequest, page: PolicyPage, status: int = 200) -> HttpResponse:
    response = render(request, "selection/policies/detail.html", {"page": page}, status=status)
    response["Cache-Control"] = "private, no-store"
    return response


def _policy(request: HttpRequest, policy_id: UUID) -> NamedPolicy:
    policy = policy_queries.policy_of(request.user, policy_id)
    if policy is None:
        raise Http404
    return policy


def _version(policy: NamedPolicy, number: str | None) -> PolicyVersion:
    """Give the version of a number, the newest where none is named."""
    rows = policy_queries.versions_of(policy)
    if number is not None:
        rows = rows.filter(number=read_number(number) or 0)
    version = rows.first()
    if version is None:
        raise Http404
    return version


def _saved(request: HttpRequest, form: VersionForm) -> PolicyVersion:
    held = form.cleaned_data
    version = save_version(request.user, held["name"], held["text"], held["note"])
    messages.success(request, f"This is version {version.number:,} of the policy.")
    return version


def _staged(request: HttpRequest, version: PolicyVersion, stage: Stage) -> HttpResponse:
    set_stage(request.user, version, stage)
    messages.success(request, f"Version {version.number:,} is {stage.value} now.")
    return redirect(address_of(version))


def _replay(request: HttpRequest, policy: NamedPolicy, version: PolicyVersion) -> HttpResponse:
    form = ReplayForm(request.POST)
    if not form.is_valid():
        return _show(request, policy_page(request, policy, version, replay_form=form), status=422)
    replay = make_replay(request.user, str(version), version.text, form.chosen(), version)
    run_or_enqueue(replay)
    return redirect("pages:replay", replay.pk)
