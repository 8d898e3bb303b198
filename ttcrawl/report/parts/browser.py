"""The pages of a crawl that went through a browser: what it cost, and what it brought."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ttcrawl.output.layout import Row, Section
from ttcrawl.report.rows import row, row_of
from ttcrawl.report.sources import Sources

HOW = (
    "From table browser_use: the latest answer of each HTML page. Links and words are those that the answer of the page"
    " has not; they are counted where both were read ([browser] use = auto). Seconds are summed over all"
    " browsers."
)

_COSTS = """
    SELECT way, reason, count(*), sum(seconds), sum(requests), sum(bytes), coalesce(sum(links), 0),
           coalesce(sum(words), 0), coalesce(sum(links + words > 0), 0), iif(way = 'browser', count(links), 0)
    FROM browser_use GROUP BY way, reason ORDER BY way, count(*) DESC, reason"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Browser:
    """`static` and `rendered`: number of pages by the reason of their reading."""

    static: Mapping[str, int]
    rendered: Mapping[str, int]
    seconds: float  # in the browser
    requests: int  # of scripts
    bytes: int  # of the answers to them
    links: int | None  # that only the browser showed; None, as below: no page was read both ways
    words: int | None  # likewise
    gained: int | None  # pages that the browser showed more of


def read(sources: Sources) -> Browser:
    pages: dict[str, dict[str, int]] = {"static": {}, "browser": {}}
    sums = [0.0, 0, 0, 0, 0, 0, 0]
    for used, why, count, *costs in sources.db.execute(_COSTS):
        pages.setdefault(used, {})[why] = count
        sums = [before + cost for before, cost in zip(sums, costs, strict=True)]
    seconds, requests, received, links, words, gained, compared = sums
    return Browser(
        static=pages["static"],
        rendered=pages["browser"],
        seconds=seconds,
        requests=int(requests),
        bytes=int(received),
        links=int(links) if compared else None,
        words=int(words) if compared else None,
        gained=int(gained) if compared else None,
    )


def sections(crawls: Sequence[Browser]) -> list[Section]:
    """Empty if no crawl has a browser."""
    if not any(each.static or each.rendered for each in crawls):
        return []
    rows = [
        row("Pages in the browser", crawls, lambda each: sum(each.rendered.values())),
        *_reasons(crawls, lambda each: each.rendered),
        row("  where it showed more", crawls, lambda each: each.gained),
        row("Pages read statically", crawls, lambda each: sum(each.static.values())),
        *_reasons(crawls, lambda each: each.static),
        row("Share of the browser (%)", crawls, _share),
        row("Seconds in the browser", crawls, lambda each: round(each.seconds, 1)),
        row("Requests of scripts", crawls, lambda each: each.requests),
        row("  bytes of their answers", crawls, lambda each: each.bytes),
        row("Links that only the browser showed", crawls, lambda each: each.links),
        row("Words that only the browser showed", crawls, lambda each: each.words),
    ]
    return [Section(title="Browser", rows=tuple(rows), how=HOW)]


def _reasons(crawls: Sequence[Browser], pages: Callable[[Browser], Mapping[str, int]]) -> list[Row]:
    names = {name: None for each in crawls for name in pages(each)}
    return [row_of(f"  {name}", [[pages(each).get(name, 0)] for each in crawls]) for name in names]


def _share(crawl: Browser) -> float | None:
    pages = sum(crawl.rendered.values()) + sum(crawl.static.values())
    return 100 * sum(crawl.rendered.values()) / pages if pages else None
