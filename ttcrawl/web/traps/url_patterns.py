"""Traps visible only in many URLs of one pattern: the bounded state to detect them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Iterable
from typing import TypeAlias

import xxhash
from msgspec import Struct, field

from ttcrawl.vocabulary.reason import NONE, PERMUTED_QUERY, SAME_CONTENT, Code
from ttcrawl.web.traps.single_url import pattern

#: Maximum sets of parameters whose orders are remembered; above it, all are forgotten (a few are requested again).
SETS = 100_000
#: Maximum patterns that are remembered; the least recently used are forgotten first (65 MB at most).
PATTERNS = 5_000
#: Number of similar pages in a row from which a pattern counts as repetitive.
FEW = 3
#: Factor on the required pages if they differ in the numbers of their URLs.
NUMBERED = 8
#: Maximum contents remembered per pattern: the empty months of a calendar have 84, seven grids of twelve names.
CONTENTS = 128

#: Hashes of a page's content, with and without the numbers of its URL; 0 if unknown.
ContentHashes: TypeAlias = tuple[int, int]
NOTHING: ContentHashes = (0, 0)


class Orders:
    """The orders in which the same parameters were discovered; `limit` of them are requested (0: all).

    Part of a parse process: two processes together may request twice as many, but the crawl process has less work.
    """

    def __init__(self, limit: int, capacity: int = SETS) -> None:
        self._limit = limit
        self._capacity = capacity
        self._seen: dict[int, tuple[int, ...]] = {}

    def refusal(self, url: str) -> Code:
        """ "" or the reason; an accepted URL stays accepted."""
        if "&" not in url or not self._limit:
            return NONE
        path, _, query = url.partition("?")
        pairs = query.split("&")
        # values of one name keep their order: another order is another list
        sorted_url = path + "?" + "&".join(sorted(pairs, key=lambda pair: pair.partition("=")[0]))
        which, own = xxhash.xxh3_64_intdigest(sorted_url.encode()), xxhash.xxh3_64_intdigest(query.encode())
        orders = self._seen.get(which, ())
        if own in orders:
            return NONE
        if len(orders) >= self._limit:
            return PERMUTED_QUERY
        if len(self._seen) >= self._capacity:
            self._seen.clear()
        self._seen[which] = (*orders, own)
        return NONE


class _Kind(Struct, kw_only=True):
    same: int = 0  # pages in a row with the same content as others
    alike: int = 0  # pages in a row with the same content apart from the numbers of their URLs
    repeated: int = 0  # of `same`, pages whose new links are all of the same pattern
    numbered: int = 0  # of `alike`, pages that link to more of the pattern
    exact: set[int] = field(default_factory=set)
    numberless: set[int] = field(default_factory=set)


class Patterns:
    """Finds URL patterns whose content repeats, for `limit` pages in a row (0: never); part of the crawl process.

    A page that links to a new URL of another pattern does not count, unless the pages of that pattern repeat as well.
    If pages differ in the numbers of their URLs, as plain pages of an honest list do, NUMBERED times as many are
    needed, and pages without new links do not count: an endless space continues, a list ends.

    The state ends with the run: a resumed crawl starts again without it.
    """

    def __init__(self, limit: int, capacity: int = PATTERNS) -> None:
        self._limit = limit
        self._capacity = capacity
        self._kinds: OrderedDict[str, _Kind] = OrderedDict()
        self._trapped: OrderedDict[str, None] = OrderedDict()
        self._successors: OrderedDict[str, None] = OrderedDict()

    def __bool__(self) -> bool:
        """Whether there is a trap, so that URLs may be refused."""
        return bool(self._trapped)

    def succeeds(self, url: str) -> bool:
        """Whether a URL was discovered on a compared page of its own pattern.

        A parse process compares no page of a pattern before it has seen a few, and knows nothing of the others. A
        content that it leaves out far along an endless space would count as new when it returns.
        """
        return url in self._successors

    def refusal(self, url: str) -> Code:
        """ "" or the reason."""
        return SAME_CONTENT if self._trapped and pattern(url) in self._trapped else NONE

    def note(self, url: str, hashes: ContentHashes, led: Collection[str] = ()) -> None:
        """A page with these content hashes was fetched; `led`: the URLs that were discovered on it."""
        if hashes == NOTHING or not self._limit:
            return
        name = pattern(url)
        self._note_successors(name, led)
        kind = self._kinds.setdefault(name, _Kind())
        self._kinds.move_to_end(name)
        if len(self._kinds) > self._capacity:
            self._kinds.popitem(last=False)
        exact, numberless = hashes
        same, alike = exact in kind.exact, numberless in kind.numberless
        for contents, content in ((kind.exact, exact), (kind.numberless, numberless)):
            if len(contents) < CONTENTS:
                contents.add(content)
        kind.same = kind.same + 1 if same else 0
        kind.alike = kind.alike + 1 if alike else 0
        if not alike:
            kind.repeated = kind.numbered = 0
            return
        patterns = {pattern(each) for each in led}
        different = [other for other in patterns if _shape(other) != _shape(name)]
        # a counter that continues only on other hosts is detected without text
        hops = bool(patterns) and not different and name not in patterns
        if not same and not hops:
            kind.repeated = 0
        elif all(self._repeats(other, exactly=True) for other in different):
            kind.repeated += 1
        if (patterns or same) and all(self._repeats(other, exactly=False) for other in different):
            kind.numbered += 1
        if kind.repeated >= self._limit or kind.numbered >= NUMBERED * self._limit:
            self._trapped[name] = None
            if len(self._trapped) > self._capacity:
                self._trapped.popitem(last=False)

    def _note_successors(self, name: str, led: Iterable[str]) -> None:
        stem = name.partition("#")[0].partition("?")[0]  # most URLs show by their beginning that they do not belong
        for each in led:
            if each.startswith(stem) and pattern(each) == name:
                self._successors[each] = None
                if len(self._successors) > self._capacity:
                    self._successors.popitem(last=False)

    def _repeats(self, name: str, *, exactly: bool) -> bool:
        """Whether the pages of this pattern repeat: then it is not an exit from another pattern."""
        kind = self._kinds.get(name)
        return name in self._trapped or (kind is not None and (kind.same if exactly else kind.alike) >= FEW)


def _shape(name: str) -> str:
    """A pattern without its host: some endless spaces continue from host to host."""
    return name[name.index("/", 8) :]
