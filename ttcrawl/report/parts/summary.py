"""The short report: what a crawl writes into report.txt at its end, and the first part of the full one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from ttcrawl.output.json_form import records_json
from ttcrawl.output.layout import MOST_REASONS, PAGES, Row, Section
from ttcrawl.output.tables import heads, lay_out
from ttcrawl.output.terminal import ANYWHERE, Screen
from ttcrawl.output.timespan import timespan
from ttcrawl.report.laws.heaps import FEWEST_PAGES, Heaps
from ttcrawl.report.part import Group
from ttcrawl.report.rows import moment, percent, row, row_if, row_of
from ttcrawl.report.summarize import read_summary
from ttcrawl.report.summary import Summary, Tally

if TYPE_CHECKING:
    from ttcrawl.report.sources import Sources

RATIO = "    ratio to the first"

SPEED = (
    "Of all pages crawled per second, page requisites too; the row below has HTML pages and documents alone. A page"
    " that is read again, by ttcrawl read or after another visit, counts again as read by the core or by Python; the"
    " rows below that say why it was Python."
)
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


def read(sources: Sources) -> Summary:
    return read_summary(sources.db, sources.occurrences, sources.growth)


def render(summaries: Sequence[Summary], names: Sequence[str], form: str, screen: Screen = ANYWHERE) -> str:
    """The report of one or more crawls; `form` is text (for a screen), markdown or json. Without a line feed at the
    end.

    Reasons, hosts and names may come from the web. In text and Markdown their control characters, including those that
    change the text direction, are escaped; they are shortened, and their Markdown is neutralized. In JSON all of it is
    escaped. Raises ValueError for an unknown form, or if `names` does not have one name per crawl.
    """
    if len(summaries) != len(names):
        raise ValueError(f"{len(summaries)} crawls but {len(names)} names")
    if form == "json":
        return records_json(map(asdict, summaries), names)
    return lay_out(sections(summaries), heads(names, screen), form, screen)


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
        row("State", crawls, lambda crawl: crawl.finished or "not finished"),
        row("Started (UTC)", crawls, lambda crawl: moment(crawl.started)),
        row("Time taken (h:mm:ss)", crawls, lambda crawl: timespan(crawl.seconds)),
        row("Seeds", crawls, lambda crawl: _first(crawl.seeds)),
        row("Scope", crawls, lambda crawl: crawl.scope),
        row("Links followed", crawls, lambda crawl: crawl.follow),
        row("Content starts at", crawls, lambda crawl: crawl.content_start or "the start of the page"),
        row("Parser", crawls, lambda crawl: crawl.parser),
        row("Reader", crawls, lambda crawl: crawl.reader),
        row("Delay", crawls, _delay),
        row("ttcrawl", crawls, lambda crawl: crawl.version),
    )
    return Section(title="Crawl", rows=rows, prose=True)


def _floor(crawl: Summary) -> float | None:
    """None: no site had a delay to wait for."""
    return round(crawl.politeness_floor, 1) if crawl.politeness_host else None


def _speed(crawls: Sequence[Summary]) -> Section:
    rows = [
        row("Time taken (s)", crawls, lambda crawl: round(crawl.seconds, 1)),
        *_ratio(crawls, lambda crawl: crawl.seconds),
        row("Slowest site: requests x delay (s)", crawls, _floor),
        row("  that site", crawls, lambda crawl: crawl.politeness_host or None),
        row("Pages per second", crawls, lambda crawl: crawl.pages_per_second if crawl.pages else None),
        *_ratio(crawls, lambda crawl: crawl.pages_per_second),
        row("  HTML pages and documents", crawls, lambda crawl: crawl.linking_per_second),
        *_readers(crawls),
        row("Requests", crawls, lambda crawl: crawl.requests),
        *_ratio(crawls, lambda crawl: crawl.requests),
        row("Bytes of bodies", crawls, lambda crawl: crawl.bytes),
        *_ratio(crawls, lambda crawl: crawl.bytes),
        row("Bytes of the archive on disk", crawls, lambda crawl: crawl.archive_bytes),
    ]
    return Section(title="Speed and volume", rows=tuple(rows), how=SPEED)


def _readers(crawls: Sequence[Summary]) -> list[Row]:
    """How many pages the compiled core read, and why Python read the others."""
    if not any(crawl.read_by_core or crawl.read_by_python for crawl in crawls):
        return []
    return [
        row("HTML read by the compiled core", crawls, lambda crawl: crawl.read_by_core),
        row("HTML read by Python", crawls, lambda crawl: sum(crawl.read_by_python.values())),
        *_each(" ", crawls, lambda crawl: crawl.read_by_python),
    ]


def _urls(crawls: Sequence[Summary]) -> Section:
    unrecorded, unread, deleted = attrgetter("unrecorded"), attrgetter("unread"), attrgetter("deleted")
    only_scored = attrgetter("only_scored")
    rows = [
        row("Pages crawled", crawls, lambda crawl: crawl.pages),
        *_ratio(crawls, lambda crawl: crawl.pages),
        row("  HTML pages and documents", crawls, lambda crawl: crawl.linking),
        row("  page requisites", crawls, lambda crawl: crawl.requisites),
        row("  other files", crawls, lambda crawl: crawl.other_pages),
        *([row("  irrelevant, only scored", crawls, only_scored)] if any(map(only_scored, crawls)) else []),
        *_each("  status", crawls, lambda crawl: crawl.statuses),
        *_relevant(crawls),
        *([row("  not read yet (ttcrawl read DIR)", crawls, unread)] if any(map(unread, crawls)) else []),
        row("Moved (redirects)", crawls, lambda crawl: crawl.moved),
        row("Failed", crawls, lambda crawl: sum(crawl.failed.values())),
        *_each(" ", crawls, lambda crawl: crawl.failed),
        row("Refused", crawls, lambda crawl: sum(crawl.refused.values())),
        *_each(" ", crawls, lambda crawl: crawl.refused),
        *([row("  not recorded (links)", crawls, unrecorded)] if any(map(unrecorded, crawls)) else []),
        row("Still queued", crawls, lambda crawl: crawl.queued),
        *([row("Deleted", crawls, deleted)] if any(map(deleted, crawls)) else []),
        row("All URLs discovered", crawls, lambda crawl: crawl.urls),
        *_ratio(crawls, lambda crawl: crawl.urls),
    ]
    return Section(title="URLs", rows=tuple(rows), how=URLS)


def _relevant(crawls: Sequence[Summary]) -> list[Row]:
    """Relevant pages and their share, if pages of a crawl were scored."""
    if all(crawl.relevant is None for crawl in crawls):
        return []
    return [
        row("  relevant to the topic", crawls, lambda crawl: crawl.relevant),
        row("  harvest rate (%)", crawls, lambda crawl: percent(crawl.harvest_rate)),
    ]


def _links(crawls: Sequence[Summary]) -> Section:
    rows = (
        *_tally("URLs found", crawls, lambda crawl: crawl.found),
        *_tally("  inside content", crawls, lambda crawl: crawl.content),
        *_tally("  elsewhere", crawls, lambda crawl: crawl.elsewhere),
        *_tally("  to the page itself", crawls, lambda crawl: crawl.same_page),
        *_tally("  blocked by robots.txt", crawls, lambda crawl: crawl.robots_blocked),
        *_tally("  out of scope", crawls, lambda crawl: crawl.out_of_scope),
        row("Not http(s)", crawls, lambda crawl: crawl.not_http, lambda crawl: None),
    )
    return Section(title="Links on pages", rows=rows, columns=("total", "distinct"), how=LINKS, group=Group.GRAPH)


def _errors(crawls: Sequence[Summary]) -> Section:
    rows = [
        row("Fetch errors", crawls, lambda crawl: sum(crawl.fetch_errors.values())),
        *_each(" ", crawls, lambda crawl: crawl.fetch_errors),
        row("Requests without a response", crawls, lambda crawl: sum(crawl.unanswered.values())),
        *_each(" ", crawls, lambda crawl: crawl.unanswered),
        row("Parse errors", crawls, lambda crawl: crawl.parse_errors),
        row("Read by a later parser", crawls, lambda crawl: crawl.parse_rescued),
        *_each("Pages read by", crawls, lambda crawl: crawl.parsers),
    ]
    return Section(title="Errors", rows=tuple(rows), how=ERRORS)


def _robots(crawls: Sequence[Summary]) -> Section:
    rows = (
        row("Sites discovered", crawls, lambda crawl: crawl.sites),
        row("  robots.txt requested", crawls, lambda crawl: crawl.robots_requested),
        row("  with rules", crawls, lambda crawl: crawl.robots_rules),
        row("  without a usable response", crawls, lambda crawl: crawl.robots_unreachable),
    )
    return Section(title="robots.txt", rows=rows)


def _seen_set(crawls: Sequence[Summary]) -> Section:
    rows = (
        row("Tests", crawls, lambda crawl: crawl.seen_tests),
        row("  maybe seen", crawls, lambda crawl: crawl.seen_maybe),
        row("  false positives", crawls, lambda crawl: crawl.seen_false),
        row("Error rate configured (%)", crawls, lambda crawl: 100 * crawl.seen_rate_configured),
        row("Error rate observed (%)", crawls, lambda crawl: percent(crawl.seen_rate_observed)),
    )
    return Section(title="Seen filter", rows=rows)


GROWTH = (
    "K n^beta by least squares on logarithms over the longest range in which it lies within 5 % of the series; nowhere:"
    " K and beta are of the complete series. With beta above 1 it is not Heaps' law: URLs grow faster than what they"
    " are counted by. ttcrawl report has intervals and a sentence. In scope: URLs that links have"
    f" put into the queue, including URLs that robots.txt forbids. Under {FEWEST_PAGES} pages nothing is fitted."
    f" {PAGES}."
)


def _growth(crawls: Sequence[Summary]) -> Section:
    rows = [
        row("Last new URL at page", crawls, lambda crawl: crawl.saturation),
        *_law("by URLs found", [crawl.heaps_found for crawl in crawls]),
        *_law("by pages", [crawl.heaps_pages for crawl in crawls]),
        *_law("in scope, by pages", [crawl.heaps_in_scope for crawl in crawls]),
    ]
    return Section(title="Growth of distinct URLs", rows=tuple(rows), how=GROWTH, group=Group.GROWTH)


def _law(by: str, fits: Sequence[Heaps | None]) -> list[Row]:
    return [
        row_if(f"Power law {by}: K", fits, lambda fit: fit.k),
        row_if("  beta", fits, lambda fit: fit.beta),
        row_if("  holds from", fits, lambda fit: "nowhere" if fit.holds_from is None else round(fit.holds_from)),
        row_if("  to", fits, lambda fit: None if fit.holds_to is None else round(fit.holds_to)),
        row_if("  RMSE (URLs)", fits, lambda fit: fit.rmse),
    ]


def _tally(label: str, crawls: Sequence[Summary], tally: Callable[[Summary], Tally]) -> list[Row]:
    totals, distinct = [tally(crawl).total for crawl in crawls], [tally(crawl).distinct for crawl in crawls]
    rows = [row_of(label, zip(totals, distinct, strict=True))]
    if len(set(totals)) > 1 or len(set(distinct)) > 1:
        rows.append(row_of(RATIO, zip(_ratios(totals), _ratios(distinct), strict=True)))
    return rows


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


def _first(seeds: Sequence[str]) -> str | None:
    more = f" and {len(seeds) - 1:,} more" if len(seeds) > 1 else ""
    return seeds[0] + more if seeds else None


def _delay(crawl: Summary) -> str:
    return f"obeyed; {crawl.delay:g} s if robots.txt has none" if crawl.obey_delay else "not obeyed"
