"""Search: which pages have these words? With `--public-search` this is the only screen."""

from __future__ import annotations

import time
from math import ceil

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from ttcrawl.errors import UsageError
from ttcrawl.inspect.search.best_pages import update_index
from ttcrawl.inspect.search.hits import FACETS
from ttcrawl.inspect.search.marked import marked
from ttcrawl.inspect.search.query import with_filters
from ttcrawl.inspect.search.results import Results, results
from ttcrawl.jobs.threads import PATIENCE
from ttcrawl.output.shell import command_line
from ttcrawl.snapshot.limited import TooSlow
from ttcrawl.snapshot.unread import unread
from ttcrawl.store.search_db import NAME
from ttcrawl.store.stamp import stamp_of
from ttcrawl.window.rendering import render
from ttcrawl.window.viewed import crawl_of, number, reading

#: Pages that are listed at first, and at most.
STEP, MOST = 10, 100

#: Seconds that a query may take, and for which the index stays as it is while a crawl goes on.
SECONDS, UNCHANGED = 2.0, 30.0

#: Characters of a query.
LONGEST = 500

TOO_OFTEN = "You have searched too often in the last minute: wait a little, then go on.\n"


def show(request: Request) -> Response:
    crawl, state = crawl_of(request), request.app.state
    public = state.settings.public_search
    query = request.query_params
    words, chosen = query.get("q", "")[:LONGEST].strip(), {name: query.get(name, "") for name in FACETS}
    text, most = with_filters(words, chosen), max(STEP, min(number(request, "most"), MOST))
    index = state.work.item(
        ("search", crawl.name),
        lambda progress: update_index(crawl.directory, progress),
        stamp=stamp_of(crawl.directory),
        lasts=UNCHANGED,
        patience=PATIENCE if text else 0.0,
    )
    is_there = index.ready or (crawl.directory / NAME).is_file()
    shown: Results | None = None
    wrong, status = "The index cannot be made" if public and index.error else index.error, 200
    unread_pages = 0
    if text and is_there:
        if seconds := _wait(request):
            return PlainTextResponse(TOO_OFTEN, 429, {"retry-after": str(ceil(seconds))})
        try:
            with reading(crawl, 2 * SECONDS) as view:
                shown, unread_pages = results(view, text, most, SECONDS), unread(view)
            if shown.empty and not index.over.is_set():
                shown, is_there = None, False
        except TooSlow:
            wrong, status = "This search takes too long: write rarer words, or add a filter such as host: or lang:", 503
        except UsageError as error:
            wrong, status = str(error), 400
    page = render(
        request,
        "search.html",
        title=f"Search: {words}" if words else "Search",
        command="" if public else command_line("search", crawl.directory, text or "WORDS", "--limit", most),
        status=status,
        refresh=0 if is_there or index.over.is_set() else 1,
        words=words,
        chosen=chosen,
        index=index,
        is_there=is_there,
        wrong=wrong,
        results=shown,
        rows=[(hit, marked(hit.text, hit.words)) for hit in shown.hits] if shown else [],
        more=most + STEP if shown and len(shown.hits) == most < MOST else 0,
        unread_pages=unread_pages,
    )
    if public:
        page.headers["x-robots-tag"] = "noindex, nofollow"
    return page


def _wait(request: Request) -> float:
    """Seconds until a visitor of a public search may ask; a window of one's own never waits."""
    state, visitor = request.app.state, request.client.host if request.client else ""
    return state.rate.wait(visitor, time.monotonic()) if state.settings.public_search else 0.0


ROUTES = (Route("/search", show),)
