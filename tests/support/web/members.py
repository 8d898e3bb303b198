"""A site for members: a form with a token that is valid once, a session in a cookie, and a log of all requests.

with Members(lifetime=3) as site:
    ... crawl site.url("/") with `--resolve` site.resolve ...
    site.seen  # [Seen(method="GET", path="/login", status=200, ...)]
"""

from __future__ import annotations

import email.policy
import html
import http.server
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import parse_qs, parse_qsl, urlsplit

from tests.support.web.answering import Answering

PASSWORD = "Pässw0rd &+=%"


@dataclass(frozen=True, slots=True)
class Seen:
    """A request with its answer."""

    method: str
    path: str  # with the query
    status: int
    head: dict[str, str]  # names in lower case
    body: str
    arrived: float


@dataclass(slots=True)
class Members(Answering):
    """`pages`: that only members see. `lifetime`: pages of a session, after which it is lost, as `loss` says:
    "redirect" to the form, "text" or "status" 401. `denied`: paths that ask for a login whoever comes."""

    pages: int = 3
    lifetime: int = 1000
    loss: str = "redirect"
    denied: tuple[str, ...] = ()
    robots: str = "User-agent: *\nDisallow: /login\n"
    action: str = "/session?from=form"
    method: str = "post"
    enctype: str = ""
    token: bool = True  # is wanted
    after: str = "/home"  # where a login leads; "": it answers itself
    failing: int = 0  # first requests for the form that are answered with 503
    links: tuple[str, ...] = ()  # more links on each page
    seen: list[Seen] = field(default_factory=list)
    watch: Callable[[int], None] = lambda number: None  # called with each request, from 1, before its answer
    _tokens: set[str] = field(default_factory=set)
    _sessions: dict[str, int] = field(default_factory=dict)  # session -> pages that it may still see

    @property
    def resolve(self) -> list[str]:
        return [part for name in "ab" for part in ("--resolve", f"{name}.test:{self.port}:127.0.0.1")]

    @property
    def logins(self) -> int:
        return sum(each.method == "POST" for each in self.seen)

    def paths(self) -> list[str]:
        """What was requested, in order, without robots.txt."""
        return [f"{each.method} {each.path}" for each in self.seen if each.path != "/robots.txt"]

    def forget_sessions(self) -> None:
        self._sessions.clear()

    def answer(self, request: http.server.BaseHTTPRequestHandler) -> None:
        arrived = time.time()
        body = request.rfile.read(int(request.headers.get("Content-Length", 0))).decode()
        head = {name.lower(): value for name, value in request.headers.items()}
        self.watch(len(self.seen) + 1)
        status, headers, text = self._of(request, head, body)
        self.seen.append(Seen(request.command, request.path, status, head, body, arrived))
        data = text.encode()
        request.send_response(status)
        for name, value in (("Content-Type", "text/html; charset=utf-8"), ("Content-Length", str(len(data))), *headers):
            request.send_header(name, value)
        request.end_headers()
        request.wfile.write(data)

    def _of(self, request, head, body) -> tuple[int, list[tuple[str, str]], str]:
        path = urlsplit(request.path).path
        if path == "/robots.txt":
            return 200, [("Content-Type", "text/plain")], self.robots
        if head["host"].startswith("b.test"):
            return 200, [], "<p>another host</p>"
        if request.command == "POST":
            return self._log_in(head, body)
        if path == "/login":
            if self.failing:
                self.failing -= 1
                return 503, [("Retry-After", "0")], "later"
            return 200, [], self._form()
        session = dict(parse_qsl(head.get("cookie", "").replace("; ", "&"))).get("sid", "")
        if path == "/logout":
            self._sessions.pop(session, None)
            return 200, [], "bye"
        if path in self.denied or not self._sessions.get(session):
            return self._lost(request.path)
        self._sessions[session] -= path != "/home"
        links = "".join(f'<a href="{html.escape(each)}">x</a> ' for each in (*self._of_members(), *self.links))
        return 200, [], f"<title>{path}</title><p>for members</p><a href='/logout'>Log out</a> {links}"

    def _of_members(self) -> list[str]:
        return [f"/{number}" for number in range(1, self.pages + 1)]

    def _form(self, why: str = "") -> str:
        token = secrets.token_hex(8)
        self._tokens.add(token)
        return (
            f"<title>Log in</title><form action='/search'><input name=q></form><p>{why}</p>"
            f"<form id=f method={self.method} enctype='{self.enctype}' action='{self.action}'>"
            f"<input type=hidden name=csrf value='{token}'>"
            "<input name=user><input type=password name=password><input type=checkbox name=stay value=1 checked>"
            "<input type=checkbox name=news><select name=lang><option value=de>d<option value=en selected>e</select>"
            "<button name=go value=in>Log in</button><button name=go value=register>Register</button></form>"
        )

    def _log_in(self, head: dict[str, str], body: str) -> tuple[int, list[tuple[str, str]], str]:
        fields = _fields(head["content-type"], body)
        token = fields.pop("csrf", [""])[0]
        if self.token and token not in self._tokens:
            return 403, [], "forged"
        self._tokens.discard(token)
        if head.get("origin") != f"http://{head['host']}" or "/login" not in head.get("referer", ""):
            return 403, [], "from another page"
        wanted = {"user": ["me"], "password": [PASSWORD], "stay": ["1"], "lang": ["en"], "go": ["in"]}
        if fields != wanted:
            return 200, [], self._form("wrong password")
        session = secrets.token_hex(8)
        self._sessions[session] = self.lifetime
        cookie = ("Set-Cookie", f"sid={session}; Path=/; HttpOnly")
        return (303, [cookie, ("Location", self.after)], "") if self.after else (200, [cookie], "<p>Welcome</p>")

    def _lost(self, path: str) -> tuple[int, list[tuple[str, str]], str]:
        if self.loss == "redirect":
            return 302, [("Location", f"/login?next={path}")], ""
        return (401, [], "no") if self.loss == "status" else (200, [], "<p>Please log in</p>")


def _fields(content_type: str, body: str) -> dict[str, list[str]]:
    """The fields of a form, urlencoded or in parts (RFC 7578), as the standard library reads them."""
    if not content_type.startswith("multipart/form-data"):
        return parse_qs(body, keep_blank_values=True)
    message = email.message_from_bytes(f"Content-Type: {content_type}\r\n\r\n{body}".encode(), policy=email.policy.HTTP)
    fields: dict[str, list[str]] = {}
    for part in message.iter_parts():
        name = part.get_param("name", header="content-disposition")
        fields.setdefault(name, []).append(part.get_payload(decode=True).decode())
    return fields
