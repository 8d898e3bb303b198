"""Content regions: the text of a page between two markers, such as <!-- CONTENT --> and <!-- /CONTENT -->.

A marker is any text. It counts if a browser reads markup or text at its first byte, and not inside a script, an
attribute value or another comment. A link belongs to the region that contains its start tag in the source, wherever
tree construction moves the element (tables move it, formatting elements are copied).

A tree has no source positions, so the start tags inside the regions get an attribute (FLAG), which the tree keeps with
the element: all start tags, because any element can be a link (onclick) or contain one (style). An element between the
links would not work, because insertion modes move or drop it: framesets drop a script, tables move most others before
the table, and inside a script its end tag would end that script.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ttcrawl.web.late import late

FLAG = "data-ttcrawl-content"

_TAG = late(rb"(<[a-zA-Z][^\t\n\f\r />]*+)(?=[\t\n\f\r />])")
_MARK = b" " + FLAG.encode()

# The tokens of the HTML standard (13.2.5), as far as needed to find their ends. Quantifiers are possessive, so that any
# page, hostile ones included, is read once. Most tags match the first alternative: by their first letter they are not
# raw text.
_ATTRIBUTES = rb"""[^>=]*+(?:=[\t\n\f\r ]*+(?:"[^"]*+"|'[^']*+'|(?!["'])[^\t\n\f\r >]*+)[^>=]*+)*+>"""
_RAW_TEXT = (b"script", b"style", b"textarea", b"title", b"xmp", b"iframe", b"noembed", b"noframes")
_RAW = [rb"(?i:%b)(?=[\t\n\f\r />])" % name for name in _RAW_TEXT]
# One alternative per element without group references: in a possessive repetition Python 3.11 loses its groups.
TOKEN = rb"<(?:(?:/[a-zA-Z]|(?![sStTxXiInN])[a-zA-Z])%b|%b|(?!%b)[a-zA-Z]%b|%b)" % (
    _ATTRIBUTES,
    b"|".join(rb"%b%b.*?</%b" % (raw, _ATTRIBUTES, raw) for raw in _RAW),
    b"|".join(_RAW),
    _ATTRIBUTES,
    rb"!--(?:-?>|.*?--!?>)|(?:!(?!--)|\?|/(?![a-zA-Z]))[^>]*+>|(?![a-zA-Z!?/])",
)
_STEP = late(rb"[^<]|" + TOKEN, re.DOTALL)

Span = tuple[int, int]


def spans(html: bytes, start: bytes, end: bytes) -> list[Span]:
    """[from, to) of each region in source order: from a start marker to the next end marker or the end of the page.

    An end marker outside a region and a start marker inside one are ignored. Time is linear in the page.
    """
    if not start or start not in html:
        return []
    plain = _plain(start, end)
    last = max(html.rfind(start), html.rfind(end) if end else -1)
    regions: list[Span] = []
    opened = -1
    position = 0
    while position <= last:
        run = plain.match(html, position)
        position = run.end() if run else position
        if opened < 0 and html.startswith(start, position):
            stop = opened = position + len(start)
        elif opened >= 0 and end and html.startswith(end, position):
            regions.append((opened, position))
            opened, stop = -1, position + len(end)
        else:  # an ignored marker, or a token without end: it contains the rest of the page
            stop = position + 1
        while position < stop:
            step = _STEP.match(html, position)
            if step is None:
                return [*regions, (opened, len(html))] if opened >= 0 else regions
            position = step.end()
    return [*regions, (opened, len(html))] if opened >= 0 else regions


@lru_cache(maxsize=8)
def _plain(start: bytes, end: bytes) -> re.Pattern[bytes]:
    """All text and tokens up to the next marker; compiled once per pair of markers, and a crawl has one pair."""
    markers = [marker for marker in (start, end) if marker]
    marker = b"(?!" + b"|".join(map(re.escape, markers)) + b")"
    initials = b"".join(re.escape(marker[:1]) for marker in markers if marker[:1] != b"<")
    text = rb"(?:[^<%b]++|%b[%b])*+" % (initials, marker, initials) if initials else rb"[^<]*+"
    return re.compile(rb"%b(?:%b%b%b)*+" % (text, marker, TOKEN, text), re.DOTALL)


def flag(html: bytes, regions: list[Span]) -> bytes:
    """The page with the mark FLAG on each start tag in `regions`."""
    pieces: list[bytes] = []
    done = 0
    for start, end in regions:
        between = _TAG.split(html[start:end])  # every second item is the start of a tag; twice as fast as sub
        between[1::2] = [tag + _MARK for tag in between[1::2]]
        pieces += html[done:start], *between
        done = end
    return b"".join((*pieces, html[done:]))


def unflagged(text: str) -> str:
    """The text without marks: a title or an attribute can contain text that resembles a start tag."""
    return text.replace(" " + FLAG, "")
