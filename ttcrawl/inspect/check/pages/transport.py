"""What goes over http where it can be read and changed: what https pages load, and what forms send.

Mixed Content (W3C) section 4. What a browser upgrades to https itself counts only where the page asks for it.
"""

from __future__ import annotations

from collections.abc import Iterator

from ttcrawl.inspect.check.kinds import Problem
from ttcrawl.inspect.check.links.invalid import is_own
from ttcrawl.inspect.check.pages.archive import ArchivedPage
from ttcrawl.inspect.check.pages.policy import policies
from ttcrawl.vocabulary.kind import REQUISITES
from ttcrawl.web.url import absolute

MIXED, FORM = KINDS = ("mixed-content", "http-form")

_UPGRADE = "upgrade-insecure-requests"


def transport_problems(page: ArchivedPage) -> Iterator[Problem]:
    if not page.url.startswith("https:"):
        if not is_own(page.url) and any(_is_password(node.attributes) for node in page.elements["input"]):
            yield Problem(kind=FORM, url=page.url, detail="a password over http")
        return
    if any(_UPGRADE in policy.lower() for policy in policies(page)):
        return
    hrefs = zip(page.extraction.hrefs, page.extraction.kinds, strict=True)
    loaded = dict.fromkeys(href for href, kind in hrefs if kind in REQUISITES and _may_be_http(page, href))
    for url in dict.fromkeys(absolute(page.extraction.base, href) for href in loaded):
        if url.startswith("http:") and not is_own(url):
            yield Problem(kind=MIXED, url=url, source=page.url)
    actions = (node.attributes.get("action") or "" for node in page.elements["form"])
    targets = (absolute(page.extraction.base, action) for action in actions if _may_be_http(page, action))
    for url in dict.fromkeys(targets):
        if url.startswith("http:") and not is_own(url):
            yield Problem(kind=FORM, url=url, source=page.url)


def _is_password(about: dict[str, str | None]) -> bool:
    return (about.get("type") or "").lower() == "password"


def _may_be_http(page: ArchivedPage, href: str) -> bool:
    """Most references are relative: they have the scheme of the page, unless it has another base URL."""
    return href.lstrip()[:5].lower() == "http:" or not page.extraction.base.startswith("https:")
