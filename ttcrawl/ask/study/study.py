"""The full report of a crawl: the summary, and the parts that take longer than a crawl should wait for at its end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TypeAlias

from ttcrawl.ask.report.layout import Section
from ttcrawl.ask.report.sections import sections as summary_sections
from ttcrawl.ask.report.summary import Summary
from ttcrawl.ask.study import content, course, duplicates, estimates, graph, laws, repeats, sites, soft404, waiting
from ttcrawl.ask.study.laws import Progress
from ttcrawl.ask.study.reading import Reading, reading, silent


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


#: What a figure is drawn from: all parts, or those that it asks for.
Parts: TypeAlias = Study | Reading


def study(directory: Path, progress: Progress = silent) -> Study:
    """Every figure of one crawl, all of one moment. NotACrawl as `reading`."""
    with reading(directory, progress) as found:
        graph = found.graph  # first, for it takes the most memory
        names = {each.name for each in fields(Study)} - {"graph", "laws"}
        return Study(graph=graph, laws=found.laws.all(), **{name: getattr(found, name) for name in names})


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
