"""The overview of a crawl in a few lines: what, when, how many, how fast, how polite, and what is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ttcrawl.output.moments import moment
from ttcrawl.output.number import byte_text, counted
from ttcrawl.output.shell import command_line
from ttcrawl.output.timespan import timespan
from ttcrawl.report.politeness import Politeness
from ttcrawl.report.summary import GO_ON, Summary
from ttcrawl.store.mailbox import command_to_continue
from ttcrawl.vocabulary.family import Family
from ttcrawl.vocabulary.reason import family

if TYPE_CHECKING:
    from ttcrawl.report.study import Study

MOST_SEEDS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    title: str
    body: str  # HTML
    note: str = ""
    wide: bool = False  # as two others
    twin: Panel | None = None  # beside it in any case


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    name: str
    facts: tuple[tuple[str, tuple[str, ...]], ...]  # (label, lines)
    problems: tuple[str, ...]
    panels: tuple[Panel, ...] = ()


def overview(name: str, crawl: Study) -> Overview:
    """The overview of one crawl. `name`: its directory."""
    summary = crawl.summary
    facts = (
        ("What", (*_seeds(summary.seeds), f"scope: {summary.scope}")),
        ("When", (_when(summary),)),
        ("How many", (_volume(crawl),)),
        *([("How relevant", (_relevance(summary),))] if summary.relevant is not None else []),
        ("How fast", (_speed(summary),)),
        ("How polite", _politeness(crawl)),
    )
    return Overview(name=name, facts=facts, problems=tuple(_problems(name, crawl)))


def _seeds(seeds: tuple[str, ...]) -> tuple[str, ...]:
    rest = len(seeds) - MOST_SEEDS
    return (*seeds[:MOST_SEEDS], *([f"and {counted(rest, 'more seed')}"] if rest > 0 else []))


def _when(summary: Summary) -> str:
    if not summary.started:
        return "not started"
    start = f"{moment(summary.started)[:16]} UTC"
    failed = summary.finished.startswith("failed: ")
    stopped = summary.finished if failed else f"stopped: {summary.finished}"
    end = {"done": "finished", "": "not finished"}.get(summary.finished, stopped)
    return f"{start}, {timespan(summary.seconds)} of crawling, {end}"


def _volume(crawl: Study) -> str:
    summary = crawl.summary
    linking = "" if summary.linking == summary.pages else f" ({summary.linking:,} HTML pages and documents)"
    return (
        f"{counted(summary.pages, 'page')}{linking} of {counted(crawl.sites.all.sites, 'site')},"
        f" {byte_text(summary.bytes)};"
        f" {counted(summary.urls, 'URL')} discovered, {summary.queued:,} still queued"
    )


def _relevance(summary: Summary) -> str:
    rate = f" (harvest rate {summary.relevant / summary.pages:.1%})" if summary.relevant and summary.pages else ""
    return f"{counted(summary.relevant or 0, 'page')} about the topic{rate}"


def _speed(summary: Summary) -> str:
    rate = summary.pages_per_second if summary.pages else None
    return f"{counted(summary.requests, 'request')}" + ("" if rate is None else f", {rate:,.1f} pages a second")


def _politeness(crawl: Study) -> tuple[str, ...]:
    forbidden = sum(count for reason, count in crawl.summary.refused.items() if family(reason) is Family.ROBOTS)
    refused = f"{counted(forbidden, 'URL')} forbidden and not requested" if forbidden else "nothing forbidden"
    return (
        _delays(crawl.politeness, obeyed=crawl.summary.obey_delay),
        f"robots.txt of {counted(crawl.summary.robots_requested, 'site')} read, {refused}",
    )


def _delays(politeness: Politeness, *, obeyed: bool) -> str:
    if not obeyed:
        return "delays were switched off"
    if not politeness.delayed:
        return "no delay was due"
    return f"{politeness.broken:,} of {counted(politeness.delayed, 'gap')} between requests too short"


def _problems(name: str, crawl: Study) -> Iterator[str]:
    summary, resume = crawl.summary, command_to_continue(Path(name))
    report, read = (command_line(each, Path(name)) for each in ("report", "read"))
    if not summary.finished:
        killed = f"{resume} continues a killed crawl"
        yield f"The crawl is running, or was killed: figures may change ({killed})."
    elif summary.queued:
        queued = counted(summary.queued, "URL")
        option, more = GO_ON.get(summary.finished, ("", ""))
        yield f"Stopped ({summary.finished}) with {queued} queued; {resume}{option} continues{more}."
    if not summary.pages:
        yield "No page was fetched."
    if crawl.politeness.broken:
        yield f"{counted(crawl.politeness.broken, 'gap')} too short: see {report} --politeness."
    errors = sum(count for status, count in summary.statuses.items() if status >= 400)
    if errors:
        yield f"{counted(errors, 'page')} answered with an error ({_most(summary.fetch_errors, 'http ')})."
    if summary.failed:
        yield f"{counted(sum(summary.failed.values()), 'URL')} failed ({_most(summary.failed)})."
    if summary.robots_unreachable:
        yield f"The robots.txt of {counted(summary.robots_unreachable, 'site')} had no usable response."
    if crawl.soft_404.pages:
        yield f"{counted(crawl.soft_404.pages, 'soft 404')}: error pages with a status of success."
    if summary.parse_errors:
        yield f"{counted(summary.parse_errors, 'page')} could not be parsed."
    if summary.unread:
        yield f"{counted(summary.unread, 'page', 'is', 'are')} not read yet ({read})."


def _most(counts: Mapping[str, int], prefix: str = "") -> str:
    """The most frequent reason that begins with `prefix`."""
    counts = {reason: count for reason, count in counts.items() if reason.startswith(prefix)}
    reason = max(counts, key=lambda each: (counts[each], each), default="reason unknown")
    return f"most often {reason}" if len(counts) > 1 else reason
