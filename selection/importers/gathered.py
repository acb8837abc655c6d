"""What is attached to the turn at hand, while a recording is read."""

from dataclasses import dataclass, field

from selection.engine.values import AttachedFile, Attachments, Instruction, Skill


@dataclass(slots=True)
class Gathered:
    """Instructions and offered skills stay in force until they are told anew; files and invoked skills are of one turn.

    A file that a tool read is attached to the turn after it, with its newest content.
    """

    files: dict[str, AttachedFile] = field(default_factory=dict)
    instructions: dict[str, Instruction] = field(default_factory=dict)
    invoked: dict[str, Skill] = field(default_factory=dict)
    available: dict[str, Skill] = field(default_factory=dict)
    _read: dict[str, AttachedFile] = field(default_factory=dict)

    def next_turn(self) -> None:
        """Forget what belongs to the turn before; what was read in it is attached now."""
        self.files, self._read = self._read, {}
        self.invoked.clear()

    def attach(self, path: str | None, text: str | None) -> bool:
        """Attach a file to the turn at hand; False where nothing is there to attach."""
        return _put(self.files, path, text)

    def was_read(self, path: str | None, text: str | None) -> bool:
        """Note what a tool read or wrote: the turn after this one has it."""
        return _put(self._read, path, text)

    def instruct(self, source: str | None, text: str | None) -> bool:
        """Put an instruction in force; False where there is none."""
        if not source or not text:
            return False
        self.instructions[source] = Instruction(source=source, content=text)
        return True

    def attachments(self) -> Attachments:
        """Give what is attached now."""
        return Attachments(
            files=tuple(self.files.values()),
            instructions=tuple(self.instructions.values()),
            invoked_skills=tuple(self.invoked.values()),
            available_skills=tuple(skill for name, skill in self.available.items() if name not in self.invoked),
        )


def _put(files: dict[str, AttachedFile], path: str | None, text: str | None) -> bool:
    if not path or not text:
        return False
    files.pop(path, None)
    files[path] = AttachedFile(path=path, content=text)
    return True
