"""Now: is the crawl well, when will it end, what does it wait for?"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ttcrawl.snapshot.status import status
from ttcrawl.window.rendering import command_line, render
from ttcrawl.window.viewed import crawl_of

#: Hosts that are listed.
HOSTS = 20


def show(request: Request) -> Response:
    crawl = crawl_of(request)
    now = status(crawl.directory, HOSTS)
    command = command_line("ttcrawl", "status", crawl.directory)
    return render(request, "now.html", title="Now", command=command, status_now=now, refresh=5 if now.process else 0)


ROUTES = (Route("/", show),)
