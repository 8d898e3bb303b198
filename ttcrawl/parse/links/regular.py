"""Whether the tags of a page are nested without errors, so that its tree is hardly deeper than they are.

`nesting` takes 1 µs per tag. Long pages are mostly generated and have no errors: for them this check takes a fifth of
that. It knows no other pages: "regular" is certain, the opposite means unknown.
"""

from __future__ import annotations

import re
from functools import cache

#: Maximum depth. A parser adds at most two elements to each: the body of a table, and a row.
DEEPEST = 100

#: Elements that only their own tags end, if they contain no block.
_PHRASING = frozenset(
    b"a abbr b bdi bdo big cite code data del dfn em i ins kbd label mark q s samp small span strike strong sub sup"
    b" time tt u var".split()
)
_BLOCKS = frozenset(
    b"address article aside blockquote caption center colgroup dd details div dl dt fieldset figcaption figure footer"
    b" form h1 h2 h3 h4 h5 h6 header li main nav ol p pre section summary table tbody td tfoot th thead tr ul".split()
)
#: Matched with their content, or without any.
_SINGLE = frozenset(
    b"? !-- !doctype !DOCTYPE html /html head /head body /body title /title style /style script /script select svg"
    b" br col hr img input link meta wbr".split()
)
_P = frozenset((b"p",))
#: Their end tags are optional.
_OPTIONAL = frozenset((b"p", b"li", b"dd", b"dt"))
#: Block -> the open elements that its start tag ends, if the innermost one is among them.
_ENDS = {
    **dict.fromkeys(_BLOCKS, _P),
    b"li": frozenset((b"p", b"li")),
    **dict.fromkeys((b"dd", b"dt"), frozenset((b"p", b"dd", b"dt"))),
}

_SPACE = rb"\t\n\f\r "
_ATTRIBUTES = rb"""(?=[%b/>])[^<>"'=]*+(?:=[%b]*+(?:"[^"<]*+"|'[^'<]*+'|[^%b<>"'=]++)[^<>"'=]*+)*+>""" % ((_SPACE,) * 3)
_TEXT = rb"[^<]++|<(?![a-zA-Z/!?])"


def _element(name: bytes, content: bytes) -> bytes:
    return rb"%b%b(?:%b)*+</%b>" % (name, _ATTRIBUTES, content, name)


def _any_of(names: tuple[bytes, ...], content: bytes) -> bytes:
    return b"|".join(_element(name, content) for name in names)


_LEAVES = (b"span", b"code", b"em", b"b", b"i", b"strong")
_LEAF = _any_of(_LEAVES, _TEXT)
_IN_LINK = _any_of(_LEAVES, rb"%b|<(?:%b)" % (_TEXT, _LEAF))
_INLINE = b"|".join((_element(b"a", rb"%b|<(?:%b)" % (_TEXT, _IN_LINK)), _LEAF))
_RAW = b"|".join(
    rb"(?<=<%b)%b(?:[^<]++|<(?!/(?i:%b)))*+" % (n, _ATTRIBUTES, n) for n in (b"script", b"style", b"title")
)
_COMMENT = rb"(?<=<!--)(?!-?>)(?:[^-]++|-(?!-))*+-->"
#: With content of one form only.
_SELECT = rb"(?<=<select)%b(?:[%b]++|<option%b[^<]*+(?:</option>)?+)*+</select>" % (_ATTRIBUTES, _SPACE, _ATTRIBUTES)
_SHAPE = rb"(?:path|circle|rect)%b(?:(?<=[%b\"']/>)|[%b]*+</(?:path|circle|rect)>)" % (_ATTRIBUTES, _SPACE, _SPACE)
_SVG = rb"(?<=<svg)%b(?:[%b]++|<%b)*+</svg>" % (_ATTRIBUTES, _SPACE, _SHAPE)


@cache
def _tags() -> re.Pattern[bytes]:
    """Matches each tag: its name, with a slash if it is an end tag; "" for anything unusual. Text, and inline elements
    without other content, belong to the tag before them.

    It is compiled for the first long page: this takes 0.04 s, which a crawl of short pages does not need.
    """
    return re.compile(
        rb"<(/?(?!select|svg)[a-z][a-z0-9]*+(?=%b)|!--(?=%b)|(?:!doctype|!DOCTYPE|\?)(?=[^<>]*+>)|select(?=%b)|svg(?=%b)"
        rb"|(?=[a-zA-Z/!?]))(?:%b|%b|%b|%b|(?<=[a-z0-9])%b(?:%b|<(?:%b))*+)?+"
        % (_ATTRIBUTES, *(_COMMENT, _SELECT, _SVG) * 2, _RAW, _ATTRIBUTES, _TEXT, _INLINE)
    )


def is_regular(html: bytes, deepest: int = DEEPEST) -> bool:
    """Whether surely no element of a page is deeper than three times `deepest`, and a tree of it takes linear time."""
    stack = [b"/"]  # the name of no element
    names = _tags().findall(html)
    for name in names:
        if name in _SINGLE:
            continue
        top = stack[-1]
        if name in _ENDS or name == b"/p":
            if top in _PHRASING or (top == b"p" and name == b"table"):
                return False
            while stack[-1] in _ENDS.get(name, _P):
                stack.pop()
            if name == b"/p":  # without a paragraph it makes an empty one
                continue
        elif name not in _PHRASING:
            if not name.startswith(b"/"):
                return False
            name = name[1:]
            while stack[-1] != name:
                if stack.pop() not in _OPTIONAL:
                    return False
            stack.pop()
            continue
        if len(stack) > deepest:
            return False
        stack.append(name)
    return all(names.count(name) <= 1 for name in (b"html", b"body"))  # their attributes are merged
