"""Best first, when a crawl continues with another subject: its links are scored again, and its queue is put in order.

The words near links are not stored, so stored links have scores by their anchor texts and URLs alone. Nothing depends
on where a kill interrupts this: what has scored the links is noted when all is done, and until then the next run
begins again.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from ttcrawl.config import Config
from ttcrawl.engine.companion import Companion, Progress, Step
from ttcrawl.engine.requisites import for_each_source
from ttcrawl.engine.shared import Shared
from ttcrawl.frontier.ledger import Ledger
from ttcrawl.store.sqlite import Store
from ttcrawl.topic.files import assessor_of, copied, rated_by
from ttcrawl.topic.links import STEP, ScoresLinks, link_scorer
from ttcrawl.vocabulary import region

#: Pages whose links are read at once, and then committed.
SEGMENT = 100

#: URLs that are remembered while links are scored; above this number all are forgotten.
REMEMBERED = 50_000

#: What [topic] tunnel = -1 stands for.
NO_LIMIT = 1 << 30

#: In place of a tunnel, once pages have new scores: less than any, so earlier links are followed again.
FOLLOW_AGAIN = -1


class Rescoring(Companion):
    """What another subject changes in a crawl that continues: the order of the queue, and the links that are followed.

    If this is interrupted, the next run does it again: a URL that is queued already does not change.
    """

    def __init__(self, shared: Shared) -> None:
        self._store = shared.store
        self._ledger = shared.ledger
        self._config = shared.config
        self._before = int(shared.store.about().get("tunnel", NO_LIMIT))
        self._rescored = False

    def prepare(self, step: Step) -> None:
        """Put the queue in order, before it is in memory, if pages or links have other scores."""
        progress, scored_pages = step("scoring links"), self._before == FOLLOW_AGAIN
        self._rescored = rescore(self._store, self._ledger, self._config, progress, scored_pages=scored_pages)

    def begin(self, step: Step) -> None:
        """Follow earlier links if the crawl follows more than before, and note what holds now."""
        store, settings = self._store, self._config.topic
        tunnel = settings.tunnel if settings.on and settings.tunnel >= 0 else NO_LIMIT
        if tunnel > self._before or self._rescored:
            for_each_source(store, self._ledger.spread, step("following links"))
        if tunnel != self._before:
            store.set(tunnel=tunnel)
        if (links_scored_by := scorer_of_links(store, self._config)) != store.about().get("links_scored_by", ""):
            store.set(links_scored_by=links_scored_by)
        if settings.on:
            store.set(topical="yes")
        if settings.on and settings.irrelevant == "count":
            store.set(only_counted="yes")


def scorer_of_links(store: Store, config: Config) -> str:
    """Return what table `crawl` notes when the links of all pages are scored; "": another order needs no scores."""
    return rated_by(config.topic, store.seen_file.parent) if config.frontier.best_first else ""


def rescore(store: Store, ledger: Ledger, config: Config, progress: Progress, *, scored_pages: bool) -> bool:
    """Score stored links again if something else has scored them, and reset the scores of URLs if they depend on it.

    `scored_pages`: pages have new scores. Call it before the queue is in memory. Returns whether scores were reset:
    then `ledger.spread` from every page completes them.
    """
    if not config.frontier.best_first or not store.answers.sources(0, 1):
        return False
    changed = store.about().get("links_scored_by", "") != scorer_of_links(store, config)
    if changed:
        assessor, _ = assessor_of(copied(config.topic, store.seen_file.parent))
        followed = frozenset(region.followed(everywhere=config.links.follow == "all"))
        _score_links(store, link_scorer(assessor), followed, progress)
    if changed or scored_pages:
        ledger.reorder()
    return changed or scored_pages


def _score_links(store: Store, scorer: ScoresLinks, followed: frozenset[int], progress: Progress) -> None:
    urls, last, of = _Urls(store), 0, store.urls.last_id()
    while rows := store.answers.linking(last, SEGMENT):
        store.answers.score_links(
            [
                (source, _scores(scorer, urls, followed, json.loads(targets), letters, anchors))
                for source, targets, letters, anchors in rows
            ]
        )
        last = rows[-1][0]
        store.commit()
        progress(last, of)


def _scores(
    scorer: ScoresLinks, urls: _Urls, followed: frozenset[int], keys: Sequence[int], letters: bytes, anchors: str
) -> bytes:
    """A byte for each link of a page, as while it is parsed: an error costs these scores alone."""
    texts = json.loads(anchors) if anchors else [""] * len(keys)
    try:
        return bytes(
            scorer.score(text, "", key, urls.of(key)) // STEP if letter in followed else 0
            for key, letter, text in zip(keys, letters, texts, strict=True)
        )
    except Exception:
        return bytes(len(letters))


class _Urls:
    """The URLs of keys. The same menu is on every page of a site."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[int, str] = {}

    def of(self, key: int) -> str:
        """Return "" for a URL without a row: it was refused, and there were too many such URLs."""
        url = self._known.get(key)
        if url is None:
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            row = self._store.urls.find(key)
            url = self._known[key] = row.url if row else ""
        return url
