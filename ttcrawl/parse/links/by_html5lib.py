"""Links by html5lib, the reference: the same tree as lexbor's at fifty times the price. Imported when first used."""

from __future__ import annotations

from xml.etree.ElementTree import Element

import html5lib

from ttcrawl.parse.links.found import Found, is_nofollow, tidied
from ttcrawl.parse.links.refresh import refresh
from ttcrawl.parse.links.regions import CONTENT, ELSEWHERE, FLAG

_SVG_A, _MATH_A = "{http://www.w3.org/2000/svg}a", "{http://www.w3.org/1998/Math/MathML}a"
_XLINK = "{http://www.w3.org/1999/xlink}href"


def find(html: bytes, flagged: bool, rels: bool) -> Found:
    """The links of `html` (UTF-8); `flagged`: regions.flag marked those in a region. Raises what html5lib raises."""
    root = html5lib.parse(html.decode("utf-8", "replace"), treebuilder="etree", namespaceHTMLElements=False)
    base: str | None = None
    title: str | None = None
    hrefs: list[str] = []
    kinds = bytearray()
    regions, nofollow = bytearray(), bytearray()
    metas: list[tuple[str, str]] = []
    # a stack and no recursion: a page may be nested deeper than Python's stack
    stack = [root]
    while stack:
        element = stack.pop()
        tag = element.tag
        if tag == "template":  # what is in it is no part of the document; html5lib 1.1 does not know the element
            continue
        if len(element):
            stack.extend(reversed(element))
        if tag == "base" and base is None:
            base = element.get("href")
        elif tag == "title" and title is None:
            title = "".join(element.itertext())
        elif tag == "meta" and "name" in element.attrib:
            metas.append((element.attrib["name"], element.get("content", "")))
        reference = _reference(element)
        if reference is not None:
            href, kind = reference
            hrefs.append(href)
            kinds += kind
            if flagged:
                regions.append(CONTENT if FLAG in element.attrib else ELSEWHERE)
            if rels:
                nofollow.append(kind in (b"a", b"m") and is_nofollow(element.get("rel", "")))
    read = Found(
        base=base,
        hrefs=hrefs,
        kinds=bytes(kinds),
        regions=bytes(regions),
        title=title or "",
        metas=metas,
        nofollow=bytes(nofollow),
    )
    return tidied(read, flagged=flagged)


def _reference(element: Element) -> tuple[str, bytes] | None:
    """(URL reference, kind) of a link, None if the element is none."""
    tag, attributes = element.tag, element.attrib
    if tag in ("a", "area"):
        href = attributes.get("href")
        return None if href is None else (href, b"a" if tag == "a" else b"m")
    if tag in (_SVG_A, _MATH_A):
        href = attributes.get("href", attributes.get(_XLINK))
        return None if href is None else (href, b"a")
    if tag in ("frame", "iframe"):
        src = attributes.get("src")
        return (src, tag[:1].encode()) if src else None
    if tag == "meta" and attributes.get("http-equiv", "").lower() == "refresh":
        sent = refresh(attributes.get("content", ""))
        return (sent[1], b"r") if sent and sent[1] is not None else None
    return None
