"""A page as archived, in a frame without any right; its panes on the screen URL.

A page from the web is hostile. Its markup is written anew (ttcrawl.inspect.archived.rewriting), the headers let it run
nothing and load from the archive alone, the frame has no right, and the window itself lets a frame lead nowhere else.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ttcrawl.errors import UsageError
from ttcrawl.inspect.archived.shown import HTML, Shown, shown, source, take_nearest
from ttcrawl.output.moments import moment
from ttcrawl.output.untrusted import escape_untrusted
from ttcrawl.ring.rendering import PNG
from ttcrawl.snapshot import responses
from ttcrawl.snapshot.errors import NotThere
from ttcrawl.snapshot.page_text import words
from ttcrawl.snapshot.snapshot import View
from ttcrawl.web.mime.kind import is_font
from ttcrawl.window.rendering import ENVIRONMENT, command_line, href
from ttcrawl.window.safety import ARCHIVED
from ttcrawl.window.viewed import Viewed, crawl_of

PANES = {
    "archived": "As archived",
    "text": "Main text",
    "source": "Source",
    "document": "After scripts",
    "screenshot": "Screenshot",
}
#: The option of `ttcrawl page` for each of them.
OPTIONS = {"text": "--main", "document": "--document", "screenshot": "--screenshot"}

#: Characters of a text that a pane shows.
MOST = 500_000

#: Before a moment in an address: the document after scripts.
AFTER = "after-"

#: Values of Sec-Fetch-Dest for what a person sees as a page.
DOCUMENTS = ("document", "iframe", "frame", "object", "embed")

_ONE_RANGE = re.compile(r"bytes=(\d{1,15})-(\d{0,15})")
_IN_BROWSER = "SELECT 1 FROM browser_use WHERE url = ? AND way = 'browser'"


@dataclass(frozen=True, slots=True, kw_only=True)
class Panes:
    """What panes.html shows of a URL. `at`: the moment of its answer in the address, "" for the latest."""

    url: str
    at: str
    chosen: str
    labels: dict[str, str]
    command: str
    replay: tuple[str, ...]
    frame: str = ""  # the address of a page as archived
    picture: str = ""  # the address of a picture
    text: str = ""
    cut: bool = False  # whether this is its beginning
    missing: str = ""  # why there is nothing


def panes(request: Request, crawl: Viewed, db: View, url: str, at: float | None) -> Panes:
    """The pane that the address names, of the answer nearest to a moment; None: of the latest one.

    Call it last: later queries of this view see the rows of this answer alone.
    """
    chosen, labels = request.query_params.get("pane", ""), dict(PANES)
    chosen = chosen if chosen in PANES else "archived"
    try:
        id, url = take_nearest(db, url, at)
        if db.execute(_IN_BROWSER, (id,)).fetchone() is None:
            del labels["document"], labels["screenshot"]
        contents = _contents(request, crawl, db, (id, url), chosen)
    except NotThere as error:
        contents = {"missing": str(error)}
    wanted = ("--at", moment(at)[:-4].replace(" ", "T")) if at is not None and chosen != "screenshot" else ()
    return Panes(
        url=url,
        at="" if at is None else repr(at),
        chosen=chosen,
        labels=labels,
        command=command_line("ttcrawl", "page", crawl.directory, url, OPTIONS.get(chosen, "--body"), *wanted),
        replay=_replay(crawl, url),
        **contents,
    )


def _contents(request: Request, crawl: Viewed, db: View, named: tuple[int, str], chosen: str) -> dict[str, Any]:
    """The fields of Panes that a pane fills."""
    id, url = named
    if chosen == "screenshot":
        responses.picture(db, id, url, PNG)
        return {"picture": href(crawl, "screenshot", u=url)}
    if chosen in ("archived", "document"):
        row = db.execute("SELECT time FROM page WHERE url = ?", (id,)).fetchone()
        if row is None:
            raise responses.no_answer(db, id)
        return {"frame": f"{_prefix(request, crawl)}{AFTER if chosen == 'document' else ''}{row[0]!r}/{url}"}
    text = words(db, id, url, main=True) if chosen == "text" else source(db, id, url)
    lines = [escape_untrusted(line.expandtabs()) for line in text[:MOST].splitlines()]
    return {"text": "\n".join(lines), "cut": len(text) > MOST}


def _replay(crawl: Viewed, url: str) -> tuple[str, ...]:
    """The commands that replay a page with its scripts."""
    file = f"{crawl.name}.wacz"
    return (
        command_line("ttcrawl", "export", crawl.directory, "--format", "wacz", "-o", file),
        "pip install pywb",
        command_line("wb-manager", "init", crawl.name),
        command_line("wb-manager", "add", "--unpack-wacz", crawl.name, file),
        "wayback",
        f"http://localhost:8080/{crawl.name}/{url}",
    )


def _prefix(request: Request, crawl: Viewed) -> str:
    return f"/{crawl.name}/{ARCHIVED}/{request.app.state.safety.archived}/"


# -- what the frame loads ---------------------------------------------------------------------------------------------


def show(request: Request) -> Response:
    """An answer of the archive. The address has the URL as it is, with its escapes."""
    crawl, prefix = crawl_of(request), _prefix(request, crawl_of(request))
    headers = _headers(f"{request.url.scheme}://{request.headers['host']}{prefix}")
    when, loaded_as = request.path_params["moment"], request.headers.get("sec-fetch-dest", "")
    query = request.url.query
    url = request.scope["raw_path"].decode("latin-1").split("/", 5)[5] + (f"?{query}" if query else "")
    try:
        at = float(when.removeprefix(AFTER))
    except ValueError:
        raise UsageError(f"{when} is not the moment of an answer, in seconds since the epoch") from None
    try:
        with crawl.reading() as db:
            answer = shown(
                db,
                url,
                at,
                lambda absolute: f"{prefix}{when}/{absolute}",
                loaded_as=loaded_as,
                after_scripts=when.startswith(AFTER),
            )
    except (NotThere, UsageError) as error:
        if loaded_as not in ("", *DOCUMENTS):
            return Response(status_code=204, headers=headers)  # of 404, a browser would tell in its console
        note = ENVIRONMENT.get_template("archived-note.html").render(url=url, reason=str(error))
        return Response(note, 404, headers, HTML)
    if answer.location:
        return Response(status_code=302, headers=headers | {"location": f"{prefix}{when}/{answer.location}"})
    if is_font(answer.type):
        headers["access-control-allow-origin"] = "*"  # a frame without rights has no origin
    return _in_part(answer, request.headers.get("range", ""), headers)


def _headers(path: str) -> dict[str, str]:
    """`path`: the beginning of all addresses from which a page as archived may load something."""
    loads = f"img-src {path} data:; media-src {path} data:; font-src {path} data:; style-src {path} data:"
    return {
        "content-security-policy": f"default-src 'none'; {loads} 'unsafe-inline'; frame-src {path}; object-src {path};"
        " form-action 'none'; base-uri 'none'; sandbox",
        "referrer-policy": "no-referrer",
        "x-dns-prefetch-control": "off",
        "accept-ranges": "bytes",
    }


def _in_part(answer: Shown, ranges: str, headers: dict[str, str]) -> Response:
    """The answer, or the one part of it that is requested (RFC 9110 section 14): of films, browsers want parts."""
    size = len(answer.body)
    match = _ONE_RANGE.fullmatch(ranges)
    if match is None:
        return Response(answer.body, 200, headers, answer.type)
    first, last = int(match[1]), min(int(match[2] or size), size - 1)
    if first > last:
        return Response(status_code=416, headers=headers | {"content-range": f"bytes */{size}"})
    headers["content-range"] = f"bytes {first}-{last}/{size}"
    return Response(answer.body[first : last + 1], 206, headers, answer.type)


def screenshot(request: Request) -> Response:
    with crawl_of(request).reading() as db:
        id, url = take_nearest(db, request.query_params.get("u", ""), None)
        return Response(responses.picture(db, id, url, PNG), media_type=PNG)


ROUTES = (
    Route("/screenshot", screenshot),
    Route(f"/{ARCHIVED}/{{token}}/{{moment}}/{{url:path}}", show),
)
