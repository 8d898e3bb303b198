"""One run of `ttcrawl extract`: answers of the archive -> parse processes -> items.db."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from ttcrawl.config import Config
from ttcrawl.config.extractors import Extractor
from ttcrawl.errors import CrawlFailedError
from ttcrawl.extract.captures import Capture
from ttcrawl.extract.items import ItemsFile
from ttcrawl.output.steps import Progress
from ttcrawl.ring.columns import Items
from ttcrawl.ring.flight import Flight
from ttcrawl.ring.messages import Broken, Extracted, Failed, Trouble
from ttcrawl.ring.pools import Ring
from ttcrawl.vocabulary.reason import PARSE_DIED, PARSE_STUCK

#: Longest sleep, seconds: how soon it sees a Ctrl-C.
TICK = 0.2

#: If an extractor fails on so many pages in a row, it is the extractor that is wrong, and not the pages.
IN_A_ROW = 20

#: Failures that are named; the others are counted.
NAMED = 3


@dataclass(slots=True, kw_only=True)
class Count:
    """What an extractor did in a run."""

    pages: int = 0
    items: int = 0
    failed: int = 0
    in_a_row: int = 0
    named: list[str] = field(default_factory=list)  # the first failures: URL, and error with its line


@dataclass(frozen=True, slots=True, kw_only=True)
class Sought:
    """An answer, and the numbers of the extractors that have not seen it."""

    capture: Capture
    wanted: tuple[int, ...]


class Extraction:
    """`versions`: of the extractors, in items.db. `progress` is called with the answers that are done."""

    def __init__(
        self,
        config: Config,
        ring: Ring[Sought],
        file: ItemsFile,
        versions: Sequence[int],
        progress: Progress,
    ) -> None:
        self._most_in_flight = config.crawl.data_queue
        self._extractors: Sequence[Extractor] = config.hooks.extractors
        self._ring, self._file = ring, file
        self._versions = versions
        self._progress = progress
        self._token = 0
        self.counts = [Count() for _ in versions]
        self.stopped_by = ""  # "", or the cause for which it ends with answers left

    def stop(self, why: str) -> None:
        """Begin nothing new; what parse processes have is still stored."""
        self.stopped_by = self.stopped_by or why

    def run(self, pieces: Iterable[list[Capture]], total: int, *, again: bool = False) -> None:
        """Make items of the answers that these versions have not seen, or of all `again`.

        What is done is stored whatever happens. Raises CrawlFailedError.
        """
        sought, done = self._sought(pieces, again), 0
        try:
            while self._send(sought):
                for message, flight in self._ring.receive(TICK):
                    done += flight is not None
                    self._take(message, flight)
                if self._file.is_full:
                    self._file.commit()
                self._progress("pages", done, total)
        finally:
            self._file.commit()

    def _sought(self, pieces: Iterable[list[Capture]], again: bool) -> Iterator[Sought]:
        for captures in pieces:
            done = set() if again else self._file.done(self._versions, captures)
            for each in captures:
                versions = enumerate(self._versions)
                if wanted := tuple(n for n, version in versions if (version, each.id, each.time) not in done):
                    yield Sought(capture=each, wanted=wanted)

    def _send(self, sought: Iterator[Sought]) -> bool:
        """Give the parse processes work; return whether they have some."""
        while not self.stopped_by and len(self._ring.flights) < self._most_in_flight:
            if (each := next(sought, None)) is None:
                break
            self._token += 1
            self._ring.read_archived(each.capture.work(self._token, each.wanted), each)
        return bool(self._ring.flights)

    def _take(self, message: Extracted | Failed | Broken | Trouble, flight: Flight[Sought] | None) -> None:
        if isinstance(message, Broken):
            raise CrawlFailedError(message.message)
        if flight is None or isinstance(message, Trouble):
            return  # a parse process was replaced: if its page is lost, it fails
        if isinstance(message, Extracted):
            for items in message.items:
                self._store(flight.turn.capture, items, of_extractor=bool(items.error))
            return
        error = ": ".join(filter(None, (message.reason, message.detail)))
        for number in flight.turn.wanted:
            died = message.reason in (PARSE_DIED, PARSE_STUCK)
            self._store(flight.turn.capture, Items(extractor=number, error=error), of_extractor=died)

    def _store(self, capture: Capture, items: Items, *, of_extractor: bool) -> None:
        """`of_extractor`: whether it failed, and not the reading of the page. Raises CrawlFailedError if it always
        does."""
        count = self.counts[items.extractor]
        self._file.add(self._versions[items.extractor], capture, items)
        count.pages, count.items = count.pages + 1, count.items + len(items.items)
        if not items.error:
            count.in_a_row = 0
            return
        count.failed += 1
        last = f"{capture.url}: {items.error}"
        if len(count.named) < NAMED:
            count.named.append(last)
        if of_extractor:
            count.in_a_row += 1
            if count.in_a_row == IN_A_ROW:
                name = self._extractors[items.extractor].name
                raise CrawlFailedError(
                    f"{name} failed on {IN_A_ROW} pages in a row, the last time on {last}. Correct it and repeat the"
                    " command, with --again if its code does not change"
                )
