"""The report in each of its forms."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from itertools import chain

from ttcrawl import __version__
from ttcrawl.errors import UsageError
from ttcrawl.output.forms import FORMS, tables_as
from ttcrawl.output.json_form import records_json
from ttcrawl.output.layout import Section
from ttcrawl.report.html.overview import overview
from ttcrawl.report.html.page import Chapter, Drawing, html
from ttcrawl.report.part import Group
from ttcrawl.report.plots import FIGURES
from ttcrawl.report.study import PARTS, Study, sections


def render(
    crawls: Sequence[Study],
    names: Sequence[str],
    form: str,
    figures: Mapping[str, Drawing] | None = None,
    width: int | None = None,
) -> str:
    """The report of one or more crawls; `form` is html, json or one of FORMS. Only html shows `figures`.

    Text has at most `width` columns.
    """
    if form == "json":
        return records_json(map(_record, crawls), names)
    if form == "html":
        overviews = [overview(name, crawl) for name, crawl in zip(names, crawls, strict=True)]
        return html(overviews, chapters(sections(crawls), figures or {}), names, __version__)
    return tables_as(list(chain.from_iterable(sections(crawls).values())), names, form, width)


def tables(studies: Mapping[str, Study], parts: Collection[str], form: str) -> str:
    """The tables of some parts of the report (none: all) in one of FORMS. Raises UsageError for other forms."""
    if form not in FORMS:
        raise UsageError(f"tables are {', '.join(FORMS[:-1])} or {FORMS[-1]}, not {form}")
    shown = sections(list(studies.values()), parts).values()
    return tables_as(list(chain.from_iterable(shown)), list(studies), form)


def _record(crawl: Study) -> dict[str, object]:
    """The figures of the summary by their names, and the figures of each other part under its name."""
    parts = asdict(crawl)
    return {**parts.pop("summary"), **parts}


def chapters(parts: Mapping[str, Sequence[Section]], figures: Mapping[str, Drawing]) -> list[Chapter]:
    """The groups of a report, with their sections and figures; both by name."""
    grouped: dict[str, list[Section]] = {group: [] for group in Group}
    for name, tables in parts.items():
        for section in tables:
            grouped[section.group or PARTS[name].group].append(section)
    return [
        Chapter(
            title=group.value,
            sections=grouped[group],
            figures=[figures[name] for name, figure in FIGURES.items() if figure.group is group and name in figures],
        )
        for group in Group
    ]
