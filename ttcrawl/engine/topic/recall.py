"""When a crawl has found enough of the relevant pages: [topic] held_back and target_recall.

Found pages are counted from the ledger, so a crawl that was killed continues with the count of its last commit.
"""

from __future__ import annotations

from collections.abc import Sequence

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
    """`urls`: canonical URLs that are held back. `reached` tells whether the target is reached."""

    def __init__(self, urls: Sequence[str], settings: Topic, store: Store) -> None:
        self._settings, self._store = settings, store
        self._sample, self._found = len(urls), 0
        self._waiting: dict[str, int] = {}  # URL, the last one of its redirects -> held-back pages that it leads to
        for url in urls:
            self._look(url, 1)
        self._compare()

    def answered(self, flight: Flight[Turn], outcome: object) -> bool:
        if count := self._waiting.pop(flight.turn.url, 0):
            self._look(flight.turn.url, count)
            self._compare()
        return False

    def _look(self, url: str, count: int) -> None:
        result = fate(url, self._store.urls.find, self._target)
        if result.found:
            self._found += count
        elif result.excluded:
            self._sample -= count
        else:
            self._waiting[result.url] = self._waiting.get(result.url, 0) + count

    def _target(self, id: int) -> int | None:
        return next((key for key, kind, _, _ in self._store.answers.outlinks(id) if kind == ord(REDIRECT.letter)), None)

    def _compare(self) -> None:
        least = needed(self._sample, self._settings.target_recall, self._settings.recall_confidence)
        self.reached = least is not None and self._found >= least


def held_back(config: Config, seeds: Sequence[str], scope: Scope, data: bytes) -> tuple[str, ...]:
    """Return the canonical URLs in a list that are not seeds. Tell which cannot be found.

    Raises UsageError if they are too few to show that the target is reached.
    """
    canon = canon_of(config)
    lines = lines_of(data)
    found = [canon.canonical(line) or canon.canonical(with_scheme(line, canon.canonical)) for line in lines]
    urls = list(dict.fromkeys(url for url in found if url is not None))
    if wrong := [line for line, url in zip(lines, found, strict=True) if url is None]:
        _tell(wrong, "is no URL", "are no URLs")
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
