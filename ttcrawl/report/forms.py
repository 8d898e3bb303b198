"""The report in each of its forms."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from itertools import chain
from typing import Any

from ttcrawl import __version__
from ttcrawl.errors import UsageError
from ttcrawl.output.forms import FORMS, tables_as
from ttcrawl.output.json_form import records_json
from ttcrawl.output.layout import Section
from ttcrawl.output.terminal import ANYWHERE, Screen
from ttcrawl.report.html.cover import cover
from ttcrawl.report.html.page import Chapter, Drawing, html
from ttcrawl.report.lazily import complete
from ttcrawl.report.of_links import of_links
from ttcrawl.report.part import Group
from ttcrawl.report.plots import FIGURES
from ttcrawl.report.study import PARTS, Study, missing, sections, selected


def render(
    crawls: Sequence[Study],
    names: Sequence[str],
    form: str,
    figures: Mapping[str, Sequence[Drawing]] | None = None,
    screen: Screen = ANYWHERE,
    parts: Collection[str] = (),
    links: str = "",
) -> str:
    """The report of one or more crawls, or some of its parts; `form` is html, json or one of FORMS.

    Tables are by `links`, "main" or "all" ("": both); json has both.

    Only html shows `figures`, and the overview, which needs the whole report. Text is for a screen.
    Raises UsageError for unknown parts.
    """
    if form == "json":
        return records_json((_record(crawl, parts) for crawl in crawls), names)
    shown = {name: of_links(each, links) for name, each in sections(crawls, parts).items()}
    if form == "html":
        overviews = [] if parts else [cover(name, crawl) for name, crawl in zip(names, crawls, strict=True)]
        return html(overviews, chapters(shown, figures or {}), names, __version__)
    return tables_as(list(chain.from_iterable(shown.values())), names, form, screen)


def tables(studies: Mapping[str, Study], parts: Collection[str], form: str) -> str:
    """The tables of some parts of the report (none: all) in one of FORMS. Raises UsageError for other forms."""
    if form not in FORMS:
        raise UsageError(f"tables are {', '.join(FORMS[:-1])} or {FORMS[-1]}, not {form}")
    shown = sections(list(studies.values()), parts).values()
    return tables_as(list(chain.from_iterable(shown)), list(studies), form)


def _record(crawl: Study, parts: Collection[str]) -> dict[str, object]:
    """The figures of the summary by their names, and the figures of each other part under its name, even if a figure of
    the summary has that name too. A part whose library is not installed is None."""
    records: dict[str, Any] = {name: asdict(complete(getattr(crawl, name))) for name in selected(parts)}
    if not parts:
        records |= dict.fromkeys(missing())
    of_summary = records.pop("summary", {})
    return {**{name: value for name, value in of_summary.items() if name not in PARTS}, **records}


def chapters(parts: Mapping[str, Sequence[Section]], figures: Mapping[str, Sequence[Drawing]]) -> list[Chapter]:
    """The groups of a report, with their sections and figures; both by name."""
    grouped: dict[str, list[Section]] = {group: [] for group in Group}
    for name, tables in parts.items():
        for section in tables:
            grouped[section.group or PARTS[name].group].append(section)
    return [
        Chapter(
            title=group.value,
            sections=grouped[group],
            figures=[
                panel for name, figure in FIGURES.items() if figure.group is group for panel in figures.get(name, ())
            ],
        )
        for group in Group
    ]
