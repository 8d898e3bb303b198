"""The parts of the full report, each read at its first use: a figure reads only the parts that it needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from ttcrawl.output.steps import Progress, silent
from ttcrawl.report import politeness
from ttcrawl.report.graph.network import Network
from ttcrawl.report.graph.read import network
from ttcrawl.report.links import occurrences
from ttcrawl.report.read import summary
from ttcrawl.report.study import (
    browser,
    content,
    course,
    duplicates,
    estimates,
    graph,
    laws,
    recrawls,
    repeats,
    sites,
    soft404,
    topic,
    waiting,
)
from ttcrawl.report.study.cache import NAME, Cache
from ttcrawl.report.study.links import Gathering, Links
from ttcrawl.report.study.politeness import MOST_HOSTS
from ttcrawl.report.study.state import program, state
from ttcrawl.report.summary import Summary
from ttcrawl.snapshot.snapshot import View

T = TypeVar("T")

#: Seed of the random numbers (bootstrap): the report is the same every time, in any order of reading.
SEED = 1978


class LazyStudy:
    """The parts of a Study, all from one snapshot of the database, or cached from the same data.

    `progress(what, done, of)` is called during the reading; `of` is 0 if there is nothing to count. Every part raises
    NotACrawl if the database is damaged.
    """

    def __init__(self, db: View, cache: Cache, progress: Progress) -> None:
        self._db = db
        self._cache = cache
        self._progress = progress

    @cached_property
    def graph(self) -> graph.Graph:
        return self._cached("link graph", graph.Graph, lambda: graph.read(self._network))

    @cached_property
    def summary(self) -> Summary:
        return self._checked("summary", Summary, lambda: self._linked[0])

    @cached_property
    def sites(self) -> sites.Sites:
        return self._cached("sites", sites.Sites, lambda: sites.read(self._db, self._linked[1]))

    @cached_property
    def content(self) -> content.Content:
        def read() -> content.Content:
            return content.read(self._db, self._linked[1].kinds)

        return self._cached("types and languages", content.Content, read)

    @cached_property
    def soft_404(self) -> soft404.Soft404s:
        return self._cached("soft 404s", soft404.Soft404s, lambda: soft404.read(self._db))

    @cached_property
    def topic(self) -> topic.Topic:
        return self._cached("relevant pages", topic.Topic, lambda: topic.read(self._db))

    @cached_property
    def repeats(self) -> repeats.Repeats:
        return self._cached("URL patterns", repeats.Repeats, lambda: repeats.read(self._db))

    @cached_property
    def course(self) -> course.Course:
        return self._cached("course of the crawl", course.Course, lambda: course.read(self._db))

    @cached_property
    def duplicates(self) -> duplicates.Duplicates:
        return self._cached("duplicates", duplicates.Duplicates, lambda: duplicates.read(self._db, self._db.directory))

    @cached_property
    def waiting(self) -> waiting.Waiting:
        return self._cached("visits", waiting.Waiting, lambda: waiting.read(self._db))

    @cached_property
    def revisits(self) -> recrawls.Recrawls:
        return self._cached("visits by recrawl", recrawls.Recrawls, lambda: recrawls.read(self._db))

    @cached_property
    def browser(self) -> browser.Browser:
        return self._cached("browser", browser.Browser, lambda: browser.read(self._db))

    @cached_property
    def politeness(self) -> politeness.Politeness:
        def read() -> politeness.Politeness:
            return politeness.read(self._db, MOST_HOSTS, self._progress)

        return self._cached("gaps between requests", politeness.Politeness, read)

    @cached_property
    def laws(self) -> laws.LazyLaws:
        """Each law is fitted at its first use."""
        return laws.LazyLaws(
            words=lambda: self._part("words", lambda: laws.words(self._db, self._progress)),
            growth=lambda: self.summary.growth,
            inlinks=lambda: self._linked[1].sources.tolist(),
            degrees=lambda: (self._network.in_degree().tolist(), self._network.out_degree().tolist()),
            fitting=lambda law: self._progress(law, 0, 0),
            cache=self._cache,
            seed=SEED,
        )

    @cached_property
    def estimates(self) -> estimates.Estimates:
        def read() -> estimates.Estimates:
            return estimates.read(self._db, self.summary.growth, self._linked[1], laws.chance(SEED))

        return self._cached("estimates", estimates.Estimates, read)

    @cached_property
    def _network(self) -> Network:
        return self._part("link graph", lambda: network(self._db))

    @cached_property
    def _linked(self) -> tuple[Summary, Links]:
        """The summary, and the link figures gathered in the same pass over the links."""

        def read() -> tuple[Summary, Links]:
            gathering = Gathering(sites.html_pages(self._db))
            about = summary(self._db, occurrences(self._db, gathering.add))
            return about, gathering.gathered()

        return self._part("links", read)

    def _cached(self, name: str, kind: type[T], read: Callable[[], T]) -> T:
        return self._checked(name, kind, lambda: self._part(name, read))

    def _checked(self, name: str, kind: type[T], compute: Callable[[], T]) -> T:
        with self._db.damage():  # figures of a wrong type come from values of a wrong type
            return self._cache.get(name, kind, compute)

    def _part(self, name: str, read: Callable[[], T]) -> T:
        self._progress(name, 0, 0)
        with self._db.damage():
            return read()


@contextmanager
def lazy_study(directory: Path, progress: Progress = silent) -> Iterator[LazyStudy]:
    """The figures of one crawl, all from one snapshot. Raises NotACrawl."""
    with closing(View(directory)) as db:  # not `view`: errors of the caller are not damage
        with db.damage():
            cache = Cache(directory / NAME, state(db, program()))
        try:
            yield LazyStudy(db, cache, progress)
        finally:
            cache.save()
