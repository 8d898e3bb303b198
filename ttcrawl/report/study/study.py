"""The full report of a crawl: the summary, and the parts that take too long for the end of a crawl."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, TypeAlias

from ttcrawl.errors import UsageError
from ttcrawl.output.layout import Section
from ttcrawl.output.steps import Progress, silent
from ttcrawl.report import politeness
from ttcrawl.report.sections import sections as summary_sections
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
from ttcrawl.report.study.lazy_study import LazyStudy, lazy_study
from ttcrawl.report.study.politeness import sections as politeness_sections
from ttcrawl.report.summary import Summary


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """All figures of a crawl."""

    summary: Summary
    sites: sites.Sites
    content: content.Content
    topic: topic.Topic
    soft_404: soft404.Soft404s
    repeats: repeats.Repeats
    course: course.Course
    duplicates: duplicates.Duplicates
    politeness: politeness.Politeness
    waiting: waiting.Waiting
    revisits: recrawls.Recrawls
    browser: browser.Browser
    graph: graph.Graph
    laws: laws.Laws
    estimates: estimates.Estimates


#: The source of a figure: all parts, or only the parts that it uses.
Parts: TypeAlias = Study | LazyStudy


def study(directory: Path, progress: Progress = silent) -> Study:
    """Every figure of one crawl, all from one snapshot. Raises NotACrawl, as `lazy_study` does."""
    with lazy_study(directory, progress) as figures:
        graph = figures.graph  # first, because it takes the most memory
        names = {each.name for each in fields(Study)} - {"graph", "laws"}
        return Study(graph=graph, laws=figures.laws.all(), **{name: getattr(figures, name) for name in names})


#: The tables of each part, in the order of the report.
SECTIONS: dict[str, Callable[[Sequence[Any]], Sequence[Section]]] = {
    "summary": summary_sections,
    "politeness": politeness_sections,
    "waiting": waiting.sections,
    "revisits": recrawls.sections,
    "browser": browser.sections,
    "sites": sites.sections,
    "course": course.sections,
    "duplicates": duplicates.sections,
    "content": content.sections,
    "topic": topic.sections,
    "soft_404": soft404.sections,
    "repeats": repeats.sections,
    "graph": graph.sections,
    "laws": laws.sections,
    "estimates": estimates.sections,
}


def sections(crawls: Sequence[Study], parts: Collection[str] = SECTIONS) -> list[Section]:
    """The report of one crawl, or of several side by side, or only `parts`. Raises UsageError for unknown parts."""
    if unknown := [part for part in parts if part not in SECTIONS]:
        raise UsageError(f"the report has no part {unknown[0]!r}; its parts: {', '.join(SECTIONS)}")
    return [section for part, tables in sections_by_part(crawls).items() if part in parts for section in tables]


def sections_by_part(crawls: Sequence[Study]) -> dict[str, Sequence[Section]]:
    """The same, by part."""
    return {part: build([getattr(crawl, part) for crawl in crawls]) for part, build in SECTIONS.items()}
