"""Findings: the report of a crawl with its figures, and the parts of it that are pages of their own."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from ttcrawl.report.html.leading import leading_to
from ttcrawl.report.html.style import policy
from ttcrawl.window.findings import findings, output_of, part_of, run_of
from ttcrawl.window.forms import with_form
from ttcrawl.window.rendering import href
from ttcrawl.window.viewed import crawl_of

#: Segment below Findings -> title, options of `ttcrawl report`, seconds for any crawl and for each MB of crawl.db.
PAGES: dict[str, tuple[str, tuple[str, ...], tuple[float, float]]] = {
    "": ("Findings", (), (4.0, 0.25)),
    "politeness": ("Politeness", ("--politeness", "--hosts", "1000"), (1.0, 0.02)),
    "topic": ("Topic", ("--section", "topic"), (2.0, 0.01)),
}


def _words(request: Request, page: str) -> tuple[str, ...]:
    return "report", str(crawl_of(request).directory), "--format", "html", *PAGES[page][1]


def show(request: Request) -> Response:
    page = part_of(request)
    title, _, cost = PAGES[page]
    shown, address = run_of(request, _words(request, page), cost), href(crawl_of(request), "findings/page", of=page)
    return findings(request, "report.html", title=title, shown=shown, address=address)


def report(request: Request) -> Response:
    """The page that the command writes; its links lead to the screen of the URL."""
    page = request.query_params.get("of", "")
    written = output_of(request, _words(request, page if page in PAGES else "")).decode()
    linked = leading_to(written, href(crawl_of(request), "url?u="))
    return HTMLResponse(linked, headers={"content-security-policy": f"{policy()}; frame-ancestors 'self'"})


ROUTES = (
    *(with_form(f"/findings/{page}".rstrip("/"), show) for page in PAGES),
    Route("/findings/page", report),
)
