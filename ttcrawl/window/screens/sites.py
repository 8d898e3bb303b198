"""Sites: a row for each host, in any order."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ttcrawl.errors import UsageError
from ttcrawl.window.findings import findings, number
from ttcrawl.window.rendering import command_line
from ttcrawl.window.viewed import crawl_of

ROWS = 100  # of a page

_ROBOTS = """CASE WHEN robots_time IS NULL THEN 'not requested' WHEN robots_reason != '' THEN robots_reason
             ELSE 'http ' || robots_status END"""
#: Column -> its heading and its SQL; the index `host` of the table, or a scan of the sites, which are few beside URLs.
COLUMNS = {
    "host": ("Host", "host"),
    "requested": ("Requested", "requested"),
    "fetched": ("Fetched", "fetched"),
    "failures": ("Failed requests", "failures"),
    "delay": ("Delay (s)", "delay"),
    "delay_from": ("Delay from", "delay_from"),
    "robots": ("robots.txt", _ROBOTS),
    "soft_404": ("Missing pages", "soft_404"),
    "backoff": ("Back-off (s)", "backoff"),
    "address": ("Address", "address"),
}


def show(request: Request) -> Response:
    crawl, query = crawl_of(request), request.query_params
    sort, first = query.get("sort", "-requested"), number(request, "from")
    if sort.removeprefix("-") not in COLUMNS:
        raise UsageError(f"sort={sort}: rows are sorted by {', '.join(COLUMNS)}, or from the end with - before it")
    columns = ", ".join(f"{sql} AS by_{name}" for name, (_, sql) in COLUMNS.items())
    order = f"by_{sort.removeprefix('-')} {'DESC' if sort.startswith('-') else 'ASC'}"
    with crawl.reading() as db:
        sites = f"SELECT {columns} FROM site ORDER BY {order}, host LIMIT ? OFFSET ?"
        rows = db.execute(sites, (ROWS + 1, first)).fetchall()
    return findings(
        request,
        "sites.html",
        title="Sites",
        command=command_line("ttcrawl", "export", crawl.directory, "--table", "sites", "--format", "csv"),
        columns=COLUMNS,
        sort=sort,
        rows=rows[:ROWS],
        following=first + ROWS if len(rows) > ROWS else None,
    )


ROUTES = (Route("/findings/sites", show),)
