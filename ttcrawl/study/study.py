"""The full report of a crawl: the summary, and the parts that take longer than a crawl should wait for at its end."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from ttcrawl.report.layout import Section
from ttcrawl.report.links import occurrences
from ttcrawl.report.opening import NotACrawl, open_crawl
from ttcrawl.report.read import summary
from ttcrawl.report.sections import sections as summary_sections
from ttcrawl.report.summary import Summary
from ttcrawl.study import content, course, duplicates, estimates, graph, laws, repeats, sites, soft404, waiting
from ttcrawl.study.links import Gathering

#: What a damaged database is met with: rows that are missing, and words where numbers belong.
DAMAGE = (sqlite3.DatabaseError, ValueError, TypeError, LookupError, OverflowError, zlib.error)

#: Of what is drawn by chance (bootstrap), so that a report is the same every time.
SEED = 1978


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """Everything that is said of a crawl."""

    summary: Summary
    sites: sites.Sites
    content: content.Content
    soft_404: soft404.Soft404s
    repeats: repeats.Repeats
    course: course.Course
    duplicates: duplicates.Duplicates
    waiting: waiting.Waiting
    graph: graph.Graph
    laws: laws.Laws
    estimates: estimates.Estimates


def study(directory: Path) -> Study:
    """Every figure of one crawl, all of one moment. NotACrawl as `open_crawl`, and when the database is damaged."""
    with closing(open_crawl(directory)) as db:
        try:
            db.execute("BEGIN")  # one snapshot: a running crawl may commit meanwhile, and the sums must still agree
            return _study(db, directory)
        except DAMAGE as error:
            raise NotACrawl(
                f"{directory / 'crawl.db'} is damaged ({error}); read a copy of it, or crawl again"
            ) from error


def _study(db: sqlite3.Connection, directory: Path) -> Study:
    import numpy

    rng = numpy.random.default_rng(SEED)
    pages, into, out = graph.read(db)  # first, for it takes the most memory
    gathering = Gathering(sites.html_pages(db))
    about = summary(db, directory, occurrences(db, gathering.add))
    links = gathering.gathered()
    return Study(
        summary=about,
        sites=sites.read(db, links),
        content=content.read(db, links.kinds),
        soft_404=soft404.read(db),
        repeats=repeats.read(db),
        course=course.read(db),
        duplicates=duplicates.read(db, directory),
        waiting=waiting.read(db),
        graph=pages,
        laws=laws.read(db, about.growth, links.sources.tolist(), (into.tolist(), out.tolist()), rng),
        estimates=estimates.read(db, about.growth, links, rng),
    )


def sections(crawls: Sequence[Study]) -> list[Section]:
    """The whole report of one crawl, or of several side by side."""
    return [
        *summary_sections([each.summary for each in crawls]),
        *waiting.sections([each.waiting for each in crawls]),
        *sites.sections([each.sites for each in crawls]),
        *course.sections([each.course for each in crawls]),
        *duplicates.sections([each.duplicates for each in crawls]),
        *content.sections([each.content for each in crawls]),
        *soft404.sections([each.soft_404 for each in crawls]),
        *repeats.sections([each.repeats for each in crawls]),
        *graph.sections([each.graph for each in crawls]),
        *laws.sections([each.laws for each in crawls]),
        *estimates.sections([each.estimates for each in crawls]),
    ]
