"""What a browser made of a page: it lies behind the body in the slot of the page's answer."""

from __future__ import annotations

from msgspec.msgpack import Decoder

from ttcrawl.ring.messages import Head
from ttcrawl.web.storable import Storable


class Resource(Storable, frozen=True, kw_only=True):
    """A response to a request of the page's scripts, as received."""

    url: str
    head: Head
    body: bytes  # in its content coding
    started: float  # when it was requested, seconds since the epoch
    truncated: str  # the value of WARC-Truncated, or ""


class Rendering(Storable, frozen=True, kw_only=True):
    """A page after its scripts."""

    dom: bytes  # HTML in UTF-8
    moment: float  # when it was taken, seconds since the epoch
    targets: tuple[str, ...]  # URLs to which scripts sent the browser, or which they made its address
    resources: tuple[Resource, ...]


RENDERINGS = Decoder(Rendering)
