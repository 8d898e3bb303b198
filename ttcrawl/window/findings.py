"""What the screens below Findings have in common."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from ttcrawl.topic.files import DIRECTORY
from ttcrawl.window.rendering import render
from ttcrawl.window.runs import Shown
from ttcrawl.window.viewed import crawl_of

#: Segment of the address -> name in the menu.
PARTS = {
    "": "Report",
    "check": "Problems",
    "duplicates": "Duplicates",
    "politeness": "Politeness",
    "sites": "Sites",
    "topic": "Topic",
    "graph": "Graph",
}


def findings(request: Request, template: str, *, shown: Shown | None = None, **data: Any) -> Response:
    """The page of one part; it comes again every second until the command that it shows has run."""
    if shown and "compute" in request.query_params:
        return RedirectResponse(shown.address)
    has_topic = (crawl_of(request).directory / DIRECTORY).is_dir()
    parts = {part: name for part, name in PARTS.items() if has_topic or part != "topic"}
    part = request.url.path.partition("/findings")[2].strip("/")
    data.setdefault("command", shown.command if shown else "")
    refresh = 1 if shown and shown.runs else 0
    return render(request, template, shown=shown, parts=parts, part=part, refresh=refresh, **data)


def number(request: Request, name: str) -> int:
    """A number in the address; 0 if there is none."""
    text = request.query_params.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 10 else 0
