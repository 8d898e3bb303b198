"""The text of an element as a reader sees it, in one line, and the URLs in its attributes."""

from __future__ import annotations

from urllib.parse import urljoin

from selectolax.lexbor import LexborHTMLParser, LexborNode

#: Elements that no word crosses; the names in HTML (15.3: their display is not inline).
_BLOCKS = (
    "address article aside blockquote br button caption center dd details dialog dir div dl dt fieldset figcaption"
    " figure footer form h1 h2 h3 h4 h5 h6 header hr img input legend li main menu nav ol optgroup option p pre search"
    " section select summary table tbody td textarea tfoot th thead tr ul"
)
_SEPARATING = frozenset(_BLOCKS.split())
_HIDDEN = frozenset(("script", "style", "template", "noscript"))

#: Attributes with one URL.
_URLS = frozenset(("href", "src", "action", "data", "poster", "cite"))


def words(element: LexborNode) -> str:
    """The text of an element with single blanks.

    >>> cell = LexborHTMLParser("<p>€<b>5</b>.<i>99</i><br>each<div>or <p>two</div>").body
    >>> words(cell)
    '€5.99 each or two'
    """
    pieces: list[str] = []
    node, inside = element.child, True
    while node is not None:
        tag = node.tag or ""
        if inside and node.is_text_node:
            pieces.append(node.text_content or "")
        elif tag in _SEPARATING:
            pieces.append(" ")
        if inside and tag not in _HIDDEN and node.child is not None:
            node = node.child
            continue
        inside = node.next is not None
        node = node.next or node.parent
        if node is not None and node.mem_id == element.mem_id:
            break
    return " ".join("".join(pieces).split())


def base_of(tree: LexborHTMLParser, url: str) -> str:
    """The URL from which relative ones of a page begin (HTML 4.2.3)."""
    base = tree.css_first("base[href]")
    return _joined(url, base.attributes.get("href") or "") if base else url


def attribute(element: LexborNode, name: str, base: str) -> str | None:
    """The value of an attribute; a URL is absolute. None: the element has no such attribute."""
    if name not in element.attributes:
        return None
    value = element.attributes[name] or ""
    return _joined(base, value) if name in _URLS else value


def _joined(base: str, url: str) -> str:
    try:
        return urljoin(base, url.strip())
    except ValueError:  # such as http://[
        return url
