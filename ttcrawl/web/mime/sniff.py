"""The MIME type of a response as computed by a browser: the MIME Sniffing standard, sections 4, 5 and 7.

https://mimesniff.spec.whatwg.org/. All image, audio and video types count as supported.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ttcrawl.web.mime.content_type import content_type
from ttcrawl.web.mime.standard_signatures import (
    BINARY,
    BINARY_DATA,
    HTML,
    PLAIN,
    UTF8_BOM,
    UTF16_BOMS,
    archive,
    image,
    media,
    scriptable,
)

#: Bytes of a body that are examined (section 5.2).
HEAD = 1445

#: Types without information (section 7).
UNKNOWN = frozenset({"", "unknown/unknown", "application/unknown", "*/*"})

#: Apache's default for unknown files for years (section 5.1).
_APACHE = frozenset(
    "text/plain" + charset for charset in ("", *("; charset=" + name for name in ("ISO-8859-1", "iso-8859-1", "UTF-8")))
)
#: How the root elements of feeds begin.
_FEEDS = (b"rss", b"feed", b"rdf:RDF")
_PROLOGUE = re.compile(rb"[\t\n\r ]*+(?:(?:<!--.*?-->|<![^>]*+>|<\?.*?\?>)[\t\n\r ]*+)*+<", re.DOTALL)


def computed(values: Sequence[str], body: bytes, nosniff: bool = False) -> str:
    """The MIME type of a body (section 7).

    `values`: of the Content-Type headers; `nosniff`: from X-Content-Type-Options.
    """
    declared = content_type(values).essence
    head = body[:HEAD]
    if is_xml(declared):
        return declared
    if declared in UNKNOWN:
        return unknown(head, sniff_scriptable=not nosniff)
    if nosniff:
        return declared
    if values and values[-1] in _APACHE:
        return text_or_binary(head)
    if declared == HTML:
        return feed_or_html(head)
    if declared.startswith("image/"):
        return image(head) or declared
    if declared.startswith(("audio/", "video/")) or declared == "application/ogg":
        return media(head) or declared
    return declared


def is_xml(mime: str) -> bool:
    return mime.endswith("+xml") or mime in ("text/xml", "application/xml")


def unknown(head: bytes, *, sniff_scriptable: bool) -> str:
    """Section 7.1: a body without a declared type."""
    if sniff_scriptable and (media_type := scriptable(head)):
        return media_type
    if head.startswith(b"%!PS-Adobe-"):
        return "application/postscript"
    if len(head) > 3 and (head[:2] in UTF16_BOMS or head.startswith(UTF8_BOM)):
        return PLAIN
    return image(head) or media(head) or archive(head) or (BINARY if BINARY_DATA.search(head) else PLAIN)


def text_or_binary(head: bytes) -> str:
    """Section 7.2."""
    if head[:2] in UTF16_BOMS or head.startswith(UTF8_BOM):
        return PLAIN
    return BINARY if BINARY_DATA.search(head) else PLAIN


def feed_or_html(head: bytes) -> str:
    """Section 7.3: feeds are mostly served as HTML."""
    head = head.removeprefix(UTF8_BOM)
    match = _PROLOGUE.match(head)
    if match is None or not head.startswith(_FEEDS, match.end()):
        return HTML
    rest = head[match.end() :]
    if rest.startswith(b"rss"):
        return "application/rss+xml"
    if rest.startswith(b"feed"):
        return "application/atom+xml"
    rdf = (b"http://purl.org/rss/1.0/", b"http://www.w3.org/1999/02/22-rdf-syntax-ns#")
    return "application/rss+xml" if rest.startswith(b"rdf:RDF") and all(name in rest for name in rdf) else HTML
