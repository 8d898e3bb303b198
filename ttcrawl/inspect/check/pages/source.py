"""The references in the source of a page, each with its position: trees of a page do not have them.

Only start tags outside of comments and of raw text (scripts, styles) count. The time is linear in the length of any
page: quantifiers are possessive, and an element or a comment that never ends is the last one.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Set
from dataclasses import dataclass
from functools import cache, lru_cache
from html import unescape
from typing import NamedTuple

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

_VALUE = r"""\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>"'][^\s>]*+)"""
_ATTRIBUTES = rf"(?:[\s/]*+[^\s/>=][^\s/>=]*+(?:{_VALUE})?+)*+"
#: Text, end tags, and start tags without another attribute than class: most of a page, which needs no look.
_SKIPPED = r"""(?:[^<]++|<(?!!--|[a-zA-Z])|<(?!(?i:{})[\s/>])[a-zA-Z][a-zA-Z0-9]*+(?:\s++class="[^"]*+")?+\s*+/?+>)*+"""
_ATTRIBUTE = re.compile(r"""[\s/]*+([^\s/>=][^\s/>=]*+)(?:\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s>"'][^\s>]*+)))?+""")
_TAG = re.compile(r"<[^>]*+>?")
_LINE = re.compile(r"\r\n?|\n")


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


class Tag(NamedTuple):
    """A start tag. Offsets in characters: of its "<", and where its attributes begin and end."""

    element: str  # in lower case
    offset: int
    begin: int
    end: int


@lru_cache(maxsize=64)  # elements may have any name
def _start(elements: Set[str]) -> re.Pattern[str]:
    """The next start tag that has attributes or one of these names, or the next comment."""
    skipped = _SKIPPED.replace("{}", "|".join(sorted(elements)))
    return re.compile(rf"{skipped}<(?:!--|([a-zA-Z][^\s/>]*+)({_ATTRIBUTES}))")


def tags(html: str, elements: Set[str] = frozenset()) -> Iterator[Tag]:
    """The start tags in the order of the source; those without attributes, or with class alone, of these elements."""
    start = _start(RAW | elements)
    position = 0
    while match := start.match(html, position):
        if match[1] is None:
            position = html.find("-->", match.end())
            if position < 0:
                return
            continue
        element, position = match[1].lower(), match.end()
        yield Tag(element, match.start(1) - 1, *match.span(2))
        if element in RAW:
            end = _end(element).search(html, position)
            if end is None:
                return
            position = end.end()


@cache
def _end(element: str) -> re.Pattern[str]:
    return re.compile(f"</{element}", re.IGNORECASE)


def attributes(html: str, tag: Tag) -> Iterator[tuple[str, str, int]]:
    """Name in lower case, value as written, and its offset, of the attributes that have a value."""
    position = tag.begin
    while position < tag.end and (attribute := _ATTRIBUTE.match(html, position, tag.end)):
        position = attribute.end()
        if (group := attribute.lastindex or 1) > 1:
            yield attribute[1].lower(), attribute[group], attribute.start(group)


def references(html: str, tag: Tag) -> Iterator[Reference]:
    """Those of one tag; several in one attribute have the same offset."""
    for name, written, offset in attributes(html, tag):
        for value in _values(name, written):
            yield Reference(element=tag.element, value=value, offset=offset, end=tag.end)


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
    limit = reference.end + CONTENT
    begin = html.find(">", reference.end, limit) + 1
    content = html[begin:limit] if begin else ""
    inside = re.split("</a", content, maxsplit=1, flags=re.IGNORECASE)[0]
    text = " ".join(unescape(_TAG.sub("", inside)).split())
    return text or " ".join(unescape(next(_alts(inside), "")).split())


def _alts(html: str) -> Iterator[str]:
    """The texts of images."""
    for tag in tags(html):
        if tag.element == "img":
            yield from (value for name, value, _ in attributes(html, tag) if name == "alt")
