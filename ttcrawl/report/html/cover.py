"""The cover of a crawl: the overview, and panels that answer at once how it grew, what it is made of and about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from ttcrawl.errors import installed
from ttcrawl.output.number import byte_text, counted
from ttcrawl.report.html.law_curve import law_curve
from ttcrawl.report.html.overview import Overview, Panel, overview
from ttcrawl.report.html.ring import Share, ring
from ttcrawl.report.html.site_map import site_map
from ttcrawl.report.html.sparkline import sparkline
from ttcrawl.report.html.table import text_html

if TYPE_CHECKING:
    from ttcrawl.report.study import Study

LONGEST_TITLE = 120  # columns


def cover(name: str, crawl: Study) -> Overview:
    """The overview of one crawl, with its panels. Those that would be empty are left out."""
    return replace(overview(name, crawl), panels=tuple(each for each in _panels(crawl) if each.body))


def _panels(crawl: Study) -> Iterator[Panel]:
    yield _growth(crawl)
    if not installed("matplotlib"):  # else the figures have it, with its residuals
        yield _law(crawl)
    yield Panel(title="States of the URLs", body=ring("States of the URLs", _states(crawl), _total(crawl)))
    if installed("numpy"):  # which the part `laws` needs
        how = "Of the main texts, without articles, pronouns and the like."
        yield _list("Most frequent terms", crawl.laws.frequent_words, how)
    yield _list("Most frequent titles", crawl.content.titles, "Titles of several pages, with their number.")
    yield _maps(crawl)


def _growth(crawl: Study) -> Panel:
    series, saturation = crawl.summary.growth, crawl.summary.saturation
    if len(series.pages) < 2 or series.pages[-1] < 2:  # nothing has grown
        return Panel(title="Growth", body="")
    pages, urls = series.pages[-1], series.distinct_urls[-1]
    ended = saturation is not None and saturation < pages
    note = f"{counted(urls, 'distinct URL')} in links on {counted(pages, 'page')}; " + (
        f"no new one after page {saturation:,}." if ended else "new ones still came at the end."
    )
    curve = sparkline(f"Growth: {note}", series.pages, series.distinct_urls, saturation if ended else None)
    return Panel(title="Growth of distinct URLs", body=curve, note=note)


def _law(crawl: Study) -> Panel:
    series, law = crawl.summary.growth, crawl.summary.heaps_found
    if law is None:
        return Panel(title="Growth law", body="")
    note = f"V(n) = {law.k:,.3g} n^{law.beta:.3f}, dashed where it holds within 5 %; both axes are logarithmic."
    body = law_curve(f"Distinct URLs by URLs found: {note}", series.found, series.distinct_urls, law)
    return Panel(title="Growth law: distinct URLs by URLs found", body=body, note=note)


def _states(crawl: Study) -> list[Share]:
    summary = crawl.summary
    errors = sum(count for status, count in summary.statuses.items() if status >= 400)
    return [
        Share(label="fetched", count=summary.pages - errors, colour="f0072b2"),
        Share(label="fetched: error", count=errors, colour="fd55e00"),
        Share(label="moved", count=summary.moved, colour="fe69f00"),
        Share(label="failed", count=sum(summary.failed.values()), colour="fcc6677"),
        Share(label="refused", count=sum(summary.refused.values()), colour="f999999"),
        Share(label="queued", count=summary.queued, colour="f661144"),
        Share(label="deleted", count=summary.deleted, colour="text"),
    ]


def _total(crawl: Study) -> str:
    return counted(crawl.summary.urls, "URL")


def _maps(crawl: Study) -> Panel:
    directories = crawl.content.directories
    pages, size = sum(each.pages for each in directories), sum(each.bytes for each in directories)
    by_bytes = Panel(
        title="Directories by bytes",
        body=site_map(directories, "Directories by bytes", lambda each: each.bytes),
        note=f"{byte_text(size)}; an area is a number of bytes as received.",
    )
    by_pages = site_map(directories, "Directories by pages", lambda each: each.pages)
    return Panel(
        title="Directories by pages",
        body=by_pages if len(directories) > 1 else "",  # one rectangle shows nothing
        note=f"{counted(pages, 'page')} with a status of 2xx; an area is a number of pages.",
        twin=by_bytes if size else None,
    )


def _list(title: str, counts: Mapping[str, int], note: str) -> Panel:
    """Texts by falling count, each with a bar."""
    most = max(counts.values(), default=0)
    rows = "".join(
        f'<tr><th scope="row">{text_html(text, LONGEST_TITLE)}</th><td>{count:,}</td>'
        f'<td class="bar"><span style="width: {100 * count / most:.0f}%"></span></td></tr>'
        for text, count in counts.items()
    )
    table = f'<table class="list" aria-label="{title}"><tbody>{rows}</tbody></table>' if rows else ""
    return Panel(title=title, body=table, note=note)
