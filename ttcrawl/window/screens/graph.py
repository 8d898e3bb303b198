"""The graph: who links to whom, in communities that open."""

from __future__ import annotations

import json

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ttcrawl.errors import UsageError
from ttcrawl.window.findings import findings
from ttcrawl.window.rendering import href
from ttcrawl.window.runs import output, run
from ttcrawl.window.viewed import crawl_of

#: What nodes are -> its name, the option of `ttcrawl graph`, and the address of a node: its name is put at the end.
NODES = {
    "page": ("Pages", (), "url?u="),
    "site": ("Sites", ("--sites",), "urls?host="),
    "directory": ("Directories", ("--directories",), "urls?text="),
    "url": ("All URLs", ("--all",), "url?u="),
}
COLOURS = ("community", "state", "depth")

#: Nodes of the table below the graph: the most linked ones.
LISTED = 30

#: Seconds for any crawl, and for each megabyte of crawl.db.
COST = 3.0, 0.1


def _words(request: Request) -> tuple[str, ...]:
    """The command that prints the map of an address. Raises UsageError."""
    query = request.query_params
    by, links = query.get("by", "page"), query.get("links", "main")
    if by not in NODES or links not in ("main", "all"):
        raise UsageError(f"by={by}, links={links}: nodes are {', '.join(NODES)}; links are main or all")
    path = ("--open", query["open"]) if query.get("open") else ()
    return "graph", str(crawl_of(request).directory), "--map", *NODES[by][1], "--links", links, *path


def show(request: Request) -> Response:
    crawl, query = crawl_of(request), request.query_params
    shown = run(request, crawl, _words(request), COST)
    data = json.loads(shown.output) if shown.output else {}
    listed = sorted((node["attributes"] for node in data.get("nodes", ())), key=lambda node: -node["in"])[:LISTED]
    by, links = query.get("by", "page"), query.get("links", "main")
    return findings(
        request,
        "graph.html",
        title="Graph",
        shown=shown,
        by=by,
        links=links,
        path=query.get("open", ""),
        colour=query["colour"] if query.get("colour") in COLOURS else COLOURS[0],
        nodes=NODES,
        colours=COLOURS,
        about=data.get("attributes", {}),
        listed=listed,
        target=href(crawl, NODES[by][2]),
        opens=href(crawl, "findings/graph", by=by, links=links) + "&open=",
    )


def data(request: Request) -> Response:
    return Response(output(request, _words(request)), media_type="application/json")


ROUTES = (Route("/findings/graph", show), Route("/findings/graph.json", data))
