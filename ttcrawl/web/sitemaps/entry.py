"""The entries of a sitemap or a feed."""

from __future__ import annotations

from dataclasses import dataclass

#: Letters of ttcrawl.vocabulary.kind.
SITEMAP, NESTED, ENTRY, ALTERNATE, IMAGE, MEDIA, NEXT = b"MIetgvn"

#: Images, alternates and similar URLs read per permitted entry.
BESIDE = 5

#: Maximum URLs of one entry, or of a feed itself; no honest site has more.
URLS = 10

#: The priority of an entry without one (sitemaps.org).
USUAL = 0.5


@dataclass(frozen=True, slots=True)
class Entry:
    """One URL, stripped of white space; not resolved, except against an xml:base."""

    href: str
    kind: int  # a letter of ttcrawl.vocabulary.kind
    title: str = ""  # white space collapsed
    changed: float | None = None  # when the page last changed, seconds since the epoch
    priority: float = USUAL  # 0 to 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """A sitemap or a feed, possibly not read to its end."""

    form: str  # urlset, sitemapindex, text; rss, rdf, atom, json
    entries: tuple[Entry, ...]  # in document order
    title: str = ""  # of a feed
    charset: str = ""  # its encoding, the declared one and the source that decided: see coding.Utf8
    declared: str = ""
    decided: str = ""
    error: str = ""  # why it was not read completely: broken XML, too many entries ...
