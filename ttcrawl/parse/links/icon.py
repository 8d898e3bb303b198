"""The icon that a browser requests for a page that names none (HTML standard 4.6.6.8)."""

from __future__ import annotations

from ttcrawl.parse.links.extract import Extraction
from ttcrawl.parse.links.header import HeaderLink, before
from ttcrawl.parse.links.wanted import Wanted
from ttcrawl.vocabulary.kind import LETTERS
from ttcrawl.web.url import host, on_host

ICON = ord(LETTERS["icon"])
USUAL = "/favicon.ico"


def with_icon(page: Extraction, url: str, wanted: Wanted) -> Extraction:
    """The page with the usual icon of its host, unless it names one: also one that is no http(s) URL, such as data:."""
    if ICON in page.kinds or not url.startswith("http"):
        return page
    return before(page, [HeaderLink(href=on_host(url, host(url), USUAL), kind=ICON, title="")], wanted)
