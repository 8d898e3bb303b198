"""Find pages that would take a parser minutes, by their bytes, before a parser reads them.

Tree construction in the HTML standard is not linear: nearly every tag searches the open elements, every attribute is
compared with the others of its element, and formatting elements are copied into each block after them. No library
limits this, and none can be interrupted. Browsers limit the depth (512 in Blink), so pages that people read are far
below it.

The count is an upper estimate: an end tag that a parser may ignore closes no element. It costs nothing for pages of
less than 90 KB and 1 µs/KB above `LARGE`; tags are examined only in pages with at least `TAGS`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import re2

from ttcrawl import core
from ttcrawl.parse.links.nesting import Nesting, TooDeep
from ttcrawl.parse.links.regular import is_regular
from ttcrawl.web.late import late

#: Maximum attributes of one element, and maximum nesting depth of elements.
ATTRIBUTES, DEEPEST = 1000, 512
TOO_MANY = f"more than {ATTRIBUTES:,} attributes in one element"

#: Below these limits a page is parsed without a check: it takes two seconds at most, for any content.
LARGE, TAGS = 128 << 10, 30_000
_SHORTEST = len("<b>")
_SHORTEST_OF_MANY = ATTRIBUTES * len("a ")

_SPACE = rb"\t\n\f\r "
# An attribute as the tokenizer reads it (HTML standard 13.2.5.32 to 13.2.5.39); possessive, so each byte is read once.
_ATTRIBUTE = (
    rb"""[%b/]*+[^%b/>][^%b/>=]*+(?:[%b]*+=[%b]*+(?:"[^"]*+"|'[^']*+'|[^%b>]*+))?+""" % ((_SPACE,) * 6)
)  # fmt: skip
_ATTRIBUTES = late(_ATTRIBUTE)
# A token without an end runs to the end of the page: no byte is read twice.
_END = rb"[%b/]*+(?:>|\Z)" % _SPACE
_MARKUP = rb"!--(?:-?>|.*?(?:--!?>|\Z))|(?:[!?]|/(?![a-zA-Z]))[^>]*+(?:>|\Z)"
_TOKEN = late(
    rb"<(?:(/?)([a-zA-Z][^%b/>]*+)((?:%b)*+)([%b/]*+)(?:>|\Z)|%b)" % (_SPACE, _ATTRIBUTE, _SPACE, _MARKUP), re.DOTALL
)
_RAW = (b"script", b"style", b"textarea", b"title", b"xmp", b"iframe", b"noembed", b"noframes")
_RAW_TEXT = {name: re.compile(rb"</%b(?=[%b/>])" % (name, _SPACE), re.IGNORECASE) for name in _RAW}
# Everything up to a tag with too many attributes. Most tags match the first alternative: not raw text by their first
# letter, with few attributes in double quotes.
_SHORT = rb"""[^>"'=]{0,200}+(?:="[^"]*+"[^>"'=]{0,200}+){0,9}+>"""
_USUAL = rb"[^%b/>]*+(?:%b){0,%d}+%b" % (_SPACE, _ATTRIBUTE, ATTRIBUTES, _END)
_RAW_ELEMENTS = b"|".join(
    rb"(?i:%b)(?=[%b/>])%b(?:[^<]++|<(?!/(?i:%b)))*+" % (name, _SPACE, _USUAL, name) for name in _RAW
)
_NOT_RAW = rb"(?![sS][cCtT]|[tT][eEiI]|[xX][mM]|[iI][fF]|[nN][oO])[a-zA-Z]"
_TAGS = rb"(?:/[a-zA-Z]|%b)(?:%b|%b)|%b|(?:/[a-zA-Z]|[a-zA-Z])%b|%b|(?![a-zA-Z!?/])" % (
    _NOT_RAW,
    _SHORT,
    _USUAL,
    _RAW_ELEMENTS,
    _USUAL,
    _MARKUP,
)
_FEW = late(rb"(?:[^<]++|<(?:%b))*+" % _TAGS, re.DOTALL)
# Text and elements without effect on the elements after them: the most frequent ones in long pages.
_INSIDE = rb"(?=[%b/>])%b[^<]*+</" % (_SPACE, _SHORT)
_LEAVES = late(
    rb"(?:[^<]++|<(?:%b|(?:br|img|wbr)(?=[%b/>])%b))*+"
    % (b"|".join(rb"%b%b%b>" % (n, _INSIDE, n) for n in (b"span", b"a", b"code", b"i", b"b", b"em")), _SPACE, _SHORT)
)


