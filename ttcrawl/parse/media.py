"""The content that a page displays besides text: images, media and embedded objects."""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser

from ttcrawl.parse.links.element import IMAGE, MEDIA, OBJECT, references
from ttcrawl.parse.links.extract import Extraction
from ttcrawl.parse.links.wanted import Wanted
from ttcrawl.read.regions import unflagged

_MEDIA_KINDS = frozenset((IMAGE, MEDIA, OBJECT))
_QUERY = ":is([src],[srcset],[background],[imagesrcset],img,video,object,param)"


def media_urls(page: Extraction, tree: LexborHTMLParser | None, wanted: Wanted) -> tuple[str, ...]:
    """Their references in document order: from the links if these kinds were collected, else from the tree."""
    if wanted.kinds >= _MEDIA_KINDS and page.parser != "regex":
        if _MEDIA_KINDS.isdisjoint(page.kinds):
            return ()
        return tuple(href for href, kind in zip(page.hrefs, page.kinds, strict=True) if kind in _MEDIA_KINDS)
    hrefs: list[str] = []
    for node in tree.css(_QUERY) if tree is not None else ():
        attributes = {name: value or "" for name, value in node.attributes.items()}
        parent = node.parent.tag or "" if node.parent is not None else ""
        links = references(node.tag or "", attributes, parent)
        hrefs += [unflagged(href) for kind, href in links if kind in _MEDIA_KINDS]
    return tuple(hrefs)
