"""Duplicates: which pages say the same, and what differs between two of them."""

from __future__ import annotations

from itertools import islice

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ttcrawl.output.shell import command_line
from ttcrawl.snapshot.duplicate_groups import SomeGroups, group_of_url, main_texts, some_groups
from ttcrawl.snapshot.unsettled import unsettled
from ttcrawl.window.findings import findings
from ttcrawl.window.viewed import crawl_of, number, reading

#: Groups on a page, duplicates of each that are listed, and lines that are compared.
GROUPS, COPIES, LINES = 20, 5, 1_000


def show(request: Request) -> Response:
    """The largest groups, or the group of the page `u`, or this page beside the page `with`."""
    crawl, query = crawl_of(request), request.query_params
    url, other, first = query.get("u", ""), query.get("with", ""), number(request, "from")
    some, beside = SomeGroups(), None
    with reading(crawl) as db:
        if other:
            beside = [*islice(main_texts(db, url, other), LINES)]
        elif url:
            some = group_of_url(db, url)
        else:
            some = some_groups(db, first, GROUPS, COPIES, at_any_price="read" in query)
        provisional = unsettled(db)
    named = (other, "--diff") if other else (url,) if url else ()
    return findings(
        request,
        "duplicates.html",
        title="Duplicates",
        command=command_line("duplicates", crawl.directory, *named),
        url=url,
        other=other,
        groups=some.groups,
        following=first + GROUPS if some.more else None,
        beside=beside,
        seconds=some.seconds,
        most=LINES,
        provisional=provisional,
    )


ROUTES = (Route("/findings/duplicates", show),)
