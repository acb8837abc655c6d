"""Globs as the `globset` library reads them: another dialect than git's, which a policy can ask for ("Globs" in domain.md tells git's).

Each pattern stands by itself and matches whole paths: `*`, `?` and classes cross `/`, `.env` matches at the root alone, `{a,b}` alternates, and neither `!`
nor `#` nor a slash at an end means anything but itself. `**` crosses folders where it is a whole part of the path.
"""

from selection.engine.globs.globset.hints import globset_doubts
from selection.engine.globs.globset.lists import GlobsetPrivacyList, GlobsetRoutingList
from selection.engine.globs.globset.reading import fault_of_globset

__all__ = ["GlobsetPrivacyList", "GlobsetRoutingList", "fault_of_globset", "globset_doubts"]
