"""A cache of hrefs -> canonical URLs with their key, host and scope.

The pages of a site repeat the same navigation, so most hrefs were already resolved on a page of the same directory. A
cache look-up costs a twentieth of resolving.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from ttcrawl.vocabulary.reason import Code
from ttcrawl.web.canon import Canon
from ttcrawl.web.url import host, key

#: URL -> (why it must not be requested, or ""; the rule that refused it, "" if the reason is sufficient).
Refusal: TypeAlias = Callable[[str], tuple[Code, str]]


@dataclass(frozen=True, slots=True)
class Target:
    """The target of a link."""

    url: str
    key: int
    host: str
    refused: Code  # the reason of scope or a trap, or ""
    rule: str  # the rule that refused it
    spelling: str  # the absolute URL before it was made canonical, "" if identical


def needs_file_name(href: str) -> bool:
    """Whether a reference without fragment depends on the complete base URL: empty or only a query. All others depend
    on the directory alone. A leading space or control character may hide either case (the URL parser strips them), and
    so may the scheme of the base without slashes (http:?page=2, URL standard 4.4, scheme state)."""
    if not href > "!" or href[0] == "?":
        return True
    scheme, colon, rest = href.partition(":")
    return bool(colon) and scheme.lower() in ("http", "https") and not rest.startswith(("/", "\\"))


def target_of(url: str, spelling: str, refusal: Refusal) -> Target:
    return Target(url, key(url), host(url), *refusal(url), spelling)


class Resolver:
    """`capacity` limits the cached hrefs; above it the cache is cleared."""

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
        targets = self._directories.setdefault(directory, {})
        return PageResolver(self, base, targets)

    def resolve(self, base: str, href: str) -> Target | None:
        url, spelling = self._canon.spelled(base, href)
        return None if url is None else target_of(url, spelling, self._refusal)

    def grew(self) -> None:
        self._size += 1


class PageResolver:
    """The links of one page."""

    def __init__(self, resolver: Resolver, base: str, targets: dict[str, Target | None]) -> None:
        self._resolver = resolver
        self._base = base
        self._targets = targets
        self._own: dict[str, Target | None] = {}

    @property
    def uses_page_url(self) -> bool:
        """Whether the target of any link, except links to the page itself, depended on more of the base URL than its
        directory."""
        return any(self._own)

    def target(self, href: str) -> Target | None:
        """The target of an href without fragment; None: not an http(s) URL."""
        # a quick check first: `needs_file_name` is called once per href
        targets = self._targets if href > "!" and href[0] != "?" else self._own
        try:
            return targets[href]
        except KeyError:
            targets = self._own if needs_file_name(href) else targets
            target = targets[href] = self._resolver.resolve(self._base, href)
            self._resolver.grew()
            return target
