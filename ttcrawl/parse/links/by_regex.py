"""Links by a regular expression: the last resort, when no tree can be had.

It reads start tags wherever they stand and knows nothing of context: links in comments, scripts, templates and text
areas are taken too, by design, because a page on which both parsers failed is not one to be strict with. Everything it
runs is linear in the page, whatever the page holds: quantifiers are possessive and no start tag fails to match, so no
byte is looked at from two starting points.
"""

from __future__ import annotations

import html as entities
import re
from html.entities import html5

from ttcrawl.parse.links.found import Found, tidy
from ttcrawl.parse.links.refresh import refresh
from ttcrawl.parse.links.regions import CONTENT, ELSEWHERE, Span

_TAG = re.compile(
    rb"""<(?i:(a|area|base|frame|iframe|meta))(?=[\t\n\f\r /])"""
    rb"""((?:[^>=]++|=[\t\n\f\r ]*+(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z)|[^\t\n\f\r >]*+))*+)"""
)
_SPACE = rb"\t\n\f\r "
_ASSIGNED = rb"""[%b]*+=[%b]*+(?:"([^"]*+)"?|'([^']*+)'?|([^%b>]*+))""" % (_SPACE, _SPACE, _SPACE)
_SKIPPED = rb"""[%b]*+=[%b]*+(?:"[^"]*+"?|'[^']*+'?|[^%b>]*+)""" % (_SPACE, _SPACE, _SPACE)


def _first(name: bytes) -> re.Pattern[bytes]:
    """The first attribute of that name behind any others, at the start of what follows the name of a tag."""
    named = rb"(?i:%b)(?=[%b/>=]|\Z)" % (name, _SPACE)
    other = rb"(?!%b)[^%b/>][^%b/>=]*+(?:%b)?+" % (named, _SPACE, _SPACE, _SKIPPED)
    return re.compile(rb"(?:[%b/]*+%b)*+[%b/]*+%b(?:%b)?" % (_SPACE, other, _SPACE, named, _ASSIGNED))


_HREF, _SRC, _HTTP_EQUIV, _CONTENT, _META_NAME = map(_first, (b"href", b"src", b"http-equiv", b"content", b"name"))
_TITLE = re.compile(rb"<(?i:title)(?=[\t\n\f\r />])[^>]*+>?")
_END_OF_TITLE = re.compile(rb"</(?i:title)")
# HTML standard 13.2.5.73: in an attribute, a name without ";" before "=" or an alphanumeric is no reference
_NAME = r"[A-Za-z][A-Za-z0-9]{0,31}(?:;|(?![A-Za-z0-9=]))"
_REFERENCE = re.compile(rf"&(?:#(?:[xX][0-9a-fA-F]{{1,32}}(?![0-9a-fA-F])|[0-9]{{1,32}}(?![0-9]));?|({_NAME}))")
_TITLE_SOURCE = 4096  # bytes; html.unescape refuses numbers of more than 4300 digits


def find(html: bytes, regions: list[Span] | None) -> Found:
    """Everything in `html` (UTF-8) that looks like a link; `regions` are the spans of content, None: all is content."""
    base: str | None = None
    hrefs: list[str] = []
    places: list[int] = []
    metas: list[tuple[str, str]] = []
    for tag in _TAG.finditer(html):
        name = tag[1].lower()
        if name == b"base":
            base = _attribute(_HREF, tag[2]) if base is None else base
            continue
        if name == b"meta" and (named := _attribute(_META_NAME, tag[2])) is not None:
            metas.append((named, _attribute(_CONTENT, tag[2]) or ""))
        href = _reference(name, tag[2])
        if href is not None:
            hrefs.append(href)
            places.append(tag.start())
    found = len(hrefs)
    inside = _regions(places, regions) if regions is not None else b""
    return Found(
        base=base,
        hrefs=hrefs,
        kinds=b"x" * found,
        regions=inside,
        title=_title(html),
        metas=metas,
        nofollow=b"",
    )


def _reference(name: bytes, attributes: bytes) -> str | None:
    if name in (b"a", b"area"):
        return _attribute(_HREF, attributes)
    if name != b"meta":
        return _attribute(_SRC, attributes) or None
    if (_attribute(_HTTP_EQUIV, attributes) or "").lower() != "refresh":
        return None
    sent = refresh(_attribute(_CONTENT, attributes) or "")
    return sent[1] if sent else None


def _attribute(first: re.Pattern[bytes], attributes: bytes) -> str | None:
    """The value of the attribute that `first` looks for, "" without a value, None if there is none."""
    found = first.match(attributes)
    return _decoded(found[1] or found[2] or found[3] or b"") if found else None


def _decoded(value: bytes) -> str:
    text = value.decode("utf-8", "replace")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _REFERENCE.sub(_character, text) if "&" in text else text


def _character(reference: re.Match[str]) -> str:
    name = reference[1]
    return entities.unescape(reference[0]) if name is None else html5.get(name, reference[0])


def _title(html: bytes) -> str:
    start = _TITLE.search(html)
    if start is None:
        return ""
    end = _END_OF_TITLE.search(html, start.end())
    source = html[start.end() : end.start() if end else len(html)][:_TITLE_SOURCE]
    return tidy(entities.unescape(source.decode("utf-8", "replace")))


def _regions(places: list[int], regions: list[Span]) -> bytes:
    letters = bytearray()
    spans = iter(regions)
    start, end = next(spans, (0, -1))
    for place in places:
        while 0 <= end <= place:
            start, end = next(spans, (0, -1))
        letters.append(CONTENT if start <= place < end else ELSEWHERE)
    return bytes(letters)
