"""What differs in another crawl of this window? The pages that are new, gone, moved or changed, and one of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ttcrawl.errors import UsageError
from ttcrawl.inspect.changes.diff import LISTED, Change, changes
from ttcrawl.inspect.changes.one_url import url_change
from ttcrawl.output.steps import Progress
from ttcrawl.snapshot.snapshot import view
from ttcrawl.window.rendering import command_line, render
from ttcrawl.window.viewed import UnknownCrawl, Viewed, crawl_of
from ttcrawl.window.working import stamp_of

#: Rows of a page, and of each kind of change in all.
ROWS, MOST = 50, 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """The first pages of each kind of change, and how many there are."""

    counts: Mapping[str, int]
    rows: Mapping[str, Sequence[Change]]


def show(request: Request) -> Response:
    crawl, other, query = crawl_of(request), _other(request), request.query_params
    stamp = (stamp_of(crawl.directory), stamp_of(other.directory))

    def compute(progress: Progress) -> Compared:
        return _compare(crawl, other, progress)

    key = ("diff", crawl.name, other.name)
    item = request.app.state.work.item(key, compute, stamp=stamp, again=bool(query.get("again")))
    title = f"From {crawl.name} to {other.name}"
    command = command_line("ttcrawl", "diff", crawl.directory, other.directory)
    if not item.over.is_set():
        what = "The two crawls are compared."
        return render(request, "working.html", title=title, command=command, item=item, what=what, refresh=1)
    if item.error:
        raise UsageError(item.error)
    compared: Compared = item.result
    kind = query.get("change") or next((each for each in LISTED if compared.counts[each]), LISTED[0])
    number = query.get("n", "")
    first = int(number) if number.isascii() and number.isdigit() and len(number) < 9 else 0
    rows = compared.rows.get(kind, ())
    return render(
        request,
        "diff.html",
        title=title,
        command=f"{command} --where change={kind}" if kind in LISTED else command,
        other=other,
        compared=compared,
        kinds=LISTED,
        kind=kind,
        first=first,
        rows=rows[first : first + ROWS],
        more=first + ROWS < len(rows),
        cut=len(rows) == MOST and first + ROWS >= MOST,
        stale=item.stamp != stamp,
    )


def show_url(request: Request) -> Response:
    """One URL in both crawls."""
    crawl, other, url = crawl_of(request), _other(request), request.query_params.get("u", "")
    with crawl.reading() as first, other.reading() as second:
        change = url_change(first, second, url)
    url_pattern = f'url="{url}"'
    command = command_line(
        "ttcrawl", "diff", crawl.directory, other.directory, "--text", "--links", "--where", url_pattern
    )
    title = f"From {crawl.name} to {other.name}"
    return render(request, "diff_url.html", title=title, command=command, other=other, url=url, change=change)


def _compare(crawl: Viewed, other: Viewed, progress: Progress) -> Compared:
    rows: dict[str, list[Change]] = {each: [] for each in LISTED}
    with view(crawl.directory) as first, view(other.directory) as second:
        compared = changes(first, second, None, None, progress)
        for change in compared.rows():
            if len(rows[change.change]) < MOST:
                rows[change.change].append(replace(change, appeared=(), vanished=()))
    return Compared(counts=dict(compared.counts), rows=rows)


def _other(request: Request) -> Viewed:
    """The crawl that `with` names. Raises UnknownCrawl, UsageError."""
    name = request.query_params.get("with", "")
    crawls: Mapping[str, Viewed] = request.app.state.crawls
    if name and (name not in crawls or crawls[name].rings):
        raise UnknownCrawl(name)
    if name in ("", crawl_of(request).name):
        raise UsageError("a crawl is compared with another one: open both, as in ttcrawl view OLD NEW")
    return crawls[name]


ROUTES = (Route("/diff", show), Route("/diff/url", show_url))
