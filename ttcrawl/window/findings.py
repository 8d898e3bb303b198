"""What the screens below Findings have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from ttcrawl.errors import UsageError
from ttcrawl.jobs.commands import Run, output, run
from ttcrawl.topic.files import DIRECTORY
from ttcrawl.window.rendering import render
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


def part_of(request: Request) -> str:
    return request.url.path.partition("/findings")[2].strip("/")


def run_of(request: Request, words: Sequence[str], cost: tuple[float, float], *, offer: bool = False) -> Run:
    """The run of a command whose output a screen shows; the form of the screen demands it."""
    demanded = request.method == "POST"
    return run(request.app.state.work, crawl_of(request).directory, words, cost, demanded=demanded, offer=offer)


def output_of(request: Request, words: Sequence[str]) -> bytes:
    """Raises UsageError if the command has not run."""
    if not (written := output(request.app.state.work, words)):
        raise UsageError("this is not computed yet: open its screen first")
    return written


def findings(request: Request, template: str, *, shown: Run | None = None, **data: Any) -> Response:
    """The page of one part; it comes again every second until the command that it shows has run."""
    if request.method == "POST":
        return RedirectResponse(f"{request.url.path}?{request.url.query}".rstrip("?"), 303)
    has_topic = (crawl_of(request).directory / DIRECTORY).is_dir()
    parts = {part: name for part, name in PARTS.items() if has_topic or part != "topic"}
    data.setdefault("command", shown.command if shown else "")
    refresh = 1 if shown and shown.runs else 0
    return render(request, template, shown=shown, parts=parts, part=part_of(request), refresh=refresh, **data)
