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

from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from ttcrawl.vocabulary.reason import NONE, SAME_BYTES, Code

#: Maximum pages of a host, and of all hosts, whose bytes are remembered (some 150 bytes each). The first ones are kept,
#: because later pages are echoes of earlier ones.
PER_HOST, ALL = 5_000, 100_000
#: Maximum segments or parameters of a URL that is examined.
PARTS = 30

#: The page on which a URL was first discovered: its URL, and the digest of its bytes.
Source: TypeAlias = Callable[[], tuple[str, bytes] | None]
_Place: TypeAlias = tuple[str, list[str], list[str]]  # host, segments, parameters


@dataclass(slots=True)
class _Host:
    pages: dict[int, bytes] = field(default_factory=dict)  # key of the URL -> digest
    bodies: set[bytes] = field(default_factory=set)
    levels: dict[int, int] = field(default_factory=dict)  # key -> level of echoes: 2 is an echo of an echo
    echoes: int = 0  # pages in a row that are echoes, among those that could be
    deeper: int = 0  # of these, echoes of echoes
    put_in: set[int] = field(default_factory=set)  # keys of the parts inserted into their URLs
    leading: dict[bytes, int] = field(
        default_factory=dict
    )  # digest -> pages in a row with this digest that were discovered on such pages


class Echoes:
    """`limit` pages in a row prove that pages lead to themselves. The same number of echoes of echoes, among twice as
    many echoes, proves a trap (0: never). Part of the crawl process."""

    def __init__(self, limit: int, per_host: int = PER_HOST, capacity: int = ALL) -> None:
        self._limit = limit
        self._per_host, self._capacity = per_host, capacity
        self._hosts: OrderedDict[str, _Host] = OrderedDict()
        self._suspect: set[str] = set()  # hosts with refused URLs
        self._pages = 0

    def saw(self, url: str, digest: bytes, source: Source) -> None:
        """A page with these bytes was fetched."""
        if not self._limit:
            return
        place = _place(url)
        at = self._host(place[0])
        known = digest in at.bodies
        own = _key(*place[1:])
        if known or at.echoes:
            self._compare(at, place, own, digest)
        if known or at.leading:
            _led(at, place, digest, source())
            (self._suspect.add if self._nested(at) or self._leads(at) else self._suspect.discard)(place[0])
        if len(at.pages) < self._per_host and own not in at.pages:
            at.pages[own] = digest
            at.bodies.add(digest)
            self._pages += 1

    def refusal(self, url: str, source: Source) -> Code:
        """ "" or the reason."""
        if not self._suspect or (name := _host(url)) not in self._suspect:
            return NONE
        at = self._hosts[name]
        if self._nested(at) and any(at.levels.get(key) for key, _ in _shorter(_place(url))):
            return SAME_BYTES
        if self._leads(at) and (found_on := source()) is not None:
            enough = at.leading.get(found_on[1], 0) >= self._limit
            if enough and _is_longer(_place(url), _place(found_on[0])):
                return SAME_BYTES
        return NONE

    def _nested(self, at: _Host) -> bool:
        return min(at.deeper, len(at.put_in), at.echoes // 2) >= self._limit

    def _leads(self, at: _Host) -> bool:
        return max(at.leading.values(), default=0) >= self._limit

    def _compare(self, at: _Host, place: _Place, own: int, digest: bytes) -> None:
        could = [(key, more) for key, more in _shorter(place) if key in at.pages]
        if not could:
            return
        same = {key: more for key, more in could if at.pages[key] == digest}
        if not same:
            at.echoes = at.deeper = 0
            at.put_in.clear()
            return
        level = 1 + max(at.levels.get(key, 0) for key in same)
        if len(at.put_in) < self._limit:
            at.put_in.update(same.values())
        if len(at.levels) < self._per_host:
            at.levels[own] = level
        at.echoes += 1
        at.deeper += level > 1

    def _host(self, name: str) -> _Host:
        at = self._hosts.get(name)
        if at is None:
            at = self._hosts[name] = _Host()
            self._pages += 1  # a host without pages takes memory too
            while self._pages > self._capacity and len(self._hosts) > 1:
                forgotten, gone = self._hosts.popitem(last=False)
                self._suspect.discard(forgotten)
                self._pages -= len(gone.pages) + 1
        self._hosts.move_to_end(name)
        return at


def _led(at: _Host, place: _Place, digest: bytes, found_on: tuple[str, bytes] | None) -> None:
    if found_on is None or not _is_longer(place, _place(found_on[0])):
        return
    before = found_on[1]
    if before == digest:
        at.leading[digest] = at.leading.get(digest, 0) + 1
    else:
        at.leading.pop(before, None)


def _host(url: str) -> str:
    return url[: url.index("/", 8)]


def _place(url: str) -> _Place:
    start = url.index("/", 8)
    path, mark, query = url[start + 1 :].partition("?")
    return url[:start], path.split("/"), query.split("&") if mark else []


def _key(segments: list[str], parameters: list[str]) -> int:
    return hash((*segments, None, *parameters))


def _is_longer(one: _Place, other: _Place) -> bool:
    return one[0] == other[0] and len(one[1]) + len(one[2]) > len(other[1]) + len(other[2])


def _shorter(place: _Place) -> Iterator[tuple[int, int]]:
    """(key, key of the removed parts) for all URLs that result when some adjacent segments, or parameters, are
    removed."""
    _, segments, parameters = place
    if len(segments) <= PARTS:
        last = len(segments) - (not segments[-1])  # the slash at the end is not a segment
        for start in range(last):
            for end in range(start + 1, last + 1):
                yield _key(segments[:start] + segments[end:], parameters), _key(segments[start:end], [])
    if len(parameters) <= PARTS:
        for start in range(len(parameters)):
            for end in range(start + 1, len(parameters) + 1):
                yield _key(segments, parameters[:start] + parameters[end:]), _key([], parameters[start:end])
