"""Findings: the report of a crawl with its figures, and the parts of it that are pages of their own."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from ttcrawl.report.html.style import policy
from ttcrawl.window.findings import findings
from ttcrawl.window.rendering import href
from ttcrawl.window.runs import output, run
from ttcrawl.window.viewed import Viewed, crawl_of

#: Segment below Findings -> title, options of `ttcrawl report`, seconds for any crawl and for each MB of crawl.db.
PAGES: dict[str, tuple[str, tuple[str, ...], tuple[float, float]]] = {
    "": ("Findings", (), (4.0, 0.25)),
    "politeness": ("Politeness", ("--politeness", "--hosts", "1000"), (1.0, 0.02)),
    "topic": ("Topic", ("--section", "topic"), (2.0, 0.01)),
}

#: Links that lead out of the report.
_OUT = re.compile(r'<a href="(https?://[^"]*)" rel="noreferrer">')


def _words(crawl: Viewed, page: str) -> tuple[str, ...]:
    return "report", str(crawl.directory), "--format", "html", *PAGES[page][1]


def show(request: Request) -> Response:
    crawl, page = crawl_of(request), request.url.path.partition("/findings")[2].strip("/")
    title, _, cost = PAGES[page]
    shown = run(request, crawl, _words(crawl, page), cost)
    return findings(request, "report.html", title=title, shown=shown, address=href(crawl, "findings/page", of=page))


def report(request: Request) -> Response:
    """The page that the command writes; its links lead to the screen of the URL."""
    crawl, page = crawl_of(request), request.query_params.get("of", "")
    written = output(request, _words(crawl, page if page in PAGES else "")).decode()
    screen = href(crawl, "url")
    linked = _OUT.sub(lambda link: f'<a href="{screen}?u={quote(unescape(link[1]), safe="")}" target="_top">', written)
    return HTMLResponse(linked, headers={"content-security-policy": f"{policy()}; frame-ancestors 'self'"})


ROUTES = (
    *(Route(f"/findings/{page}".rstrip("/"), show) for page in PAGES),
    Route("/findings/page", report),
)
