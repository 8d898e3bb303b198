"""Duplicates: which pages say the same, and what differs between two of them."""

from __future__ import annotations

from itertools import islice

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ttcrawl.snapshot.duplicate_groups import DuplicateGroup, group_of, with_urls
from ttcrawl.snapshot.errors import NotThere
from ttcrawl.snapshot.page_text import words
from ttcrawl.snapshot.side_by_side import side_by_side
from ttcrawl.snapshot.snapshot import View
from ttcrawl.snapshot.unsettled import copies, unsettled
from ttcrawl.snapshot.unsettled import groups as groups_of
from ttcrawl.window.findings import findings, number
from ttcrawl.window.rendering import command_line
from ttcrawl.window.viewed import crawl_of

#: Groups on a page, duplicates of each that are listed, and lines that are compared.
GROUPS, COPIES, LINES = 20, 5, 1_000

#: Marks of duplicates whose groups are found at once, and in a second.
FEW, RATE = 50_000, 150_000


def show(request: Request) -> Response:
    """The largest groups, or the group of the page `u`, or this page beside the page `with`."""
    crawl, query = crawl_of(request), request.query_params
    url, other, first = query.get("u", ""), query.get("with", ""), number(request, "from")
    groups, beside, rest, seconds = list[tuple[int, DuplicateGroup]](), None, 0, 0.0
    with crawl.reading() as db:
        if other:
            beside = [*islice(side_by_side(_text(db, url), _text(db, other)), LINES)]
        elif url:
            group = group_of(db, _id(db, url), url)
            groups = [(len(group.copies), group)]
        elif "read" not in query and (marks := _marks(db)) > FEW:
            seconds = marks / RATE
        else:
            every = groups_of(copies(db))
            groups = [(len(each.copies), with_urls(db, each, COPIES)) for each in every[first : first + GROUPS]]
            rest = len(every) - first - GROUPS
        provisional = unsettled(db)
    named = (other, "--diff") if other else (url,) if url else ()
    return findings(
        request,
        "duplicates.html",
        title="Duplicates",
        command=command_line("ttcrawl", "duplicates", crawl.directory, *named),
        url=url,
        other=other,
        groups=groups,
        following=first + GROUPS if rest > 0 else None,
        beside=beside,
        seconds=seconds,
        most=LINES,
        provisional=provisional,
    )


def _marks(db: View) -> int:
    return int(db.execute("SELECT count(*) FROM duplicate").fetchone()[0])


def _id(db: View, url: str) -> int:
    id = db.url_id(url)
    if id is None:
        raise NotThere(f"{url} was never discovered by this crawl")
    return id


def _text(db: View, url: str) -> str:
    return words(db, _id(db, url), url, main=True)


ROUTES = (Route("/findings/duplicates", show),)
