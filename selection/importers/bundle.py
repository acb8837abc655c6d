"""The session bundle, this project's own document."""

from typing import BinaryIO

from selection.documents.bundle import SessionBundle
from selection.documents.bundles import read_bundle
from selection.importers.head import Head
from selection.importers.report import Report


def sniff(head: Head) -> bool:
    """Tell whether a file is a bundle."""
    return head.text.startswith("{") and "smista.session/" in head.text


def read(file: BinaryIO, report: Report) -> SessionBundle:
    """Read a bundle; unlike a recording it is right in every part, or refused with every fault."""
    bundle = read_bundle(file)
    report.read["turns"] = len(bundle.turns)
    report.read["messages"] = len(bundle.messages)
    report.read["memories"] = len(bundle.user_memory) + len(bundle.context_memory)
    return bundle
