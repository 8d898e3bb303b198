"""What is learnt from the pages of a template: whether the next one is read from its answer, in the browser, or both.

A template is pages of a host whose URLs have one shape and whose answers have one signature (ttcrawl.browser.shape).
The first pages are read both ways. While the browser shows the same besides on all of them, most often nothing, the
answer has what a page says; one page that differs sends the next ones to the browser. What is shown on every page
(a banner for cookies) is thus no reason for the browser: the first page has brought it.
"""

from __future__ import annotations

import re

from msgspec import Struct

from ttcrawl.ring.browsing import RENDERED, SAMPLE, STATIC

#: Pages of a template that are read both ways at first.
SAMPLES = 3

#: Pages that are read statically between two looks at one in the browser: doubled after each look that finds nothing.
FIRST_GAP, LAST_GAP = 3, 50

#: Pages in a row on which the browser shows the same besides, after which a template is read statically again.
CALM = 30

#: Directories of a URL that a pattern names; others count alone.
NAMED = 2

_NUMBER = re.compile("[0-9]+")


def pattern_of(url: str) -> str:
    """Return the shape of a canonical URL without its host: first directories, number of others, kind of file, and
    names of parameters.

    >>> pattern_of("http://a.test/blog/2024/my-first-page.html?page=2")
    '/blog/#/*.html?page'
    >>> pattern_of("http://a.test/"), pattern_of("http://a.test/about"), pattern_of("http://a.test/a/b/c/d/")
    ('/', '/*', '/a/b/*/*/')
    """
    path, mark, query = url[url.index("/", 8) :].partition("?")
    *directories, name = path[1:].split("/")
    named = [_NUMBER.sub("#", each) for each in directories[:NAMED]] + ["*"] * (len(directories) - NAMED)
    stem, dot, extension = name.rpartition(".")
    file = f"*.{extension.lower()}" if dot and stem and extension.isalpha() and len(extension) < 6 else "*" * bool(name)
    names = "&".join(sorted({_NUMBER.sub("#", pair.partition("=")[0]) for pair in query.split("&")}))
    return f"/{'/'.join((*named, file))}{mark}{names}"


class Template(Struct, kw_only=True):
    """The fields are the columns of table `template`, where they are described; `read` is its `state`."""

    id: int
    site: int
    pattern: str
    signature: int
    read: str = SAMPLE
    pages: int = 0
    rendered: int = 0
    alike: int = 0
    gain: bytes = b""
    gap: int = FIRST_GAP
    wait: int = 0

    @property
    def next(self) -> str:
        """How its next page is read."""
        return SAMPLE if self.read == STATIC and not self.wait else self.read

    def passed(self) -> None:
        """Count a page that was read statically."""
        self.pages += 1
        self.wait = max(0, self.wait - 1)

    def compared(self, gain: bytes, *, again: bool = False) -> None:
        """Count a page that was read both ways; `gain`: the hash of what only the browser showed. `again`: it counts
        already."""
        self.pages += not again
        self.rendered += 1
        alike = not self.alike or gain == self.gain
        self.alike = self.alike + 1 if alike else 1
        self.gain = gain
        if not alike:
            self.read = RENDERED
        elif self.read == STATIC:
            self.gap = self.wait = min(2 * self.gap, LAST_GAP)
        elif self.alike >= (SAMPLES if self.read == SAMPLE else CALM):
            self.read, self.gap = STATIC, FIRST_GAP if self.read == SAMPLE else LAST_GAP
            self.wait = self.gap
