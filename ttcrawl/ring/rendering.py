"""What a browser made of a page: it lies behind the body in the slot of the page's answer."""

from __future__ import annotations

from msgspec.msgpack import Decoder

from ttcrawl.ring.messages import Head
from ttcrawl.web.storable import Storable

#: Types of pictures.
PNG, PDF = "image/png", "application/pdf"


class Resource(Storable, frozen=True, kw_only=True):
    """A response to a request of the page's scripts, as received."""

    url: str
    head: Head
    body: bytes  # in its content coding
    started: float  # when it was requested, seconds since the epoch
    truncated: str  # the value of WARC-Truncated, or ""
    shared: bool = False  # other pages get this answer, too, and come with it
    confirms: float = 0.0  # a 304: when the answer was requested that it confirms


class Picture(Storable, frozen=True, kw_only=True):
    """What a page looks like."""

    type: str  # PNG or PDF
    data: bytes


class Encoding(Storable, frozen=True, kw_only=True):
    """The encoding of the answer, as the crawl decided (ttcrawl.web.charset.detect.Decoded)."""

    charset: str
    declared: str
    decided: str


class Rendering(Storable, frozen=True, kw_only=True):
    """A page after its scripts."""

    dom: bytes  # HTML in UTF-8
    encoding: Encoding  # of the answer, in which links have their queries
    moment: float  # when it was taken, seconds since the epoch
    targets: tuple[str, ...]  # URLs to which scripts sent the browser, or which they made its address
    resources: tuple[Resource, ...]
    failed_steps: tuple[str, ...] = ()  # of [browser] steps, each with its cause
    pictures: tuple[Picture, ...] = ()


RENDERINGS = Decoder(Rendering)
