"""Table `revisit`: when each URL is requested again, and what its visits have shown.

Rows wait to be written together. Look-ups write them first.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Callable, Iterable, Mapping
from heapq import heappush, heappushpop
from operator import attrgetter
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import asdict

from ttcrawl.recrawl.belief import Belief
from ttcrawl.recrawl.json_text import evidence_of, text_of
from ttcrawl.recrawl.rate import joined
from ttcrawl.recrawl.undated import LONGEST
from ttcrawl.ring.messages import Archived, Before
from ttcrawl.store.batches import Batches
from ttcrawl.store.index import OF_KEY
from ttcrawl.store.rows import COLUMNS, Latest, RecrawlRow, Row
from ttcrawl.vocabulary.family import Family
from ttcrawl.vocabulary.reason import condition
from ttcrawl.vocabulary.state import FAILED, FETCHED, MOVED, REFUSED
from ttcrawl.web.sitemaps.read import FORMS

#: (URL, its row, its latest answer)
Due = tuple[Row, RecrawlRow, Latest]

_RECRAWL, _LATEST = RecrawlRow.__struct_fields__, Latest.__struct_fields__
_SAVE = f"INSERT OR REPLACE INTO revisit VALUES ({', '.join('?' * len(_RECRAWL))})"
_VALUES = attrgetter(*_RECRAWL)
_CONFIRMED = "UPDATE page SET fresh_until = ?1 WHERE url = ?2 AND fresh_until IS NOT ?1"

_DUE = f"""
    SELECT {", ".join(f"url.{name.strip()}" for name in COLUMNS.split(","))},
           {", ".join(f"revisit.{name}" for name in _RECRAWL)}, {", ".join(f"page.{name}" for name in _LATEST)}
    FROM revisit JOIN url ON url.id = revisit.url LEFT JOIN page ON page.url = revisit.url
    WHERE (revisit.next, revisit.url) > (?, ?) AND revisit.next <= ? ORDER BY revisit.next, revisit.url LIMIT ?"""

#: The record of a page, and the one of an equal page with its body.
_RECORD = "SELECT file, offset, size, payload, digest FROM page WHERE url = ? AND file != '' AND digest NOT NULL"
_HOLDER = "SELECT file, offset, size FROM answer WHERE url = ? AND digest = ? AND payload IS NULL"

#: A number that differs from URL to URL, and one from 0 to 1.
_RANGE = 1 << 32
_SCATTERED_BY = f"2654435761 % {_RANGE}"
_SCATTER = f"(revisit.url * {_SCATTERED_BY})"
_SPREAD = f"{_SCATTER} / {_RANGE}.0"

#: The URLs with an answer, those that failed, and those that robots.txt has refused; `page` is joined.
_BY_ROBOTS = f"state = '{REFUSED}' AND {condition(Family.ROBOTS, 'url.reason')}"
CAN_BE_VISITED = f"(state IN ('{FETCHED}', '{MOVED}') AND page.url NOT NULL OR state = '{FAILED}' OR {_BY_ROBOTS})"

#: Why a URL that was never requested was not.
REFUSAL = f"iif(state = '{REFUSED}', reason, '')"

#: What visits of a page have shown at the URL where it was before.
_INHERITED = """
    coalesce((SELECT old.evidence FROM vanished JOIN revisit AS old ON old.url = vanished.url
    WHERE vanished.successor = url.id ORDER BY length(old.evidence) DESC LIMIT 1), '')"""

#: Gives URLs their first visit, by the fields of `Waits`; `:shift`: seconds to add to the moment of the answer.
_FORMS = ", ".join(f"'{form}'" for form in sorted(FORMS))
_LISTING = f"coalesce(parser, '') IN ({_FORMS})"
_ADD = f"""
    INSERT OR IGNORE INTO revisit (url, next, visited, refused, evidence)
    SELECT url.id,
           :shift + CASE state WHEN '{FAILED}' THEN processed + :after_failure
               WHEN '{REFUSED}' THEN processed + :after_robots
               ELSE max(
                   processed + iif(status >= 400, :after_error, min(:interval, iif({_LISTING}, :listing, :interval))),
                   min(coalesce(fresh_until, 0), processed + :fresh)) END,
           processed + :shift, {REFUSAL}, {_INHERITED}
    FROM url LEFT JOIN page ON page.url = url.id
    WHERE {CAN_BE_VISITED} AND """

_VISITED = "FROM revisit JOIN url ON url.id = revisit.url WHERE evidence != ''"
_MOST_VISITED = f"SELECT site {_VISITED} GROUP BY site ORDER BY count(*) DESC, site LIMIT ?"
_SCATTERED = f"SELECT site, {_SCATTER}, evidence {_VISITED}"

#: ?1: what decides which pages; ?2: their share.
_SAMPLE = f"""
    SELECT evidence, depth, site, {_LISTING}, refused != '' FROM revisit JOIN url ON url.id = revisit.url
    LEFT JOIN page ON page.url = revisit.url WHERE (revisit.url + ?1) * {_SCATTERED_BY} < ?2 * {_RANGE}
    ORDER BY (revisit.url + ?1) * {_SCATTERED_BY}"""

_OLDER = f"""
    SELECT ?1, revisit.url, site, visited, fresh_until
    FROM revisit JOIN url ON url.id = revisit.url LEFT JOIN page ON page.url = revisit.url
    WHERE revisit.url = {OF_KEY} AND visited < ?2"""


class Waits(Struct, frozen=True, kw_only=True):
    """Seconds to the first visit after the first answer. `interval`: of a page; `after_error`: of an answer of 4xx or
    5xx; `after_failure`: of a URL without an answer; `after_robots`: of one that robots.txt has refused; `fresh`: at
    most, while its server calls an answer fresh; `listing`: at most, of a sitemap or feed."""

    interval: float
    after_error: float
    after_failure: float
    after_robots: float
    fresh: float
    listing: float


class Announced(Struct, frozen=True):
    """A URL that has changed since its last visit, by a sitemap or feed."""

    key: int
    url: int
    site: int
    visited: float
    fresh_until: float | None


class Sampled(NamedTuple):
    """What the visits of a page have shown. `listing`: it is a sitemap or feed; `refused`: it is not requested now."""

    evidence: str
    depth: int | None
    site: int
    listing: bool
    refused: bool = False


class Recrawls:
    """Part of the store; works in its transactions."""

    def __init__(self, db: sqlite3.Connection, batches: Batches, flush: Callable[[], None]) -> None:
        self._db = db
        self._batches = batches
        self._flush = flush

    def take_up(self, waits: Waits) -> None:
        """Give each URL a next visit that has none."""
        self._flush()
        self._db.execute(f"{_ADD} url.id NOT IN (SELECT url FROM revisit)", asdict(waits) | {"shift": 0.0})

    def set_back(self, now: float, lead: float, furthest: float) -> None:
        """Correct visits in the future, by a clock that was `lead` seconds ahead, or more: the last was not after now.

        A next visit that is more than `furthest` seconds away, as after a failure by that clock, comes within them.
        """
        self._flush()
        last: float | None = self._db.execute("SELECT max(visited) FROM revisit").fetchone()[0]
        lead = max(lead, (last or now) - now)
        self._db.execute("UPDATE revisit SET next = next - ?2, visited = visited - ?2 WHERE visited > ?1", (now, lead))
        self._db.execute(
            f"UPDATE revisit SET next = ?1 + ?2 * {_SPREAD} WHERE next > ?1 + ?2",
            (now, furthest),
        )

    def all_due(self, now: float) -> None:
        """Make each URL due that has a visit later than now."""
        self._flush()
        self._db.execute("UPDATE revisit SET next = ?1 WHERE next > ?1", (now,))

    def spread(self, waits: Waits) -> None:
        """Spread the first visits of pages over an interval, by the ids of their URLs. What is due at once stays so."""
        self._db.execute(
            f"UPDATE revisit SET next = max(visited + min(:interval, iif({_LISTING}, :listing, :interval)) * {_SPREAD},"
            " min(coalesce(fresh_until, 0), visited + :fresh)) FROM page"
            " WHERE visits = 0 AND next > visited AND refused = '' AND page.url = revisit.url AND status < 400",
            asdict(waits),
        )

    def add(self, urls: Iterable[int], waits: Waits, shift: float) -> None:
        """Give URLs a next visit that were answered or failed for the first time.

        `shift`: by how much the clock on the wall is ahead of the one of the crawl, seconds.
        """
        self._flush()
        fixed = asdict(waits) | {"shift": shift}
        self._db.executemany(f"{_ADD} url.id = :url", [fixed | {"url": url} for url in urls])

    def sooner(self, interval: Callable[[str, int | None, int], float], waits: Waits) -> None:
        """Let no page wait for longer than its interval, by its evidence, depth and site. Visits of pages that are
        missing, unlinked or refused, and those after errors and failures, have times of their own."""
        self._flush()
        self._db.create_function("interval_of", 3, interval, deterministic=True)
        self._db.execute(
            "UPDATE revisit SET next = min(next, max(visited + min(interval_of(evidence, depth, site),"
            f" iif({_LISTING}, :listing, 1e18)), min(coalesce(fresh_until, 0), visited + :fresh)))"
            " FROM url JOIN page ON page.url = url.id WHERE url.id = revisit.url AND next > visited"
            f" AND state IN ('{FETCHED}', '{MOVED}') AND status < 400 AND missing = 0 AND failures = 0"
            " AND refused = '' AND revisit.url NOT IN (SELECT url FROM unlinked WHERE since NOT NULL)",
            asdict(waits),
        )

    def inherit(self, old: int, new: int) -> None:
        """Let a URL with the page of another one have what visits have shown of it there, if it is visited already."""
        self._flush()
        rows = dict(self._db.execute("SELECT url, evidence FROM revisit WHERE url IN (?, ?)", (old, new)))
        if rows.get(old) and new in rows:
            evidence = text_of(joined(evidence_of(rows[old]), evidence_of(rows[new])))
            self._db.execute("UPDATE revisit SET evidence = ? WHERE url = ?", (evidence, new))

    def evidence(self, url: int) -> str:
        """Return what the visits of a URL have shown, as text."""
        self._flush()
        text: str = self._db.execute("SELECT evidence FROM revisit WHERE url = ?", (url,)).fetchone()[0]
        return text

    def due(self, after: tuple[float, int], until: float, limit: int) -> list[Due]:
        """Return the first URLs that are due until a moment, of those after this (next visit, id of the URL)."""
        self._flush()
        one, two = len(COLUMNS.split(",")), len(COLUMNS.split(",")) + len(_RECRAWL)
        return [
            (Row(*row[:one]), RecrawlRow(*row[one:two]), Latest(*row[two:]))
            for row in self._db.execute(_DUE, (*after, until, limit))
        ]

    def next_after(self, moment: float) -> float | None:
        """Return when the next URL is due after a moment."""
        self._flush()
        next_: float | None = self._db.execute("SELECT min(next) FROM revisit WHERE next > ?", (moment,)).fetchone()[0]
        return next_

    def sample(self, count: int, seed: int) -> tuple[list[Sampled], int]:
        """Return what visits of about `count` pages have shown, and the number of all pages.

        Which pages depends on the seed alone: there are slow and fast ones as among all, in no order.
        """
        self._flush()
        (total,) = self._db.execute("SELECT count(*) FROM revisit").fetchone()
        rows = self._db.execute(_SAMPLE, (seed, count / max(count, total)))
        return [
            Sampled(evidence, depth, site, bool(listing), bool(refused))
            for evidence, depth, site, listing, refused in rows
        ], total

    def samples(self, sites: int, pages: int) -> dict[int, list[str]]:
        """Return what the visits of `pages` pages of each host have shown, by the id of the host.

        The hosts are those with the most visited pages; the pages are chosen by the ids of their URLs, scattered.
        """
        self._flush()
        samples: dict[int, list[tuple[int, str]]] = {site: [] for (site,) in self._db.execute(_MOST_VISITED, (sites,))}
        for site, number, text in self._db.execute(_SCATTERED):
            if site in samples:
                put = heappush if len(samples[site]) < pages else heappushpop
                put(samples[site], (-number, text))
        return {site: [text for _, text in sorted(sample)] for site, sample in samples.items()}

    def save(self, row: RecrawlRow) -> None:
        self._batches.add(_SAVE, _VALUES(row), row.url)

    def confirmed(self, url: int, fresh_until: float | None) -> None:
        """Note until when the server calls an answer fresh that a visit has confirmed (RFC 9111 section 4.3.4)."""
        self._batches.add(_CONFIRMED, (fresh_until, url), url)

    # -- signals --------------------------------------------------------------------------------------------------

    def older(self, moments: Mapping[int, float]) -> list[Announced]:
        """Return the URLs with these keys whose last visit was before the moment beside the key."""
        self._flush()
        rows = (self._db.execute(_OLDER, pair).fetchone() for pair in moments.items())
        return [Announced(*row) for row in rows if row]

    def announce(self, url: int, next_visit: float, changed: float) -> None:
        """Visit a URL at this moment, if not before; it was announced as `changed`."""
        self._db.execute(
            "UPDATE revisit SET next = min(next, ?), announced = ? WHERE url = ?", (next_visit, changed, url)
        )

    def belief(self, site: int) -> Belief:
        """Return what visits have found behind the signals of a host."""
        row = self._db.execute("SELECT hits, misses FROM signal WHERE site = ?", (site,)).fetchone()
        return Belief(*row) if row else Belief()

    def believe(self, site: int, belief: Belief) -> None:
        self._db.execute("INSERT OR REPLACE INTO signal VALUES (?, ?, ?)", (site, belief.hits, belief.misses))

    def remove(self, url: int) -> None:
        """Visit a URL no more."""
        self._batches.add("DELETE FROM revisit WHERE url = ?", (url,), url)

    def was_there(self, url: int) -> bool:
        """Whether a URL has had a page or a redirect, as far as the tables know."""
        self._flush()
        row = self._db.execute("SELECT 1 FROM answer WHERE url = ? AND status < 400 LIMIT 1", (url,)).fetchone()
        return row is not None

    def contents(self, url: int) -> tuple[str, bytes | None]:
        """Return the title of a page and its main text, packed; None: it has none."""
        self._flush()
        row: tuple[str, bytes | None] | None = self._db.execute(
            "SELECT title, coalesce(main, text) FROM page LEFT JOIN text USING (url) WHERE url = ?", (url,)
        ).fetchone()
        return row or ("", None)

    def before(self, url: int) -> Before | None:
        """Return the latest answer of a URL in the archive; None: it is not there, or is not a page."""
        self._flush()
        row = self._db.execute(_RECORD, (url,)).fetchone()
        if row is None:
            return None
        file, offset, size, payload, digest = row
        holder = None if payload is None else self._db.execute(_HOLDER, (payload, digest)).fetchone()
        if payload is not None and holder is None:
            return None
        record = Archived(file=file, offset=offset, length=size)
        return Before(record=record, payload=_archived(holder), digest=digest)


def _archived(row: tuple[str, int, int] | None) -> Archived | None:
    return Archived(file=row[0], offset=row[1], length=row[2]) if row else None


def unpacked(text: bytes) -> str:
    """Return a packed text, as much of it as is compared."""
    return zlib.decompressobj().decompress(text, LONGEST).decode("utf-8", "replace")
