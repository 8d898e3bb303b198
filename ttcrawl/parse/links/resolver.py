"""hrefs -> canonical URLs with their key, host and scope, remembered.

The pages of a site repeat the same navigation, so most hrefs were resolved before on a page of the same directory; a
look-up costs a twentieth of resolving again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from ttcrawl.vocabulary.reason import Code
from ttcrawl.web.canon import Canon
from ttcrawl.web.url import host, key

#: Why a canonical URL is not to be asked for, or "", and the rule that says so ("" where the reason says it all).
Refusal: TypeAlias = Callable[[str], tuple[Code, str]]


@dataclass(frozen=True, slots=True)
class Target:
    """What a link points to."""

    url: str
    key: int
    host: str
    refused: Code  # "" or the reason: of scope, or of a trap
    rule: str  # that refused it
    spelling: str  # the absolute URL before it was made canonical, "" where that is no other


def needs_file_name(href: str) -> bool:
    """A reference without fragment that depends on the whole base URL: empty or only a query, all else on its
    directory alone. A leading space or control character may hide either (the URL parser strips them), and so does the
    scheme of the base without slashes (http:?page=2, URL standard 4.4, scheme state)."""
    if not href > "!" or href[0] == "?":
        return True
    scheme, colon, rest = href.partition(":")
    return bool(colon) and scheme.lower() in ("http", "https") and not rest.startswith(("/", "\\"))


def target_of(url: str, spelling: str, refusal: Refusal) -> Target:
    return Target(url, key(url), host(url), *refusal(url), spelling)


class Resolver:
    """`capacity` bounds the hrefs remembered; when it is reached all are forgotten."""

    def __init__(self, canon: Canon, refusal: Refusal, capacity: int = 200_000) -> None:
        self._canon = canon
        self._refusal = refusal
        self._capacity = capacity
        self._size = 0
        self._directories: dict[str, dict[str, Target | None]] = {}

    def page(self, base: str) -> PageResolver:
        """A resolver for the links of one page whose base URL is `base`."""
        if self._size > self._capacity:
            self._directories.clear()
            self._size = 0
        directory = base.partition("?")[0].rpartition("/")[0]
        known = self._directories.setdefault(directory, {})
        return PageResolver(self, base, known)

    def resolve(self, base: str, href: str) -> Target | None:
        url, spelling = self._canon.spelled(base, href)
        return None if url is None else target_of(url, spelling, self._refusal)

    def grew(self) -> None:
        self._size += 1


class PageResolver:
    """The links of one page."""

    def __init__(self, resolver: Resolver, base: str, known: dict[str, Target | None]) -> None:
        self._resolver = resolver
        self._base = base
        self._known = known
        self._own: dict[str, Target | None] = {}

    @property
    def bound(self) -> bool:
        """One of them, other than to the page itself, depended on more of the base URL than its directory."""
        return any(self._own)

    def target(self, href: str) -> Target | None:
        """Where an href without fragment leads; None: to no http(s) URL."""
        # a glance at what `needs_file_name` says: the rest of it is asked once for each href
        known = self._known if href > "!" and href[0] != "?" else self._own
        try:
            return known[href]
        except KeyError:
            known = self._own if needs_file_name(href) else known
            target = known[href] = self._resolver.resolve(self._base, href)
            self._resolver.grew()
            return target
