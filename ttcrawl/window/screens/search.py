"""Search: which pages have these words? With `--public-search` this is the only screen."""

from __future__ import annotations

import re
import time
from math import ceil

from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from ttcrawl.errors import UsageError
from ttcrawl.inspect.search.best_pages import update_index
from ttcrawl.inspect.search.hits import FACETS, Hit
from ttcrawl.inspect.search.results import Results, results
from ttcrawl.inspect.search.snippet import snippet
from ttcrawl.output.untrusted import escape_untrusted
from ttcrawl.snapshot.limited import TooSlow
from ttcrawl.snapshot.unread import unread
from ttcrawl.store.search_db import NAME
from ttcrawl.window.rendering import command_line, render
from ttcrawl.window.viewed import Viewed, crawl_of
from ttcrawl.window.working import stamp_of

#: Pages that are listed at first, and at most.
STEP, MOST = 10, 100

#: Seconds that a query may take, and for which the index stays as it is while a crawl goes on.
SECONDS, UNCHANGED = 2.0, 30.0

#: Characters of a query.
LONGEST = 500

TOO_OFTEN = "You have searched too often in the last minute: wait a little, then go on.\n"

_BEGIN, _END = "\x01", "\x02"  # around words of the query; no text has them after escape_untrusted
_MARKED = re.compile(f"{_BEGIN}([^{_END}]*){_END}")


def show(request: Request) -> Response:
    crawl, state = crawl_of(request), request.app.state
    public = state.settings.public_search
    query = request.query_params
    index = state.work.item(
        ("search", crawl.name),
        lambda progress: update_index(crawl.directory, progress),
        stamp=stamp_of(crawl.directory),
        lasts=UNCHANGED,
    )
    is_there = index.ready or (crawl.directory / NAME).is_file()
    shown: Results | None = None
    wrong, status = "The index cannot be made" if public and index.error else index.error, 200
    words, text, most = query.get("q", "")[:LONGEST].strip(), _text(query), _most(query)
    unread_pages = 0
    if text and is_there:
        if seconds := _wait(request):
            return PlainTextResponse(TOO_OFTEN, 429, {"retry-after": str(ceil(seconds))})
        try:
            with crawl.reading(2 * SECONDS) as view:
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
        command="" if public else _command(crawl, text, most),
        status=status,
        refresh=0 if is_there or index.over.is_set() else 1,
        words=words,
        chosen={name: query.get(name, "") for name in FACETS},
        index=index,
        is_there=is_there,
        wrong=wrong,
        results=shown,
        rows=[(hit, _snippet(hit)) for hit in shown.hits] if shown else [],
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


def _text(query: QueryParams) -> str:
    """The query with the chosen facets as filters."""
    words = [query.get("q", "")[:LONGEST].strip()]
    words += [f'{name}:"{value}"' for name in FACETS if (value := query.get(name, "").replace('"', ""))]
    return " ".join(filter(None, words))


def _most(query: QueryParams) -> int:
    text = query.get("most", "")
    return max(STEP, min(int(text), MOST)) if text.isdecimal() and len(text) < 4 else STEP


def _command(crawl: Viewed, text: str, most: int) -> str:
    return command_line("ttcrawl", "search", crawl.directory, text or "WORDS", "--limit", most)


def _snippet(hit: Hit) -> list[tuple[str, bool]]:
    """The words around those of the query, in pieces: (text, whether it is one of these)."""
    text = escape_untrusted(" ".join(hit.text.split()))
    around = snippet(text, hit.words, lambda word: f"{_BEGIN}{word}{_END}")
    return [(piece, number % 2 == 1) for number, piece in enumerate(_MARKED.split(around))]


ROUTES = (Route("/search", show),)
