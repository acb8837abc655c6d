"""Read the knobs from an address: each value is checked, and a wrong one is told beside its knob."""

from dataclasses import fields, replace
from typing import Any

from django import forms
from django.http import QueryDict

from selection.actions.knobs import MOST_CHARACTERS, Knobs, is_writable, knobs_of, with_policy
from selection.documents.policy_text import LONGEST_TEXT, check_policy_toml
from selection.engine.codes import Mode
from selection.engine.values import TurnInput

MOST_TOKENS = 1_000_000_000
_POLICY = frozenset({"policy", "draft"})


class LinesField(forms.CharField):
    """Lines of text, one value each. Blank ones at the end go; within a list of patterns they keep the numbers of the lines."""

    widget = forms.Textarea

    def __init__(self, **options: Any) -> None:
        """Bound the text; what an address may hold of it is asked once it is known to differ from what the turn says."""
        super().__init__(required=False, strip=False, max_length=LONGEST_TEXT, **options)

    def clean(self, value: Any) -> Any:
        """Give the lines as a tuple; None where the address does not say."""
        if value is None:
            return None
        # A mark that a file began with is none of its first line, as for git.
        text = str(super().clean(value)).removeprefix("\ufeff").replace("\r\n", "\n").rstrip("\n")
        return tuple(text.split("\n")) if text.strip("\r") else ()


class TokensField(forms.IntegerField):
    """A number of tokens."""

    def __init__(self) -> None:
        """Bound the number."""
        super().__init__(required=False, min_value=0, max_value=MOST_TOKENS)


class KnobForm(forms.Form):
    """The knobs of one turn; what the address does not say is as the turn says."""

    policy = forms.CharField(required=False, strip=False, max_length=MOST_CHARACTERS)
    draft = forms.UUIDField(required=False)
    model = forms.CharField(required=False, max_length=600)
    window = TokensField()
    reserve = TokensField()
    remote = forms.ChoiceField(required=False, choices=[(mode.value, mode.value) for mode in Mode])
    local_only = forms.ChoiceField(required=False, choices=[("on", "on"), ("off", "off")])
    no_network = forms.ChoiceField(required=False, choices=[("on", "on"), ("off", "off")])
    credentials = LinesField()
    referenced = LinesField()
    restricted = LinesField()
    blocked = LinesField()

    def __init__(self, query: QueryDict, turn: TurnInput, draft: str | None = None) -> None:
        """Read `query` against what `turn` says itself; `draft` is the text of the saved draft that it names."""
        super().__init__(query)
        self._sent = query
        self._turn = turn
        self._draft = draft
        self._names = frozenset(model.name for model in turn.models)

    @property
    def typed_policy(self) -> str:
        """The text of the policy that the address brings, valid or not: the draft's, where it names one."""
        return self._draft if self._draft is not None else self._sent.get("policy", "").replace("\r\n", "\n")

    def clean_policy(self) -> str | None:
        """Give the text of a policy that reads; a draft's stands before one in the address."""
        text = self.typed_policy
        if not text.strip():
            return None
        checked = check_policy_toml(text)
        if checked.policy is None:
            first = checked.faults[0]
            raise forms.ValidationError(f"line {first.line}, column {first.column}: {first.message}")
        return None if checked.policy == self._turn.policy else text

    def clean_credentials(self) -> tuple[str, ...] | None:
        """Give the providers, each once, in order: a form sends one value for each that is ticked, and an empty one."""
        given = self.cleaned_data["credentials"]
        if given is None:
            return None
        sent = [line for value in self._sent.getlist("credentials") for line in value.split("\n")]
        return tuple(sorted({line.strip() for line in sent if line.strip()}))

    def clean_referenced(self) -> tuple[str, ...] | None:
        """Give the paths; a blank line is no path."""
        given = self.cleaned_data["referenced"]
        return None if given is None else tuple(line.strip() for line in given if line.strip())

    def clean_model(self) -> str:
        """Let an override name a model of the catalog only, so that the page can say what is amiss with any other."""
        name: str = self.cleaned_data["model"]
        if name and name not in self._names and name != (self._turn.input.explicit_model or ""):
            raise forms.ValidationError("not a model of this session's catalog")
        return name

    def knobs(self) -> Knobs:
        """Give the knobs that are valid and differ from what the turn says, under the policy that the address brings if it brings one."""
        self.is_valid()
        policy = self.cleaned_data.get("policy")
        draft = str(self.cleaned_data["draft"]) if policy and self._draft is not None else None
        base = Knobs(policy=policy, draft=draft)
        own = knobs_of(with_policy(self._turn, base))
        others = {field.name: self._changed(field.name, own) for field in fields(Knobs) if field.name not in _POLICY}
        return replace(base, **{name: value for name, value in others.items() if self._is_short(name, value)})

    def _is_short(self, name: str, value: object) -> bool:
        """Refuse a changed list that no address holds."""
        if not isinstance(value, tuple) or is_writable(value):
            return True
        self.add_error(
            name, f"longer than the {MOST_CHARACTERS:,} characters that an address may hold: edit the policy"
        )
        return False

    def _changed(self, name: str, own: Knobs) -> Any:
        if name not in self.cleaned_data or name not in self.data:
            return None
        value = self.cleaned_data[name]
        if value is None or (value == "" and name != "model"):
            return None
        if name == "remote":
            value = Mode(value)
        if name in {"local_only", "no_network"}:
            value = value == "on"
        return None if value == getattr(own, name) else value
