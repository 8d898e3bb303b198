"""Identical bytes under ever longer URLs, as caused by relative links that are resolved against the wrong base.

Two kinds of evidence, each from bytes and URLs together.

A page *leads to itself*: URLs first discovered on pages with certain bytes, and longer than those pages' URLs, return
the same bytes again. If the server returns /a/ for /a/x/, a link to "x/" causes this, and every level leads to the next
one.

A page is an *echo*: its URL is the URL of another page of the host with segments (or parameters) inserted, and the
bytes are the same. This may happen for /old/faq and /faq on an honest site. If the server ignores all but the end of a
path, ten relative links make a hundred echoes, and these make a thousand echoes of echoes. So only echoes of echoes are
refused, only while all pages that could be echoes are echoes, and only if many different segments were inserted: nested
mirrors have few.

The state is bounded and ends with the run: a resumed crawl starts again without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from msgspec import Struct, field

from ttcrawl.core.number_table import NumberTable, new_number_table
from ttcrawl.vocabulary.reason import NONE, SAME_BYTES, Code
from ttcrawl.web.traps.hosts import Hosts, host_part

#: Maximum pages of a host, and of all hosts, whose bytes are remembered (some 40 bytes each; 150 without the core). The
#: first ones are kept, because later pages are echoes of earlier ones.
PER_HOST, ALL = 5_000, 100_000
#: Maximum segments or parameters of a URL that is examined.
MAX_COMPONENTS = 30
#: Maximum digests of a host whose pages lead to themselves; the one that was longest without another page is forgotten.
LEADING = 128

#: The page on which a URL was first discovered: its URL, and the digest of its bytes.
Source: TypeAlias = Callable[[], tuple[str, bytes] | None]
_Components: TypeAlias = tuple[str, list[str], list[str]]  # host, segments, parameters
_Parts: TypeAlias = tuple[list[str], list[str]]  # some adjacent segments, or parameters


class _Host(Struct):
    pages: NumberTable = field(default_factory=new_number_table)  # key of the URL -> 31 bits of the digest
    bodies: NumberTable = field(default_factory=new_number_table)  # of the digests, 64 bits -> 1
    levels: dict[int, int] = field(default_factory=dict)  # key -> level of echoes: 2 is an echo of an echo
    echoes: int = 0  # pages in a row that are echoes, among those that could be
    deeper: int = 0  # of these, echoes of echoes
    inserted: set[int] = field(default_factory=set)  # keys of the parts inserted into their URLs
    leading: dict[bytes, int] = field(
        default_factory=dict
    )  # digest -> pages in a row with this digest that were discovered on such pages


class Echoes:
    """`limit` pages in a row prove that pages lead to themselves. The same number of echoes of echoes, among twice as
    many echoes, proves a trap (0: never). Part of the crawl process."""

    def __init__(self, limit: int, per_host: int = PER_HOST, capacity: int = ALL) -> None:
        self._limit = limit
        self._per_host = per_host
        self._hosts = Hosts(_Host, capacity)

    def __bool__(self) -> bool:
        """Whether any host is suspect, so that URLs may be refused."""
        return bool(self._hosts.suspect)

    def note(self, url: str, digest: bytes, source: Source) -> None:
        """A page with these bytes was fetched."""
        if not self._limit:
            return
        name = host_part(url)
        state, own = self._hosts.visited(name), hash(url[len(name) + 1 :])
        body, few_bits = int.from_bytes(digest[:8], signed=True), _few_bits(digest)
        is_echo = body in state.bodies
        if is_echo or state.echoes:
            self._compare(state, _components(url), own, few_bits)
        if is_echo or state.leading:
            _led(state, _components(url), digest, source())
            suspect = self._hosts.suspect
            (suspect.add if self._nested(state) or self._leads(state) else suspect.discard)(name)
        if len(state.pages) < self._per_host and own not in state.pages:
            state.pages[own] = few_bits
            state.bodies[body] = 1
            self._hosts.add_page()

    def refusal(self, url: str, source: Source) -> Code:
        """ "" or the reason."""
        suspect = self._hosts.suspect
        if not suspect or (name := host_part(url)) not in suspect or (state := self._hosts.find(name)) is None:
            return NONE
        if self._nested(state) and any(state.levels.get(key) for key, _ in _shorter(_components(url))):
            return SAME_BYTES
        if self._leads(state) and (source_page := source()) is not None:
            is_proved = state.leading.get(source_page[1], 0) >= self._limit
            if is_proved and _is_longer(_components(url), _components(source_page[0])):
                return SAME_BYTES
        return NONE

    def _nested(self, state: _Host) -> bool:
        return min(state.deeper, len(state.inserted), state.echoes // 2) >= self._limit

    def _leads(self, state: _Host) -> bool:
        return max(state.leading.values(), default=0) >= self._limit

    def _compare(self, state: _Host, components: _Components, own: int, few_bits: int) -> None:
        could = [(key, inserted) for key, inserted in _shorter(components) if key in state.pages]
        if not could:
            return
        same = {key: _key(*inserted) for key, inserted in could if state.pages.get(key, None) == few_bits}
        if not same:
            state.echoes = state.deeper = 0
            state.inserted.clear()
            return
        level = 1 + max(state.levels.get(key, 0) for key in same)
        if len(state.inserted) < self._limit:
            state.inserted.update(same.values())
        if len(state.levels) < self._per_host:
            state.levels[own] = level
        state.echoes += 1
        state.deeper += level > 1


def _led(state: _Host, components: _Components, digest: bytes, source_page: tuple[str, bytes] | None) -> None:
    if source_page is None or not _is_longer(components, _components(source_page[0])):
        return
    before = source_page[1]
    if before == digest:
        state.leading[digest] = state.leading.pop(digest, 0) + 1  # the last one is the latest
        if len(state.leading) > LEADING:
            del state.leading[next(iter(state.leading))]
    else:
        state.leading.pop(before, None)


def _few_bits(digest: bytes) -> int:
    """Return 31 bits of a digest: enough, for many pages in a row must be equal, and none of them by chance."""
    return int.from_bytes(digest[:4]) >> 1


def _components(url: str) -> _Components:
    start = url.index("/", 8)
    path, mark, query = url[start + 1 :].partition("?")
    return url[:start], path.split("/"), query.split("&") if mark else []


def _key(segments: list[str], parameters: list[str]) -> int:
    """The hash of a URL behind its host."""
    return hash("/".join(segments) + ("?" + "&".join(parameters) if parameters else ""))


def _is_longer(one: _Components, other: _Components) -> bool:
    return one[0] == other[0] and len(one[1]) + len(one[2]) > len(other[1]) + len(other[2])


def _shorter(components: _Components) -> Iterator[tuple[int, _Parts]]:
    """(key, the removed parts) for all URLs that result when some adjacent segments, or parameters, are removed."""
    _, segments, parameters = components
    if len(segments) <= MAX_COMPONENTS:
        last = len(segments) - (not segments[-1])  # the slash at the end is not a segment
        for start in range(last):
            for end in range(start + 1, last + 1):
                yield _key(segments[:start] + segments[end:], parameters), (segments[start:end], [])
    if len(parameters) <= MAX_COMPONENTS:
        for start in range(len(parameters)):
            for end in range(start + 1, len(parameters) + 1):
                yield _key(segments, parameters[:start] + parameters[end:]), ([], parameters[start:end])
