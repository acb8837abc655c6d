"""The filter of the audit as a form, which an address fills in."""

from collections.abc import Iterable
from typing import Any, Final

from django import forms
from django.contrib.auth import get_user_model

from selection.actions.audit.question import Match, Question, Sent
from selection.engine.codes import Kind, Reason

_LONGEST_PATH: Final = 4_096
_LONGEST_NAME: Final = 400
_ANY: Final = ("", "any")
_SENT: Final = {
    Sent.REMOTE: "to a remote model",
    Sent.LOCAL: "to a local model",
    Sent.ANYWHERE: "to any model",
    Sent.NOT: "in no prompt",
}
_MATCH: Final = {Match.EXACT: "is", Match.PREFIX: "begins with", Match.CONTAINS: "contains"}


def _codes(codes: Iterable[Any]) -> list[tuple[str, str]]:
    return [_ANY, *((code.value, code.value.replace("_", " ")) for code in codes)]


def _exactly(**more: str) -> forms.TextInput:
    """A field for what is no word of a language."""
    return forms.TextInput({"spellcheck": "false", "autocapitalize": "off", **more})


class _Switch(forms.TypedChoiceField):
    """Yes, no, or not asked."""

    def __init__(self, yes: str, no: str) -> None:
        choices = [_ANY, ("yes", yes), ("no", no)]
        super().__init__(required=False, choices=choices, coerce=lambda said: said == "yes", empty_value=None)


class QuestionForm(forms.Form):
    """What is asked. Nothing filled in asks for everything."""

    path = forms.CharField(required=False, strip=False, max_length=_LONGEST_PATH, widget=_exactly())
    match = forms.ChoiceField(required=False, choices=[(each.value, words) for each, words in _MATCH.items()])
    sent = forms.ChoiceField(required=False, choices=[_ANY, *((each.value, words) for each, words in _SENT.items())])
    model = forms.CharField(required=False, max_length=_LONGEST_NAME, widget=_exactly(list="models"))
    provider = forms.CharField(required=False, max_length=_LONGEST_NAME, widget=_exactly())
    user = forms.CharField(required=False, max_length=150, widget=_exactly())
    session = forms.UUIDField(required=False)
    version = forms.UUIDField(required=False, label="Policy version")
    kind = forms.ChoiceField(required=False, choices=_codes(Kind))
    included = _Switch("in", "out")
    reason = forms.ChoiceField(required=False, choices=_codes(Reason))
    restricted = _Switch("restricted", "not restricted")
    since = forms.DateField(required=False)
    until = forms.DateField(required=False)

    def clean_user(self) -> int | None:
        """Find the user by name."""
        name = self.cleaned_data["user"]
        if not name:
            return None
        key = get_user_model().objects.filter(username=name).values_list("pk", flat=True).first()
        if key is None:
            raise forms.ValidationError(f"there is no user `{name}`")
        return int(key)

    def clean(self) -> dict[str, Any]:
        """Refuse a span that ends before it begins."""
        held: dict[str, Any] = super().clean() or {}
        since, until = held.get("since"), held.get("until")
        if since and until and until < since:
            self.add_error("until", "this is before the first day")
        return held

    def question(self) -> Question:
        """Give what is asked; the form is valid."""
        held = dict(self.cleaned_data)
        sent, match = held.pop("sent"), held.pop("match")
        return Question(sent=Sent(sent) if sent else None, match=Match(match or Match.EXACT), **held)
