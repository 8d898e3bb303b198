"""Estimates: the rate of discovery, the URLs that further pages would bring, and the sizes of the sites."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ttcrawl.output.layout import Section, Value
from ttcrawl.report.laws.confirmed import MORE_PAGES, confirmed_bound, confirmed_forecast
from ttcrawl.report.laws.discovery import Forecast
from ttcrawl.report.laws.recapture import CHAPMAN, Size, chapman
from ttcrawl.report.laws.unseen import sample_of
from ttcrawl.report.links import Links
from ttcrawl.report.rows import row, row_if, row_of
from ttcrawl.report.sources import Sources
from ttcrawl.snapshot.snapshot import View

MOST_SITES = 20
#: An estimate is of what a sample has not shown, and a crawl that has ended is not a sample.
ENDED = "Nothing is queued: all linked URLs in scope were requested, so there is nothing to estimate."
HOW = (
    "Two samples of each host: URLs that are linked, and URLs that its sitemaps list; both only if they are queued or"
    " have a status of 2xx. Seen: in either sample. A host without a URL in both has no estimate."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimates:
    """`sites` are estimates by host, from links and sitemaps; hosts with the most URLs in sitemaps come first."""

    queued: int  # URLs; 0: the links show no further pages, so nothing is left to estimate
    forecast: Forecast | None
    no_forecast: str  # why there is none, or ""
    at_least: Size | None  # URLs in scope, by the number of pages that link to each
    no_bound: str  # why there is none, or ""
    sites: dict[str, Size]
    without_overlap: tuple[str, ...]  # hosts whose links and sitemaps have no URL in common


def read(sources: Sources) -> Estimates:
    db, growth, links = sources.db, sources.growth, sources.links
    (queued,) = db.execute("SELECT count(*) FROM url WHERE state = 'queued'").fetchone()
    ahead, no_forecast, at_least, no_bound = None, ENDED, None, ENDED
    if queued:
        ahead, no_forecast = confirmed_forecast(growth.pages, growth.distinct_urls, sources.chance())
        at_least, no_bound = _bound(db, links)
    sites = _sites(db, links) if len(links.in_sitemaps) else {}
    return Estimates(
        queued=queued,
        forecast=ahead,
        no_forecast=no_forecast,
        at_least=at_least,
        no_bound=no_bound,
        sites={host: size for host, size in sites.items() if size is not None},
        without_overlap=tuple(host for host, size in sites.items() if size is None),
    )


def _bound(db: View, links: Links) -> tuple[Size | None, str]:
    """(A lower bound of the URLs in scope; if None, why). A crawl requests no others, so their number says nothing."""
    import numpy as np

    rows = db.execute("SELECT key FROM url WHERE state != 'refused' AND sitemap = 0")
    in_scope = np.isin(links.targets, np.fromiter((key for (key,) in rows), dtype=np.int64))
    (pages,) = db.execute("SELECT count(*) FROM url WHERE state = 'fetched'").fetchone()
    now = sample_of(pages, links.sources[in_scope])
    return confirmed_bound(now, sample_of(pages // 2, links.early_sources[in_scope]))


def _sites(db: View, links: Links) -> dict[str, Size | None]:
    """Estimates from two samples, links and sitemaps; None: they have nothing in common.

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
    largest = [(site, count) for site, count in by_site.most_common(MOST_SITES) if of_links[site]]
    return {names[site]: chapman(count, of_links[site], of_both[site]) for site, count in largest}


def sections(crawls: Sequence[Estimates]) -> list[Section]:
    return [_forecast(crawls), _at_least(crawls), *_recapture(crawls)]


def _forecast(crawls: Sequence[Estimates]) -> Section:
    forecasts = [each.forecast for each in crawls]
    rows = (
        row("Still queued (URLs)", crawls, lambda each: each.queued),
        row_if(f"Further pages (as many as crawled, at most {MORE_PAGES:,})", forecasts, lambda each: each.pages),
        row_if("  would bring (URLs)", forecasts, lambda each: round(each.expected)),
        row_if("  95 %", forecasts, _interval),
        row_if("  by the recent rate alone", forecasts, lambda each: round(each.by_rate)),
    )
    hows = tuple(each.forecast.how if each.forecast else each.no_forecast for each in crawls)
    return Section(title="Discovery", rows=rows, hows=hows)


def _at_least(crawls: Sequence[Estimates]) -> Section:
    sizes = [each.at_least for each in crawls]
    rows = (
        row_if("Linked URLs in scope", sizes, lambda each: each.seen),
        row_if("Estimate, a lower bound", sizes, lambda each: round(each.size)),
        row_if("  95 %", sizes, _interval),
    )
    hows = tuple(each.at_least.how if each.at_least else each.no_bound for each in crawls)
    return Section(title="Estimated number of URLs (capture-recapture)", rows=rows, hows=hows)


def _recapture(crawls: Sequence[Estimates]) -> list[Section]:
    listed = (host for crawl in crawls for host in (*crawl.sites, *crawl.without_overlap))
    hosts = list(dict.fromkeys(listed))[:MOST_SITES]
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
