"""The report of a crawl: the table of its parts, and their figures."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ttcrawl.errors import UsageError, installed, require
from ttcrawl.output.layout import Section
from ttcrawl.output.steps import Progress, silent
from ttcrawl.report.cache import NAME, Cache, program, state
from ttcrawl.report.lazily import complete, lazily
from ttcrawl.report.part import Group, Part, part
from ttcrawl.report.sources import Sources
from ttcrawl.snapshot.snapshot import View

if TYPE_CHECKING:
    from ttcrawl.report.parts import (
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
    from ttcrawl.report.politeness import Politeness
    from ttcrawl.report.summary import Summary


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """All figures of a crawl, by the parts of its report.

    This is the table of the parts, in the order in which the report shows them: the name of each in JSON and in
    `ttcrawl.tables`, its record, its file, its group in the HTML report, and what is read for it.
    """

    summary: Summary = field(metadata=part("summary", Group.RUN, "links"))
    politeness: Politeness = field(metadata=part("politeness", Group.RUN, "gaps between requests"))
    waiting: waiting.Waiting = field(metadata=part("waiting", Group.RUN, "visits"))
    revisits: recrawls.Recrawls = field(metadata=part("recrawls", Group.RUN, "visits by recrawl"))
    browser: browser.Browser = field(metadata=part("browser", Group.RUN, "browser"))
    sites: sites.Sites = field(metadata=part("sites", Group.SITES, "sites"))
    course: course.Course = field(metadata=part("course", Group.SITES, "course of the crawl"))
    duplicates: duplicates.Duplicates = field(metadata=part("duplicates", Group.CONTENTS, "duplicates"))
    content: content.Content = field(metadata=part("content", Group.CONTENTS, "types and languages"))
    topic: topic.Topic = field(metadata=part("topic", Group.TOPIC, "relevant pages"))
    soft_404: soft404.Soft404s = field(metadata=part("soft404", Group.CONTENTS, "soft 404s"))
    repeats: repeats.Repeats = field(metadata=part("repeats", Group.CONTENTS, "URL patterns"))
    graph: graph.Graph = field(metadata=part("graph", Group.GRAPH, "link graph", needs="numpy"))
    laws: laws.Laws = field(metadata=part("laws", Group.GROWTH, "laws", cached=False, needs="numpy"))
    estimates: estimates.Estimates = field(metadata=part("estimates", Group.GROWTH, "estimates", needs="numpy"))


PARTS: dict[str, Part] = {each.name: each.metadata["part"] for each in fields(Study)}


def study(directory: Path, progress: Progress = silent) -> Study:
    """Every figure of one crawl, all from one snapshot. Raises NotACrawl, as `lazy_study` does.

    A part whose library is not installed raises UsageError at its first use.
    """
    with lazy_study(directory, progress) as figures:
        if missing():
            for name in selected():
                complete(getattr(figures, name))
            return figures
        _ = figures.graph  # first, because it takes the most memory
        return complete(figures)


@contextmanager
def lazy_study(directory: Path, progress: Progress = silent) -> Iterator[Study]:
    """The same figures, each read at its first use, or cached from the same data. Raises NotACrawl."""
    with closing(View(directory)) as db:  # not `view`: errors of the caller are not damage
        with db.damage():
            sources = Sources(db, Cache(directory / NAME, state(db, program())), progress)
        try:
            yield lazily(Study, lambda each: _figures(sources, each))
        finally:
            sources.cache.save()


def _figures(sources: Sources, of: Field[Any]) -> Any:
    each = PARTS[of.name]
    if each.needs:
        require(each.needs)

    def read() -> Any:
        with sources.step(each.step):
            return each.file.read(sources)

    if not each.cached:
        return each.file.read(sources)
    with sources.db.damage():  # figures of a wrong type come from values of a wrong type
        record = getattr(each.file, str(of.type).rpartition(".")[2])
        return sources.cache.get(of.name, record, read)


def sections(crawls: Sequence[Study], parts: Collection[str] = ()) -> dict[str, Sequence[Section]]:
    """The tables of one crawl, or of several side by side, by part: all parts, or some in the order of the report.

    Raises UsageError for unknown parts.
    """
    return {name: PARTS[name].file.sections([getattr(crawl, name) for crawl in crawls]) for name in selected(parts)}


def selected(parts: Collection[str] = ()) -> list[str]:
    """These parts in the order of the report; if there are none, all for which the libraries are installed.

    Raises UsageError for unknown ones, and for one whose library is not installed.
    """
    if unknown := [each for each in parts if each not in PARTS]:
        raise UsageError(f"the report has no part {unknown[0]!r}; its parts: {', '.join(PARTS)}")
    if not parts:
        return [name for name in PARTS if name not in missing()]
    require(*filter(None, (PARTS[name].needs for name in parts)))
    return [name for name in PARTS if name in parts]


def missing() -> list[str]:
    """The parts whose libraries are not installed."""
    return [name for name, each in PARTS.items() if each.needs and not installed(each.needs)]
