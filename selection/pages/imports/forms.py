"""What somebody brings to be imported."""

from collections.abc import Sequence
from typing import Any, Final

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile, UploadedFile

_MOST_PASTED: Final = 10_000_000
_MEGABYTE: Final = 1024 * 1024


class _Files(forms.ClearableFileInput):
    """Any number of files."""

    allow_multiple_selected = True


class _FilesField(forms.FileField):
    """The files of one control."""

    widget = _Files

    def clean(self, data: Any, initial: Any = None) -> list[UploadedFile]:
        """Give them all."""
        given = data if isinstance(data, list | tuple) else [data]
        return [file for each in given if (file := super(_FilesField, self).clean(each, initial)) is not None]


class ImportForm(forms.Form):
    """Files, a folder's files, or pasted text: one of the three."""

    file = _FilesField(required=False, allow_empty_file=True)
    folder = _FilesField(required=False, allow_empty_file=True)
    text = forms.CharField(required=False, strip=False, widget=forms.Textarea, max_length=_MOST_PASTED)

    def clean(self) -> dict[str, Any]:
        """Ask for exactly one of the three, and bound it."""
        given = self.cleaned_data
        if self.errors:
            return given
        ways = [way for way in (given.get("file"), given.get("folder"), given.get("text", "").strip()) if way]
        if len(ways) != 1:
            raise forms.ValidationError("choose files or a folder, or paste a session: one of the three")
        if sum(file.size or 0 for file in self.brought()) > settings.MAX_IMPORT_BYTES:
            most = settings.MAX_IMPORT_BYTES // _MEGABYTE
            raise forms.ValidationError(f"larger than {most:,} MB, the most that this server imports at a time")
        return given

    def brought(self) -> Sequence[UploadedFile]:
        """Give what was brought as files."""
        files: list[UploadedFile] = [*self.cleaned_data["file"], *self.cleaned_data["folder"]]
        text = self.cleaned_data["text"].encode("utf-8", "surrogatepass")
        return files or [SimpleUploadedFile("pasted text", text)]

    @property
    def size(self) -> int:
        """The bytes of it all."""
        return sum(file.size or 0 for file in self.brought())
