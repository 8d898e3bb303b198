"""A request of the browser, and what of it is sent."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass
from typing import TypeAlias

from ttcrawl.browser.cache import Response

#: Name and value of each.
Headers: TypeAlias = tuple[tuple[str, str], ...]

#: Types of requests, in the words of the DevTools protocol, that show something and change nothing.
IMAGE = "image"
MEDIA = frozenset((IMAGE, "media", "font", "texttrack"))

#: Those whose answers scripts read.
READ = frozenset(("fetch", "xhr", "eventsource"))

#: Methods that read (RFC 9110 section 9.2.1); POST does so where [browser] post says so.
GET, HEAD, OPTIONS, POST = "GET", "HEAD", "OPTIONS", "POST"

#: What an image is that is not requested: a picture of one point, so that what waits for it goes on.
STUB = Response(
    status=200,
    headers={"content-type": "image/gif"},
    body=base64.b64decode("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"),
)

#: Headers of the browser that are not sent: they are as in any request of the crawl, or belong to the connection.
_NOT_SENT = re.compile(
    "(?:proxy|sec|access-control-request)-.*|cookie2?|host|user-agent|accept-(?:charset|encoding)|connection"
    "|content-length|date|dnt|expect|keep-alive|te|trailer|transfer-encoding|upgrade(?:-insecure-requests)?|via"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """`kind`: its type in the words of the DevTools protocol; `headers`: those that are sent."""

    url: str
    method: str
    kind: str
    headers: Headers = ()
    body: bytes = b""

    @property
    def origin(self) -> str:
        """Of the page, if the request says so: then scripts read its answer, or run it as theirs."""
        return self._value("Origin")

    @property
    def uncached(self) -> bool:
        """Whether its answer must be new: the page says so (Fetch, 2.2.5: cache mode), or it is no GET of a whole."""
        return self.method != GET or "no-cache" in self._value("Cache-Control").lower() or bool(self._value("Range"))

    @property
    def key(self) -> object:
        """What two requests have in common that get the same answer."""
        return self.url, tuple(each for each in self.headers if each[0] != "Referer")

    def _value(self, name: str) -> str:
        return next((value for each, value in self.headers if each == name), "")


def sent(headers: dict[str, str]) -> Headers:
    """The headers of a request of the browser that are sent.

    >>> sent({"user-agent": "Mozilla/5.0", "x-api-key": "k", "range": "bytes=0-99"})
    (('X-Api-Key', 'k'), ('Range', 'bytes=0-99'), ('Accept-Encoding', 'identity'))
    """
    own = tuple((name.title(), value) for name, value in headers.items() if not _NOT_SENT.fullmatch(name.lower()))
    # parts of a coded body could not be decoded (Fetch, 4.6, does the same)
    return (*own, ("Accept-Encoding", "identity")) if any(name == "Range" for name, _ in own) else own
