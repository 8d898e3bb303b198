"""The short report, which a crawl prints at its end, as text, Markdown or JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from ttcrawl.output.json_form import json_form
from ttcrawl.output.tables import heads, lay_out
from ttcrawl.report.sections import sections
from ttcrawl.report.summary import Summary


def render(summaries: Sequence[Summary], names: Sequence[str], form: str, width: int | None = None) -> str:
    """The report of one or more crawls; `form` is text, markdown or json. Without a line feed at the end.

    Text has lines of at most `width` columns; None: tables are as wide as they are.

    Reasons, hosts and names may come from the web. In text and Markdown their control characters, including those that
    change the text direction, are escaped; they are shortened, and their Markdown is neutralized. In JSON all of it is
    escaped. Raises ValueError for an unknown form, or if `names` does not have one name per crawl.
    """
    if len(summaries) != len(names):
        raise ValueError(f"{len(summaries)} crawls but {len(names)} names")
    if form == "json":
        return _json(summaries, names)
    return lay_out(sections(summaries), heads(names), form, width)


def _json(summaries: Sequence[Summary], names: Sequence[str]) -> str:
    """All fields of Summary under their names: one object for one crawl, a list for several."""
    crawls = [{"name": name} | asdict(summary) for name, summary in zip(names, summaries, strict=True)]
    return json_form(crawls[0] if len(crawls) == 1 else crawls)
