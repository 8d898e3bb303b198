"""The start page: a row for each crawl."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from ttcrawl.errors import CrawlFailedError, UsageError
from ttcrawl.snapshot.status import Status, status
from ttcrawl.window.rendering import href, render
from ttcrawl.window.viewed import Viewed


def show(request: Request) -> Response:
    crawls: dict[str, Viewed] = request.app.state.crawls
    if len(crawls) == 1:
        return RedirectResponse(href(*crawls))
    rows = [(each, *_state(each)) for each in crawls.values()]
    return render(request, "start.html", title="Crawls", rows=rows)


def _state(crawl: Viewed) -> tuple[Status | None, str]:
    """The status of a crawl, or why there is none."""
    if crawl.rings:
        return None, ""
    try:
        return status(crawl.directory, 0), ""
    except (UsageError, CrawlFailedError) as error:
        return None, str(error)
