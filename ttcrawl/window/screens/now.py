"""Now: is the crawl well, when will it end, what does it wait for?"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from ttcrawl.cluster.named import Named
from ttcrawl.cluster.status import cluster_status
from ttcrawl.errors import CrawlFailedError, UsageError
from ttcrawl.output.shell import command_line
from ttcrawl.report.html.sparkline import sparkline
from ttcrawl.snapshot.latest import Latest
from ttcrawl.snapshot.moment import Moment
from ttcrawl.snapshot.sentences import sentences, state_word
from ttcrawl.window.rendering import render, render_text
from ttcrawl.window.viewed import crawl_of

#: Seconds between two events, and between two refreshes without script.
EVENT, REFRESH = 1.0, 5


def show(request: Request) -> Response:
    crawl = crawl_of(request)
    if crawl.rings:
        return _show_cluster(request, crawl)
    moment = _latest(request, crawl).read()
    command = command_line("status", crawl.directory)
    refresh = REFRESH if moment.status.process else 0
    return render(request, "now.html", title="Now", command=command, refresh=refresh, **_shown(moment))


def _show_cluster(request: Request, crawl: Named) -> Response:
    status = cluster_status(crawl.directory)
    command = command_line("cluster", "status", crawl.directory)
    refresh = REFRESH if status.process else 0
    return render(request, "cluster.html", title="Now", command=command, refresh=refresh, cluster=status)


def _latest(request: Request, crawl: Named) -> Latest:
    latest: dict[str, Latest] = request.app.state.latest
    return latest.setdefault(crawl.name, Latest(crawl.directory))


def _shown(moment: Moment) -> dict[str, Any]:
    growth = moment.growth
    curves = {
        "Pages": sparkline("Pages by time of crawling", growth.seconds, growth.pages),
        "Discovered URLs": sparkline("Discovered URLs by time of crawling", growth.seconds, growth.urls),
        "Queued URLs": sparkline("Queued URLs by time of crawling", growth.seconds, growth.queued),
    }
    return {
        "events": True,
        "moment": moment,
        "status_now": moment.status,
        "word": state_word(moment.status.state),
        "sentences": sentences(moment.status),
        "curves": {name: svg for name, svg in curves.items() if svg},
    }


async def events(request: Request) -> Response:
    """Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html): what has changed of Now, as
    HTML."""
    return StreamingResponse(_changes(request, crawl_of(request)), media_type="text/event-stream")


async def _changes(request: Request, crawl: Named) -> AsyncIterator[str]:
    last = ""
    while not request.app.state.ends():
        html = await run_in_threadpool(_live, request, crawl)
        if html != last:
            yield "".join(f"data: {line}\n" for line in html.splitlines()) + "\n"
        last = html
        await asyncio.sleep(EVENT)


def _live(request: Request, crawl: Named) -> str:
    try:
        return render_text(request, "now_live.html", **_shown(_latest(request, crawl).read()))
    except (UsageError, CrawlFailedError) as error:  # moved, or damaged, while somebody looks
        return render_text(request, "now_error.html", error=str(error))


ROUTES = (Route("/", show), Route("/events", events))
