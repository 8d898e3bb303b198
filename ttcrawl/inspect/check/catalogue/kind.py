"""One kind of problem."""

from __future__ import annotations

from dataclasses import dataclass

#: How much a kind of problem weighs, the worst first: links fail, the rest informs.
ERROR, WARNING, NOTICE = LEVELS = ("error", "warning", "notice")


@dataclass(frozen=True, slots=True)
class Kind:
    area: str  # what it is about: the module of ttcrawl.inspect.check.catalogue
    name: str
    level: str
    title: str
    meaning: str
    why: str  # why it matters, in one sentence
    source: str  # URL of the standard or the documentation that says so
    default: bool = True  # whether it is looked for unless it is named: False where many sites would drown in it
