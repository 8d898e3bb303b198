"""The full report in each of its forms."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict

from ttcrawl import __version__
from ttcrawl.errors import UsageError
from ttcrawl.output.forms import FORMS, tables_as
from ttcrawl.output.json_form import json_form
from ttcrawl.report.study.html.groups import Drawing, grouped
from ttcrawl.report.study.html.overview import overview
from ttcrawl.report.study.html.page import html
from ttcrawl.report.study.study import SECTIONS, Study, sections, sections_by_part


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
        return _json(crawls, names)
    if form == "html":
        overviews = [overview(name, crawl) for name, crawl in zip(names, crawls, strict=True)]
        return html(overviews, grouped(sections_by_part(crawls), figures or {}), names, __version__)
    return tables_as(sections(crawls), names, form, width)


def tables(studies: Mapping[str, Study], parts: Collection[str], form: str) -> str:
    """The tables of some parts of the report (none: all) in one of FORMS. Raises UsageError for other forms."""
    if form not in FORMS:
        raise UsageError(f"tables are {', '.join(FORMS[:-1])} or {FORMS[-1]}, not {form}")
    return tables_as(sections(list(studies.values()), parts or SECTIONS), list(studies), form)


def _json(crawls: Sequence[Study], names: Sequence[str]) -> str:
    """The figures of the summary by their names, those of each other part under its name; a list for several crawls."""
    reports = []
    for name, crawl in zip(names, crawls, strict=True):
        parts = asdict(crawl)
        reports.append({"name": name} | parts.pop("summary") | parts)
    return json_form(reports[0] if len(reports) == 1 else reports)
