"""A policy as somebody types it: every fault with line and column, none hidden by the first.

TOML itself stops at its first fault. Here the faulty statement is blanked and the rest is read again, so that what stands below is told as well; what the
schema refuses is then given the line and column of its place in the text.
"""

from selection.documents.policy_text.check import LONGEST_TEXT, CheckedPolicy, PlacedFault, check_policy_toml
from selection.documents.policy_text.places import places_of, spot_of

__all__ = ["LONGEST_TEXT", "CheckedPolicy", "PlacedFault", "check_policy_toml", "places_of", "spot_of"]
