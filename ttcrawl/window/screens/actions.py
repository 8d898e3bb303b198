"""The forms of actions: what `--control` permits."""

from __future__ import annotations

from urllib.parse import parse_qs

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from ttcrawl.window.control import ACTIONS, Form
from ttcrawl.window.rendering import href, render
from ttcrawl.window.safety import MOST_BYTES
from ttcrawl.window.viewed import crawl_of


async def act(request: Request) -> Response:
    crawl, action = crawl_of(request), ACTIONS.get(request.path_params["action"])
    if action is None or not request.app.state.settings.control:
        raise HTTPException(404)
    body = await _body(request)
    if not request.app.state.safety.permits_action(request.headers, body):
        raise HTTPException(403, "This form is not from a page of this window")
    form: Form = parse_qs(body.decode("utf-8", "replace"))
    message = await run_in_threadpool(action, crawl, form)
    if not message:
        return RedirectResponse(href(crawl), 303)
    return render(request, "done.html", title="Done", message=message)


async def _body(request: Request) -> bytes:
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > MOST_BYTES:
            raise HTTPException(413)
    return body


ROUTES = (Route("/do/{action}", act, methods=["POST"]),)
