"""Traps that show only in many URLs of one kind: what is remembered of them, in bounded memory."""

from __future__ import annotations

import re
from collections import OrderedDict
from dataclasses import dataclass, field

import xxhash

from ttcrawl.traps.address import pattern, years

PERMUTED, SAME = "trap: permuted query", "trap: same content"

#: Sets of parameters whose orders are remembered; when there are more, all are forgotten (a few are asked for again).
SETS = 100_000
#: Patterns that are remembered, those not met for the longest time forgotten first (65 MB at most).
PATTERNS = 5_000
#: Pages of a pattern in one parse process before their contents are compared: most patterns never have so many.
FREE = 3
#: Contents of a pattern that are remembered: the empty months of a calendar are 84, seven grids of twelve names.
CONTENTS = 128

_HREF = rb"""href\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>"']++)"""
_ANY_HREF = re.compile(_HREF, re.IGNORECASE)
#: Nearly every page has all of them in lower case, which are found in a third of the time.
_LOWER_HREF = re.compile(_HREF)
_NUMBERS = re.compile("[0-9]+")
#: Up to the next number outside of tags, or the end; a tag ends before the next one, so that this takes linear time.
_TO_NUMBER = re.compile(rb"((?:[^<0-9]++|<[^<>]*+>?)*+)([0-9]++|\Z)")
_SHORT_NUMBERS = re.compile(rb"(?<!\d)\d{1,4}(?!\d)")


class Orders:
    """The orders in which the same parameters were met, `limit` of which are asked for (0: all).

    Part of a parse process: between two of them twice as many are asked for, and the crawl process has less to do.
    """

    def __init__(self, limit: int, capacity: int = SETS) -> None:
        self._limit = limit
        self._capacity = capacity
        self._met: dict[int, tuple[int, ...]] = {}

    def refusal(self, url: str) -> str:
        """ "" or the reason; a URL that was once let through is let through again."""
        if "&" not in url or not self._limit:
            return ""
        place, _, query = url.partition("?")
        pairs = query.split("&")
        # values of one name keep their order: a list in another order is another list
        whole = place + "?" + "&".join(sorted(pairs, key=lambda pair: pair.partition("=")[0]))
        which, own = xxhash.xxh3_64_intdigest(whole.encode()), xxhash.xxh3_64_intdigest(query.encode())
        met = self._met.get(which, ())
        if own in met:
            return ""
        if len(met) >= self._limit:
            return PERMUTED
        if len(self._met) >= self._capacity:
            self._met.clear()
        self._met[which] = (*met, own)
        return ""


class Contents:
    """What pages say, of patterns that have had more than a few; part of a parse process."""

    def __init__(self, capacity: int = PATTERNS) -> None:
        self._capacity = capacity
        self._pages: OrderedDict[str, int] = OrderedDict()

    def of(self, url: str, html: bytes) -> int:
        """A hash of what a page says; 0 as long as its pattern has few pages, which is the case for most."""
        name = pattern(url)
        pages = self._pages[name] = self._pages.pop(name, 0) + 1
        if len(self._pages) > self._capacity:
            self._pages.popitem(last=False)
        return said(url, html) if pages > FREE else 0


@dataclass(slots=True, kw_only=True)
class _Kind:
    repeated: int = 0  # in a row
    contents: set[int] = field(default_factory=set)


class Patterns:
    """Which patterns of URLs say the same over and over, `limit` pages in a row (0: never); part of the crawl process.

    It ends with the run: a run that goes on finds out anew.
    """

    def __init__(self, limit: int, capacity: int = PATTERNS) -> None:
        self._limit = limit
        self._capacity = capacity
        self._kinds: OrderedDict[str, _Kind] = OrderedDict()
        self._trapped: OrderedDict[str, None] = OrderedDict()

    def refusal(self, url: str) -> str:
        """ "" or the reason."""
        return SAME if self._trapped and pattern(url) in self._trapped else ""

    def saw(self, url: str, content: int) -> None:
        """A page came that says `content`; 0: that is not known."""
        if not content or not self._limit:
            return
        name = pattern(url)
        kind = self._kinds.setdefault(name, _Kind())
        self._kinds.move_to_end(name)
        if len(self._kinds) > self._capacity:
            self._kinds.popitem(last=False)
        kind.repeated = kind.repeated + 1 if content in kind.contents else 0
        if len(kind.contents) < CONTENTS:
            kind.contents.add(content)
        if kind.repeated >= self._limit:
            self._trapped[name] = None
            if len(self._trapped) > self._capacity:
                self._trapped.popitem(last=False)


def said(url: str, html: bytes) -> int:
    """A hash of what a page says apart from its own address: without hrefs and the numbers in its URL.

    Of a URL with a date without all short numbers, so that a month is as good as another.
    """
    text = _LOWER_HREF.sub(b"", html)
    if b"href" in text.lower():
        text = _ANY_HREF.sub(b"", html)
    if years(url):
        return _hash(_SHORT_NUMBERS.sub(b"", text))
    numbers = {each for each in _NUMBERS.findall(url[url.index("/", 8) :]) if len(each) < 19}
    near = {int(each) + by for each in numbers for by in (-1, 1)}  # "back to 6", "on to 8"
    own = {b"%d" % each for each in near} | {each.encode() for each in numbers}
    if any(number in text for number in own):
        # not in tags: the pictures of a gallery, img src="17.jpg", are all that tells its pages apart
        text = b"".join(before if number in own else before + number for before, number in _TO_NUMBER.findall(text))
    return _hash(text)


def _hash(text: bytes) -> int:
    return xxhash.xxh3_64_intdigest(text) or 1  # 0 says that it is not known
