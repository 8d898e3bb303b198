"""One page under ever longer URLs, whose bytes change: a token in its markup, a time in its text.

A server that answers every address with its application shell makes relative links endless. Its pages have nearly the
same text, and exactly the same references. That alone is honest: leaves of a site with a menu, months of a calendar,
directories of hashes. So a page counts only if its URL was lengthened LEVELS times, from page to page, and all of these
pages look the same: their references are equal and still lead to other URLs, so they are relative.

The state is bounded and ends with the run, as in `echo`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import xxhash
from msgspec import Struct, field

from ttcrawl.vocabulary.reason import NONE, SAME_BYTES, Code
from ttcrawl.web.traps.hosts import Hosts, host_part

#: Lengthenings of a URL from which a page counts: directories of hashes have equal references at two or three levels.
LEVELS = 3

#: Characters of a text that is compared here. Of longer ones only the marks of duplicates say which are the same.
LONGEST = 2_000

#: Maximum pages of a host, and of all hosts, that are remembered (some 120 bytes each).
PER_HOST, ALL = 5_000, 50_000

#: Bits of a hash that are remembered: enough, for many pages in a row must be equal, and none of them by chance.
HASH = (1 << 32) - 1


def references(hrefs: Iterable[str]) -> bytes:
    """The references of a page as they are written, each once, without queries: these may have a token."""
    return _lines(dict.fromkeys(href.partition("?")[0] for href in hrefs))


def text_hash(text: str) -> int:
    """The hash of the words of a short text that have only letters: no number, token or address; 0: it is long.

    >>> text_hash("Served at 17:31 from cache b7f2") == text_hash("served at 9:05 from cache 0e")
    True
    >>> text_hash("No page /a/b here") == text_hash("no page /c here")
    True
    """
    return _hash(_lines(filter(str.isalpha, text.lower().split()))) if len(text) <= LONGEST else 0


def look(references: bytes, folded: bytes) -> tuple[int, int]:
    """The hashes of its references and of its text. `folded`: its text in UTF-8; a character has four bytes at most."""
    return _hash(references), text_hash(folded.decode()) if len(folded) <= 4 * LONGEST else 0


def _lines(texts: Iterable[str]) -> bytes:
    return "\n".join(texts).encode("utf-8", "replace")


def _hash(lines: bytes) -> int:
    # an integer of a message has 63 bits and a sign
    return xxhash.xxh3_64_intdigest(lines) >> 1 or 1


class Look(Struct, frozen=True, gc=False):
    """What is compared of a page. `references`: 0 if it leads to nothing new. `original`: the id of the URL that it
    duplicates, or nearly; its own if it duplicates none."""

    references: int
    text: int  # hash of a short text
    original: int

    def same(self, other: Look) -> bool:
        """Whether two pages look the same."""
        text = self.text == other.text != 0
        return self.references == other.references and (text or self.original == other.original)


class _Page(Struct, frozen=True, gc=False):
    look: Look
    level: int  # how often its URL was lengthened from pages that look the same
    size: int  # segments and parameters of its URL

    @classmethod
    def of(cls, packed: int) -> _Page:
        look = Look(packed >> 48 & HASH, packed >> 80 & HASH, packed >> 112)
        return cls(look, packed >> 24 & 0xFFFFFF, packed & 0xFFFFFF)

    @property
    def packed(self) -> int:
        """One number, a third of the size of the object."""
        look = self.look
        return look.original << 112 | look.text << 80 | look.references << 48 | self.level << 24 | self.size


class _Host(Struct):
    pages: dict[int, int] = field(default_factory=dict)  # id of the URL -> a page, packed
    leading: dict[int, int] = field(default_factory=dict)  # references -> pages in a row, of LEVELS at least

    def page(self, id: int | None) -> _Page | None:
        packed = self.pages.get(id or 0)
        return None if packed is None else _Page.of(packed)


class Shells:
    """`limit` pages in a row prove a shell (0: never). Part of the crawl process."""

    def __init__(self, limit: int, per_host: int = PER_HOST, capacity: int = ALL) -> None:
        self._limit = limit
        self._per_host = per_host
        self._hosts = Hosts(_Host, capacity)

    def __bool__(self) -> bool:
        """Whether any host is suspect, so that URLs may be refused."""
        return bool(self._hosts.suspect)

    def note(self, id: int, url: str, look: Look, source: Callable[[], int | None]) -> None:
        """A page was fetched; `source` returns the id of the page on which it was discovered."""
        name = host_part(url)
        if not self._limit or not (look.references or self._hosts.find(name)):
            return
        state = self._hosts.visited(name)
        if not (look.references or state.leading):
            return  # it is not remembered, and ends nothing: its source need not be looked up
        look = Look(look.references & HASH, look.text & HASH, look.original)
        page, before = _Page(look, 0, _size(url)), state.page(source())
        if before is not None and page.size > before.size:
            if look.same(before.look):
                page = _Page(look, before.level + 1, page.size)
                self._lead(name, state, page)
            elif before.level + 1 >= LEVELS:
                state.leading.pop(before.look.references, None)
                self._hosts.suspect.discard(name)
        if look.references and len(state.pages) < self._per_host:
            if id not in state.pages:
                self._hosts.add_page()
            state.pages[id] = page.packed

    def refusal(self, url: str, source: Callable[[], int | None]) -> Code:
        """ "" or the reason. `source` returns the id of the page on which the URL was discovered."""
        suspect = self._hosts.suspect
        if not suspect or (name := host_part(url)) not in suspect or (state := self._hosts.find(name)) is None:
            return NONE
        before = state.page(source())
        proved = before is not None and before.level and state.leading.get(before.look.references, 0) >= self._limit
        return SAME_BYTES if before is not None and proved and _size(url) > before.size else NONE

    def _lead(self, name: str, state: _Host, page: _Page) -> None:
        if page.level >= LEVELS:
            key = page.look.references
            state.leading[key] = count = state.leading.get(key, 0) + 1
            if count >= self._limit:
                self._hosts.suspect.add(name)


def _size(url: str) -> int:
    """The number of segments and parameters of a URL."""
    path, mark, query = url.partition("?")
    return path.count("/") + (query.count("&") + 1 if mark else 0)
