"""Frames outside of framesets. The tree of the standard has none (HTML standard 13.2.6.4.7: "ignore the token"), but
old pages were seen with them, and other crawlers find them.

A tree has no source positions, so a comment is put behind each <frame>: the only node that every insertion mode takes
where it stands. One that directly follows a frame (in a drawing is in it) belongs to a frame that the tree has. Behind
and not before it, because a tag begins the page or takes it up again, so that no comment is beside the root.
"""

from __future__ import annotations

import re

from ttcrawl.parse.links.attributes import first, value
from ttcrawl.read.regions import FLAG, TOKEN

_LOOKED_FOR = {name: first(name.encode()) for name in ("src", "longdesc", "title", FLAG)}
_MARK = "ttcrawl-frame "
# <plaintext> is the last tag of a page: what follows is its text
_STOP = rb"<(?i:frame(?=[\t\n\f\r />])|plaintext(?=[\t\n\f\r />]))"
_PASSED = re.compile(rb"(?:[^<]++|(?!%b)%b)*+" % (_STOP, TOKEN), re.DOTALL)
_FRAME = re.compile(rb"<(?i:frame)(?=[\t\n\f\r />])")
_START_TAG = re.compile(TOKEN, re.DOTALL)


def marked(html: bytes) -> tuple[bytes, list[dict[str, str]]]:
    """The page with a comment behind each <frame>, and the attributes of these frames that make links."""
    if _FRAME.search(html) is None:
        return html, []
    found: list[dict[str, str]] = []
    parts: list[bytes] = []
    at = done = 0
    while (passed := _PASSED.match(html, at)) and _FRAME.match(html, passed.end()):
        start = passed.end()
        tag = _START_TAG.match(html, start)
        if tag is None:  # without an end: no token
            break
        at = tag.end()
        parts += html[done:at], f"<!--{_MARK}{len(found)}-->".encode()
        done = at
        found.append(_attributes(html[start + len("<frame") : at - 1]))
    return b"".join((*parts, html[done:])), found


def marked_by(comment: str, frames: list[dict[str, str]]) -> dict[str, str]:
    """The attributes of the frame behind which this comment stands, {} where it is one of the page's own."""
    number = comment.removeprefix(_MARK)
    if number == comment or not (number.isascii() and number.isdigit()) or len(number) > 9:
        return {}
    return frames[int(number)] if int(number) < len(frames) else {}


def _attributes(source: bytes) -> dict[str, str]:
    values = {name: value(looked_for, source) for name, looked_for in _LOOKED_FOR.items()}
    return {name: found for name, found in values.items() if found is not None}
