"""URL: the life of one. Left what the tables know of it, right the page as archived."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ttcrawl.errors import UsageError
from ttcrawl.inspect.listing import in_links
from ttcrawl.inspect.listing.listed import index_of
from ttcrawl.inspect.why import life_text
from ttcrawl.inspect.why.life import life
from ttcrawl.inspect.why.open_crawl import with_rules
from ttcrawl.inspect.why.timeline import timeline
from ttcrawl.output.shell import command_line
from ttcrawl.snapshot import links, responses
from ttcrawl.snapshot.errors import NotThere
from ttcrawl.snapshot.snapshot import View
from ttcrawl.store.lock import crawled_by
from ttcrawl.window.rendering import render
from ttcrawl.window.screens.archived import panes
from ttcrawl.window.viewed import crawl_of, number, reading

#: Out-links of a list, and seconds that all queries of this screen may take.
LINKS, SECONDS = 50, 4.0


def show(request: Request) -> Response:
    crawl, query = crawl_of(request), request.query_params
    text, at = query.get("u", ""), _moment(query.get("at", ""))
    if not text:
        raise UsageError("write a URL behind u=, or choose one in the list of URLs")
    listing, process = request.app.state.listings.of(crawl.directory), crawled_by(crawl.directory)
    with reading(crawl, SECONDS) as db:
        index = index_of(db, attached=listing.attach(db))
        of_url = life(with_rules(db, process), text, links=False)
        url, entry = of_url.input.url, of_url.entry
        data: dict[str, Any] = {"links_in": None, "links_out": (), "headers": None, "pages_in": 0, "panes": None}
        if entry is not None:
            if (key := entry.row.key) is not None:
                data["links_in"] = in_links.in_links(db, key, url, index, number(request, "in"))
                data["pages_in"] = in_links.count(db, key, index)
            if entry.answer is not None:
                data |= _of_answer(db, url, number(request, "out"))
            data["panes"] = panes(request, crawl, db, url, at)
    return render(
        request,
        "url.html",
        title="URL",
        command=command_line("why", crawl.directory, url),
        status=200 if entry else 404,
        asked=url,
        life=of_url,
        lines=life_text.answer_lines(entry, url) if entry else [],
        all=life_text.text(of_url),
        entry=entry,
        events=timeline(of_url),
        at=at,
        from_link=number(request, "out"),
        most_links=LINKS,
        **data,
    )


def _of_answer(db: View, url: str, position: int) -> dict[str, Any]:
    """The out-links from a position on, and the headers of the latest answer."""
    id = db.url_id(url)
    assert id is not None
    try:
        headers: Any = responses.response(db, id, url).headers
    except NotThere as error:
        headers = str(error)
    return {"links_out": links.links_from(db, id, position, LINKS), "headers": headers}


def _moment(text: str) -> float | None:
    try:
        return float(text) if text else None
    except ValueError:
        raise UsageError(f"at={text}: write the moment of an answer in seconds") from None


ROUTES = (Route("/url", show),)
