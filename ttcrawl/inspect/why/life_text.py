"""The life of a URL as a person reads it. Pure; all text from the web is escaped."""

from __future__ import annotations

from collections.abc import Iterator

from ttcrawl.frontier.priority import DEMOTED
from ttcrawl.inspect.why.browser import lines as browser_lines
from ttcrawl.inspect.why.facts import (
    UNSEARCHED,
    Answer,
    Entry,
    Life,
    Linked,
    Queue,
    Request,
    Ruled,
    Spelled,
    UnknownUrl,
    Verdict,
)
from ttcrawl.inspect.why.linking import SHOWN
from ttcrawl.inspect.why.recrawl import lines as visit_lines
from ttcrawl.inspect.why.vanished import lines as absence_lines
from ttcrawl.inspect.why.vanished import link_line
from ttcrawl.output.moments import moment
from ttcrawl.output.number import counted
from ttcrawl.output.untrusted import escape_untrusted
from ttcrawl.ring.browsing import RENDERED
from ttcrawl.ring.columns import BYTES, NEAR
from ttcrawl.ring.messages import CHECK
from ttcrawl.snapshot.comparison import TEXT, TITLE
from ttcrawl.snapshot.history import Answer as DatedAnswer
from ttcrawl.snapshot.history import Dropped
from ttcrawl.topic.best_first import FULL
from ttcrawl.vocabulary.reason import CUTS_BODY, TOO_LARGE, TRUNCATED
from ttcrawl.vocabulary.state import FETCHED

WIDTH = 10

#: Links of a page that appeared, or vanished, between two answers; `ttcrawl diff --links` and --format json list all.
LINKS_SHOWN = 5

#: How a URL was discovered if not on a page, by the kind of the link.
SOURCES = {"M": "listed in the sitemap", "I": "listed in the sitemap index", "e": "in the feed"}


def text(life: Life) -> str:
    """Lines, without a line end after the last."""
    lines = [escape_untrusted(life.input.url)]
    if life.input.text != life.input.url:
        lines += _rows("input", _spelled(life.input))
    if life.entry is not None:
        lines += _entry(life.entry, life.linked, life.input.url)
    elif life.unknown is not None:
        lines += _unknown(life.unknown, life.linked)
    return "\n".join(lines)


def _rows(label: str, lines: list[str]) -> list[str]:
    return [f"  {label if not number else '':{WIDTH}}  {escape_untrusted(line)}" for number, line in enumerate(lines)]


def outcome(state: str, reason: str) -> str:
    """A state with its reason, unless both are one word, such as deleted."""
    return f"{state}, {reason}" if reason and reason != state else state


def _spelled(spelled: Spelled) -> list[str]:
    return [spelled.text, *(f"{step.name}: {step.after}" for step in spelled.steps if step.after != spelled.text)]


# -- a discovered URL -------------------------------------------------------------------------------------------------


def _entry(entry: Entry, linked: Linked, url: str) -> list[str]:
    lines = _rows("state", [outcome(entry.row.state, entry.row.reason)])
    lines += _rows("why", [reason(entry), *([f"by {entry.row.rule}"] if entry.row.rule else [])])
    if entry.decided.now is not None:
        lines += _rows("today", [f"the current rules decide otherwise: {ruled(entry.decided.now)}"])
    lines += _rows("discovered", discovered(entry, linked))
    if entry.origin.spelled is not None:
        lines += _rows("spelled", _spelled(entry.origin.spelled))
    lines += _rows("linked", _linked(linked))
    if entry.decided.robots is not None:
        lines += _rows("robots.txt", verdict_lines(entry.decided.robots))
    if entry.queue is not None:
        lines += _rows("queue", queue_lines(entry.queue))
    first = [(entry.robots_first, "robots.txt of its host")] if entry.robots_first and entry.requests else []
    requests = [*first, *((each, "check of the host" if each.kind == CHECK else "") for each in entry.requests)]
    lines += _rows("requests", [line for each, label in requests for line in request_lines(each, label)])
    lines += _rows("answer", answer_lines(entry, url))
    if entry.browser is not None:
        lines += _rows("browser", browser_lines(entry.browser))
    lines += _rows("history", [*_dropped(entry.dropped), *(line for each in entry.history for line in _dated(each))])
    if entry.topic is not None:
        verdict = "relevant" if entry.topic.relevant else "irrelevant"
        lines += _rows("topic", [f"{verdict} by {entry.topic.by}, score {entry.topic.score:g}"])
    if entry.recrawled.visits is not None:
        lines += _rows("visits", visit_lines(entry.recrawled.visits))
    if entry.recrawled.absence is not None:
        label = "gone" if entry.recrawled.absence.confirmed else "missing"
        lines += _rows(label, absence_lines(entry.recrawled.absence))
    lines += _rows("moved here", list(entry.recrawled.moved_here))
    if entry.recrawled.lost_links is not None:
        lines += _rows("links", [link_line(entry.recrawled.lost_links)])
    if entry.row.processed is not None:
        lines += _rows("processed", [moment(entry.row.processed)])
    return lines


