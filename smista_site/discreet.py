"""Reports of errors that hold no content: where it went wrong and what kind of error it was, never a value ("Content never reaches a log").

Values of variables, the text of an exception and the body of a request may be content of a session, opened rows among it.
"""

import logging
import traceback
from types import TracebackType
from typing import Any

from django.http import HttpRequest
from django.views.debug import ExceptionReporter, SafeExceptionReporterFilter

_Raised = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


class DiscreetFormatter(logging.Formatter):
    """Writes the lines of code that led to an error and its kind, without its text: that may quote what it choked on."""

    def formatException(self, ei: _Raised) -> str:  # noqa: N802 - the name of the standard library
        """Give the frames of an error and of those behind it."""
        return "\n".join(_told(ei[1])) if ei[1] is not None else ""


def _told(error: BaseException) -> list[str]:
    """Tell an error after the one that it came from."""
    seen: list[BaseException] = []
    chain: BaseException | None = error
    while chain is not None and chain not in seen:
        seen.append(chain)
        chain = chain.__cause__ or (None if chain.__suppress_context__ else chain.__context__)
    told: list[str] = []
    for each in reversed(seen):
        frames = "".join(traceback.format_tb(each.__traceback__)).rstrip()
        told.append(f"Traceback (most recent call last):\n{frames}\n{type(each).__module__}.{type(each).__qualname__}")
    return told


class DiscreetReporterFilter(SafeExceptionReporterFilter):
    """Leaves all values out of Django's error reports, whatever the settings are."""

    def is_active(self, request: HttpRequest | None) -> bool:  # noqa: ARG002 - always
        """Hide, in debugging too."""
        return True

    def get_post_parameters(self, request: HttpRequest | None) -> dict[str, Any]:  # noqa: ARG002 - none of them
        """Give no field of any form."""
        return {}

    def get_traceback_frame_variables(self, request: HttpRequest | None, tb_frame: Any) -> Any:  # noqa: ARG002
        """Give no variable of any frame."""
        return dict[str, Any]().items()


class DiscreetReporter(ExceptionReporter):
    """Django's page for debugging, without what an exception says of the values that it met."""

    def get_traceback_data(self) -> dict[str, Any]:
        """Give what the page shows, the text of the exception left out."""
        data = super().get_traceback_data()
        hidden = {
            "exception_value": "its text is not shown: it may quote content",
            "unicode_hint": "",
            "exception_notes": "",
        }
        return {**data, **{name: text for name, text in hidden.items() if name in data}}

    def get_traceback_frames(self) -> list[dict[str, Any]]:
        """Give the frames; of an exception behind them its kind alone."""
        frames: list[dict[str, Any]] = super().get_traceback_frames()
        for frame in frames:
            cause = frame.get("exc_cause")
            frame["exc_cause"] = type(cause).__name__ if cause is not None else None
        return frames