#: For expressions over bytes: RE2 takes a third to a half of the time of `re`.
BYTES = re2.Options()
BYTES.encoding = re2.Options.Encoding.LATIN1
#: An attribute whose value contains ">".
_QUOTED_END = re2.compile(rb"""=[%b]*(?:"[^">]*>|'[^'>]*>)""" % _SPACE, BYTES)


class Tag(NamedTuple):
    start: int
    name: bytes  # in lower case
    attributes: bytes  # unchanged


def too_heavy(html: bytes, *, large: int = LARGE, tags: int = TAGS, deepest: int = DEEPEST) -> str:
    """Why a page must not be parsed; "" if it may be."""
    size = len(html)
    if size > large and may_have_many(html) and has_many(html):
        return TOO_MANY
    if size < tags * _SHORTEST or not has_tags(html, tags):
        return ""
    if core.native is None:
        return "" if size > large and is_regular(html) else too_nested(html, deepest)
    why = too_nested(html, deepest)  # the quicker one
    return "" if why and size > large and is_regular(html) else why


def too_nested(html: bytes, deepest: int) -> str:
    """Why a page must not be parsed, by its tags one after the other; "" if it may be."""
    if core.native is not None:
        why, attributes = core.native.nesting(html, deepest)
        return why or (TOO_MANY if attributes > ATTRIBUTES else "")
    merged = dict.fromkeys((b"html", b"body"), 0)  # the attributes of all <body> tags go to one element
    try:
        for tag in _tags(html, Nesting(deepest)):
            if tag.name in merged:
                merged[tag.name] += len(_ATTRIBUTES.findall(tag.attributes))
    except TooDeep as error:
        return str(error)
    return TOO_MANY if max(merged.values()) > ATTRIBUTES else ""


def has_tags(html: bytes, count: int) -> bool:
    """Whether a page may have this number of tags, or more."""
    return core.native.has_tags(html, count) if core.native is not None else html.count(b"<") >= count


def may_have_many(html: bytes) -> bool:
    """Whether one tag may have many attributes: it is long, and contains no ">", or only in a quoted value."""
    if core.native is not None:
        return core.native.may_have_long_tag(html, _SHORTEST_OF_MANY)
    position, last = 0, len(html) - _SHORTEST_OF_MANY
    while position <= last:
        end = html.rfind(b">", position, position + _SHORTEST_OF_MANY)
        if end < 0:
            end = html.find(b">", position + _SHORTEST_OF_MANY)
            end = len(html) if end < 0 else end
            tag = html.find(b"<", position, end)
            if 0 <= tag <= end - _SHORTEST_OF_MANY:
                return True
        position = end + 1
    return _QUOTED_END.search(html) is not None


def has_many(html: bytes) -> bool:
    """Whether one tag has more than ATTRIBUTES attributes."""
    if core.native is not None:
        return core.native.has_many_attributes(html, ATTRIBUTES)
    few = _FEW.match(html)
    return few is not None and few.end() < len(html)


def _tags(html: bytes, nesting: Nesting) -> Iterator[Tag]:
    """The tags of a page, except those in comments and raw text. Raises TooDeep."""
    begin = position = 0
    find, leaves = _TOKEN.search, _LEAVES.match
    while True:
        if not nesting.foreign and (leaf := leaves(html, position)) is not None:
            position = leaf.end()
        token = find(html, position)
        if token is None:
            return
        if token.start() > begin:
            nesting.text()
        position = begin = token.end()
        name = token[2]
        if name is None:
            continue
        name, attributes = name.lower(), token[3]
        if token[1]:
            nesting.end(name)
            continue
        raw = _RAW_TEXT.get(name) if not nesting.foreign else None
        if raw is None:
            nesting.start(name, attributes, closed=token[4].endswith(b"/"))
        yield Tag(token.start(), name, attributes)
        if raw is not None:
            end = raw.search(html, position)
            if end is None:
                return
            position = end.start()
