"""The links of an answer that its document after scripts has no more: a page has the links of both."""

from __future__ import annotations

import ada_url
from msgspec.structs import replace

from ttcrawl.parse.links.element import REFRESH
from ttcrawl.parse.links.extract import Extraction
from ttcrawl.parse.links.header import NOWHERE
from ttcrawl.parse.links.wanted import Wanted

#: Their landmark.
REMOVED = b"s"


def with_removed(page: Extraction, answer: Extraction, wanted: Wanted) -> Extraction:
    """The page after scripts with the links of its answer that scripts removed, behind its own.

    A refresh that is there no more stood in noscript: it is not for who has scripts.
    """
    known = {_joined(page.base, href) for href in page.hrefs}
    missing = [
        index
        for index, (href, kind) in enumerate(zip(answer.hrefs, answer.kinds, strict=True))
        if kind != REFRESH and _joined(answer.base, href) not in known
    ]
    if not missing:
        return page
    landmarks = page.landmarks or NOWHERE * len(page.hrefs)
    texts = answer.anchors or ("",) * len(answer.hrefs)
    return replace(
        page,
        hrefs=[*page.hrefs, *(_joined(answer.base, answer.hrefs[index]) for index in missing)],
        kinds=page.kinds + bytes(answer.kinds[index] for index in missing),
        regions=page.regions + bytes(answer.regions[index] for index in missing),
        nofollow=page.nofollow + bytes(answer.nofollow[index] for index in missing),
        landmarks=landmarks + REMOVED * len(missing) if wanted.landmarks else b"",
        anchors=(*(page.anchors or ("",) * len(page.hrefs)), *(texts[index] for index in missing))
        if wanted.anchors
        else (),
    )


def _joined(base: str, href: str) -> str:
    """The URL without its fragment; the reference itself if there is none."""
    try:
        url = ada_url.URL(href, base)
    except ValueError:
        return href
    url.hash = ""
    return url.href
