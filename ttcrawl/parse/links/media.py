"""What a page displays besides text: two pages with the same text are duplicates only if they display the same."""

from __future__ import annotations

from itertools import compress

from msgspec.structs import replace
from selectolax.lexbor import LexborHTMLParser

from ttcrawl.parse.links.element import IMAGE, MEDIA, OBJECT, references
from ttcrawl.parse.links.extract import Extraction
from ttcrawl.parse.links.wanted import Wanted
from ttcrawl.read.regions import unflagged

#: Their kinds of links, and the elements that may have them.
KINDS = frozenset((IMAGE, MEDIA, OBJECT))
#: For bytes.translate: 1 for these kinds.
_IS_MEDIA = bytes(kind in KINDS for kind in range(256))
_ELEMENTS = ":is([src],[srcset],[background],[imagesrcset],img,video,object,param)"


def with_media(wanted: Wanted) -> Wanted:
    return replace(wanted, kinds=wanted.kinds | KINDS)


def media_urls(page: Extraction, tree: LexborHTMLParser | None) -> tuple[str, ...]:
    """The references of images, media and objects in document order. `page` was read `with_media`; the regular
    expression finds none of them, so then they come from the tree."""
    if page.parser != "regex":
        media = page.kinds.translate(_IS_MEDIA)
        return tuple(map(page.hrefs.__getitem__, compress(range(len(media)), media))) if 1 in media else ()
    hrefs: list[str] = []
    for node in tree.css(_ELEMENTS) if tree is not None else ():
        attributes = {name: value or "" for name, value in node.attributes.items()}
        parent = node.parent.tag or "" if node.parent is not None else ""
        links = references(node.tag or "", attributes, parent)
        hrefs += [unflagged(href) for kind, href in links if kind in KINDS]
    return tuple(hrefs)


def without_unwanted(page: Extraction, wanted: Wanted) -> Extraction:
    """The page without links to images, media and objects that are not wanted as links."""
    unwanted = bytes(KINDS - wanted.kinds)
    if len(page.kinds.translate(None, unwanted)) == len(page.kinds):
        return page
    wants = [kind not in unwanted for kind in page.kinds]
    indexes = compress(range(len(wants)), wants)
    return replace(
        page,
        hrefs=[*compress(page.hrefs, wants)],
        kinds=bytes(compress(page.kinds, wants)),
        regions=bytes(compress(page.regions, wants)),
        nofollow=bytes(compress(page.nofollow, wants)),
        landmarks=bytes(compress(page.landmarks, wants)),
        anchors=tuple(compress(page.anchors, wants)),
        nearby={to: page.nearby[index] for to, index in enumerate(indexes) if index in page.nearby},
    )
