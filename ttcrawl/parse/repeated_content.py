"""What repeats on the pages of a URL pattern: hashes of their contents, from which the crawl process finds traps."""

from __future__ import annotations

import re
from collections import OrderedDict

import xxhash

from ttcrawl import core
from ttcrawl.web.late import late
from ttcrawl.web.traps.single_url import pattern, years
from ttcrawl.web.traps.url_patterns import NOTHING, PATTERNS, ContentHashes

#: Pages of a pattern per parse process before their contents are hashed: most patterns never have more.
FREE = 3

#: Numbers of a URL that its page may be without: the last ones. A URL may have a thousand, and each is searched for.
MOST_NUMBERS = 50

_HREF = rb"""href\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>"']++)"""
_ANY_HREF = late(_HREF, re.IGNORECASE)
#: Nearly every page writes href in lower case, which is found in a third of the time.
_LOWER_HREF = late(_HREF)
_NUMBERS = late("[0-9]+")
#: Up to the next number outside tags, or the end; a tag ends before the next one, so that this takes linear time.
_TO_NUMBER = late(rb"((?:[^<0-9]++|<[^<>]*+>?)*+)([0-9]++|\Z)")
_SHORT_NUMBERS = late(rb"(?<!\d)\d{1,4}(?!\d)")


class Contents:
    """Content hashes of pages whose pattern has more than a few pages; part of a parse process."""

    def __init__(self, capacity: int = PATTERNS) -> None:
        self._capacity = capacity
        self._pages: OrderedDict[str, int] = OrderedDict()

    def of(self, url: str, html: bytes, *, compared: bool = False) -> ContentHashes:
        """The content hashes of a page; NOTHING while its pattern has few pages, which is the usual case, unless it is
        `compared`."""
        name = pattern(url)
        pages = self._pages[name] = self._pages.pop(name, 0) + 1
        if len(self._pages) > self._capacity:
            self._pages.popitem(last=False)
        return content_hashes(url, html) if compared or pages > FREE else NOTHING


def content_hashes(url: str, html: bytes) -> ContentHashes:
    """Hashes of a page without its hrefs, and also without the numbers in its URL.

    For a URL with a date both omit all short numbers, so that all months are alike.
    """
    text = without_hrefs(html)
    if years(url):
        exact = _hash(_SHORT_NUMBERS.sub(b"", text))
        return exact, exact
    exact = _hash(text)
    last = _NUMBERS.findall(url[url.index("/", 8) :])[-MOST_NUMBERS:]
    numbers = {each for each in last if len(each) < 19}
    near = {int(each) + by for each in numbers for by in (-1, 1)}  # "back to 6", "on to 8"
    own = {b"%d" % each for each in near} | {each.encode() for each in numbers}
    if not any(number in text for number in own):
        return exact, exact
    return exact, _hash(without_numbers(text, tuple(own)))


def without_hrefs(html: bytes) -> bytes:
    """The page without its hrefs, in any letter case."""
    if core.native is not None:
        return core.native.without_hrefs(html)
    text = _LOWER_HREF.sub(b"", html)
    return _ANY_HREF.sub(b"", html) if b"href" in text.lower() else text


def without_numbers(html: bytes, numbers: tuple[bytes, ...]) -> bytes:
    """The page without some numbers outside of its tags: img src="17.jpg" may be the only difference between the pages
    of a gallery."""
    if core.native is not None:
        return core.native.without_numbers(html, numbers)
    own = frozenset(numbers)
    return b"".join(before if number in own else before + number for before, number in _TO_NUMBER.findall(html))


def _hash(text: bytes) -> int:
    # an integer of a message has 63 bits and a sign; 0 means unknown
    return xxhash.xxh3_64_intdigest(text) >> 1 or 1
