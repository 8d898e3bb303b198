"""Which page is asked next, and what was answered. Pages are rows of the pool."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A page that was asked. `label`: None: skipped."""

    row: int
    label: bool | None


class Session:
    """`choose` gets the labels and the rows that were skipped; it returns the rows that are asked next."""

    def __init__(
        self, labels: Mapping[int, bool], choose: Callable[[Mapping[int, bool], frozenset[int]], Sequence[int]]
    ) -> None:
        self.labels = dict(labels)
        self._choose = choose
        self._queue: list[int] = []
        self._steps: list[Step] = []

    @property
    def answers(self) -> int:
        """Labels that were given in this session."""
        return sum(step.label is not None for step in self._steps)

    def question(self) -> int | None:
        """The row to ask about. None: all were asked."""
        if not self._queue:
            skipped = frozenset(step.row for step in self._steps if step.label is None)
            self._queue = list(self._choose(self.labels, skipped))
        return self._queue[0] if self._queue else None

    def answer(self, label: bool | None) -> None:
        """Label the page that is asked, or skip it (None)."""
        row = self._queue.pop(0)
        self._steps.append(Step(row=row, label=label))
        if label is not None:
            self.labels[row] = label

    def undo(self) -> Step | None:
        """Take the last step back: its page is asked again. None: there is none."""
        if not self._steps:
            return None
        step = self._steps.pop()
        self.labels.pop(step.row, None)
        self._queue.insert(0, step.row)
        return step
