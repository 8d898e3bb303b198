"""Problems: what `ttcrawl check` found last time, by kind, with the page beside it."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ttcrawl.inspect.check.results.groups import groups
from ttcrawl.inspect.check.results.last import last_check, problems_of
from ttcrawl.window.findings import findings, number
from ttcrawl.window.rendering import command_line
from ttcrawl.window.runs import run
from ttcrawl.window.screens.archived import panes
from ttcrawl.window.viewed import crawl_of

#: Problems of a kind that are read, groups of them on a page, and URLs of a group.
MOST, GROUPS, URLS = 20_000, 50, 20

#: Seconds for any crawl, and for each megabyte of crawl.db.
COST = 2.0, 0.5


def show(request: Request) -> Response:
    crawl, query = crawl_of(request), request.query_params
    words, kinds = ("check", str(crawl.directory), "--offline"), last_check(crawl.directory)
    shown = run(request, crawl, words, COST, offer=True)
    names = [each.kind for each in kinds if each.kind == query.get("kind", "") or not query.get("kind")]
    kind = next((each for each in kinds if each.kind in names), None)
    problems = problems_of(crawl.directory, kind.kind, MOST) if kind else []
    every, first, page = groups(problems), number(request, "from"), query.get("page", "")
    with crawl.reading() as db:
        beside = panes(request, crawl, db, page, None) if page else None
    return findings(
        request,
        "check.html",
        title="Problems",
        shown=shown,
        command=command_line("ttcrawl", *words, *(("--only", kind.kind, "--all") if kind else ())),
        kinds=kinds,
        kind=kind,
        groups=every[first : first + GROUPS],
        following=first + GROUPS if first + GROUPS < len(every) else None,
        first=first,
        left_out=kind.problems - len(problems) if kind else 0,
        most=URLS,
        page=page,
        panes=beside,
    )


ROUTES = (Route("/findings/check", show),)
