"""A policy as somebody types it: every fault with line and column, none hidden by the first.

TOML itself stops at its first fault. Here the faulty statement is blanked and the rest is read again, so that what stands below is told as well; what the
schema refuses is then given the line and column of its place in the text.
"""

from selection.documents.policy_text.check import CheckedPolicy, PlacedFault, check_policy_toml

__all__ = ["CheckedPolicy", "PlacedFault", "check_policy_toml"]
