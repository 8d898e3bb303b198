"""URLs: what came, what did not, and why?"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any, cast

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from ttcrawl.errors import UsageError
from ttcrawl.export.formats.csv import comma_separated
from ttcrawl.inspect.listing.counts import counts
from ttcrawl.inspect.listing.keeping import Listing
from ttcrawl.inspect.listing.listed import Search, index_of, listed
from ttcrawl.inspect.listing.selection import Selection, selection_of
from ttcrawl.snapshot.rows import Overview
from ttcrawl.window.rendering import command_line, href, render
from ttcrawl.window.viewed import Viewed, crawl_of

#: Seconds that a page waits for the first counts, and URLs of a piece of CSV.
PATIENCE, PIECE = 0.5, 1_000

#: Seconds after which a page without all counts is asked for again.
REFRESH = 5


def show(request: Request) -> Response:
    crawl, query = crawl_of(request), request.query_params
    selection, listing = selection_of(query), request.app.state.listings.of(crawl.directory)
    listing.wait(PATIENCE)
    with crawl.reading() as db:
        index = index_of(db, attached=listing.attach(db))
        page = listed(db, selection, index, after=_id(query, "after") or 0, before=_id(query, "before"))
        search = Search(db, selection, index)
        facets = counts(db, search, with_text=bool(selection.text)) if index.last else None
    return render(
        request,
        "urls.html",
        title="URLs",
        command=_export(crawl, selection),
        selection=selection,
        page=page,
        index=index,
        facets=facets,
        trouble=listing.trouble,
        refresh=REFRESH if index.is_partial and not listing.trouble else 0,
        rules=selection.rules,
        others=[each for each in request.app.state.crawls.values() if each is not crawl and not each.rings],
        choose=lambda facet, value: href(crawl, "urls", **selection.with_value(facet, value).query),
        drop=lambda facet: href(crawl, "urls", **selection.without(facet).query),
    )


def csv(request: Request) -> Response:
    """The file that the command of the screen writes."""
    crawl, selection = crawl_of(request), selection_of(request.query_params)
    body = _csv(crawl, selection, request.app.state.listings.of(crawl.directory))
    name = f'attachment; filename="{crawl.name}-urls.csv"'
    return StreamingResponse(body, media_type="text/csv; charset=utf-8", headers={"content-disposition": name})


def _csv(crawl: Viewed, selection: Selection, listing: Listing) -> Iterator[bytes]:
    """In pieces: while the reader takes one, no snapshot is open."""
    position: int | None = 0
    while position is not None:
        with crawl.reading() as db:
            index = index_of(db, attached=listing.attach(db))
            page = listed(db, selection, index, after=position, limit=PIECE)
        out = io.BytesIO()
        comma_separated(Overview, (), ((row, ()) for row in page.rows), cast(Any, out))
        yield out.getvalue().partition(b"\n")[2] if position else out.getvalue()
        position = page.after


def _id(query: Any, name: str) -> int | None:
    text = query.get(name, "")
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 18):
        raise UsageError(f"{name}={text}: write the id of a URL")
    return int(text)


def _export(crawl: Viewed, selection: Selection) -> str:
    words = ["ttcrawl", "export", crawl.directory, "--table", "overview", "--format", "csv"]
    return command_line(*words, *(word for each in selection.conditions for word in ("--where", each)))


ROUTES = (Route("/urls", show), Route("/urls.csv", csv))
