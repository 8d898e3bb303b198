"""URLs: what came, what did not, and why?"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, cast

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from ttcrawl.cluster.named import Named
from ttcrawl.errors import UsageError
from ttcrawl.export.formats.csv import comma_separated
from ttcrawl.inspect.listing.counts import counts
from ttcrawl.inspect.listing.keeping import Listing
from ttcrawl.inspect.listing.listed import Index, Listed, Search, index_of, listed
from ttcrawl.inspect.listing.ordered import ORDERS, Ordered, Position, ordered
from ttcrawl.inspect.listing.selection import Selection, selection_of
from ttcrawl.output.shell import command_line
from ttcrawl.snapshot.rows import Overview
from ttcrawl.snapshot.snapshot import View
from ttcrawl.window.rendering import href, render
from ttcrawl.window.viewed import crawl_of, number, reading

#: Seconds that a page waits for the first counts, and URLs of a piece of CSV.
PATIENCE, PIECE = 0.5, 1_000

#: No position in a list: its beginning.
FIRST: Mapping[str, object] = MappingProxyType({})

#: Seconds after which a page without all counts is asked for again.
REFRESH = 5


def show(request: Request) -> Response:
    crawl, sort = crawl_of(request), request.query_params.get("sort", "")
    if sort and sort.removeprefix("-") not in ORDERS:
        raise UsageError(f"sort={sort}: rows are sorted by {', '.join(ORDERS)}, or from the end with - before it")
    selection, listing = selection_of(request.query_params), request.app.state.listings.of(crawl.directory)
    listing.wait(PATIENCE)
    with reading(crawl) as db:
        index = index_of(db, attached=listing.attach(db))
        sort = sort if index.last else ""
        page = _page(request, db, selection, index, sort)
        search = Search(db, selection, index)
        facets = counts(db, search, with_text=bool(selection.text)) if index.last else None

    def address(chosen: Selection = selection, order: str = sort, position: Mapping[str, object] = FIRST) -> str:
        return href(crawl, "urls", **chosen.query, sort=order, **position)

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
        address=address,
        previous=address(position=_position("before", page.before)) if page.before is not None else "",
        following=address(position=_position("after", page.after)) if page.after is not None else "",
        sort=sort,
    )


def _page(request: Request, db: View, selection: Selection, index: Index, sort: str) -> Listed | Ordered:
    after, before, at = number(request, "after"), number(request, "before"), request.query_params.get("at", "")
    if not sort:
        return listed(db, selection, index, after=after, before=before or None)
    behind, ahead = (at, after) if after or (at and not before) else None, (at, before) if before else None
    return ordered(db, selection, index, sort, after=behind, before=ahead)


def _position(name: str, position: int | Position) -> dict[str, object]:
    """A position in an address."""
    return {name: position} if isinstance(position, int) else {"at": position[0], name: position[1] or None}


def csv(request: Request) -> Response:
    """The file that the command of the screen writes."""
    crawl, selection = crawl_of(request), selection_of(request.query_params)
    body = _csv(crawl, selection, request.app.state.listings.of(crawl.directory))
    name = f'attachment; filename="{crawl.name}-urls.csv"'
    return StreamingResponse(body, media_type="text/csv; charset=utf-8", headers={"content-disposition": name})


def _csv(crawl: Named, selection: Selection, listing: Listing) -> Iterator[bytes]:
    """In pieces: while the reader takes one, no snapshot is open."""
    position: int | None = 0
    while position is not None:
        with reading(crawl) as db:
            index = index_of(db, attached=listing.attach(db))
            page = listed(db, selection, index, after=position, limit=PIECE)
        out = io.BytesIO()
        comma_separated(Overview, (), ((row, ()) for row in page.rows), cast(Any, out))
        yield out.getvalue().partition(b"\n")[2] if position else out.getvalue()
        position = page.after


def _export(crawl: Named, selection: Selection) -> str:
    words = ["export", crawl.directory, "--table", "overview", "--format", "csv"]
    return command_line(*words, *(word for each in selection.conditions for word in ("--where", each)))


ROUTES = (Route("/urls", show), Route("/urls.csv", csv))
