"""The problems that the checks found: a count and a few examples of each kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from ttcrawl.output.terminal import shortened
from ttcrawl.output.untrusted import escape_untrusted
from ttcrawl.snapshot.errors import NotACrawl
from ttcrawl.snapshot.snapshot import View

#: Examples per kind, and columns of each.
EXAMPLES, LONGEST = 3, 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """All problems of one kind."""

    kind: str
    count: int
    examples: tuple[str, ...]


@dataclass(slots=True)
class Findings:
    """Counts by kind, in the order in which the kinds were first found."""

    _counts: dict[str, int] = field(default_factory=dict)
    _examples: dict[str, list[str]] = field(default_factory=dict)

    def add(self, kind: str, example: object) -> None:
        self._counts[kind] = self._counts.get(kind, 0) + 1
        examples = self._examples.setdefault(kind, [])
        if len(examples) < EXAMPLES:
            examples.append(shortened(escape_untrusted(str(example)), LONGEST, "..."))

    def add_all(self, kind: str, examples: Iterable[object]) -> None:
        for example in examples:
            self.add(kind, example)

    @contextmanager
    def catching(self, db: View) -> Iterator[None]:
        """Turns unreadable data into a finding, so that the remaining checks still run."""
        try:
            with db.damage():
                yield
        except NotACrawl as error:
            self.add("tables: cannot be read", error.__cause__ or error)

    def all(self) -> list[Finding]:
        return [
            Finding(kind=kind, count=count, examples=tuple(self._examples[kind]))
            for kind, count in self._counts.items()
        ]
