"""The tokens of a person: made here, shown once, and revoked."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views import View

from selection import queries
from selection.actions.api_tokens import Scope, make_token, revoke_token
from selection.models import ApiToken

_MOST_SHOWN: Final = 200
_SCOPES: Final = {
    "read": (Scope.READ,),
    "write": (Scope.READ, Scope.WRITE),
}


class TokenForm(forms.Form):
    """What a token is called, what it may do, and how long."""

    name = forms.CharField(max_length=100)
    scope = forms.ChoiceField(choices=[("read", "read and preview"), ("write", "read, store and delete")])
    days = forms.TypedChoiceField(
        coerce=int, choices=[(30, "30 days"), (90, "90 days"), (365, "a year"), (0, "until it is revoked")]
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenRow:
    """One token as the list shows it."""

    token: ApiToken
    state: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TokensPage:
    """The list, the form, and the text of a token that was just made."""

    rows: tuple[TokenRow, ...]
    form: TokenForm
    fresh: str


class TokensView(View):
    """`/tokens/`."""

    def get(self, request: HttpRequest) -> HttpResponse:
        """List the tokens."""
        return _show(request, TokenForm(initial={"days": 90}))

    def post(self, request: HttpRequest) -> HttpResponse:
        """Make one, and show its text, now and never again."""
        form = TokenForm(request.POST)
        if not form.is_valid():
            return _show(request, form, status=422)
        given = form.cleaned_data
        expires_at = timezone.now() + timedelta(days=given["days"]) if given["days"] else None
        _, text = make_token(request.user, given["name"], _SCOPES[given["scope"]], expires_at)
        return _show(request, TokenForm(initial={"days": 90}), fresh=text)


class RevokeView(View):
    """`/tokens/<id>/revoke/`."""

    def post(self, request: HttpRequest, token_id: UUID) -> HttpResponse:
        """Revoke a token of the user."""
        token = queries.api_tokens_of(request.user).filter(pk=token_id).first()
        if token is None:
            raise Http404
        revoke_token(token)
        messages.success(request, "The token is good for nothing any more.")
        return redirect("pages:tokens")


def _show(request: HttpRequest, form: TokenForm, fresh: str = "", status: int = 200) -> HttpResponse:
    now = timezone.now()
    tokens = queries.api_tokens_of(request.user)[:_MOST_SHOWN]
    page = TokensPage(
        rows=tuple(TokenRow(token=token, state=_state(token, now)) for token in tokens), form=form, fresh=fresh
    )
    response = render(request, "selection/tokens/detail.html", {"page": page}, status=status)
    response["Cache-Control"] = "private, no-store"
    return response


def _state(token: ApiToken, now: datetime) -> str:
    if token.revoked_at is not None:
        return "revoked"
    return "expired" if token.expires_at is not None and token.expires_at <= now else "valid"
