"""What the hook for pages gets and returns."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from msgspec import structs
from selectolax.lexbor import LexborHTMLParser

from ttcrawl.parse.links.by_lexbor import OPTIONS
from ttcrawl.parse.links.follow import Links
from ttcrawl.parse.links.weight import too_heavy
from ttcrawl.parse.xhtml import as_html
from ttcrawl.ring.columns import Metadata, Text
from ttcrawl.vocabulary.kind import NAMES
from ttcrawl.web.charset.detect import to_utf8


@dataclass(frozen=True, slots=True, kw_only=True)
class HookLink:
    """A link of a page to another http(s) URL.

    `url` is canonical. `refused`: why it is not requested, as far as its URL decides this; "": it may be. `anchor`: its
    text, "" if [links] anchors is off.
    """

    url: str
    kind: str
    refused: str
    anchor: str


@dataclass(frozen=True, kw_only=True)
class HookPage:
    """A page that was fetched completely, with a status of 2xx. Nothing in it changes the crawl: a hook returns what
    it decides.

    `depth`: links from the seeds (None: only a page requisite). `headers`: (name, value) as received. `type`: the media
    type of the bytes. `charset` and `title`: "" if the page has none.
    """

    url: str
    status: int
    depth: int | None
    headers: tuple[tuple[str, str], ...]
    type: str
    charset: str
    title: str
    read_body: Callable[[], bytes] = field(repr=False)
    read_links: Links = field(repr=False)
    read_text: Text | None = field(repr=False)
    read_metadata: Metadata | None = field(repr=False)
    is_html: bool = field(repr=False)
    read_meta: str = field(default="", repr=False)

    def header(self, name: str) -> str:
        """The first header of this name, in any letter case; "" if there is none."""
        return next((value for each, value in self.headers if each.lower() == name.lower()), "")

    @cached_property
    def body(self) -> bytes:
        """The body without content codings."""
        return self.read_body()

    @cached_property
    def text(self) -> str:
        """The text without markup; "" if [record] text is off, or reading is put off."""
        return _unpacked(self.read_text.packed if self.read_text else None)

    @cached_property
    def main_text(self) -> str:
        """The text without menus, headers and footers; the text if they are equal."""
        return _unpacked(self.read_text.main if self.read_text else None) or self.text

    @cached_property
    def metadata(self) -> dict[str, object]:
        """The columns of table `metadata`, such as description, published and language; {} if there are none."""
        return structs.asdict(self.read_metadata) if self.read_metadata else {}

    @cached_property
    def meta(self) -> dict[str, Any]:
        """What the hook handed to this page with a link to it, on the page where it did so first; {} if nothing."""
        handed: dict[str, Any] = json.loads(self.read_meta) if self.read_meta else {}
        return handed

    @cached_property
    def links(self) -> tuple[HookLink, ...]:
        """The links of the page to other URLs, in the order of the document."""
        links = self.read_links.outlinks
        anchors = json.loads(links.anchors) if links.anchors else [""] * len(links.kinds)
        return tuple(
            HookLink(url=target.url, kind=NAMES[chr(kind)], refused=target.refused, anchor=anchor)
            for target, kind, anchor in zip(self.read_links.resolved, links.kinds, anchors, strict=True)
        )

    @cached_property
    def tree(self) -> LexborHTMLParser | None:
        """The page as a tree of selectolax, parsed at the first use; None: it is not HTML, or takes too long to parse.

        https://selectolax.readthedocs.io/en/latest/lexbor.html
        """
        html = as_html(to_utf8(self.body, self.charset, self.url).utf8, self.type) if self.is_html else b""
        return None if not self.is_html or too_heavy(html) else LexborHTMLParser(html, options=OPTIONS)


@dataclass(frozen=True, slots=True, kw_only=True)
class HookResult:
    """What a hook decides about a page.

    `fields`: stored with the page as a JSON object. `links`: URLs that are followed too, absolute or relative to the
    page; or URL -> a dict of JSON values that the page behind it gets as `HookPage.meta`.
    `refuse`: URL of a link -> why it is not followed from this page; a text holds for all links of the page.
    `drop`: why the page is refused; "": it is kept. `score`: a number that is stored with the page.
    `relevant`: whether the page is relevant to the subject of [topic]; None: that decides without the hook.
    """

    fields: Mapping[str, object] = field(default_factory=dict)
    links: Iterable[str] | Mapping[str, Mapping[str, object] | None] = ()
    refuse: Mapping[str, str] | str = ""
    drop: str = ""
    score: float | None = None
    relevant: bool | None = None


def _unpacked(data: bytes | None) -> str:
    return zlib.decompress(data).decode() if data else ""
