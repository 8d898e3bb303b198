"""The graph: who links to whom, in communities that open."""

from __future__ import annotations

import json

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ttcrawl.errors import UsageError
from ttcrawl.window.findings import findings, output_of, run_of
from ttcrawl.window.forms import with_form
from ttcrawl.window.rendering import href
from ttcrawl.window.viewed import crawl_of

#: What nodes are -> its name, the option of `ttcrawl graph`, and the address of a node: its name is put at the end.
NODES = {
    "page": ("Pages", (), "url?u="),
    "site": ("Sites", ("--sites",), "urls?host="),
    "directory": ("Directories", ("--directories",), "urls?q="),
    "url": ("All URLs", ("--all",), "url?u="),
}
COLOURS = ("community", "state", "depth")

#: Nodes of the table below the graph: the most linked ones.
LISTED = 30

#: Seconds for any crawl, and for each megabyte of crawl.db.
COST = 3.0, 0.1


def _chosen(request: Request) -> tuple[str, str, str]:
    """What nodes are, which links there are, and the path of communities. Raises UsageError."""
    query = request.query_params
    by, links = query.get("by", "page"), query.get("links", "main")
    if by not in NODES or links not in ("main", "all"):
        raise UsageError(f"by={by}, links={links}: nodes are {', '.join(NODES)}; links are main or all")
    return by, links, query.get("open", "")


def _words(request: Request) -> tuple[str, ...]:
    """The command that prints the map of an address."""
    by, links, path = _chosen(request)
    opened = ("--open", path) if path else ()
    return "graph", str(crawl_of(request).directory), "--map", *NODES[by][1], "--links", links, *opened


def show(request: Request) -> Response:
    crawl, (by, links, path) = crawl_of(request), _chosen(request)
    shown, colour = run_of(request, _words(request), COST), request.query_params.get("colour")
    data = json.loads(shown.output) if shown.output else {}
    return findings(
        request,
        "graph.html",
        title="Graph",
        shown=shown,
        by=by,
        links=links,
        path=path,
        colour=colour if colour in COLOURS else COLOURS[0],
        nodes=NODES,
        colours=COLOURS,
        about=data.get("attributes", {}),
        listed=sorted((each["attributes"] for each in data.get("nodes", ())), key=lambda node: -node["in"])[:LISTED],
        target=href(crawl, NODES[by][2]),
        opens=href(crawl, "findings/graph", by=by, links=links) + "&open=",
    )


def data(request: Request) -> Response:
    return Response(output_of(request, _words(request)), media_type="application/json")


ROUTES = (with_form("/findings/graph", show), Route("/findings/graph.json", data))
