"""The contents of the report in order: sections of rows, without layout."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from operator import attrgetter
from typing import Any

from ttcrawl.output.layout import MOST_REASONS, PAGES, Row, Section, Value
from ttcrawl.report.laws.heaps import FEWEST_PAGES, Heaps
from ttcrawl.report.summary import Summary, Tally

RATIO = "    ratio to the first"

SPEED = "Of all pages crawled per second, page requisites too; the row below has HTML pages and documents alone."
URLS = (
    "Every URL has one state: crawled, moved, failed, refused, queued and deleted add up to all URLs discovered."
    f" {PAGES}: HTML pages and documents, which can link (the nodes of ttcrawl graph); page requisites, which pages"
    " load (images, styles, scripts, fonts); and other files."
)
LINKS = (
    "Totals inside content and elsewhere add up to the URLs found; a URL that is linked in both is distinct in both."
    " The rows below them are parts of the URLs found and may overlap."
)
ERRORS = (
    "Fetch errors are URLs that failed and pages with a status of 400 or more, which are pages crawled too. A request"
    " without a response is tried again, so it need not be a fetch error."
)


def sections(crawls: Sequence[Summary]) -> list[Section]:
    """The complete report of one crawl, or of several side by side."""
    return [
        _crawl(crawls),
        _speed(crawls),
        _urls(crawls),
        _links(crawls),
        _errors(crawls),
        _robots(crawls),
        _seen_set(crawls),
        _growth(crawls),
    ]


def _crawl(crawls: Sequence[Summary]) -> Section:
    rows = (
        _row("State", crawls, lambda crawl: crawl.finished or "not finished"),
        _row("Started (UTC)", crawls, lambda crawl: _moment(crawl.started)),
        _row("Time taken (h:mm:ss)", crawls, lambda crawl: str(timedelta(seconds=round(crawl.seconds)))),
        _row("Seeds", crawls, lambda crawl: _first(crawl.seeds)),
        _row("Scope", crawls, lambda crawl: crawl.scope),
        _row("Links followed", crawls, lambda crawl: crawl.follow),
        _row("Content starts at", crawls, lambda crawl: crawl.content_start or "the start of the page"),
        _row("Parser", crawls, lambda crawl: crawl.parser),
        _row("Delay", crawls, _delay),
        _row("ttcrawl", crawls, lambda crawl: crawl.version),
    )
    return Section(title="Crawl", rows=rows, prose=True)


def _speed(crawls: Sequence[Summary]) -> Section:
    rows = [
        _row("Time taken (s)", crawls, lambda crawl: round(crawl.seconds, 1)),
        *_ratio(crawls, lambda crawl: crawl.seconds),
        _row("Slowest site: requests x delay (s)", crawls, lambda crawl: round(crawl.politeness_floor, 1)),
        _row("  that site", crawls, lambda crawl: crawl.politeness_host or None),
        _row("Pages per second", crawls, lambda crawl: crawl.pages_per_second),
        *_ratio(crawls, lambda crawl: crawl.pages_per_second),
        _row("  HTML pages and documents", crawls, lambda crawl: crawl.linking_per_second),
        _row("Requests", crawls, lambda crawl: crawl.requests),
        *_ratio(crawls, lambda crawl: crawl.requests),
        _row("Bytes of bodies", crawls, lambda crawl: crawl.bytes),
        *_ratio(crawls, lambda crawl: crawl.bytes),
        _row("Bytes of the archive on disk", crawls, lambda crawl: crawl.archive_bytes),
    ]
    return Section(title="Speed and volume", rows=tuple(rows), how=SPEED)


def _urls(crawls: Sequence[Summary]) -> Section:
    unrecorded, unread, deleted = attrgetter("unrecorded"), attrgetter("unread"), attrgetter("deleted")
    only_scored = attrgetter("only_scored")
    rows = [
        _row("Pages crawled", crawls, lambda crawl: crawl.pages),
        *_ratio(crawls, lambda crawl: crawl.pages),
        _row("  HTML pages and documents", crawls, lambda crawl: crawl.linking),
        _row("  page requisites", crawls, lambda crawl: crawl.requisites),
        _row("  other files", crawls, lambda crawl: crawl.other_pages),
        *([_row("  irrelevant, only scored", crawls, only_scored)] if any(map(only_scored, crawls)) else []),
        *_each("  status", crawls, lambda crawl: crawl.statuses),
        *_relevant(crawls),
        *([_row("  not read yet (ttcrawl read DIR)", crawls, unread)] if any(map(unread, crawls)) else []),
        _row("Moved (redirects)", crawls, lambda crawl: crawl.moved),
        _row("Failed", crawls, lambda crawl: sum(crawl.failed.values())),
        *_each(" ", crawls, lambda crawl: crawl.failed),
        _row("Refused", crawls, lambda crawl: sum(crawl.refused.values())),
        *_each(" ", crawls, lambda crawl: crawl.refused),
        *([_row("  not recorded (links)", crawls, unrecorded)] if any(map(unrecorded, crawls)) else []),
        _row("Still queued", crawls, lambda crawl: crawl.queued),
        *([_row("Deleted", crawls, deleted)] if any(map(deleted, crawls)) else []),
        _row("All URLs discovered", crawls, lambda crawl: crawl.urls),
        *_ratio(crawls, lambda crawl: crawl.urls),
    ]
    return Section(title="URLs", rows=tuple(rows), how=URLS)


def _relevant(crawls: Sequence[Summary]) -> list[Row]:
    """Relevant pages and their share, if pages of a crawl were scored."""
    if all(crawl.relevant is None for crawl in crawls):
        return []
    return [
        _row("  relevant to the topic", crawls, lambda crawl: crawl.relevant),
        _row("  harvest rate (%)", crawls, lambda crawl: _percent(crawl.harvest_rate)),
    ]


def _links(crawls: Sequence[Summary]) -> Section:
    rows = (
        *_tally("URLs found", crawls, lambda crawl: crawl.found),
        *_tally("  inside content", crawls, lambda crawl: crawl.content),
        *_tally("  elsewhere", crawls, lambda crawl: crawl.elsewhere),
        *_tally("  to the page itself", crawls, lambda crawl: crawl.same_page),
        *_tally("  blocked by robots.txt", crawls, lambda crawl: crawl.robots_blocked),
        *_tally("  out of scope", crawls, lambda crawl: crawl.out_of_scope),
        Row(label="Not http(s)", values=tuple(value for crawl in crawls for value in (crawl.not_http, None))),
    )
    return Section(title="Links on pages", rows=rows, columns=("total", "distinct"), how=LINKS)


def _errors(crawls: Sequence[Summary]) -> Section:
    rows = [
        _row("Fetch errors", crawls, lambda crawl: sum(crawl.fetch_errors.values())),
        *_each(" ", crawls, lambda crawl: crawl.fetch_errors),
        _row("Requests without a response", crawls, lambda crawl: sum(crawl.unanswered.values())),
        *_each(" ", crawls, lambda crawl: crawl.unanswered),
        _row("Parse errors", crawls, lambda crawl: crawl.parse_errors),
        _row("Read by a later parser", crawls, lambda crawl: crawl.parse_rescued),
        *_each("Pages read by", crawls, lambda crawl: crawl.parsers),
    ]
    return Section(title="Errors", rows=tuple(rows), how=ERRORS)


def _robots(crawls: Sequence[Summary]) -> Section:
    rows = (
        _row("Sites discovered", crawls, lambda crawl: crawl.sites),
        _row("  robots.txt requested", crawls, lambda crawl: crawl.robots_asked),
        _row("  with rules", crawls, lambda crawl: crawl.robots_rules),
        _row("  without a usable response", crawls, lambda crawl: crawl.robots_unreachable),
    )
    return Section(title="robots.txt", rows=rows)


def _seen_set(crawls: Sequence[Summary]) -> Section:
    rows = (
        _row("Tests", crawls, lambda crawl: crawl.seen_tests),
        _row("  maybe seen", crawls, lambda crawl: crawl.seen_maybe),
        _row("  false positives", crawls, lambda crawl: crawl.seen_false),
        _row("Error rate configured (%)", crawls, lambda crawl: 100 * crawl.seen_rate_asked),
        _row("Error rate observed (%)", crawls, lambda crawl: _percent(crawl.seen_rate_observed)),
    )
    return Section(title="Seen filter", rows=rows)


GROWTH = (
    "One curve K n^beta through the whole series, by least squares on V, even if the series does not follow the law:"
    " ttcrawl report shows the range in which the law holds, and its K and beta there. In scope: URLs that links have"
    f" put into the queue, including URLs that robots.txt forbids. Under {FEWEST_PAGES} pages nothing is fitted."
    f" {PAGES}."
)


def _growth(crawls: Sequence[Summary]) -> Section:
    rows = [
        _row("Last new URL at page", crawls, lambda crawl: crawl.saturation),
        *_law("by URLs found", [crawl.heaps_found for crawl in crawls]),
        *_law("by pages", [crawl.heaps_pages for crawl in crawls]),
        *_law("in scope, by pages", [crawl.heaps_in_scope for crawl in crawls]),
    ]
    return Section(title="Growth of distinct URLs", rows=tuple(rows), how=GROWTH)


def _law(by: str, fits: Sequence[Heaps | None]) -> list[Row]:
    return [
        Row(label=f"Heaps {by}: K", values=tuple(None if fit is None else fit.k for fit in fits)),
        Row(label="  beta", values=tuple(None if fit is None else fit.beta for fit in fits)),
        Row(label="  RMSE (URLs)", values=tuple(None if fit is None else fit.rmse for fit in fits)),
    ]


def _row(label: str, crawls: Sequence[Summary], value: Callable[[Summary], Value]) -> Row:
    return Row(label=label, values=tuple(value(crawl) for crawl in crawls))


def _tally(label: str, crawls: Sequence[Summary], tally: Callable[[Summary], Tally]) -> list[Row]:
    totals, distinct = zip(*((tally(crawl).total, tally(crawl).distinct) for crawl in crawls), strict=True)
    rows = [Row(label=label, values=_in_turn(totals, distinct))]
    if len(set(totals)) > 1 or len(set(distinct)) > 1:
        rows.append(Row(label=RATIO, values=_in_turn(_ratios(totals), _ratios(distinct))))
    return rows


def _in_turn(left: Sequence[Value], right: Sequence[Value]) -> tuple[Value, ...]:
    return tuple(value for pair in zip(left, right, strict=True) for value in pair)


def _each(prefix: str, crawls: Sequence[Summary], counts: Callable[[Summary], Mapping[Any, int]]) -> list[Row]:
    """One row for each key of any crawl, by falling count; one row for the rest."""
    tables = [counts(crawl) for crawl in crawls]
    together: Counter[Any] = Counter()
    for table in tables:
        together.update(table)
    keys = sorted(together, key=lambda key: (-together[key], str(key)))
    top, rest = keys[:MOST_REASONS], keys[MOST_REASONS:]
    rows = [Row(label=f"{prefix} {key}", values=tuple(table.get(key, 0) for table in tables)) for key in top]
    if rest:
        sums = tuple(sum(table.get(key, 0) for key in rest) for table in tables)
        rows.append(Row(label=f"{prefix} {len(rest):,} other reasons", values=sums))
    return rows


def _ratio(crawls: Sequence[Summary], value: Callable[[Summary], float | None]) -> list[Row]:
    """Ratios to the first crawl's value; no row if all values are equal."""
    values = [value(crawl) for crawl in crawls]
    return [Row(label=RATIO, values=_ratios(values))] if len(set(values)) > 1 else []


def _ratios(values: Sequence[float | None]) -> tuple[str | None, ...]:
    first = values[0]
    return tuple(f"{each / first:,.4g}" if first and each is not None else None for each in values)


def _moment(seconds: float) -> str | None:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S}" if seconds else None


def _first(seeds: Sequence[str]) -> str | None:
    more = f" and {len(seeds) - 1:,} more" if len(seeds) > 1 else ""
    return seeds[0] + more if seeds else None


def _delay(crawl: Summary) -> str:
    return f"obeyed; {crawl.delay:g} s if robots.txt has none" if crawl.obey_delay else "not obeyed"


def _percent(rate: float | None) -> float | None:
    return None if rate is None else 100 * rate
