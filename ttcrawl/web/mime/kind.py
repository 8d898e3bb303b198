"""The MIME type of a response, and the family of its reader."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ttcrawl.vocabulary.binary import is_binary
from ttcrawl.vocabulary.html import HTML_TYPES, XHTML
from ttcrawl.web.mime.content_type import content_type
from ttcrawl.web.mime.extensions import FILES, TEXTS, by_extension
from ttcrawl.web.mime.file_signatures import OLE, ZIP, file_type, zipped
from ttcrawl.web.mime.sniff import HEAD, UNKNOWN, computed, is_xml
from ttcrawl.web.mime.standard_signatures import BINARY, PLAIN, UTF8_BOM, UTF16_BOMS, archive, image, media, scriptable
from ttcrawl.web.sitemaps.jsonfeed import is_json_feed

#: Families: each has one reader.
HTML, XML, FEED, SITEMAP, IMAGE, DOCUMENT, TEXT, STYLESHEET, OTHER = (
    "html",
    "xml",
    "feed",
    "sitemap",
    "image",
    "document",
    "text",
    "stylesheet",
    "other",
)

DOCUMENTS = frozenset(
    (
        "application/pdf",
        "application/postscript",
        "application/rtf",
        "text/rtf",
        "application/epub+zip",
        "application/msword",
        "application/vnd.ms-excel",
        "application/vnd.ms-powerpoint",
        OLE,
        "application/x-tex",
        "application/x-latex",
        "text/x-tex",
        "application/x-dvi",
        "image/vnd.djvu",
    )
)
_DOCUMENTS = ("application/vnd.openxmlformats-officedocument.", "application/vnd.oasis.opendocument.")
_OFFICE = frozenset(("application/msword", "application/vnd.ms-excel", "application/vnd.ms-powerpoint"))
#: Documents with macros have the format of those without.
_MACROS = re.compile(
    r"application/vnd\.ms-(word|excel|powerpoint)\.(?:document|sheet|presentation|slideshow|template)\.macroenabled\.12"
)
_WITHOUT_MACROS = {
    "word": f"{_DOCUMENTS[0]}wordprocessingml.document",
    "excel": f"{_DOCUMENTS[0]}spreadsheetml.sheet",
    "powerpoint": f"{_DOCUMENTS[0]}presentationml.presentation",
}
#: text/* types that are program code.
_NO_TEXT = frozenset(("text/javascript", "text/ecmascript", "text/jscript", "text/x-javascript"))
#: Names of fonts from before font/* (RFC 8081).
_FONTS = frozenset(("application/font-woff", "application/font-sfnt", "application/vnd.ms-fontobject"))
_SCRIPTS = frozenset(("application/javascript", "application/x-javascript", "application/ecmascript"))
_LOADED = _NO_TEXT | _SCRIPTS | _FONTS | {"text/css"}
_ZIPPED = frozenset((ZIP, "application/x-zip", "application/x-zip-compressed"))
_GZIPPED = frozenset(("application/gzip", "application/x-gzip"))

#: The first bytes of a gzip file (RFC 1952 section 2.3.1).
GZIP = b"\x1f\x8b"

#: Types that servers send for unknown files.
_ANYTHING = frozenset(
    (BINARY, "binary/octet-stream", "application/binary", "application/force-download", "application/x-download")
)

_ROOTS = {
    "rss": FEED,
    "feed": FEED,
    "RDF": FEED,
    "urlset": SITEMAP,
    "sitemapindex": SITEMAP,
    "html": HTML,
    "svg": IMAGE,
}
_PROLOGUE = re.compile(
    r"[\s\ufeff]*+(?:(?:<\?[^>]*+>|<!--(?:[^-]|-(?!->))*+-->|<!DOCTYPE(?:[^\[>]*+\[[^\]]*+\])?[^>]*+>)\s*+)*+"
)
_ROOT = re.compile(r"<(?:[\w.-]+:)?([\w.-]+)")
#: The start of a text with one URL per line (sitemaps.org).
_URL_LINE = re.compile(rb"(?:\xef\xbb\xbf)?+\s*+(?:https?|ftp)://[^\s<>\"]++[ \t]*+(?:[\r\n]|\Z)", re.IGNORECASE)
_FAR = 16384  # characters in which the root element must start


def mime_type(values: Sequence[str], body: bytes, url: str, *, nosniff: bool = False) -> str:
    """The MIME type of a body. `values`: of the Content-Type headers; `nosniff`: from X-Content-Type-Options.

    The result of the MIME Sniffing standard. If that is "some bytes" or "some text" and the header does not insist,
    file signatures decide, then the extension of the URL.
    """
    media_type = computed(values, body, nosniff)
    if media_type == "text/html":  # most answers
        return media_type
    declared = content_type(values).essence
    if macros := _MACROS.fullmatch(media_type):
        media_type = _WITHOUT_MACROS[macros[1]]
    if media_type in _ZIPPED:
        inside = zipped(body)
        return media_type if inside == ZIP else inside
    if nosniff and declared:
        return media_type
    if media_type in _OFFICE or media_type.startswith(_DOCUMENTS):
        # servers use the extension, and a text.doc may be RTF, or in the format of a later Word
        inside = zipped(body) if body.startswith(b"PK") else file_type(body)
        return inside if inside != OLE and _is_document(inside) else media_type
    if media_type in _ANYTHING:
        head = body[:HEAD]
        exact = image(head) or media(head) or file_type(body) or archive(head)
        type_by_name = by_extension(url, FILES)
        # an unspecific OLE2 file does not contradict the type of its extension
        return type_by_name if type_by_name and exact in ("", OLE) else exact or media_type
    if media_type == PLAIN and declared in UNKNOWN:
        # the standard treats a page with a byte order mark as text, which no site intends
        page = "" if nosniff else scriptable(body[:HEAD].removeprefix(UTF8_BOM)) or by_extension(url, TEXTS)
        return file_type(body) or page or media_type
    return media_type


def stated_type(values: Sequence[str], url: str) -> str:
    """The MIME type of a body that was not received, as its Content-Type headers and its URL state it; "" if unknown.

    The extension decides where servers send a type for unknown files, or the container's.

    >>> stated_type(["text/html; charset=utf-8"], "http://a.test/a.pdf"), stated_type([BINARY], "http://a.test/a.pdf")
    ('text/html', 'application/pdf')
    """
    declared = content_type(values).essence
    if macros := _MACROS.fullmatch(declared):
        return _WITHOUT_MACROS[macros[1]]
    vague = declared in UNKNOWN or declared in _ANYTHING or declared in _ZIPPED or declared == PLAIN
    return (by_extension(url, FILES) if vague else "") or declared


def family(mime: str, body: bytes, *, sitemap: bool = False) -> str:
    """The family of a response with this type; `sitemap`: a robots.txt or an index calls its URL one."""
    return SITEMAP if sitemap and _is_listing(mime, body) else _family(mime, body)


def _is_listing(mime: str, body: bytes) -> bool:
    """Whether it is a sitemap, or a feed, which can serve as one: servers send them with any type."""
    kind = _ROOTS.get(root(body), "")
    if kind in (SITEMAP, FEED) or body.startswith(GZIP) or _URL_LINE.match(body) or is_json_feed(body.lstrip()):
        return True
    if is_xml(mime):
        return not kind  # HTML and SVG have readers of their own
    return mime != "text/html" and (mime.startswith("text/") or mime in _GZIPPED | _ANYTHING)


def listing_type(mime: str, body: bytes) -> str:
    """The type of what a robots.txt or an index calls a sitemap: a sitemap that is sent as HTML is not a page.

    >>> listing_type("text/html", b"<urlset>"), listing_type("text/html", b"<html>")
    ('application/xml', 'text/html')
    """
    if mime not in HTML_TYPES or not _is_listing(mime, body):
        return mime
    if body.startswith(GZIP):
        return "application/gzip"
    return "application/xml" if root(body) else PLAIN


def _family(mime: str, body: bytes) -> str:
    if mime == "text/html":
        return HTML
    if mime == XHTML:
        return HTML
    if is_xml(mime):
        return _ROOTS.get(root(body), IMAGE if mime == "image/svg+xml" else XML)
    if mime == "application/feed+json" or (mime == "application/json" and is_json_feed(body.lstrip())):
        return FEED
    if _is_document(mime):
        return DOCUMENT
    if mime.startswith("image/"):
        return IMAGE
    if mime == "text/css":
        return STYLESHEET
    return TEXT if mime.startswith("text/") and mime not in _NO_TEXT else OTHER


def _is_document(mime: str) -> bool:
    return mime in DOCUMENTS or mime.startswith(_DOCUMENTS)


def is_file(mime: str) -> bool:
    """Whether a body of this type is a file and not a page: an image, a document, an archive ... An unknown type may
    be the type of a page.

    >>> [is_file(each) for each in ("application/pdf", "text/rtf", "text/plain", "application/rss+xml", "")]
    [True, True, False, False, False]
    """
    if _is_document(mime) or mime == "image/svg+xml":
        return True
    return is_binary(mime) and not (mime in UNKNOWN or mime in _SCRIPTS or is_xml(mime) or mime.endswith("json"))


def can_link(mime: str) -> bool:
    """Whether a page of this type has links that lead a reader on: HTML and documents."""
    return mime in HTML_TYPES or _is_document(mime)


def is_loaded(mime: str) -> bool:
    """Whether pages load this type to be shown: images, styles, scripts and fonts.

    >>> is_loaded("image/png"), is_loaded("font/woff2"), is_loaded("application/json")
    (True, True, False)
    """
    return mime.startswith(("image/", "font/")) or mime in _LOADED


def is_font(mime: str) -> bool:
    """
    >>> is_font("font/woff2"), is_font("application/font-woff"), is_font("image/png")
    (True, True, False)
    """
    return mime.startswith("font/") or mime in _FONTS


def root(body: bytes) -> str:
    """The local name of the root element of an XML document, "" if none is found at its start."""
    if body[:2] in UTF16_BOMS:
        text = body[: 2 * _FAR].decode("utf-16", "replace")
    else:
        text = body[:_FAR].removeprefix(UTF8_BOM).decode("latin-1")
    prologue = _PROLOGUE.match(text)
    match = _ROOT.match(text, prologue.end() if prologue else 0)
    return match[1] if match else ""
