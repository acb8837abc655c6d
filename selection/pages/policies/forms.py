"""What a policy author fills in."""

from typing import Any

from django import forms

from selection.actions.replays import Chosen
from selection.documents.policy_text import LONGEST_TEXT, check_policy_toml


class VersionForm(forms.Form):
    """A text to keep as a version."""

    name = forms.CharField(max_length=200)
    text = forms.CharField(strip=False, max_length=LONGEST_TEXT, widget=forms.Textarea)
    note = forms.CharField(required=False, max_length=500)

    def clean_text(self) -> str:
        """Refuse what is no policy."""
        text: str = self.cleaned_data["text"].replace("\r\n", "\n")
        if not check_policy_toml(text).valid:
            raise forms.ValidationError("this is no policy yet: mend what is told below")
        return text


class ReplayForm(forms.Form):
    """Which turns to replay; nothing filled in means all."""

    last = forms.IntegerField(required=False, min_value=1, max_value=10_000_000)
    since = forms.DateField(required=False)
    until = forms.DateField(required=False)
    model = forms.CharField(required=False, max_length=400)
    session = forms.UUIDField(required=False)
    sample = forms.IntegerField(required=False, min_value=1, max_value=10_000_000)

    def chosen(self) -> Chosen:
        """Give the choice."""
        held: dict[str, Any] = self.cleaned_data
        return Chosen(
            last=held["last"],
            since=held["since"],
            until=held["until"],
            model=held["model"] or None,
            sessions=(held["session"],) if held["session"] else (),
            sample=held["sample"],
        )
