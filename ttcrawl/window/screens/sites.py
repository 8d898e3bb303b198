"""Sites: a row for each host, in any order."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ttcrawl.errors import UsageError
from ttcrawl.output.shell import command_line
from ttcrawl.window.findings import findings
from ttcrawl.window.viewed import crawl_of, number, reading

ROWS = 100  # of a page

#: Columns of the table `site`. Any of them sorts: hosts are few beside URLs.
COLUMNS = ["host", "requested", "fetched", "failures", "delay", "delay_from", "robots_status", "robots_reason"]
COLUMNS += ["soft_404", "backoff", "backoff_from", "address"]


def show(request: Request) -> Response:
    crawl, first = crawl_of(request), number(request, "from")
    sort = request.query_params.get("sort", "-requested")
    if sort.removeprefix("-") not in COLUMNS:
        raise UsageError(f"sort={sort}: rows are sorted by {', '.join(COLUMNS)}, or from the end with - before it")
    order = f"{sort.removeprefix('-')} {'DESC' if sort.startswith('-') else 'ASC'}"
    with reading(crawl) as db:
        sites = f"SELECT {', '.join(COLUMNS)} FROM site ORDER BY {order}, host LIMIT ? OFFSET ?"
        rows = db.execute(sites, (ROWS + 1, first)).fetchall()
    return findings(
        request,
        "sites.html",
        title="Sites",
        command=command_line("export", crawl.directory, "--table", "sites", "--format", "csv"),
        columns=COLUMNS,
        sort=sort,
        rows=rows[:ROWS],
        following=first + ROWS if len(rows) > ROWS else None,
    )


ROUTES = (Route("/findings/sites", show),)
