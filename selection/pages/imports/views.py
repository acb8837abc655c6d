"""The import page: what to bring, how far it is, and what came of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views import View

from selection import queries
from selection.actions.import_jobs import Job, JobResult, State, begin_import, cancel_import, job_of
from selection.importers import FORMATS
from selection.models import Session
from selection.pages.imports.forms import ImportForm
from selection.pages.inspector.look import HtmxRequest
from selection.pages.starting import StartingPolicy, starting_policy_of

_MEGABYTE = 1024 * 1024
_MOST_LISTED = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportPage:
    """The form, and what can be read."""

    form: ImportForm
    most_megabytes: int
    formats: tuple[str, ...] = tuple(FORMATS.values())


@dataclass(frozen=True, slots=True)
class ImportedFile:
    """What became of one file; `session`, with its `last_turn`, is there as long as nobody deletes it."""

    result: JobResult
    session: Session | None


@dataclass(frozen=True, slots=True, kw_only=True)
class JobPage:
    """An import: how far it is, and the files that are done, those that gave a session first."""

    key: UUID
    job: Job
    files: tuple[ImportedFile, ...]
    refused: int
    more: int
    starting: StartingPolicy | None

    @property
    def running(self) -> bool:
        """Whether there is more to come."""
        return self.job.state is State.RUNNING

    @property
    def imported(self) -> int:
        """How many files gave a session."""
        return len(self.job.results) - self.refused

    @property
    def nothing(self) -> bool:
        """Whether it ended without a session."""
        return self.job.state is State.DONE and self.refused == len(self.job.results)


class ImportView(View):
    """Import sessions."""

    def get(self, request: HttpRequest) -> HttpResponse:
        """Ask for files or a text."""
        return _ask(request, ImportForm())

    def post(self, request: HtmxRequest) -> HttpResponse:
        """Import it: at once what is small, and beside the answer what is large or many."""
        form = ImportForm(request.POST, request.FILES)
        if not form.is_valid():
            return _ask(request, form, status=422)
        beside = form.size > settings.IMPORT_AT_ONCE_BYTES
        key = begin_import(request.user, form.brought(), beside=beside)
        if beside and not request.htmx:
            return redirect("pages:import_job", key)
        response = _show(request, key, answers=True)
        response["HX-Push-Url"] = reverse("pages:import_job", args=[key])
        return response


class ImportJobView(View):
    """One import."""

    def get(self, request: HtmxRequest, job_id: UUID) -> HttpResponse:
        """Show how far it is, or what came of it."""
        return _show(request, job_id)

    def post(self, request: HtmxRequest, job_id: UUID) -> HttpResponse:
        """Call it off."""
        if not cancel_import(request.user, job_id):
            raise Http404
        return _show(request, job_id) if request.htmx else redirect("pages:import_job", job_id)


def _ask(request: HttpRequest, form: ImportForm, status: int = 200) -> HttpResponse:
    page = ImportPage(form=form, most_megabytes=settings.MAX_IMPORT_BYTES // _MEGABYTE)
    return render(request, "selection/import/detail.html", {"page": page}, status=status)


def _show(request: HttpRequest, key: UUID, *, answers: bool = False) -> HttpResponse:
    """Show an import; `answers` when the page is the answer to what was brought, which may be a refusal."""
    job = job_of(request.user, key)
    if job is None:
        raise Http404
    shown = sorted(job.results, key=lambda result: result.session is None)[:_MOST_LISTED]
    refused = sum(1 for result in job.results if result.session is None)
    files = _files(request, shown)
    page = JobPage(
        key=key,
        job=job,
        files=files,
        refused=refused,
        more=len(job.results) - len(shown),
        starting=_starting(request, files),
    )
    status = 422 if answers and page.nothing else 200
    return render(request, "selection/import/job.html", {"page": page}, status=status)


def _starting(request: HttpRequest, files: Sequence[ImportedFile]) -> StartingPolicy | None:
    """Tell the policy that a session begins with, where one session was imported."""
    sessions = [file.session for file in files if file.session is not None]
    return starting_policy_of(request.user, sessions[0]) if len(sessions) == 1 else None


def _files(request: HttpRequest, results: Sequence[JobResult]) -> tuple[ImportedFile, ...]:
    sessions = queries.imported_sessions_of(request.user, [result.session for result in results if result.session])
    return tuple(ImportedFile(result, sessions.get(result.session) if result.session else None) for result in results)
