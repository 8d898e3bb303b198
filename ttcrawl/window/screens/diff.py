"""What differs in another crawl of this window? The pages that are new, gone, moved or changed, and one of them."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ttcrawl.cluster.named import Named
from ttcrawl.errors import UsageError
from ttcrawl.inspect.changes.compared import MOST, Compared, compared
from ttcrawl.inspect.changes.diff import LISTED
from ttcrawl.inspect.changes.one_url import url_change
from ttcrawl.output.shell import command_line
from ttcrawl.store.stamp import stamp_of
from ttcrawl.window.rendering import render
from ttcrawl.window.viewed import UnknownCrawl, crawl_named, crawl_of, number, reading

ROWS = 50  # of a page


def show(request: Request) -> Response:
    crawl, other, query = crawl_of(request), _other(request), request.query_params
    stamp = (stamp_of(crawl.directory), stamp_of(other.directory))
    item = request.app.state.work.item(
        ("diff", crawl.name, other.name),
        lambda progress: compared(crawl.directory, other.directory, progress),
        stamp=stamp,
        again=bool(query.get("again")),
    )
    title = f"From {crawl.name} to {other.name}"
    command = command_line("diff", crawl.directory, other.directory)
    if not item.over.is_set():
        what = "The two crawls are compared."
        return render(request, "working.html", title=title, command=command, item=item, what=what, refresh=1)
    if item.error:
        raise UsageError(item.error)
    result: Compared = item.result
    kind, first = query.get("change") or result.first_kind, number(request, "n")
    rows = result.rows.get(kind, ())
    return render(
        request,
        "diff.html",
        title=title,
        command=f"{command} --where change={kind}" if kind in LISTED else command,
        other=other,
        compared=result,
        kinds=LISTED,
        kind=kind,
        first=first,
        rows=rows[first : first + ROWS],
        before=max(0, first - ROWS) if first else None,
        after=first + ROWS if first + ROWS < len(rows) else None,
        cut=len(rows) == MOST and first + ROWS >= MOST,
        stale=item.stamp != stamp,
    )


def show_url(request: Request) -> Response:
    """One URL in both crawls."""
    crawl, other, url = crawl_of(request), _other(request), request.query_params.get("u", "")
    with reading(crawl) as first, reading(other) as second:
        change = url_change(first, second, url)
    url_pattern = f'url="{url}"'
    command = command_line("diff", crawl.directory, other.directory, "--text", "--links", "--where", url_pattern)
    title = f"From {crawl.name} to {other.name}"
    return render(request, "diff_url.html", title=title, command=command, other=other, url=url, change=change)


def _other(request: Request) -> Named:
    """The crawl that `with` names. Raises UnknownCrawl, UsageError."""
    name = request.query_params.get("with", "")
    if name in ("", crawl_of(request).name):
        raise UsageError("a crawl is compared with another one: open both, as in ttcrawl view OLD NEW")
    other = crawl_named(request, name)
    if other.rings:
        raise UnknownCrawl(name)
    return other


ROUTES = (Route("/diff", show), Route("/diff/url", show_url))
