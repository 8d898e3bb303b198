"""Problems: what `ttcrawl check` found last time, by kind, with the page beside it."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from ttcrawl.inspect.check.results.groups import groups
from ttcrawl.inspect.check.results.last import last_check, problems_of
from ttcrawl.output.shell import command_line
from ttcrawl.window.findings import findings, run_of
from ttcrawl.window.forms import with_form
from ttcrawl.window.screens.archived import panes
from ttcrawl.window.viewed import crawl_of, number, reading

#: Problems of a kind that are read, groups of them on a page, and URLs of a group.
MOST, GROUPS, URLS = 20_000, 50, 20

#: Seconds for any crawl, and for each megabyte of crawl.db.
COST = 2.0, 0.5


def show(request: Request) -> Response:
    crawl, query = crawl_of(request), request.query_params
    words = ["check", str(crawl.directory), "--offline"]
    shown = run_of(request, words, COST, offer=True)
    kinds = last_check(crawl.directory)  # after the run, which may end while this page waits for it
    kind = next((each for each in kinds if query.get("kind", "") in ("", each.kind)), None)
    first, page = number(request, "from"), query.get("page", "")
    problems = problems_of(crawl.directory, kind.kind, MOST) if kind else []
    every = groups(problems)
    with reading(crawl) as db:
        beside = panes(request, crawl, db, page, None) if page else None
    return findings(
        request,
        "check.html",
        title="Problems",
        shown=shown,
        command=command_line(*words, *(("--only", kind.kind, "--all") if kind else ())),
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


ROUTES = (with_form("/findings/check", show),)
