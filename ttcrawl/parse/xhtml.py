"""XHTML with what HTML parsers do not know of XML: empty elements of any name, and CDATA sections. Pure."""

from __future__ import annotations

import re

from ttcrawl.vocabulary.html import XHTML
from ttcrawl.web.late import late

#: Elements that have no end tag in HTML (HTML standard 13.1.2, void elements, and obsolete ones).
VOID = frozenset(
    b"area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr".split()
)

#: A comment, a CDATA section, or the tag of an empty element. What has no end goes to the end of the page, and no value
#: of an attribute has a "<" in XML: so no byte is read twice.
_XML = late(
    rb"<!--.*?(?:-->|\Z)|<!\[CDATA\[(?:(?P<text>.*?)\]\]>|.*\Z)"
    rb"|<(?P<name>[^\s/>!?<\"'=]++)(?P<attributes>(?:[^\"'<>/]++|\"[^\"<]*+\"|'[^'<]*+'|/(?!>))*+)/>",
    re.DOTALL,
)


def as_html(page: bytes, mime: str) -> bytes:
    """Return a page of this type (UTF-8) for a parser of HTML.

    >>> as_html(b'<a id="x"/><br/><![CDATA[1 < 2]]>', "application/xhtml+xml")
    b'<a id="x"></a><br/>1 &lt; 2'
    """
    return _XML.sub(_html, page) if mime == XHTML else page


def _html(match: re.Match[bytes]) -> bytes:
    name, text = match["name"], match["text"]
    if text is not None:
        return text.replace(b"&", b"&amp;").replace(b"<", b"&lt;").replace(b">", b"&gt;")
    if name is None or name.lower() in VOID:
        return match[0]
    return b"<%b%b></%b>" % (name, match["attributes"], name)
