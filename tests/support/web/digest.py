"""A server that wants HTTP Digest and verifies each response of a client, after the text of RFC 7616.

with DigestServer(algorithm="SHA-256", uses=2) as server:
    ... request server.url("/") ...
    server.seen  # [Seen(path="/", status=401, why="no Authorization"), Seen(path="/", status=200, why="")]
"""

from __future__ import annotations

import hashlib
import http.server
import re
from dataclasses import dataclass, field

from tests.support.web.answering import Answering

HASHES = {"MD5": "md5", "SHA-256": "sha256", "SHA-512-256": "sha512_256"}
PAGE = b'<html><title>members</title><a href="/1">1</a> <a href="/2">2</a> <a href="/3">3</a></html>'


@dataclass(frozen=True, slots=True)
class Seen:
    """A request, and why it was not answered with a page."""

    path: str
    status: int
    why: str


@dataclass(slots=True)
class DigestServer(Answering):
    """`uses`: of a nonce until it is stale; `following`: each response names the next nonce."""

    user: str = "Mufasa"
    password: str = "Circle of Life"
    realm: str = 'a "realm", quoted'
    algorithm: str = "MD5"
    qop: str = "auth, auth-int"
    uses: int = 1000
    following: bool = False
    hashed_user: bool = False
    basic: bool = False  # is offered, too
    seen: list[Seen] = field(default_factory=list)
    heads: list[str] = field(default_factory=list)  # the values of Authorization
    counts: dict[str, int] = field(default_factory=dict)  # nonce -> requests with it

    def answer(self, request: http.server.BaseHTTPRequestHandler) -> None:
        if request.path == "/robots.txt":
            return self._send(request, 404, b"")
        head = request.headers.get("Authorization", "").encode("iso-8859-1").decode()
        self.heads.append(head)
        why = self._against(head, request.command, request.path) if head else "no Authorization"
        self.seen.append(Seen(request.path, 401 if why else 200, why))
        if not why:
            following = [("Authentication-Info", f'qop=auth, nextnonce="{self._new()}"')] if self.following else []
            return self._send(request, 200, PAGE, following)
        quoted = self.realm.replace('"', '\\"')
        stale = "true" if why == "stale" else "false"
        parts = [
            f'realm="{quoted}"',
            f'nonce="{self._new()}"',
            'opaque="o p,q"',
            f"algorithm={self.algorithm}",
            f"stale={stale}",
        ]
        parts += [f'qop="{self.qop}"'] if self.qop else []
        parts += ["userhash=true"] if self.hashed_user else []
        challenges = [("WWW-Authenticate", 'Basic realm="x"')] if self.basic else []
        self._send(request, 401, b"no", [*challenges, ("WWW-Authenticate", "Digest " + ", ".join(parts))])

    def _new(self) -> str:
        nonce = f"n{len(self.counts)}=="
        self.counts[nonce] = 0
        return nonce

    def _send(self, request, status, body, headers=()) -> None:
        request.send_response(status)
        for name, value in (("Content-Type", "text/html"), ("Content-Length", str(len(body))), *headers):
            request.send_header(name, value)
        request.end_headers()
        if request.command != "HEAD":
            request.wfile.write(body)

    def _against(self, head: str, method: str, path: str) -> str:
        """Why a request is not accepted; "" if it is."""
        if not head.startswith("Digest "):
            return "another scheme"
        pairs = re.findall(r'(\w+)=(?:"((?:[^"\\]|\\.)*)"|([^\s,]+))', head)
        fields = {name: re.sub(r"\\(.)", r"\1", quoted) or plain for name, quoted, plain in pairs}

        def digest(text: str) -> str:
            return hashlib.new(HASHES[self.algorithm.removesuffix("-sess")], text.encode()).hexdigest()

        nonce = fields["nonce"]
        user = digest(f"{self.user}:{self.realm}") if self.hashed_user else self.user
        wanted = {"username": user, "realm": self.realm, "uri": path, "opaque": "o p,q", "algorithm": self.algorithm}
        for name, value in wanted.items():
            if fields.get(name) != value:
                return f"{name} is {fields.get(name)}"
        first = digest(f"{self.user}:{self.realm}:{self.password}")
        if self.algorithm.endswith("-sess"):
            first = digest(f"{first}:{nonce}:{fields['cnonce']}")
        second = digest(f"{method}:{path}")
        if self.qop:
            response = digest(f"{first}:{nonce}:{fields['nc']}:{fields['cnonce']}:auth:{second}")
        else:
            response = digest(f"{first}:{nonce}:{second}")
        if fields["response"] != response:
            return "wrong response"
        if nonce not in self.counts:
            return "unknown nonce"
        self.counts[nonce] += 1
        if self.qop and int(fields["nc"], 16) != self.counts[nonce]:
            return f"nc is {fields['nc']}"  # sent again, or one is missing
        return "stale" if self.counts[nonce] > self.uses else ""
