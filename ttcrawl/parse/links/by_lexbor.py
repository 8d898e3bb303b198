"""Links by lexbor, the parser that does the work: the tree of the HTML standard at some 5 µs per KB.

Measured on the Python documentation (530 pages, 96 KB and 310 links each): 0.60 ms a page, of which 0.45 are the bare
parse; parse and css("a[href]") alone take 0.56. The query asks for attributes because asking for the six elements
takes longer (115 µs against 92), what has an href and is no link (link, use) being cheap to pass over here. Its parts
exclude each other because a node that matches two of them is reported twice.
"""

from __future__ import annotations

from selectolax.lexbor import LexborAttributes, LexborDocumentOptions, LexborHTMLParser, LexborNode

from ttcrawl.parse.links.found import Found, is_nofollow, tidied
from ttcrawl.parse.links.refresh import refresh
from ttcrawl.parse.links.regions import CONTENT, ELSEWHERE, FLAG

_QUERY = (
    "[href],[src]:not([href]),[http-equiv=refresh i]:not([href]):not([src]),"
    "meta[name]:not([href]):not([src]):not([http-equiv=refresh i])"
)
# Without events the parser is a little faster and does not copy the chosen option (with the links in it) into
# <selectedcontent>, which is what a browser shows, not what the page says.
_OPTIONS = int(LexborDocumentOptions.WO_EVENTS)
_SAMPLES = ("<base><meta><a><area><iframe>", "<frameset><frame>")
_ID = {node.tag: node.tag_id for sample in _SAMPLES for node in LexborHTMLParser(sample).css("*")}
_A, _AREA, _BASE, _FRAME, _IFRAME, _META = (_ID[tag] for tag in ("a", "area", "base", "frame", "iframe", "meta"))
_RARE = frozenset((_AREA, _BASE, _FRAME, _IFRAME, _META))
_KIND = {_A: ord("a"), _AREA: ord("m"), _FRAME: ord("f"), _IFRAME: ord("i"), _META: ord("r")}

_DEEP = 512  # ancestors that are looked at
# what foreign elements have HTML in them again (HTML standard 13.2.6, integration points)
_HTML_IN = {
    "svg": frozenset(("foreignObject", "desc", "title")),
    "math": frozenset(("mi", "mo", "mn", "ms", "mtext", "annotation-xml")),
}


def find(html: bytes, flagged: bool, rels: bool) -> Found:
    """The links of `html` (UTF-8); `flagged`: regions.flag marked those in a region. Raises what selectolax raises."""
    tree = LexborHTMLParser(html, options=_OPTIONS)
    base: str | None = None
    hrefs: list[str] = []
    kinds = bytearray()
    regions, nofollow = bytearray(), bytearray()
    metas: list[tuple[str, str]] = []
    for node in tree.css(_QUERY):
        tag = node.tag_id
        attributes = node.attrs
        if tag == _A:
            href = attributes.sget("href") or _unusual_href(attributes)
        elif tag in _RARE and not _foreign(node):
            if tag == _BASE and base is None and "href" in attributes:
                base = attributes.sget("href")
            elif tag == _META and "name" in attributes:
                metas.append((attributes.sget("name"), attributes.sget("content")))
            href = _reference(attributes, tag)
        else:
            continue
        if href is None:
            continue
        hrefs.append(href)
        kinds.append(_KIND[tag])
        if flagged:
            regions.append(CONTENT if FLAG in attributes else ELSEWHERE)
        if rels:
            nofollow.append(tag in (_A, _AREA) and is_nofollow(attributes.sget("rel")))
    read = Found(
        base=base,
        hrefs=hrefs,
        kinds=bytes(kinds),
        regions=bytes(regions),
        title=_title(tree),
        metas=metas,
        nofollow=bytes(nofollow),
    )
    return tidied(read, flagged=flagged)


def _reference(attributes: LexborAttributes, tag: int) -> str | None:
    """The URL reference of an area, a frame, an iframe or a refresh, None if it has none (and for a base)."""
    if tag == _AREA:
        return attributes.sget("href") if "href" in attributes else None
    if tag in (_FRAME, _IFRAME):
        return attributes.sget("src") or None
    if tag != _META or attributes.sget("http-equiv").lower() != "refresh":
        return None  # a meta can have been chosen for another attribute
    sent = refresh(attributes.sget("content"))
    return sent[1] if sent else None


def _unusual_href(attributes: LexborAttributes) -> str | None:
    """Of an <a> that has no value of href: "" if it has the attribute, else xlink:href as SVG has it, else None."""
    if "href" in attributes:
        return ""
    return attributes.sget("xlink:href") if "xlink:href" in attributes else None


def _foreign(node: LexborNode) -> bool:
    """Inside SVG or MathML, where <title>, <iframe> and so on are other elements of the same name."""
    path: list[str] = []
    ancestor = node.parent
    while ancestor is not None and len(path) < _DEEP:
        path.append(ancestor.tag or "")
        ancestor = ancestor.parent
    namespace = ""
    for tag in reversed(path):
        if namespace:
            namespace = "" if tag in _HTML_IN[namespace] else namespace
        elif tag in _HTML_IN:
            namespace = tag
    return namespace != ""


def _title(tree: LexborHTMLParser) -> str:
    """The text of the first <title> of HTML."""
    first = tree.css_first("title")
    if first is None:
        return ""
    if not _foreign(first):
        return first.text_lexbor()
    return next((node.text_lexbor() for node in tree.css("title") if not _foreign(node)), "")
