"""The bytes of a page, from the ring that owns its host: nothing is joined for them."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct, msgpack

from ttcrawl.cluster.plan import read_plan
from ttcrawl.cluster.results.at_rings import at_ring
from ttcrawl.library.crawl import Crawl
from ttcrawl.snapshot.errors import NotACrawl, NotThere
from ttcrawl.web.url import host


class Content(Struct, frozen=True, kw_only=True):
    """`after_scripts`: it is the document that a browser made of the page."""

    data: bytes
    after_scripts: bool = False


def content_at_owner(directory: Path, url: str, which: str) -> Content | None:
    """Return the body of a page, or its document, screenshot or pdf; None if the owner of its host has none.

    Then another ring may have it, which owned the host before. Raises UsageError if the machine of the ring is not
    there, CrawlFailedError if it is lost.
    """
    plan = read_plan(directory)
    ring = plan.table().ring_of(host(url))
    answer = at_ring(directory, plan, ring, content_at_ring, msgpack.encode((url, which)))
    return msgpack.decode(answer, type=Content | None)


def content_at_ring(ring: Path, argument: bytes) -> bytes:
    """The same, for a ring."""
    url, which = msgpack.decode(argument, type=tuple[str, str])
    try:
        with Crawl(ring) as crawl:
            return msgpack.encode(_content(crawl, url, which))
    except (NotThere, NotACrawl):
        return msgpack.encode(None)


def _content(crawl: Crawl, url: str, which: str) -> Content:
    if which == "document" and (document := crawl.document(url)) is not None:
        return Content(data=document, after_scripts=True)
    read = {"screenshot": crawl.screenshot, "pdf": crawl.pdf}.get(which, crawl.body)
    return Content(data=read(url))
