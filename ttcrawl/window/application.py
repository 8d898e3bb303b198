"""The application: its routes, and the pages of errors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from ttcrawl.cluster.named import Named
from ttcrawl.errors import CrawlFailedError, UsageError, plain
from ttcrawl.inspect.listing.keeping import Listings
from ttcrawl.inspect.search.rate import Rate
from ttcrawl.jobs.threads import Work
from ttcrawl.snapshot.errors import NotACrawl, NotThere
from ttcrawl.snapshot.limited import TooSlow
from ttcrawl.window import screens, start
from ttcrawl.window.forms import act
from ttcrawl.window.rendering import render
from ttcrawl.window.safety import Safety, SafetyMiddleware
from ttcrawl.window.screens import search
from ttcrawl.window.viewed import UnknownCrawl

#: Seconds until a page asks again for a crawl that cannot be read now: it may have been locked, or not begun.
REFRESH = 5

#: Queries of one visitor of a public search, in so many seconds.
PUBLIC_RATE = (30, 60.0)

STATIC = Path(__file__).parent / "static"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the options of `ttcrawl view` switch on. `public_search`: this screen alone, for visitors of a site."""

    control: bool = False
    public_search: bool = False


def application(crawls: Mapping[str, Named], safety: Safety, settings: Settings) -> Starlette:
    """The window over these crawls."""
    below, begin = (search.ROUTES, start.search) if settings.public_search else (_below(), start.show)
    # not a Mount: below one, an address ends at a line break
    routes = [Route(f"/{{crawl}}{each.path}", each.endpoint, methods=list(each.methods or ())) for each in below]
    app = Starlette(
        routes=[Mount("/static", StaticFiles(directory=STATIC)), Route("/", begin), *routes],
        middleware=[Middleware(SafetyMiddleware, safety=safety)],
        exception_handlers={error: _failed for error in (*STATUS, HTTPException, 404, 405)},
    )
    app.state.crawls, app.state.settings = crawls, settings
    app.state.safety, app.state.work = safety, Work()
    app.state.latest, app.state.rate = {}, Rate(*PUBLIC_RATE)
    app.state.listings = Listings()
    return app


def _below() -> list[Route]:
    """The routes of all screens, with paths below the crawl."""
    names = [f"{screens.__name__}.{module.name}" for module in iter_modules(screens.__path__)]
    of_screens = [route for name in names for route in import_module(name).ROUTES]
    return [*of_screens, Route("/do/{action}", act, methods=["POST"])]


def screen_paths() -> list[str]:
    """The paths of screens below a crawl that need no parameter in them."""
    return [each.path for each in _below() if "{" not in each.path and each.path != "/events"]


#: Error -> status and heading of its page. The first that fits counts.
STATUS: dict[type[Exception], tuple[int, str]] = {
    TooSlow: (503, "This takes too long"),
    NotACrawl: (503, "This crawl cannot be read"),
    UsageError: (400, "This cannot be shown"),
    CrawlFailedError: (503, "This crawl cannot be read now"),
    NotThere: (404, "The crawl does not have this"),
    UnknownCrawl: (404, "There is no such crawl in this window"),
    OSError: (503, "A file cannot be read"),
}


def _failed(request: Request, error: Exception) -> Response:
    """A page with the cause and the remedy."""
    if isinstance(error, HTTPException):
        status, heading, message = error.status_code, error.detail, ""
    else:
        status, heading = next(row for kind, row in STATUS.items() if isinstance(error, kind))
        is_silent = isinstance(error, UnknownCrawl) or request.app.state.settings.public_search  # of directories
        message = "" if is_silent else plain(error)
    slow, refresh = isinstance(error, TooSlow), REFRESH if isinstance(error, NotACrawl | CrawlFailedError) else 0
    return render(request, "error.html", title=heading, status=status, message=message, slow=slow, refresh=refresh)
