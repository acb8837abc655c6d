"""Input that cannot be read, as exceptions that carry their data; a refusal of the rules is never an exception but a value of the `Outcome`."""

from dataclasses import dataclass


@dataclass(eq=False)
class InvalidAnswer(Exception):
    """The client's answer to a pause is not one: `record_id` says which row (empty: the answer as a whole), `why` what is wrong."""

    record_id: str
    why: str

    def __str__(self) -> str:
        """Say where and why, without any content."""
        return f"`{self.record_id}`: {self.why}" if self.record_id else self.why
