"""The policy editor's addresses: check a text as it is typed, apply it as a what-if, save it as a draft, delete a draft."""

from dataclasses import replace
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views import View

from selection import queries
from selection.actions.knobs import MOST_CHARACTERS, Knobs
from selection.actions.save_draft import save_applied, save_draft
from selection.documents.policy_text import LONGEST_TEXT, check_policy_toml
from selection.pages.inspector.address import query_of
from selection.pages.inspector.look import HtmxRequest, Look, look_at, turn_or_404
from selection.pages.inspector.policy_tab import Typed, applied, verdict_of
from selection.pages.inspector.views import show


class EditorForm(forms.Form):
    """A text, and the name under which to keep it."""

    text = forms.CharField(required=False, strip=False, max_length=LONGEST_TEXT, widget=forms.Textarea)
    name = forms.CharField(required=False, max_length=200)


class PolicyView(View):
    """The editor of one turn."""

    def get(self, request: HtmxRequest, turn_id: UUID) -> HttpResponse:
        """Lead to the page that holds the editor."""
        row = turn_or_404(request, turn_id)
        return redirect(f"{reverse('pages:turn', args=[row.pk])}?tab=policy")

    def post(self, request: HtmxRequest, turn_id: UUID) -> HttpResponse:
        """Check, apply or save what was typed; whatever is refused is shown again, with the reason."""
        look = look_at(request, turn_or_404(request, turn_id))
        form = EditorForm(request.POST)
        text = request.POST.get("text", "").replace("\r\n", "\n")[:LONGEST_TEXT]
        if not form.is_valid():
            name, errors = next(iter(form.errors.items()))
            return _refused(request, look, Typed(text=text, refused=f"{name}: {errors[0]}"))
        typed = Typed(text=text, name=form.cleaned_data["name"])
        match request.POST.get("do"):
            case "save":
                return _save(request, look, typed)
            case "apply":
                return _apply(request, look, typed)
        if request.htmx:
            context = {"verdict": verdict_of(look, text)}
            return render(request, "selection/inspector/_verdict.html", context)
        return _refused(request, look, typed, status=200)


def _apply(request: HtmxRequest, look: Look, typed: Typed) -> HttpResponse:
    if not check_policy_toml(typed.text).valid:
        return _refused(request, look, replace(typed, refused="this is no policy yet: mend what is told below"))
    if len(typed.text) > MOST_CHARACTERS:
        draft = save_applied(request.user, typed.text)
        return redirect(_turn_address(look, replace(look.knobs.beside_policy, draft=str(draft.pk))))
    return redirect(_turn_address(look, applied(look, typed.text)))


def _save(request: HtmxRequest, look: Look, typed: Typed) -> HttpResponse:
    if not typed.name:
        return _refused(request, look, replace(typed, refused="a draft needs a name"))
    draft = save_draft(request.user, typed.name, typed.text)
    messages.success(request, "The draft is saved.")
    if not check_policy_toml(typed.text).valid:
        return _refused(request, look, typed, status=200)
    return redirect(_turn_address(look, replace(look.knobs.beside_policy, draft=str(draft.pk))))


def _turn_address(look: Look, knobs: Knobs) -> str:
    turn = reverse("pages:turn", args=[look.opened.row.pk])
    return f"{turn}{query_of(knobs, **look.view.with_(tab='policy'))}"


def _refused(request: HtmxRequest, look: Look, typed: Typed, status: int = 422) -> HttpResponse:
    seen = replace(look, view=replace(look.view, tab="policy"))
    return show(request, seen, typed, status=status)


class DeleteDraftView(View):
    """Delete a draft, after a question."""

    def get(self, request: HttpRequest, draft_id: UUID) -> HttpResponse:
        """Ask."""
        draft = queries.draft_of(request.user, draft_id)
        if draft is None:
            raise Http404
        return render(request, "selection/inspector/delete_draft.html", {"draft": draft})

    def post(self, request: HttpRequest, draft_id: UUID) -> HttpResponse:
        """Delete."""
        deleted, _ = queries.drafts_of(request.user).filter(pk=draft_id).delete()
        if not deleted:
            raise Http404
        messages.success(request, "The draft is deleted.")
        return redirect("pages:sessions")