def answer_lines(entry: Entry, url: str) -> list[str]:
    """The latest answer, and what was read of it; nothing if there is none."""
    if entry.answer is None:
        return []
    cut = "incomplete" if entry.row.reason in CUTS_BODY or entry.row.reason == TOO_LARGE else ""
    if entry.row.state == FETCHED and entry.requests and entry.requests[-1].outcome.endswith(TRUNCATED):
        cut = "complete unless TLS was cut: the server did not end it"
    rendered = entry.browser is not None and entry.browser.way == RENDERED
    return list(_answer(entry.answer, url, cut=cut, rendered=rendered))


def _dropped(dropped: Dropped | None) -> list[str]:
    if dropped is None:
        return []
    count = counted(dropped.answers, "earlier answer")
    return [f"{count} only in warc/; the tables have all answers since {moment(dropped.until)}"]


def discovered(entry: Entry, linked: Linked) -> list[str]:
    if entry.origin.found_on is None:
        return [
            f"{moment(entry.row.discovered)}, {entry.origin.sitemap or 'a seed'}",
            *([_requisite(entry, linked)] if entry.row.requisite else []),
        ]
    distance = (
        "no link to it is followed" if entry.row.depth is None else f"{counted(entry.row.depth, 'link')} from the seeds"
    )
    if entry.row.depth == 0 and not entry.row.redirects and not entry.origin.sitemap:
        distance = "a seed, added when the crawl continued"
    redirects = f", by {counted(entry.row.redirects, 'redirect')} in a row" if entry.row.redirects else ""
    redirects += f", behind {counted(entry.row.off_topic, 'irrelevant page')} in a row" if entry.row.off_topic else ""
    source = SOURCES.get(entry.origin.found_by, "on")
    return [
        f"{moment(entry.row.discovered)}, {source} {entry.origin.found_on}",
        *filter(None, (entry.origin.sitemap,)),
        *([distance + redirects] if entry.row.depth is not None or not entry.row.requisite else []),
        *([_requisite(entry, linked)] if entry.row.requisite else []),
        *([f"score {entry.row.score:,} of {FULL:,} by the best link to it"] if entry.row.score > 0 else []),
    ]


def _requisite(entry: Entry, linked: Linked) -> str:
    pages = (each.page for each in linked.examples if any(SHOWN in kind for kind in each.kinds))
    steps = (
        f", {entry.row.requisite:,} links and redirects from the page that shows it" if entry.row.requisite > 1 else ""
    )
    links = "; its own links are not followed" if entry.row.depth is None else ""
    return f"a requisite of {next(pages, entry.origin.found_on)}{steps}{links}"


def reason(entry: Entry) -> str:
    return (
        f"{entry.decided.sentence} ({entry.decided.compared})"
        if entry.decided.compared
        else entry.decided.sentence or f"{entry.row.reason}."
    )


def ruled(ruled: Ruled) -> str:
    return f"{ruled.reason}{f', by {ruled.rule}' if ruled.rule else ''}" if ruled.reason else "no rule refuses it"


def _linked(linked: Linked) -> list[str]:
    if linked == UNSEARCHED:
        return []
    cut = ""
    if linked.looked_through < linked.of:
        cut = f" (stopped by the time limit after {linked.looked_through:,} of {linked.of:,} pages)"
    if not linked.times:
        return [f"no page that was read links to it{cut}"]
    lines = [f"{_times(linked.times)} from {counted(linked.pages, 'page')}{cut}"]
    return lines + [f"{each.page}: {'; '.join(each.kinds)}" for each in linked.examples]


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number:,} times"


def verdict_lines(verdict: Verdict) -> list[str]:
    decision = "allowed" if verdict.allowed else "forbidden"
    line = f"{verdict.text}, line {verdict.line}, group of {verdict.agent}" if verdict.line else verdict.text
    return [f"{decision}: {line}", f"{verdict.url} as read at {moment(verdict.read_at)} (http {verdict.status})"]


def queue_lines(queue: Queue) -> list[str]:
    demotion = "put last because its pattern causes duplicates: " if queue.demoted else ""
    priority = queue.priority - DEMOTED if queue.demoted else queue.priority
    lines = [f"{demotion}priority {priority:,}, {counted(queue.before, 'URL')} of its host before it"]
    lines.append(f"next request to its host {f'in {queue.waits:,.1f} s' if queue.waits else 'now'}: {queue.why}")
    return lines + ([f"in flight: {queue.in_flight}"] if queue.in_flight else [])


