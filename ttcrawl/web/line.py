"""A line as a user wrote it, with its position: rules about URLs are lines."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line as written. Two lines are equal if their texts are, whatever their positions."""

    text: str
    file: str = field(default="", compare=False)  # or a command-line option, such as --exclude
    number: int = field(default=0, compare=False)  # in the file, from 1; 0: not in a file
    unit: str = field(default="line", compare=False)  # what is counted

    @property
    def position(self) -> str:
        return f"{self.file}, {self.unit} {self.number}" if self.number else self.file
