"""The questions: which page is next, and what is done with the answer. Pages are rows of the pool."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from ttcrawl.inspect.topic.label.learner import FEWEST, Learner
from ttcrawl.inspect.topic.label.lists import Lists
from ttcrawl.inspect.topic.label.pool import Pool
from ttcrawl.inspect.topic.label.terminal import MORE, NO, QUIT, SKIP, UNDO, YES, Shown, Terminal
from ttcrawl.inspect.topic.pages import page_with
from ttcrawl.output.number import counted
from ttcrawl.snapshot.errors import NotThere
from ttcrawl.snapshot.page_text import words_or_none
from ttcrawl.snapshot.snapshot import View
from ttcrawl.topic.classifier import Classifier


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


#: The text of a page is shown around this many words: the words with the most points.
WORDS = 5

MISSING = "This page is stored no longer."


class Questions:
    """`session` has the labels."""

    def __init__(self, db: View, pool: Pool, learner: Learner, lists: Lists) -> None:
        self._db = db
        self._pool = pool
        self._learner = learner
        self._lists = lists
        self._classifier: Classifier | None = None
        self.session = Session(pool.labels, self._choose)

    def ask(self, terminal: Terminal) -> None:
        """Ask until the user quits or all pages were asked. Raises OSError if an answer cannot be written."""
        more = False
        while (row := self.session.question()) is not None:
            terminal.show(self._shown(row), self._head(), more=more)
            key = terminal.key(YES + NO + SKIP + UNDO + MORE + QUIT)
            more = key == MORE
            if key == QUIT:
                return
            if key == UNDO:
                self._undo()
            elif key == SKIP:
                self.session.answer(None)
            elif key in (YES, NO):
                self._lists.add(self._pool.urls[row], relevant=key == YES)  # first: what is learned is on the disk
                self.session.answer(key == YES)
        print("all pages were asked")

    def _undo(self) -> None:
        step = self.session.undo()
        if step is None:
            print("nothing to undo")
        elif step.label is not None and not self._lists.undo():
            print("the list was changed by another program: remove the last answer from it")

    def _choose(self, labels: Mapping[int, bool], skipped: Collection[int]) -> list[int]:
        rows = self._learner.choose(labels, skipped)
        model = self._learner.model
        self._classifier = Classifier(model) if model is not None else None
        if model is not None:
            figures = model.figures
            print(
                f"\ntrained with {model.relevant + model.irrelevant:,} labels: precision {figures.precision.mean:.2f},"
                f" recall {figures.recall.mean:.2f} ({figures.folds}-fold cross-validation);"
                f" accepts {self._learner.accepted:,} of {counted(len(self._pool.ids), 'page')}"
            )
        return rows

    def _head(self) -> str:
        labels = self.session.labels
        relevant = sum(labels.values())
        head = f"{self.session.answers + 1:,}  ({relevant:,} relevant, {len(labels) - relevant:,} not)"
        missing = FEWEST - min(relevant, len(labels) - relevant)
        return head if missing <= 0 else f"{head}  a model needs {FEWEST} of each"

    def _shown(self, row: int) -> Shown:
        try:
            url, page = page_with(self._db, self._pool.ids[row])
        except NotThere:
            return self._missing(row)
        if not self._pool.corpus.has(row, page):
            return self._missing(row)
        verdict, terms = "", list[str]()
        main = words_or_none(self._db, self._pool.ids[row], url, main=True)
        if self._classifier is not None:
            rating, points = self._classifier.explain(page)
            strongest = [each for each in points if each.points][:WORDS]
            terms = [word for each in strongest for word in each.term.split(" ")]
            verdict = f"relevant with probability {rating.probability:.2f}: " + ", ".join(
                f"{each.term} {each.points:+.2f}" for each in strongest
            )
        return Shown(url=url, title=page.title, text=page.text if main is None else main, words=terms, verdict=verdict)

    def _missing(self, row: int) -> Shown:
        """A page that was deleted, or requested again and changed, since the pool was read."""
        return Shown(url=self._pool.urls[row], title="", text="", words=(), verdict=MISSING)
