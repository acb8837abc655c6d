"""The demo sessions: a coding session in which every rule can be seen at work, and a large one."""

from selection.demo.large import large_session
from selection.demo.story import story

__all__ = ["large_session", "story"]
