"""The references in the source of a page, each with its position: trees of a page do not have them.

Only start tags outside of comments and of raw text (scripts, styles) count. The time is linear in the length of any
page: quantifiers are possessive, and an element or a comment that never ends is the last one.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape

from ttcrawl.parse.links.refresh import refresh
from ttcrawl.parse.links.srcset import candidates

#: Attributes with a reference, with several, and with one of another form.
_SINGLE = """
    href src action formaction data poster longdesc xlink:href background lowsrc dynsrc data-src cite manifest
"""
SINGLE = frozenset(_SINGLE.split())
SEVERAL = frozenset(("srcset", "imagesrcset", "data-srcset"))

#: Elements whose content has no tags.
RAW = frozenset(("script", "style", "textarea", "title", "xmp", "noembed", "noframes", "iframe"))

#: Characters of a link's content that are read for its text.
CONTENT = 4000

_START = re.compile(r"<(?:!--|([a-zA-Z][^\s/>]*+))")
_ATTRIBUTE = re.compile(r"""[\s/]*+([^\s/>=][^\s/>=]*+)(?:\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s>"'][^\s>]*+)))?+""")
_TAG = re.compile(r"<[^>]*+>?")
_LINE = re.compile(r"\r\n?|\n")
_IMAGE_TEXT = re.compile(r"""<img\b[^>]*?\balt\s*+=\s*+(?:"([^"]*+)"|'([^']*+)')""", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """`value`: as a tree has it, with character references decoded; `offset`: of the attribute's value, characters."""

    element: str
    value: str
    offset: int
    end: int  # of the last attribute: the content of the element follows


class Lines:
    """The positions of characters in a text."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(match.end() for match in _LINE.finditer(text))]

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, from 1. A character outside of the Basic Multilingual Plane is one column."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1


def references(html: str) -> Iterator[Reference]:
    """In the order of the source; those of one attribute have the same offset."""
    position = 0
    while match := _START.search(html, position):
        if match[1] is None:
            position = html.find("-->", match.end())
            if position < 0:
                return
            continue
        element, position = match[1].lower(), match.end()
        values = []
        while attribute := _ATTRIBUTE.match(html, position):
            position = attribute.end()
            if (group := attribute.lastindex or 1) > 1:
                values += [(each, attribute.start(group)) for each in _values(attribute[1].lower(), attribute[group])]
        for value, offset in values:
            yield Reference(element=element, value=value, offset=offset, end=position)
        if element in RAW:
            end = re.compile(f"</{element}", re.IGNORECASE).search(html, position)
            if end is None:
                return
            position = end.end()


def _values(name: str, value: str) -> list[str]:
    if name in SINGLE:
        return [unescape(value)]
    if name in SEVERAL:
        return candidates(unescape(value))
    if name == "content":
        target = refresh(unescape(value))
        return [target[1]] if target and target[1] else []
    return []


def text_of(html: str, reference: Reference) -> str:
    """The text of a link, white space collapsed; of an image without text around it, its alt."""
    content = html[html.find(">", reference.end) + 1 : reference.end + CONTENT]
    inside = re.split("</a", content, maxsplit=1, flags=re.IGNORECASE)[0]
    text = " ".join(unescape(_TAG.sub("", inside)).split())
    if not text and (image := _IMAGE_TEXT.search(inside)):
        text = " ".join(unescape(image[1] or image[2] or "").split())
    return text
