"""The figures of the short report, read from a crawl directory that may be growing.

>>> from pathlib import Path
>>> summarize(Path("/nowhere"))
Traceback (most recent call last):
    ...
ttcrawl.NotACrawl: /nowhere is not a crawl directory: it does not exist
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from ttcrawl.engine.counter_rows import readers_of
from ttcrawl.output.readers import by_reader
from ttcrawl.report.few_links import FewOccurrences
from ttcrawl.report.laws.heaps import fit
from ttcrawl.report.links import Occurrences, occurrences, refused_links
from ttcrawl.report.summary import (
    Effort,
    Errors,
    Growth,
    LinkCounts,
    Robots,
    Run,
    SeenFilter,
    Summary,
    Tally,
    UrlCounts,
    UrlGrowth,
)
from ttcrawl.snapshot.snapshot import View, view
from ttcrawl.snapshot.unread import unread
from ttcrawl.store.archive_objects import bytes_elsewhere
from ttcrawl.store.seeds import seeds_of
from ttcrawl.vocabulary.html import PARSERS
from ttcrawl.vocabulary.state import DELETED, FAILED, FETCHED, MOVED, QUEUED, REFUSED
from ttcrawl.web.mime.kind import can_link, is_loaded


def summarize(directory: Path) -> Summary:
    """Every figure of one crawl, from one snapshot. Raises NotACrawl."""
    with view(directory) as db:
        return read_summary(db, occurrences(db), read_growth(db))


def read_summary(db: View, links: Occurrences | FewOccurrences, growth: Growth) -> Summary:
    """Every figure of a view; `links` are its link occurrences."""
    settings = db.settings
    urls, seconds = _urls(db), max(_number(settings, "seconds"), growth.seconds[-1] if growth.seconds else 0.0)
    return Summary.of(
        urls,
        _run(settings, seconds),
        _links(db, links, follow_all=settings.get("follow") == "all"),
        _errors(db, urls),
        _effort(db, urls.pages / seconds if seconds > 0 else None),
        _robots(db),
        _seen_filter(settings),
        _url_growth(growth),
    )


def _run(settings: Mapping[str, str], seconds: float) -> Run:
    read_by_core, read_by_python = by_reader(readers_of(settings))
    return Run(
        version=settings.get("ttcrawl_version", ""),
        started=_number(settings, "started"),
        seconds=seconds,
        finished=settings.get("finished", ""),
        seeds=seeds_of(settings),
        scope=settings.get("scope", ""),
        parser=settings.get("parser", ""),
        reader=settings.get("reader", ""),
        read_by_core=read_by_core,
        read_by_python=read_by_python,
        obey_delay=_obeys_delay(settings),
        delay=_number(settings, "delay"),
        content_start=settings.get("content_start", ""),
        follow=settings.get("follow", ""),
    )


def _urls(db: View) -> UrlCounts:
    states = _states(db)
    pages = _sum(states.get(FETCHED, {}))
    return UrlCounts(
        urls=sum(map(_sum, states.values())),
        pages=pages,
        **_uses(db, pages),
        statuses=_counts(db, "SELECT CAST(substr(reason, 6) AS INTEGER), count(*) FROM url WHERE state = 'fetched'"),
        relevant=_relevant(db),
        unread=unread(db),
        moved=_sum(states.get(MOVED, {})),
        failed=states.get(FAILED, {}),
        refused=states.get(REFUSED, {}),
        unrecorded=int(db.settings.get("total_unrecorded", 0)),
        queued=_sum(states.get(QUEUED, {})),
        deleted=_sum(states.get(DELETED, {})),
    )


def _uses(db: View, pages: int) -> dict[str, int]:
    """The fetched pages that can link, the others that pages load, and those without a row in `page`."""
    linking = requisites = stored = 0
    for kind, required, count in db.execute(
        "SELECT type, url.requisite > 0, count(*) FROM page JOIN url ON url.id = page.url WHERE state = 'fetched'"
        " GROUP BY 1, 2"
    ):
        stored += count
        if can_link(kind):
            linking += count
        elif required or is_loaded(kind):
            requisites += count
    return {"linking": linking, "requisites": requisites, "only_scored": pages - stored}


def _relevant(db: View) -> int | None:
    scored, relevant = _one_row(db, "SELECT count(*), coalesce(sum(relevant), 0) FROM topic")
    return relevant if scored or db.settings.get("topical") else None


def _links(db: View, links: Occurrences | FewOccurrences, *, follow_all: bool) -> LinkCounts:
    total, content, same_page, same_pages, not_http = _one_row(
        db,
        "SELECT coalesce(sum(links), 0), coalesce(sum(content_links), 0), coalesce(sum(same_page_links), 0),"
        " coalesce(sum(same_page_links > 0), 0), coalesce(sum(not_http), 0) FROM page",
    )
    robots_blocked, out_of_scope = refused_links(db, links, follow_all=follow_all)
    in_content, elsewhere, distinct = links.distinct()
    return LinkCounts(
        found=Tally(total=total, distinct=distinct),
        content=Tally(total=content, distinct=in_content),
        elsewhere=Tally(total=total - content, distinct=elsewhere),
        same_page=Tally(total=same_page, distinct=same_pages),
        not_http=not_http,
        robots_blocked=robots_blocked,
        out_of_scope=out_of_scope,
    )


def _errors(db: View, urls: UrlCounts) -> Errors:
    # a page with a broken coding has a parser too: it was read up to the error. Other errors of an HTML page, such as
    # an error of a hook, do not count as errors of reading
    earlier = " OR ".join(f"parse_error GLOB '{parser}: *'" for parser in PARSERS)
    errors, rescued = _one_row(
        db,
        f"SELECT coalesce(sum(parser NOT IN {PARSERS} OR parse_error LIKE 'broken %'), 0),"
        f" coalesce(sum(parser IN {PARSERS} AND ({earlier})), 0) FROM page WHERE parse_error != ''",
    )
    answered = {f"http {status}": count for status, count in urls.statuses.items() if status >= 400}
    return Errors(
        fetch_errors=_largest_first({**urls.failed, **answered}),
        unanswered=_counts(db, "SELECT reason, count(*) FROM visit WHERE status IS NULL"),
        parse_errors=errors,
        parse_rescued=rescued,
        parsers=_counts(db, "SELECT parser, count(*) FROM page WHERE parser != ''"),
    )


def _effort(db: View, pages_per_second: float | None) -> Effort:
    floor, slowest = _politeness(db, _number(db.settings, "delay") if _obeys_delay(db.settings) else 0.0)
    return Effort(
        requests=_one_row(db, "SELECT coalesce(sum(requests), 0) FROM visit")[0],
        bytes=_one_row(db, "SELECT coalesce(sum(length), 0) FROM page")[0],
        archive_bytes=_archive_bytes(db.directory / "warc") + bytes_elsewhere(db),
        pages_per_second=pages_per_second,
        politeness_floor=floor,
        politeness_host=slowest,
    )


def _robots(db: View) -> Robots:
    sites, robots_requested, rules, unreachable = _one_row(
        db,
        "SELECT count(*), count(robots_time), coalesce(sum(robots LIKE '%allow%:%'), 0),"
        " coalesce(sum(robots_time IS NOT NULL AND robots IS NULL), 0) FROM site",
    )
    return Robots(sites=sites, robots_requested=robots_requested, robots_rules=rules, robots_unreachable=unreachable)


def _seen_filter(settings: Mapping[str, str]) -> SeenFilter:
    tests, maybe, false = (int(_number(settings, name)) for name in ("seen_tests", "seen_maybe", "seen_false"))
    return SeenFilter(
        seen_tests=tests,
        seen_maybe=maybe,
        seen_false=false,
        seen_rate_configured=_number(settings, "seen_error_rate"),
        seen_rate_observed=_observed_rate(tests, maybe, false),
    )


def _url_growth(growth: Growth) -> UrlGrowth:
    return UrlGrowth(
        growth=growth,
        saturation=_saturation(growth),
        heaps_found=fit(growth.found, growth.distinct_urls) if growth.enough else None,
        heaps_pages=fit(growth.pages, growth.distinct_urls) if growth.enough else None,
        heaps_in_scope=fit(*growth.series_in_scope) if growth.enough else None,
    )


def _number(settings: Mapping[str, str], name: str) -> float:
    return float(settings.get(name) or 0)


def _obeys_delay(settings: Mapping[str, str]) -> bool:
    return settings.get("obey_delay", "yes") == "yes"


def _states(db: View) -> dict[str, dict[str, int]]:
    """URLs by state and reason."""
    states: dict[str, dict[str, int]] = {}
    for state, reason, count in db.execute("SELECT state, reason, count(*) FROM url GROUP BY 1, 2 ORDER BY 3 DESC, 2"):
        states.setdefault(state, {})[reason] = count
    return states


def _counts(db: View, query: str) -> dict[Any, int]:
    """A mapping from the first column of a query to the second; this function adds the grouping."""
    return dict(db.execute(f"{query} GROUP BY 1 ORDER BY 2 DESC, 1").fetchall())


def _largest_first(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda each: (-each[1], each[0])))


def _sum(counts: Mapping[Any, int]) -> int:
    return sum(counts.values())


def _one_row(db: View, query: str) -> tuple[int, ...]:
    return tuple(db.execute(query).fetchone())


def read_growth(db: View) -> Growth:
    rows = db.execute("SELECT pages, seconds, links, distinct_urls, in_scope FROM growth ORDER BY pages").fetchall()
    pages, seconds, link_counts, distinct_urls, in_scope = zip(*rows, strict=True) if rows else ((), (), (), (), ())
    return Growth(pages=pages, seconds=seconds, found=link_counts, distinct_urls=distinct_urls, in_scope=in_scope)


def _saturation(growth: Growth) -> int | None:
    """The first number of pages with the final number of URLs. The last sample if the crawl still finds URLs."""
    if not growth.pages:
        return None
    return growth.pages[growth.distinct_urls.index(growth.distinct_urls[-1])]


def _politeness(db: View, default: float) -> tuple[float, str]:
    """(seconds, host): the largest requests * delay of a site.

    A polite crawl takes this long, less one delay (the first request does not wait), with any number of processes. A
    site whose robots.txt was never read uses the default delay.
    """
    row = db.execute(
        "SELECT count(*) * coalesce(site.delay, ?) AS floor, host FROM visit JOIN site ON site.id = visit.site"
        " GROUP BY site.id ORDER BY floor DESC, host LIMIT 1",
        (default,),
    ).fetchone()
    return (float(row[0]), row[1]) if row and row[0] else (0.0, "")


def _observed_rate(tests: int, maybe: int, false: int) -> float | None:
    """False positives of the filter per test of a new URL: false / (false + surely new).

    Only a new URL can be a false positive. Of the `tests`, the "surely new" (tests - maybe) were new, and so were the
    `false` ones. The filter fills during the crawl, so the mean over the crawl is below its last rate.
    """
    new = tests - maybe + false
    return false / new if new > 0 else None


def _archive_bytes(directory: Path) -> int:
    """Size of the current files. A file that is renamed or removed during the reading counts as 0."""
    size = 0
    for path in directory.glob("*"):
        with suppress(OSError):
            size += path.stat().st_size if path.is_file() else 0
    return size
