"""A cache of hrefs -> canonical URLs with their key, host and scope.

The pages of a site repeat the same navigation, so most hrefs were already resolved on a page of the same directory. A
look-up costs a hundredth of resolving: the caches are dictionaries that resolve what is missing, without a call for
what is there. With the compiled core, its tables take the place of those by directory, and hrefs stay UTF-8.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeAlias

from msgspec import Struct

from ttcrawl import core
from ttcrawl.vocabulary.reason import NONE, Code
from ttcrawl.web import storable
from ttcrawl.web.canon import Canon
from ttcrawl.web.reference import PlainBase
from ttcrawl.web.url import DROPPED, host, key, without_fragment

#: URL -> (why it must not be requested, or ""; the rule that refused it, "" if the reason is sufficient).
Refusal: TypeAlias = Callable[[str], tuple[Code, str]]


class Target(Struct, frozen=True, eq=False):
    """The target of a link. All its texts are sound (`ttcrawl.web.storable`): the URL parser writes them, and a reason
    or rule is corrected."""

    url: str
    key: int
    host: str
    refused: Code  # the reason of scope or a trap, or ""
    rule: str  # the rule that refused it
    spelling: str  # the absolute URL before it was made canonical, "" if identical


def needs_file_name(href: str) -> bool:
    """Whether a reference without fragment depends on the complete base URL: empty or only a query. All others depend
    on the directory alone. A leading space or control character may hide either case (the URL parser strips them), and
    so may the scheme of the base without slashes (http:?page=2, URL standard 4.4, scheme state), with line ends in it.
    """
    if not href > "!" or href[0] == "?":
        return True
    scheme, colon, rest = href.partition(":")
    return (
        bool(colon)
        and scheme.translate(DROPPED).lower() in ("http", "https", "ftp")
        and not rest.startswith(("/", "\\"))
    )


def target_of(url: str, spelling: str, refusal: Refusal) -> Target:
    refused, rule = refusal(url)
    if refused:
        refused, rule = _corrected(refused, rule)
    return Target(url, key(url), host(url), refused, rule, spelling)


@lru_cache(maxsize=64)  # few reasons are those of most URLs
def _corrected(refused: Code, rule: str) -> tuple[Code, str]:
    return Code(storable.text(refused)), storable.text(rule)


#: Characters of an href that take the memory of one more short one.
SHORT = 400

#: In a directory: the target depends on more of the base URL.
OF_PAGE = Target("", 0, "", NONE, "", "")


class Resolver:
    """`capacity` limits the remembered hrefs and directories (20 MB; a long href counts as several); above it all are
    forgotten, before the next page. Where the base URL alone is longer than `longest`, each link would repeat it, and a
    page of 1 MB become GBs of URLs: what is longer too is no URL there.

    Of 2,446 pages with 48,000 hrefs in 21 directories, 3 % more had to be resolved with a capacity of 30,000.
    """

    def __init__(self, canon: Canon, refusal: Refusal, longest: int, capacity: int = 50_000) -> None:
        self._canon = canon
        self._refusal = refusal
        self._longest = longest
        self._capacity = capacity
        self._size = 0
        self._directories: dict[str, _Directory] = {}
        self.urls: dict[str, Target | None] = {}  # the targets of plain references, by absolute URL

    def page(self, base: str) -> PageResolver:
        """A resolver for the links of one page whose base URL is `base`."""
        if self._size > self._capacity:
            self.forget()
        name = base.partition("?")[0].rpartition("/")[0]
        directory = self._directories.get(name)
        if directory is None:
            directory = self._directories[name] = _Directory(self, base, len(name))
            self.grew(name)
        return PageResolver(self, base, directory)

    def resolve(self, base: str, href: str, repeated: int) -> Target | None:
        """`repeated`: characters of the base URL that every such link repeats."""
        url, spelling = self._canon.spelled(base, href)
        if url is None or repeated > self._longest < len(url):
            return None
        return target_of(url, spelling, self._refusal)

    def resolve_in_directory(self, plain: PlainBase, base: str, href: str, repeated: int) -> Target | None:
        """The same for a reference that depends on the directory alone. Its target is remembered for other directories
        with a link to the same URL, each href of which is counted."""
        spelling = plain.joined(href)
        if not spelling:
            return self.resolve(base, href, repeated)
        target = self.urls.get(spelling)
        return target if target is not None else self.resolve_plain(spelling, repeated)

    def resolve_plain(self, spelling: str, repeated: int) -> Target | None:
        """The same for the absolute URL of a plain reference that is new."""
        url = self._canon.ruled(spelling)
        if repeated > self._longest < len(url):
            return None
        target = target_of(url, "" if spelling == url else spelling, self._refusal)
        self.urls[spelling] = target
        return target

    def of_base(self, base: str) -> Target | None:
        """The target of the reference "", if it is remembered."""
        return self.urls.get(base) if len(base) <= self._longest else None

    def forget(self) -> None:
        self._directories.clear()
        self.urls.clear()
        self._size = 0

    def grew(self, text: str) -> None:
        self.grew_by(1 + len(text) // SHORT)

    def grew_by(self, hrefs: int) -> None:
        self._size += hrefs

    def __len__(self) -> int:
        """The number of remembered hrefs and directories; more if they are long."""
        return self._size


class _Directory(dict[str, Target | None]):
    """href -> target on all pages of one directory, or OF_PAGE; an href that is missing is resolved. The core has a
    table of its own."""

    def __init__(self, resolver: Resolver, base: str, repeated: int) -> None:
        self._resolver = resolver
        self._base, self._plain = base, PlainBase(base)
        self._repeated = repeated

        self._compiled = core.native.HrefTargets(self._plain.directory) if core.native is not None else None

    def __missing__(self, href: str) -> Target | None:
        bare = without_fragment(href) if "#" in href else href
        target = self.resolve(bare) if bare == href else self[bare]
        self[href] = target
        self._resolver.grew(href)
        return target

    def resolve(self, bare: str) -> Target | None:
        """The target of an href without fragment."""
        if needs_file_name(bare):
            return OF_PAGE
        return self._resolver.resolve_in_directory(self._plain, self._base, bare, self._repeated)

    def _resolve_plain(self, spelling: str) -> Target | None:
        return self._resolver.resolve_plain(spelling, self._repeated)

    def targets(self, hrefs: Sequence[str], page: PageResolver) -> list[Target | None]:
        """The target of each href on a page of this directory."""
        if self._compiled is not None:
            before, resolver = len(self._compiled), self._resolver
            try:
                return self._compiled.targets(
                    packed(hrefs), resolver.urls, self._resolve_plain, self.resolve, OF_PAGE, page
                )
            finally:
                resolver.grew_by(len(self._compiled) - before)
        return [
            page[""]
            if href[:1] == "#"
            else target
            if (target := self[href]) is not OF_PAGE
            else page[without_fragment(href)]
            for href in hrefs
        ]


class PageResolver(dict[str, Target | None]):
    """The targets of one page: of hrefs without fragment that depend on more of its base URL than the directory."""

    def __init__(self, resolver: Resolver, base: str, directory: _Directory) -> None:
        self._resolver = resolver
        self._base = base
        self._directory = directory

    def __missing__(self, href: str) -> Target | None:
        # another page has perhaps a link to this one
        target = None if href else self._resolver.of_base(self._base)
        if target is None:
            target = self._resolver.resolve(self._base, href, len(self._base))
        self[href] = target
        return target

    @property
    def uses_page_url(self) -> bool:
        """Whether the target of any link, except links to the page itself, depended on more of the base URL than its
        directory."""
        return any(self)

    def targets(self, hrefs: Sequence[str]) -> list[Target | None]:
        """The target of each href; None: not an http(s) URL. New ones are resolved in this order: a trap depends on
        it."""
        return self._directory.targets(hrefs, self)


def packed(texts: Sequence[str]) -> core.native.TextList:
    """Texts as the core takes them."""
    return texts if isinstance(texts, core.native.TextList) else core.native.TextList(texts)
