"""The discovery path of a URL, as Heritrix writes it: a letter for each hop from a seed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache

from ttcrawl.snapshot.snapshot import View
from ttcrawl.vocabulary.kind import INDEX, LETTERS, REDIRECT

#: https://heritrix.readthedocs.io/en/latest/glossary.html: E embed, M manifest (sitemap), R redirect; L for all others.
HOPS: Mapping[str, str] = {
    **dict.fromkeys(
        map(
            LETTERS.__getitem__,
            ("frame", "iframe", "stylesheet", "css", "script", "image", "media", "object", "lazy"),
        ),
        "E",
    ),
    **dict.fromkeys((LETTERS["sitemap"], INDEX.letter), "M"),
    REDIRECT.letter: "R",
}
#: The path of a robots.txt.
PREREQUISITE = "P"

#: URLs and pages that are remembered.
MOST_URLS, MOST_PAGES = 100_000, 500


class DiscoveryPaths:
    def __init__(self, db: View) -> None:
        self._db = db
        self._kinds = lru_cache(MOST_PAGES)(self._kinds_of)
        self._known = lru_cache(MOST_URLS)(self._step)

    def path(self, url: int) -> tuple[str, str]:
        """Return the path of the URL with this id ("" for a seed), and the URL of the page on which it was discovered.

        Links of that page that lead to it decide; without any, its sitemap or a redirect may have been answered anew.
        """
        hops = [*self._hops(url)]
        page = self._known(url)[0]
        row = self._db.execute("SELECT url FROM url WHERE id = ?", (page,)).fetchone() if page is not None else None
        return "".join(reversed(hops)), row[0] if row else ""

    def _hops(self, url: int | None) -> Iterator[str]:
        seen = set()
        while url is not None and url not in seen:
            seen.add(url)
            url, hop = self._known(url)
            yield hop

    def _step(self, url: int) -> tuple[int | None, str]:
        """The id of the page on which a URL was discovered, and the letter of the hop from there."""
        row = self._db.execute("SELECT found_on, key, sitemap FROM url WHERE id = ?", (url,)).fetchone()
        if row is None or row[0] is None:
            return None, "M" if row and row[2] else ""
        return row[0], HOPS.get(self._kinds(row[0]).get(row[1], ""), "L")

    def _kinds_of(self, page: int) -> dict[int, str]:
        """The kind of the first link of a page to each key."""
        row = self._db.execute("SELECT targets, CAST(kinds AS BLOB) FROM outlinks WHERE source = ?", (page,)).fetchone()
        if row is None:
            return {}
        links = list(zip(json.loads(row[0]), row[1].decode("latin-1"), strict=True))
        return dict(reversed(links))
