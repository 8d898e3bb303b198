"""Pages that are gone, and known again at another URL of their site.

A page has moved if what it showed newly appears at another URL: the same bytes, the same text, or nearly the same main
text under the same title. Pages with several copies have not moved: their content is there under the others, or it is
what many pages of the site say. Nor are pages with too little text recognised, or files of a few bytes.
"""

from __future__ import annotations

from ttcrawl import config
from ttcrawl.engine.duplicates.marks import Known, known, same_feature
from ttcrawl.read.fingerprints import keys
from ttcrawl.ring.columns import NEAR
from ttcrawl.store.rows import RecrawlRow
from ttcrawl.store.sqlite import Store
from ttcrawl.store.vanished import Lost, Shown
from ttcrawl.vocabulary.html import PARSERS
from ttcrawl.web.url import host

#: How a page is known again if not by its content: it redirects for ever (RFC 9110 sections 15.4.2 and 15.4.9).
REDIRECT = "redirect"
PERMANENT = (301, 308)

#: Pages that are gone, or new, with one content: more do not show which page moved.
MOST = 2

#: Pages that are compared.
LIMIT = 20

#: Bytes of a file without text that can be recognised: a smaller one may be a placeholder.
LEAST = 512


class Moves:
    """Part of the crawl process, of crawls that are continued."""

    def __init__(self, store: Store, settings: config.Duplicates) -> None:
        self._store = store
        self._vanished = store.vanished
        self._settings = settings
        self._any_lost = store.vanished.any_lost

    def confirm(self, row: RecrawlRow, now: float) -> None:
        """Note that a page is gone, while its fingerprint is there."""
        present = self._vanished.confirm(row.url, now)
        shown, page = self._vanished.shown(row.url), self._known(row.url)
        if shown is None or page is None or not _recognisable(shown, page):
            return
        since = present if row.visits > row.missing else now  # before its first visit, copies may have been there
        lost = Lost(row.url, shown.domain, present, shown.title, page.body, page.print)
        others = [other for other in self._vanished.alike(row.url, LIMIT) if self._same(lost, other)]
        there = [other for other in others if not self._vanished.is_missing(other)]
        own = keys.of_page(page.body, page.print.text, page.print.bands)
        alike = [each for each in self._vanished.lost(own, LIMIT) if each.id != row.url]
        lost_copies = len(others) - len(there) + sum(bool(self._feature(lost, _page_of(each))) for each in alike)
        if not there:
            self._vanished.add_print(lost, own)
            self._any_lost = True
        elif len(there) <= MOST and lost_copies < MOST:
            self._know_again(lost, there, since, now)

    def appeared(self, url: int, now: float) -> bool:
        """Compare a page that was fetched for the first time, or has changed, with those that are gone. Return whether
        it has taken over from one."""
        page = self._known(url) if self._any_lost else None
        if page is None:
            return False
        own = keys.of_page(page.body, page.print.text, page.print.bands)
        lost = [each for each in self._vanished.lost(own, LIMIT) if self._same(each, url)]
        if not 0 < len(lost) <= MOST:
            return False
        successors = set[int]()
        for each in lost:
            others = [other for other in self._vanished.alike(url, LIMIT) if self._same(each, other)]
            if len(others) < MOST:
                successors.add(self._know_again(each, [url, *others], each.present, now))
        self._any_lost = self._vanished.any_lost
        return url in successors

    def redirects(self, url: int, target: str, target_id: int, row: RecrawlRow, now: float) -> None:
        """Note that a page redirects for ever. To the start page of a host: that says only that it is gone."""
        if url == target_id or target.endswith(f"//{host(target)}/"):
            return
        self._vanished.missing(url, row.visited, now)
        self._vanished.known_again(url, target_id, REDIRECT, now)
        shown = self._vanished.shown(target_id)
        if shown is not None and shown.time > row.visited:  # another page was not there before
            self._store.recrawls.inherit(url, target_id)

    def _know_again(self, lost: Lost, others: list[int], since: float, now: float) -> int:
        """Choose the first of these pages by order, if all of them have appeared since. Return the id of its URL; 0:
        none."""
        shown = [each for each in map(self._vanished.shown, others) if each is not None]
        if not shown or any(each.time <= since for each in shown):
            return 0
        pages = [page for page in (self._known(each.id) for each in shown) if page is not None]
        first = min(pages, key=lambda page: page.order)
        self._vanished.known_again(lost.id, first.id, self._feature(lost, first), now)
        self._store.recrawls.inherit(lost.id, first.id)
        return first.id

    def _same(self, lost: Lost, url: int) -> bool:
        shown, page = self._vanished.shown(url), self._known(url)
        if shown is None or page is None or shown.domain != lost.domain:
            return False
        feature = self._feature(lost, page)
        return feature != "" and (feature != NEAR or shown.title == lost.title)

    def _feature(self, lost: Lost, page: Known) -> str:
        return same_feature(_page_of(lost), page, self._settings)

    def _known(self, url: int) -> Known | None:
        n = self._store.fingerprints.of(url)
        return None if n is None else known(self._store.fingerprints.get(n))


def _page_of(lost: Lost) -> Known:
    return Known(0, lost.id, "", (0, 0, ""), 0.0, 0, lost.body, lost.print)


def _recognisable(shown: Shown, page: Known) -> bool:
    return bool(page.print.text) or (shown.parser not in PARSERS and shown.length >= LEAST)
