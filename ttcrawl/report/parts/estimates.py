"""Estimates: the rate of discovery, the URLs that further pages would bring, and the sizes of the sites."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ttcrawl.output.layout import Section, Value
from ttcrawl.report.laws.discovery import Forecast, forecast
from ttcrawl.report.laws.recapture import CHAPMAN, Size, chao1, chapman
from ttcrawl.report.links import Links
from ttcrawl.report.rows import row, row_if, row_of
from ttcrawl.report.sources import Sources
from ttcrawl.snapshot.snapshot import View

MORE_PAGES = 10_000
MOST_SITES = 20
TOO_LITTLE = "Too few values for an estimate."
#: An estimate is of what a sample has not shown, and a crawl that has ended is not a sample.
ENDED = "Nothing is queued: all linked URLs in scope were requested, so there is nothing to estimate."
HOW = (
    "Two samples of each host: URLs that are linked, and URLs that its sitemaps list; both only if they are queued or"
    " have a status of 2xx. Seen: in either sample."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimates:
    """`sites` are estimates by host, from links and sitemaps; hosts with the most URLs in sitemaps come first."""

    queued: int  # URLs; 0: the links show no further pages, so nothing is left to estimate
    forecast: Forecast | None
    at_least: Size | None  # URLs in scope, by the number of links to each
    sites: dict[str, Size]


def read(sources: Sources) -> Estimates:
    import numpy as np

    db, growth, links = sources.db, sources.growth, sources.links
    # the crawl never requests URLs out of scope, so their number says nothing
    rows = db.execute("SELECT key FROM url WHERE state != 'refused' AND sitemap = 0")
    keys = np.fromiter((key for (key,) in rows), dtype=np.int64)
    in_scope = np.isin(links.targets, keys)
    (queued,) = db.execute("SELECT count(*) FROM url WHERE state = 'queued'").fetchone()
    return Estimates(
        queued=queued,
        forecast=forecast(growth.pages, growth.distinct_urls, MORE_PAGES, sources.chance()) if queued else None,
        at_least=chao1(links.sources[in_scope].tolist()) if queued else None,
        sites=_sites(db, links) if len(links.in_sitemaps) else {},
    )


def _sites(db: View, links: Links) -> dict[str, Size]:
    """Estimates from two samples, links and sitemaps.

    URLs known not to be pages (refused, an error, a redirect, a sitemap) are in neither: links lead to them and
    sitemaps do not, so the samples would not be independent.
    """
    import numpy as np

    rows = db.execute(
        "SELECT key, site FROM url LEFT JOIN page ON page.url = url.id WHERE url.sitemap = 0"
        " AND (state = 'queued' OR state = 'fetched' AND status BETWEEN 200 AND 299)"
    )
    urls = np.fromiter(rows, dtype=[("key", "i8"), ("site", "i8")])
    in_sitemaps, linked = np.isin(urls["key"], links.in_sitemaps), np.isin(urls["key"], links.targets)
    by_site = Counter(urls["site"][in_sitemaps].tolist())
    of_links, of_both = Counter(urls["site"][linked].tolist()), Counter(urls["site"][in_sitemaps & linked].tolist())
    names = dict(db.execute("SELECT id, host FROM site"))
    sizes: dict[str, Size] = {}
    for site, count in by_site.most_common(MOST_SITES):
        size = chapman(count, of_links[site], of_both[site])
        if size is not None:
            sizes[names[site]] = size
    return sizes


def sections(crawls: Sequence[Estimates]) -> list[Section]:
    return [_forecast(crawls), _at_least(crawls), *_recapture(crawls)]


def _forecast(crawls: Sequence[Estimates]) -> Section:
    forecasts = [each.forecast for each in crawls]
    rows = (
        row("Still queued (URLs)", crawls, lambda each: each.queued),
        row_if(f"Another {MORE_PAGES:,} pages would bring (URLs)", forecasts, lambda each: round(each.expected)),
        row_if("  95 %", forecasts, _interval),
        row_if("  by the recent rate alone", forecasts, lambda each: round(each.by_rate)),
    )
    return Section(title="Discovery", rows=rows, hows=_hows(forecasts, crawls))


def _at_least(crawls: Sequence[Estimates]) -> Section:
    sizes = [each.at_least for each in crawls]
    rows = (
        row_if("Linked URLs in scope", sizes, lambda each: each.seen),
        row_if("Estimate, a lower bound", sizes, lambda each: round(each.size)),
        row_if("  95 %", sizes, _interval),
    )
    return Section(title="Estimated number of URLs (capture-recapture)", rows=rows, hows=_hows(sizes, crawls))


def _recapture(crawls: Sequence[Estimates]) -> list[Section]:
    hosts = list(dict.fromkeys(host for crawl in crawls for host in crawl.sites))[:MOST_SITES]
    if not hosts:
        return []
    rows = [row_of(host, [_size(crawl.sites.get(host)) for crawl in crawls]) for host in hosts]
    return [
        Section(
            title="Size of sites, by links and sitemap",
            rows=tuple(rows),
            columns=("seen", "estimate", "95 %"),
            subject="host",
            how=f"{HOW} {CHAPMAN}",
        )
    ]


def _size(size: Size | None) -> tuple[Value, ...]:
    return (size.seen, round(size.size), _interval(size)) if size else (None, None, None)


def _interval(of: Forecast | Size) -> str:
    return f"{of.low:,.0f} to {of.high:,.0f}"


def _hows(estimates: Sequence[Forecast | Size | None], crawls: Sequence[Estimates]) -> tuple[str, ...]:
    return tuple(
        each.how if each is not None else TOO_LITTLE if crawl.queued else ENDED
        for each, crawl in zip(estimates, crawls, strict=True)
    )
