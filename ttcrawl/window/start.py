"""The start page: a row for each crawl."""

from __future__ import annotations

from typing import TypeAlias

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from ttcrawl.cluster.named import Named
from ttcrawl.cluster.status import cluster_status
from ttcrawl.errors import CrawlFailedError, UsageError
from ttcrawl.output.shell import command_line
from ttcrawl.snapshot.status import status
from ttcrawl.window.rendering import href, render

#: Crawls that each of them offers a comparison with, at most.
COMPARED = 5

#: A crawl with its state, pages and queued URLs, and why they are unknown.
Row: TypeAlias = tuple[Named, str, int, int, str]


def show(request: Request) -> Response:
    crawls: dict[str, Named] = request.app.state.crawls
    if len(crawls) == 1:
        return RedirectResponse(href(*crawls))
    rows = [_row(each) for each in crawls.values()]
    compared = [crawl.name for crawl, *_, error in rows if not error and not crawl.rings and not crawl.cluster]
    others = compared[:COMPARED] if len(compared) > 1 else []
    command = command_line("report", *(each.directory for each in crawls.values() if not each.rings))
    return render(request, "start.html", title="Crawls", command=command, rows=rows, others=others)


def _row(crawl: Named) -> Row:
    try:
        now = cluster_status(crawl.directory) if crawl.rings else status(crawl.directory, 0)
        return crawl, now.state, now.pages, now.queued, ""
    except (UsageError, CrawlFailedError) as error:
        return crawl, "", 0, 0, str(error)


def search(request: Request) -> Response:
    """Of a public search: its only screen."""
    return RedirectResponse(href(next(iter(request.app.state.crawls)), "search"))
