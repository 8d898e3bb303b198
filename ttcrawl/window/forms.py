"""Forms: they change something, so they are POST, and must come from a page of this window."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import parse_qs

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from ttcrawl.jobs.control import ACTIONS, Form
from ttcrawl.window.rendering import href, render
from ttcrawl.window.viewed import crawl_of

#: Bytes of a form, at most.
MOST_BYTES = 100_000


def with_form(path: str, show: Callable[[Request], Response]) -> Route:
    """A screen with a form to itself: its POST begins what the screen shows."""

    async def answer(request: Request) -> Response:
        if request.method == "POST":
            await own_form(request)
        return await run_in_threadpool(show, request)

    return Route(path, answer, methods=["GET", "POST"])


async def act(request: Request) -> Response:
    """What `--control` permits."""
    crawl, action = crawl_of(request), ACTIONS.get(request.path_params["action"])
    if action is None or not request.app.state.settings.control:
        raise HTTPException(404)
    message = await run_in_threadpool(action, crawl.directory, await own_form(request))
    if not message:
        return RedirectResponse(href(crawl), 303)
    return render(request, "done.html", title="Done", message=message)


async def own_form(request: Request) -> Form:
    """Raises HTTPException if the form is not from a page of this window, or too long."""
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > MOST_BYTES:
            raise HTTPException(413)
    if not request.app.state.safety.permits_action(request.headers, body):
        raise HTTPException(403, "This form is not from a page of this window")
    return parse_qs(body.decode("utf-8", "replace"))
