"""When a crawl has found enough of the relevant pages: [topic] held_back and target_recall.

Found pages are counted from the ledger, so a crawl that was killed continues with the count of its last commit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ttcrawl.config import Config, Topic
from ttcrawl.config.compiled import canon_of
from ttcrawl.engine.companion import Companion
from ttcrawl.errors import UsageError
from ttcrawl.frontier.turn import Turn
from ttcrawl.output.display import tell
from ttcrawl.output.number import counted
from ttcrawl.ring.flight import Flight
from ttcrawl.store.sqlite import Store
from ttcrawl.topic.held_back import fate
from ttcrawl.topic.recall import fewest, needed
from ttcrawl.topic.url_list import lines_of
from ttcrawl.vocabulary.kind import REDIRECT
from ttcrawl.web.scheme import with_scheme
from ttcrawl.web.scope import Scope


class TargetRecall(Companion):
    """`urls`: canonical URLs that are held back. `reached` tells whether the target is reached.

    In a cluster each ring knows the fates of its own URLs, and hears from the others. Pages are told apart by their
    positions in the list.
    """

    def __init__(self, urls: Sequence[str], settings: Topic, store: Store) -> None:
        self._urls = urls
        self._settings, self._store = settings, store
        self.found, self.excluded = set[int](), set[int]()  # positions
        self._waiting: dict[str, set[int]] = {}  # URL, the last one of its redirects -> held-back pages that lead there
        for page, url in enumerate(urls):
            self._look(url, {page})
        self._compare()

    def answered(self, flight: Flight[Turn], outcome: object) -> bool:
        if pages := self._waiting.pop(flight.turn.url, None):
            self._look(flight.turn.url, pages)
            self._compare()
        return False

    # -- in a cluster -----------------------------------------------------------------------------------------------

    def hear(self, found: Iterable[int], excluded: Iterable[int]) -> None:
        """Take the fates that another ring knows."""
        self.found.update(found)
        self.excluded.update(excluded)
        self._compare()

    def redirected(self) -> Iterator[tuple[int, str]]:
        """Yield the pages that redirect to a URL that was not answered here, and that URL."""
        for url, pages in self._waiting.items():
            yield from ((page, url) for page in pages if self._urls[page] != url)

    def look_for(self, page: int, url: str) -> None:
        """Wait for a URL to which a page redirects in another ring."""
        if page < len(self._urls) and page not in self._waiting.get(url, ()) and page not in self.found | self.excluded:
            self._look(url, {page})
            self._compare()

    # ---------------------------------------------------------------------------------------------------------------

    def _look(self, url: str, pages: set[int]) -> None:
        result = fate(url, self._store.urls.find, self._target)
        if result.found:
            self.found |= pages
        elif result.excluded:
            self.excluded |= pages
        else:
            self._waiting.setdefault(result.url, set()).update(pages)

    def _target(self, id: int) -> int | None:
        return next((key for key, kind, _, _ in self._store.answers.outlinks(id) if kind == ord(REDIRECT.letter)), None)

    def _compare(self) -> None:
        excluded = len(self.excluded - self.found)
        least = needed(len(self._urls) - excluded, self._settings.target_recall, self._settings.recall_confidence)
        self.reached = least is not None and len(self.found) >= least


def held_back(config: Config, seeds: Sequence[str], scope: Scope, data: bytes) -> tuple[str, ...]:
    """Return the canonical URLs in a list that are not seeds. Tell which cannot be found.

    Raises UsageError if they are too few to show that the target is reached.
    """
    canon = canon_of(config)
    lines = lines_of(data)
    found = [canon.canonical(line) or canon.canonical(with_scheme(line, canon.canonical)) for line in lines]
    urls = list(dict.fromkeys(url for url in found if url is not None))
    if wrong := [line for line, url in zip(lines, found, strict=True) if url is None]:
        _tell(wrong, "is not a URL", "are not URLs")
    if used := set(urls) & set(seeds):
        _tell([url for url in urls if url in used], "is a seed", "are seeds")
        urls = [url for url in urls if url not in used]
    if outside := [url for url in urls if scope.decide(url).reason]:
        _tell(outside, "is out of scope, so it counts as not found", "are out of scope, so they count as not found")
    target, confidence = config.topic.target_recall, config.topic.recall_confidence
    if target and len(urls) < (least := fewest(target, confidence)):
        raise UsageError(
            f"{counted(len(urls), 'held-back URL')} cannot show a recall of {target:g}"
            f" with a confidence of {confidence:g}: {least:,} are needed;"
            " name more in [topic] held_back, or lower target_recall or recall_confidence"
        )
    return tuple(urls)


def _tell(urls: Sequence[str], one: str, many: str) -> None:
    first = f"{urls[0]} {one}" if len(urls) == 1 else f"{len(urls):,} URLs {many}, first: {urls[0]}"
    tell(f"[topic] held_back: {first}")
