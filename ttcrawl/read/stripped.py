"""The text of HTML without a tree, for pages that no parser could read: the source without its tags."""

from __future__ import annotations

import re
from html import unescape

from ttcrawl.read.tree import INLINE
from ttcrawl.web.late import late

# Elements that never contain text, with their content; elements within words; all other tags. Each pattern is linear.
_HIDDEN = late(r"<!--.*?(?:-->|\Z)|<(script|style|template|title|svg|iframe)\b.*?(?:</\1\s*>|\Z)", re.DOTALL | re.I)
_INLINE = late(rf"</?(?:{'|'.join(INLINE.split())})(?=[\s/>])[^<>]*+>", re.IGNORECASE)
_TAG = late(r"<[/!?a-zA-Z][^<>]*+>")


def stripped(html: bytes) -> str:
    """Lines of text, white space collapsed. An attribute that contains ">" ends its tag too early."""
    text = _HIDDEN.sub("", html.decode("utf-8", "replace"))
    text = unescape(_TAG.sub("\n", _INLINE.sub("", text)))
    return "\n".join(line for each in text.split("\n") if (line := " ".join(each.split())))
