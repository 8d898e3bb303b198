"""Images without the attribute alt (HTML standard 4.8.4.4): a reader who does not see them learns nothing of them.

An empty alt is right for decoration. An image that is hidden from readers, or named by ARIA, needs none.
"""

from __future__ import annotations

from collections.abc import Iterator

from ttcrawl.inspect.check.kinds import MISSING_ALT, Problem
from ttcrawl.inspect.check.pages.archive import ArchivedPage
from ttcrawl.web.url import joined

SELECTOR = ", ".join(
    f"{element}:not([alt]):not([aria-label]):not([aria-labelledby]):not([aria-hidden=true])"
    ":not([role=none]):not([role=presentation])"
    for element in ("img", "input[type=image]")
)

#: Characters of a src that are kept of a data: URL, which contains the image itself.
SHORT = 80


def image_problems(page: ArchivedPage) -> Iterator[Problem]:
    """One problem for each such image of a page, however often it shows it."""
    urls = {_url(page.extraction.base, node.attributes.get("src") or ""): None for node in page.tree.css(SELECTOR)}
    for url in urls:
        yield Problem(kind=MISSING_ALT, url=url, source=page.url)


def _url(base: str, src: str) -> str:
    if src[:5].lower() == "data:":
        return src[:SHORT]
    try:
        return joined(base, src) if src else "an image without src"
    except (ValueError, UnicodeEncodeError):
        return src
