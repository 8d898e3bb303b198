"""What the parts of a report are read from."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

from ttcrawl.output.steps import Progress, silent
from ttcrawl.report.cache import Cache
from ttcrawl.report.few_links import FewOccurrences
from ttcrawl.report.kinds_of_links import KindsOfLinks, kinds_of_links
from ttcrawl.report.links import Links, Occurrences, linked, occurrences
from ttcrawl.report.summarize import read_growth
from ttcrawl.report.summary import Growth
from ttcrawl.snapshot.snapshot import View
from ttcrawl.vocabulary.html import HTML_TYPES
from ttcrawl.vocabulary.state import MOVED, REFUSED

if TYPE_CHECKING:
    from numpy.random import Generator

    from ttcrawl.report.graph.network import Network
    from ttcrawl.report.graph.read import Networks

#: Seed of the random numbers (bootstrap): the report is the same every time, in any order of reading.
SEED = 1978


class Sources:
    """One snapshot of a crawl, and what several parts need of it, each read at its first use.

    `progress(what, done, of)` is called during the reading; `of` is 0 if there is nothing to count. Everything raises
    NotACrawl if the database is damaged.
    """

    def __init__(self, db: View, cache: Cache | None = None, progress: Progress = silent) -> None:
        self.db = db
        self.cache = cache or Cache()
        self.progress = progress

    @cached_property
    def growth(self) -> Growth:
        with self.db.damage():
            return read_growth(self.db)

    @property
    def network(self) -> Network:
        """The link graph of the main text."""
        return self.networks.main

    @cached_property
    def networks(self) -> Networks:
        from ttcrawl.report.graph.read import networks

        with self.step("link graph"):
            return networks(self.db)

    @cached_property
    def kinds_of_links(self) -> KindsOfLinks:
        with self.step("kinds of links"):
            return kinds_of_links(self.db, _html_pages(self.db, self.seed_sites))

    @cached_property
    def occurrences(self) -> Occurrences | FewOccurrences:
        with self.step("links"):
            return occurrences(self.db)

    @cached_property
    def links(self) -> Links:
        with self.step("targets of links"):
            return linked(self.db)

    @cached_property
    def seed_sites(self) -> frozenset[int]:
        """The sites of the seeds, and of the targets of their redirects: http://a.example/ is often www.a.example."""
        with self.db.damage():
            return _seed_sites(self.db)

    def chance(self) -> Generator:
        """A generator of random numbers at its start."""
        import numpy

        return numpy.random.default_rng(SEED)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        self.progress(name, 0, 0)
        with self.db.damage():
            yield


def _seed_sites(db: View) -> frozenset[int]:
    rows = db.execute(
        "SELECT id, site, state FROM url WHERE id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(db.seed_ids.values())),),
    ).fetchall()
    sites = {site for _, site, _ in rows}
    reached = {url for url, _, _ in rows}
    moved = [url for url, _, state in rows if state == MOVED]
    while moved:
        led = db.execute(
            "SELECT url.id, url.site, url.state FROM outlinks, json_each(outlinks.targets) AS target"
            f" JOIN url ON url.id = {db.id_of('target.value')} WHERE source = ?",
            (moved.pop(),),
        )
        for url, site, state in led.fetchall():
            if state != REFUSED:
                sites.add(site)
            if state == MOVED and url not in reached:
                moved.append(url)
            reached.add(url)
    return frozenset(sites)


def _html_pages(db: View, seed_sites: frozenset[int]) -> dict[int, bool]:
    """Ids of the HTML pages -> whether on the site of a seed."""
    rows = db.execute(
        "SELECT url.id, site, type FROM page JOIN url ON url.id = page.url"
        " WHERE state = 'fetched' AND status BETWEEN 200 AND 299"
    )
    return {url: site in seed_sites for url, site, kind in rows if kind in HTML_TYPES}
