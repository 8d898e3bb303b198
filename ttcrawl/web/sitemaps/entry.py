"""What a sitemap or a feed says."""

from __future__ import annotations

from dataclasses import dataclass

#: Letters of ttcrawl.vocabulary.kind.
SITEMAP, NESTED, ENTRY, ALTERNATE, IMAGE, MEDIA, NEXT = b"MIetgvn"

#: Images, alternates and the like that are read, for each entry that may be.
BESIDE = 5

#: URLs of one entry, or of a feed itself; more are no honest site's.
URLS = 10

#: The priority of an entry that names none (sitemaps.org).
USUAL = 0.5


@dataclass(frozen=True, slots=True)
class Entry:
    """One URL as it stands there, white space around it dropped; not resolved, except against an xml:base."""

    href: str
    kind: int  # a letter of ttcrawl.vocabulary.kind
    title: str = ""  # white space collapsed
    changed: float | None = None  # when the page changed last, seconds since the epoch
    priority: float = USUAL  # 0 to 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """A sitemap or a feed that was read, perhaps not to its end."""

    form: str  # urlset, sitemapindex, text; rss, rdf, atom, json
    entries: tuple[Entry, ...]  # in order of place
    title: str = ""  # of a feed
    charset: str = ""  # it was read as, with what was declared and what decided: see coding.Utf8
    declared: str = ""
    decided: str = ""
    error: str = ""  # why not all was read: it is broken XML, has more entries than are read ...
