"""The reader of sitemaps and feeds, the text of a robots.txt, and the sitemaps listed in it."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from ttcrawl.config import Config
from ttcrawl.parse.answer import Answer, Content
from ttcrawl.parse.directives import NOFOLLOW, directives
from ttcrawl.parse.head import coding
from ttcrawl.parse.links.extract import Extraction
from ttcrawl.parse.links.follow import NESTED, Follower
from ttcrawl.parse.links.header import with_headers
from ttcrawl.parse.links.link import link_to
from ttcrawl.parse.links.wanted import wanted
from ttcrawl.read.dates import AHEAD
from ttcrawl.ring.messages import Head, Link, Request
from ttcrawl.vocabulary.region import CONTENT
from ttcrawl.web import robots
from ttcrawl.web.canon import Canon
from ttcrawl.web.coding.decode import CodingError, beginning
from ttcrawl.web.mime.kind import GZIP
from ttcrawl.web.scope import Scope
from ttcrawl.web.sitemaps.entry import SITEMAP, Entry, Listing, rank
from ttcrawl.web.sitemaps.read import read
from ttcrawl.web.url import host, on_host

#: The default path of a sitemap that robots.txt does not list.
USUAL = "/sitemap.xml"

#: The error of content that was called a sitemap.
NO_LISTING = "no sitemap and no feed"


#: Bytes that may be decoded in intermediate steps for a robots.txt with nested codings.
MAX_CODED = 10 * robots.MAX_BYTES


class ListingReader:
    """`follower` is shared by all readers of a process."""

    def __init__(self, config: Config, canon: Canon, follower: Follower) -> None:
        self._canon = canon
        self._settings, self._signals = config.sitemaps, config.revisit.on and config.revisit.signals
        self._ratio = config.fetch.max_ratio
        self._wanted = wanted(config.links)
        self._kinds = self._wanted.kinds | {NESTED}
        self._agent = config.agent.name
        self._follower = follower

    def read(self, answer: Answer) -> Content:
        request, settings = answer.request, self._settings
        try:
            body = self._unpacked(answer.body)
        except CodingError as error:
            return Content(error=str(error))
        listing = read(
            body,
            request.url,
            charset=answer.charset,
            maps=settings.use != "no",
            text=request.sitemap,
            feeds=settings.feeds or request.sitemap,
            most=settings.max_entries,
        )
        if listing is None:
            return Content(error=NO_LISTING)
        header_directives = directives((), answer.head.headers, self._agent)
        page = self._extraction(listing, request.url, answer.time)
        page = with_headers(page, answer.head.headers, request.url, self._wanted)
        short = f"only the first {settings.max_bytes:,} bytes are read" if len(body) == settings.max_bytes else ""
        return Content(
            charset=listing.charset,
            declared_charset=listing.declared,
            charset_from=listing.decided,
            title=listing.title,
            robots=header_directives,
            parser=listing.form,
            error=short or listing.error,
            links=self._follower.follow(request, page, not header_directives.isdisjoint(NOFOLLOW)),
        )

    def _unpacked(self, body: bytes) -> bytes:
        """The beginning of a sitemap; from a gzip file, also one that was packed twice, everything that can be
        decompressed. Raises CodingError."""
        size = self._settings.max_bytes
        for _ in range(2):
            if body.startswith(GZIP):
                body = beginning(body, "gzip", size, 2 * size, self._ratio, cut=True)
        return body[:size]

    def _extraction(self, listing: Listing, url: str, now: float) -> Extraction:
        entries = [each for each in self._named(listing, url) if each.kind in self._kinds]
        titles = self._wanted.anchors and any(each.title for each in entries)
        return Extraction(
            base=url,
            hrefs=[each.href for each in entries],
            kinds=bytes(each.kind for each in entries),
            regions=bytes([CONTENT]) * len(entries),
            nofollow=bytes(len(entries)),
            anchors=tuple(each.title for each in entries) if titles else (),
            ranks=tuple(rank(each.priority, _known(each.changed, now), now) for each in entries),
            dates=tuple(_past(each.changed, now) for each in entries) if self._signals else (),
            title=listing.title,
            metas=[],
            parser=listing.form,
            error=listing.error,
        )

    def _named(self, listing: Listing, url: str) -> Iterable[Entry]:
        """The entries; of an index on a host out of scope, sitemaps of third hosts are entries like any other."""
        if listing.form != "sitemapindex" or not self._follower.is_foreign(url):
            return listing.entries
        return (
            replace(each, kind=SITEMAP) if each.kind == NESTED and self._is_third(each.href, url) else each
            for each in listing.entries
        )

    def _is_third(self, href: str, url: str) -> bool:
        target = self._canon.resolve(url, href)
        return target is not None and host(target) != host(url) and self._follower.is_foreign(target)


def _known(changed: float | None, now: float) -> float | None:
    """Return the date of an entry; None for one that is no date of a change: the beginning of Unix time, the future."""
    return changed if changed is not None and 0 < changed <= now + AHEAD.total_seconds() else None


def _past(changed: float | None, now: float) -> float:
    """Return the date of an entry; 0 for one in the future, which would be later than any visit."""
    return changed if changed is not None and 0 < changed <= now else 0.0


def robots_text(head: Head, body: bytes, ratio: int, *, cut: bool) -> str | None:
    """The decoded text; "" unless the status is 2xx; None if the body cannot be decoded. `cut`: it is incomplete."""
    if not 200 <= head.status < 300:
        return ""
    size = robots.MAX_BYTES + 1  # one more byte shows that the body is longer
    try:
        return robots.decoded(beginning(body, coding(head), size, MAX_CODED, ratio, cut=cut), cut=cut)
    except CodingError:
        return None


class HostSitemaps:
    """The sitemaps of hosts, from their robots.txt."""

    def __init__(self, config: Config, scope: Scope, canon: Canon, follower: Follower) -> None:
        # only seeds are wanted, so no entry of a sitemap is
        self._use = "no" if config.crawl.max_depth == 0 else config.sitemaps.use
        self._scope = scope
        self._canon = canon
        self._follower = follower

    def links(self, request: Request, head: Head, text: str | None) -> tuple[Link, ...]:
        """Links at distance 0 to the sitemaps of the host for which a robots.txt was requested.

        If the scope neither names hosts nor limits the distance from them, a sitemap would add seeds on hosts that the
        user did not choose. In this case only sitemaps of the seeds' domains are used.
        """
        asker = request.asker or host(request.url)
        if self._use == "no" or not (self._scope.bounded or self._scope.home(asker)):
            return ()
        hrefs: tuple[str, ...] = ()
        if text and "sitemap" in text.lower():
            hrefs = robots.sitemaps(text)
        absent = 400 <= head.status < 500 and head.status != 429
        if not hrefs and self._use == "yes" and (absent or (200 <= head.status < 300 and text is not None)):
            hrefs = (on_host(request.url, asker, USUAL),)
        refusal = self._follower.refusal_of_sitemap
        entries = (link_to(self._canon, request.url, href, 0, refusal, sitemap=True) for href in hrefs)
        links = {each.url: each for each in entries if each is not None}
        foreign = self._follower.is_foreign
        if hrefs and foreign(on_host(request.url, asker, "/")):  # only a site in scope names sitemaps of other hosts
            return tuple(each for url, each in links.items() if not foreign(url))
        return tuple(links.values())
