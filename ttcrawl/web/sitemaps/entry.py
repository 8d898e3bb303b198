"""The entries of a sitemap or a feed, and their order among URLs of the same distance from the seeds. Pure."""

from __future__ import annotations

import math

from msgspec import Struct

#: Letters of ttcrawl.vocabulary.kind.
SITEMAP, NESTED, ENTRY, ALTERNATE, IMAGE, MEDIA, NEXT = b"MIetgvn"

#: Images, alternates and similar URLs read per permitted entry.
BESIDE = 5

#: Maximum URLs of one entry, or of a feed itself; no honest site has more.
URLS = 10

#: The priority of an entry without one (sitemaps.org).
USUAL = 0.5

#: Steps for a priority of 1: a tenth of it is TENTH * 2, and the date changes the rank by less than half of that.
STEPS = 800
TENTH = STEPS // 20

#: The age that counts as if no date were given, hours; each doubling or halving makes four steps.
MONTH = 720.0


class Entry(Struct, frozen=True):
    """One URL, stripped of white space; not resolved, except against an xml:base."""

    href: str
    kind: int  # a letter of ttcrawl.vocabulary.kind
    title: str = ""  # white space collapsed
    changed: float | None = None  # when the page last changed, seconds since the epoch
    priority: float = USUAL  # 0 to 1
    language: str = ""  # the hreflang of an ALTERNATE, which is a version of the entry before it


class Listing(Struct, frozen=True, kw_only=True):
    """A sitemap or a feed, possibly not read to its end."""

    form: str  # urlset, sitemapindex, text; rss, rdf, atom, json
    entries: tuple[Entry, ...]  # in document order
    title: str = ""  # of a feed
    charset: str = ""  # its encoding, the declared one and the source that decided: see coding.Utf8
    declared: str = ""
    decided: str = ""
    error: str = ""  # why it was not read completely: broken XML, too many entries ...


def rank(priority: float, changed: float | None, now: float) -> int:
    """Smaller is first, 0 as for a link on a page: priority decides first, to a tenth, then the last change; -439 to
    439.

    `changed` and `now` are seconds since the epoch. The step is the logarithm of the age, because pages that changed
    recently are likely to change again, or to be new (Cho, Garcia-Molina, 2003).

    >>> [rank(0.5, None, 0.0), rank(1.0, None, 0.0), rank(0.5, 0.0, 3600.0), rank(0.5, 0.0, 3e8)]
    [0, -400, -38, 27]
    """
    steps = STEPS * (USUAL - min(max(priority, 0.0), 1.0))
    if changed is None:
        return round(steps)
    hours = max((now - changed) / 3600.0, 1.0)
    return round(steps) + max(1 - TENTH, min(TENTH - 1, round(4 * math.log2(hours / MONTH))))
