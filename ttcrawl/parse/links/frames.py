"""Frames outside framesets. The standard's tree omits them (HTML standard 13.2.6.4.7: "ignore the token"), but some old
pages contain them, and other crawlers find them.

A tree has no source positions, so a comment is inserted after each <frame>: only comments are inserted in place in
every insertion mode. A comment directly after a frame (in foreign content: inside it) belongs to a frame that the tree
contains. It follows the frame because a tag starts the page or resumes it, so that no comment is beside the root.
"""

from __future__ import annotations

import re

from ttcrawl.parse.links.attributes import first, value
from ttcrawl.read.regions import FLAG, TOKEN
from ttcrawl.web.late import late

_PATTERNS = {name: first(name.encode()) for name in ("src", "longdesc", "title", FLAG)}
_MARK = "ttcrawl-frame "
# <plaintext> is the last tag of a page: the rest is text
_STOP = rb"<(?i:frame(?=[\t\n\f\r />])|plaintext(?=[\t\n\f\r />]))"
_PASSED = late(rb"(?:[^<]++|(?!%b)%b)*+" % (_STOP, TOKEN), re.DOTALL)
_FRAME = late(rb"<(?i:frame)(?=[\t\n\f\r />])")
_START_TAG = late(TOKEN, re.DOTALL)


def marked(html: bytes) -> tuple[bytes, list[dict[str, str]]]:
    """The page with a comment after each <frame>, and the attributes of these frames that make links."""
    if _FRAME.search(html) is None:
        return html, []
    frames: list[dict[str, str]] = []
    pieces: list[bytes] = []
    position = done = 0
    while (passed := _PASSED.match(html, position)) and _FRAME.match(html, passed.end()):
        start = passed.end()
        tag = _START_TAG.match(html, start)
        if tag is None:  # without an end it is not a token
            break
        position = tag.end()
        pieces += html[done:position], f"<!--{_MARK}{len(frames)}-->".encode()
        done = position
        frames.append(_attributes(html[start + len("<frame") : position - 1]))
    return b"".join((*pieces, html[done:])), frames


def marked_by(comment: str, frames: list[dict[str, str]]) -> dict[str, str]:
    """The attributes of the frame that this comment follows, {} if the comment is the page's own."""
    number = comment.removeprefix(_MARK)
    if number == comment or not (number.isascii() and number.isdigit()) or len(number) > 9:
        return {}
    return frames[int(number)] if int(number) < len(frames) else {}


def _attributes(source: bytes) -> dict[str, str]:
    values = {name: value(pattern, source) for name, pattern in _PATTERNS.items()}
    return {name: text for name, text in values.items() if text is not None}
