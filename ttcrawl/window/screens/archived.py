"""A page as archived, in a frame without any right; its panes on the screen URL.

A page from the web is hostile. Its markup is written anew (ttcrawl.inspect.archived.rewriting), the headers let it run
nothing and load from the archive alone, the frame has no right, and the window itself lets a frame lead nowhere else.
"""

from __future__ import annotations

from starlette.convertors import Convertor, register_url_convertor
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ttcrawl.cluster.named import Named
from ttcrawl.errors import UsageError
from ttcrawl.frozen import frozen
from ttcrawl.inspect.archived.panes import DOCUMENT, Pane, pane
from ttcrawl.inspect.archived.ranges import requested
from ttcrawl.inspect.archived.shown import HTML, Shown, shown, take_nearest
from ttcrawl.output.shell import command_line
from ttcrawl.ring.rendering import PNG
from ttcrawl.snapshot import responses
from ttcrawl.snapshot.errors import NotThere
from ttcrawl.snapshot.snapshot import View
from ttcrawl.web.mime.kind import is_font
from ttcrawl.window.rendering import ENVIRONMENT
from ttcrawl.window.safety import ARCHIVED
from ttcrawl.window.viewed import crawl_of, reading

#: Before a moment in an address: the document after scripts.
AFTER = "after-"

#: Values of Sec-Fetch-Dest for what a person sees as a page.
DOCUMENTS = ("document", "iframe", "frame", "object", "embed")


class _Rest(Convertor[str]):
    """The rest of a path; that of Starlette ends at a line break."""

    regex = "(?s:.*)"

    def convert(self, value: str) -> str:
        return value

    def to_string(self, value: str) -> str:
        return value


register_url_convertor("rest", _Rest())


@frozen
class Panes:
    """What panes.html shows of a URL. `at`: the moment of its answer in the address; `frame`: of a page as archived."""

    pane: Pane
    at: str
    frame: str
    command: str


def panes(request: Request, crawl: Named, db: View, url: str, at: float | None) -> Panes:
    """The pane that the address names. Call it last, as `pane`."""
    shown = pane(db, url, at, request.query_params.get("pane", ""))
    after = AFTER if shown.kind == DOCUMENT else ""
    return Panes(
        pane=shown,
        at="" if at is None else repr(at),
        frame=f"{_prefix(request, crawl)}{after}{shown.moment!r}/{shown.url}" if shown.moment is not None else "",
        command=command_line("page", crawl.directory, shown.url, *shown.options),
    )


def _prefix(request: Request, crawl: Named) -> str:
    return f"/{crawl.name}/{ARCHIVED}/{request.app.state.safety.archived}/"


def show(request: Request) -> Response:
    """An answer of the archive, for a frame. The address has the URL as it is, with its escapes."""
    crawl, prefix = crawl_of(request), _prefix(request, crawl_of(request))
    headers = _headers(f"{request.url.scheme}://{request.headers['host']}{prefix}")
    when, loaded_as = request.path_params["moment"], request.headers.get("sec-fetch-dest", "")
    query = request.url.query
    url = request.scope["raw_path"].decode("latin-1").split("/", 5)[5] + (f"?{query}" if query else "")
    try:
        at = float(when.removeprefix(AFTER))
    except ValueError:
        raise UsageError(f"{when} is not the moment of an answer, in seconds since the epoch") from None
    is_after, to = when.startswith(AFTER), f"{prefix}{when}/{{}}".format
    try:
        with reading(crawl) as db:
            answer = shown(db, url, at, to, loaded_as=loaded_as, after_scripts=is_after)
    except (NotThere, UsageError) as error:
        if loaded_as not in ("", *DOCUMENTS):
            return Response(status_code=204, headers=headers)  # of 404, a browser would tell in its console
        note = ENVIRONMENT.get_template("archived-note.html").render(url=url, reason=str(error))
        return Response(note, 404, headers, HTML)
    if answer.location:
        return Response(status_code=302, headers=headers | {"location": to(answer.location)})
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
    """The answer, or the one part of it that is requested."""
    size, part = len(answer.body), requested(ranges, len(answer.body))
    if part is None:
        return Response(answer.body, 200, headers, answer.type)
    if not part:
        return Response(status_code=416, headers=headers | {"content-range": f"bytes */{size}"})
    headers["content-range"] = f"bytes {part[0]}-{part[-1]}/{size}"
    return Response(answer.body[part.start : part.stop], 206, headers, answer.type)


def screenshot(request: Request) -> Response:
    with reading(crawl_of(request)) as db:
        id, url = take_nearest(db, request.query_params.get("u", ""), None)
        return Response(responses.picture(db, id, url, PNG), media_type=PNG)


ROUTES = (
    Route("/screenshot", screenshot),
    Route(f"/{ARCHIVED}/{{token}}/{{moment}}/{{url:rest}}", show),
)