def request_lines(request: Request, label: str) -> Iterator[str]:
    requests = f", {request.requests} requests" if request.requests > 1 else ""
    yield (
        f"{moment(request.started)}  {request.outcome}{f' ({label})' if label else ''},"
        f" {counted(request.bytes, 'byte')} in"
        f" {request.seconds:,.3f} s from {request.address or 'no address'}{requests};"
        f" delay due {request.delay:g} s ({request.delay_from})"
    )
    if request.backoff is not None:
        yield f"  then the host was backed off for {request.backoff:,.1f} s ({request.backoff_from})"


def _answer(answer: Answer, url: str, *, cut: str, rendered: bool) -> Iterator[str]:
    page, copies, probe, mark = answer.page, answer.same_bytes, answer.soft_404, answer.mark
    kind = ", ".join(filter(None, (page.type, page.charset)))
    incomplete = f", {cut}" if cut else ""
    yield f"http {page.status}{f', {kind}' if kind else ''}, {counted(page.length, 'byte')}{incomplete}"
    if page.title:
        yield f"title: {page.title}"
    if page.location:
        yield f"location: {page.location}"
    if answer.target is not None and answer.target.url == url:
        yield "redirects to itself: its canonical location is this URL, which is not requested again"
    elif answer.target is not None:
        yield f"leads to {answer.target.url} ({answer.target.state}, {answer.target.reason or 'waiting'})"
    if page.parser or page.parse_error:
        yield f"read by {page.parser or 'no parser'}{f' ({page.parse_error})' if page.parse_error else ''}"
        yield (
            f"links found: {page.links:,}, {page.content_links:,} in content,"
            f" {page.same_page_links:,} to the page itself; {page.not_http:,} more are not http"
        )
    for step in answer.failed_steps:
        yield f"a step in the browser failed: {step}"
    if answer.unread:
        yield "not read yet for text, metadata and near duplicates: run ttcrawl read"
    if page.robots:
        yield f"robots directives: {page.robots}"
    if copies.same_bytes:
        first = "" if mark.original or copies.held_by else f", first {copies.same_as}"
        before = " before its scripts" if rendered else ""
        yield f"same bytes{before} as {counted(copies.same_bytes, 'other page')}{first}"
    if probe.soft_404:
        yield f"a soft 404: {probe.missing:.0%} similar to the answer of {probe.soft_404}, which cannot exist"
    changing = " (may change until a run of the crawl ends)" if mark.unsettled else ""
    if mark.same == NEAR:
        yield f"nearly the same as {mark.original}, its original: similarity {mark.similarity:.4f}{changing}"
    elif mark.original:
        same = "document after its scripts" if rendered and mark.same == BYTES else mark.same
        yield f"duplicate of {mark.original}: the same {same}{changing}"
    if answer.imported_from:
        yield f"read from {answer.imported_from} at byte {page.offset:,}, {page.size:,} bytes"
    elif page.file:
        yield f"archived in warc/{page.file} at byte {page.offset:,}, {page.size:,} bytes"
    else:
        yield "not archived: the page is irrelevant ([topic] irrelevant = record)"
    if copies.held_by:
        yield f"its body is in the WARC record of {copies.held_by}, which was fetched before"


def _dated(answer: DatedAnswer) -> Iterator[str]:
    """An answer, and what changed against the one before."""
    kind = f", {answer.type}" if answer.type else ""
    changed = f"; {', '.join(answer.changed)} changed" if answer.changed else ""
    yield f"{moment(answer.time)}  http {answer.status}{kind}, {counted(answer.length, 'byte')}{changed}"
    if TITLE in answer.changed:
        yield f"  title: {answer.title or 'none'}"
    if answer.same is not None and TEXT in answer.changed:
        words = f"{answer.words_added:,} added, {answer.words_removed:,} removed"
        yield f"  main text: {answer.same:.1%} of the words are the same, {words}"
    for sign, verb, urls in (("+", "appeared", answer.appeared), ("-", "vanished", answer.vanished)):
        if urls:
            yield f"  {counted(len(urls), 'link')} {verb}"
            yield from (f"    {sign} {url}" for url in urls[:LINKS_SHOWN])


# -- a URL that was never discovered ----------------------------------------------------------------------------------


def _unknown(unknown: UnknownUrl, linked: Linked) -> list[str]:
    lines = _rows("state", [f"never discovered: it would be {unknown.would}"])
    lines += _rows("similar", list(unknown.similar))
    lines += _rows("rules", [ruled(unknown.ruled)])
    if unknown.address:
        lines += _rows("address", [f"{unknown.address}: its host may not be contacted"])
    robots = unknown.robots
    unread = f"not read{f': {unknown.robots_reason}' if unknown.robots_reason else ''}"
    lines += _rows("robots.txt", verdict_lines(robots) if robots else [unread])
    lines += _rows("linked", _linked(linked))
    if linked.times and unknown.unrecorded:
        lines += _rows("", ["[frontier] refused: some URLs that were refused when they were discovered have no row"])
    return lines
