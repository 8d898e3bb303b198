"""The versions of a page in other languages: links with hreflang in its HTML, its header Link (RFC 8288), and sitemaps.

Each version lists all of them: https://developers.google.com/search/docs/specialty/international/localized-versions.
A version that is an error or a redirect is a broken link or a redirect.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from msgspec import Struct

from ttcrawl.inspect.check.kinds import Problem
from ttcrawl.inspect.check.pages.archive import ArchivedPage, PageRow
from ttcrawl.parse.links.header import versions_in_headers
from ttcrawl.web.country import COUNTRIES
from ttcrawl.web.language_code import LANGUAGES
from ttcrawl.web.url import key

CODE, RETURN, SELF, DEFAULT = KINDS = ("hreflang-code", "hreflang-return", "hreflang-self", "hreflang-default")

NO_LANGUAGE = "x-default"

_CODE = re.compile("([a-z]{2})(?:-[a-z]{4})?(?:-([a-z]{2}))?", re.IGNORECASE)


class Versions(Struct, frozen=True, kw_only=True):
    """The versions that a page lists: their codes, and their canonical URLs."""

    codes: tuple[str, ...]
    urls: tuple[str, ...]


def joined(one: Versions | None, other: Versions | None) -> Versions | None:
    """The versions that a page lists in two places."""
    if one is None or other is None:
        return one or other
    codes, urls = dict.fromkeys(one.codes + other.codes), dict.fromkeys(one.urls + other.urls)
    return Versions(codes=tuple(codes), urls=tuple(urls))


def versions_of(page: ArchivedPage, resolve: Callable[[str, str], str | None]) -> Versions | None:
    """`resolve`: base URL and reference -> canonical URL, None if it has none."""
    listed = [(code, href, page.url) for code, href in versions_in_headers(page.answer.headers, page.url)]
    for about in (node.attributes for node in page.elements["link"] if "hreflang" in node.attributes):
        if "alternate" in (about.get("rel") or "").lower().split() and about.get("href"):
            listed.append((about["hreflang"] or "", about["href"] or "", page.extraction.base))
    if not listed:
        return None
    codes = dict.fromkeys(code.strip().lower() for code, *_ in listed)
    urls = dict.fromkeys(resolve(base, href) for _, href, base in listed)
    return Versions(codes=tuple(codes), urls=tuple(filter(None, urls)))


def version_problems(url: str, versions: Versions) -> Iterator[Problem]:
    """What is wrong with the list of a page, whatever the other versions have."""
    yield from (Problem(kind=CODE, url=url, text=code) for code in versions.codes if not is_code(code))
    if url not in versions.urls:
        yield Problem(kind=SELF, url=url)
    if NO_LANGUAGE not in versions.codes:
        yield Problem(kind=DEFAULT, url=url)


class ReturnLinks:
    """Collects the versions of all pages."""

    def __init__(self) -> None:
        self._read = set[int]()
        self._versions: dict[int, tuple[str, dict[int, str]]] = {}  # page -> its URL, its versions

    def add(self, page: PageRow, versions: Versions | None) -> None:
        self._read.add(page.key)
        if versions:
            self._versions[page.key] = page.url, {key(url): url for url in versions.urls}

    def problems(self) -> Iterator[Problem]:
        """The versions that were read, and do not list the page."""
        for page, (source, versions) in self._versions.items():
            for version, url in versions.items():
                if version in self._read and version != page and page not in self._versions.get(version, ("", {}))[1]:
                    yield Problem(kind=RETURN, url=url, source=source)


def is_code(code: str) -> bool:
    """Whether Google knows it: a language, a language and a country, or x-default; a script may be between them.

    >>> [is_code(code) for code in ("en", "zh-hant-tw", "x-default", "en-uk", "eng", "us")]
    [True, True, True, False, False, False]
    """
    if code.lower() == NO_LANGUAGE:
        return True
    match = _CODE.fullmatch(code)
    return bool(match and match[1].lower() in LANGUAGES and (not match[2] or match[2].upper() in COUNTRIES))
