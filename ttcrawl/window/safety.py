"""Who may see the window, and what its pages may do.

Other users of the machine reach 127.0.0.1 too, and so does every page that a browser shows. So a request needs the
name of the window as its Host (against DNS rebinding), and a cookie, which the address with the token sets once.
Actions need a second token, from a form of the window. Archived pages are framed without any right, so no cookie
comes with their requests: their addresses have a token of their own.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from hmac import compare_digest
from urllib.parse import parse_qs, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: Headers of all pages that set no others. https://www.w3.org/TR/CSP3/
HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
}

#: The segment of addresses behind the crawl that is followed by the token of archived pages.
ARCHIVED = "archived"


def _token() -> str:
    return secrets.token_urlsafe(24)


@dataclass(frozen=True, slots=True, kw_only=True)
class Safety:
    """What a window demands. `hosts`: values of Host that are its own; empty: all are."""

    hosts: frozenset[str]
    cookie_name: str  # of this window alone: a cookie is sent to all ports of a host
    open: bool = False  # visitors need no token: `--public-search`
    token: str = field(default_factory=_token)  # in the address that is printed
    cookie: str = field(default_factory=_token)
    form: str = field(default_factory=_token)  # in forms of actions
    archived: str = field(default_factory=_token)  # in addresses of archived pages

    def refusal(self, scope: Scope) -> Response | None:
        """Why a request is not answered, or the page that sets the cookie."""
        request = Request(scope)
        if self.hosts and request.headers.get("host", "") not in self.hosts:
            return PlainTextResponse("This window has another address: use the one that was printed.\n", 421)
        if not self.open and request.method == "GET" and self._is_token(request.query_params.get("token", "")):
            return self._welcome(request)
        if self.open or self._is_known(request) or self._is_archived(request.url.path):
            return None
        message = "Open the address that `ttcrawl view` has printed, with its token: the window was opened by it.\n"
        return PlainTextResponse(message, 403)

    def permits_action(self, headers: Headers, body: bytes) -> bool:
        """Whether a form was sent by a page of this window."""
        tokens = parse_qs(body.decode("latin-1")).get("form_token", [""])
        origin = headers.get("origin", "")
        own = not origin or origin.removeprefix("http://") in self.hosts
        return own and compare_digest(tokens[0].encode(), self.form.encode())

    def _is_token(self, text: str) -> bool:
        return compare_digest(text.encode(), self.token.encode())

    def _is_known(self, request: Request) -> bool:
        return compare_digest(request.cookies.get(self.cookie_name, "").encode(), self.cookie.encode())

    def _is_archived(self, path: str) -> bool:
        segments = path.split("/", 4)
        return (
            len(segments) > 3
            and segments[2] == ARCHIVED
            and compare_digest(segments[3].encode(), self.archived.encode())
        )

    def _welcome(self, request: Request) -> Response:
        """A page that sets the cookie, then leads to the address without the token.

        A redirect would not do: after a link on another site, a browser sends a strict cookie with none of the requests
        that redirects lead to.
        """
        rest = urlencode([(name, value) for name, value in request.query_params.multi_items() if name != "token"])
        path = request.scope["raw_path"].decode("latin-1")  # with its escapes: a header has no line break
        address = path + (f"?{rest}" if rest else "")
        headers = {"refresh": f"0; url=/{address.lstrip('/')}"}
        response = HTMLResponse(
            "<!doctype html><title>ttcrawl</title><link rel=icon href=data:,><p>Opening the window.", headers=headers
        )
        response.set_cookie(self.cookie_name, self.cookie, httponly=True, samesite="strict")
        return response


class SafetyMiddleware:
    """Refuses requests, and puts the headers on all answers."""

    def __init__(self, app: ASGIApp, safety: Safety) -> None:
        self._app, self._safety = app, safety

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # a web socket: the window has none
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        refusal = self._safety.refusal(scope)
        await (refusal or self._app)(scope, receive, send_with_headers)
