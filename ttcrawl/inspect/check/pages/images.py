"""Images without the attribute alt (HTML standard 4.8.4.4), and without a size.

An empty alt is right for decoration. An image that is hidden from readers, or named by ARIA, needs none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ttcrawl.inspect.check.kinds import Problem
from ttcrawl.inspect.check.pages.archive import ArchivedPage
from ttcrawl.web.url import absolute

MISSING_ALT, SIZE = KINDS = ("missing-alt", "image-size")

#: Attributes that name an image in place of alt.
_NAMING = ("alt", "aria-label", "aria-labelledby")

#: Characters of a src that are kept of a data: URL, which contains the image itself.
SHORT = 80


def image_problems(page: ArchivedPage) -> Iterator[Problem]:
    """One problem of a kind for each image of a page, however often it shows it."""
    unnamed, unsized = dict[str, None](), dict[str, None]()
    for node in (*page.elements["img"], *page.elements["input"]):
        about = node.attributes
        if node.tag == "input" and (about.get("type") or "").lower() != "image":
            continue
        src = about.get("src") or ""
        if _lacks_alt(about):
            unnamed[_url(page.extraction.base, src)] = None
        if src and node.tag == "img" and src[:5].lower() != "data:" and _lacks_size(about):
            unsized[_url(page.extraction.base, src)] = None
    yield from (Problem(kind=MISSING_ALT, url=url, source=page.url) for url in unnamed)
    yield from (Problem(kind=SIZE, url=url, source=page.url) for url in unsized)


def _lacks_alt(about: Mapping[str, str | None]) -> bool:
    if not about.keys().isdisjoint(_NAMING) or about.get("role") in ("none", "presentation"):
        return False
    return about.get("aria-hidden") != "true"


def _lacks_size(about: Mapping[str, str | None]) -> bool:
    """A style sheet may give the size, too: that is not seen here, but a style of the image is."""
    style = about.get("style") or ""
    sized = [name in about or name in style for name in ("width", "height")]
    return not (all(sized) or "aspect-ratio" in style or "position:" in style)


def _url(base: str, src: str) -> str:
    if src[:5].lower() == "data:":
        return src[:SHORT]
    return absolute(base, src) or src if src else "an image without src"
