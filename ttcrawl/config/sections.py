"""The keys of config.ini: their sections, defaults and meanings. These dataclasses are the only list of keys."""

from __future__ import annotations

import re
from dataclasses import Field, fields
from typing import Any

from ttcrawl import __version__
from ttcrawl.config.browser import Browser
from ttcrawl.config.documents import Documents
from ttcrawl.config.duplicates import Duplicates
from ttcrawl.config.fetch import Fetch, Safety
from ttcrawl.config.hooks import Hooks
from ttcrawl.config.key import key
from ttcrawl.config.links import Links
from ttcrawl.config.login import LoginSection
from ttcrawl.config.names import number_expression
from ttcrawl.config.postgresql import Postgresql
from ttcrawl.config.record import Record
from ttcrawl.config.revisit import Revisit
from ttcrawl.config.topic import Topic
from ttcrawl.config.urls import Scope, Traps, Url
from ttcrawl.frozen import frozen


@frozen
class Crawl:
    """Processes and limits."""

    fetchers: int = key(0, "fetch processes; 0: one for every two processors", low=0, high=64)
    threads: int = key(
        0,
        "maximum requests in flight of each fetch process, over urllib3 each in a thread; 0: 512 if delays are obeyed"
        " (and ulimit allows many files and all memory), else 64",
        low=0,
        high=1000,
    )
    parsers: int = key(
        0,
        "parse processes; 0: one for two processors, at most four; while answers wait, up to one for each, and two more"
        " if pages are slow",
        low=0,
        high=64,
    )
    data_queue: int = key(32, "maximum responses that wait for the parse processes", low=1, high=10_000)
    max_pages: int = key(
        0,
        "stop when this many pages are fetched, also those that a hook drops or loses; recrawl goes on with its visits;"
        " 0: no limit",
        low=0,
    )
    max_depth: int = key(-1, "follow links to this distance from the seeds (0: only the seeds); -1: no limit", low=-1)
    max_time: float = key(0.0, "stop after this many seconds; 0: no limit", low=0)
    max_bytes: int = key(
        0, "stop when this many bytes are received, in a recrawl by one run; 0: no limit", low=0, size=True
    )
    metrics: str = key("", "a file in Prometheus' text format, written every 10 seconds; empty: none")
    min_disk: int = key(
        64 << 20, "stop when the disk of the crawl directory has less free space than this", low=0, size=True
    )


@frozen
class Agent:
    """How the crawler identifies itself."""

    name: str = key("ttcrawl", "product token: first word of the User-Agent, and the name looked for in robots.txt")
    contact: str = key(
        "", "a web page or mail address for the people whose servers are crawled; part of the User-Agent"
    )
    user_agent: str = key("", "the complete User-Agent instead; in robots.txt the name is looked for")

    @property
    def header(self) -> str:
        """The value of the header User-Agent."""
        if self.user_agent:
            return self.user_agent
        return f"{self.name}/{__version__}{f' (+{self.contact})' if self.contact else ''}"

    def check(self) -> None:
        """Raises ValueError."""
        if not re.fullmatch(r"[A-Za-z0-9_-]+", self.name):
            raise ValueError(f"name = {self.name}: letters, digits, - and _ only (RFC 9309 section 2.2.1)")
        for name in ("contact", "user_agent"):
            value = getattr(self, name)
            if not value.isprintable() or not value.isascii():
                raise ValueError(f"{name}: printable ASCII only, it is sent in a header")


@frozen
class Politeness:
    """How often requests go to a host."""

    obey_delay: bool = key(True, "no: do not wait for Crawl-delay or the default delay (Disallow always holds)")
    delay: float = key(1.0, "seconds between two requests to one host when its robots.txt has no Crawl-delay", low=0)
    max_delay: float = key(300.0, "longest Crawl-delay in seconds; a longer one is cut to this", low=0)
    delay_factor: float = key(
        0.0,
        "minimum delay as a multiple of the time that the last request to the host took, up to max_delay; 0: "
        "independent of it",
        low=0,
        high=1000,
    )
    address_delay: float = key(
        0.2,
        "seconds between two requests to one IP address, over all hosts on it; a host whose own delay is"
        " shorter keeps it; 0: addresses have no delay",
        low=0,
    )
    domain_share: float = key(
        0.25,
        "share of the requests in flight, and of the hosts in memory, that one registrable domain may take "
        "while others wait",
        low=0.001,
        high=1,
    )
    connections: int = key(16, "maximum requests in flight to one host when the delay is not obeyed", low=1)
    backoff: float = key(
        60.0,
        "back-off in seconds after 429 or 503 without Retry-After, or after a failed connection;"
        " twice as long each time it happens again, to a day",
        low=0.001,
        high=86400,
    )
    give_up: int = key(4, "failed connections in a row after which all URLs of the host have failed", low=1)
    robots: str = key(
        "rfc9309",
        "how robots.txt is read: rfc9309 (longest match) or 1996 (first match)",
        choices=("rfc9309", "1996"),
    )
    robots_max_age: float = key(86400.0, "seconds after which a robots.txt is requested again", low=1)
    robots_patience: float = key(
        600.0,
        "seconds for which a robots.txt that answers 429 or 5xx is requested again before its URLs are refused",
        low=0,
    )
    robots_absent_after: float = key(
        2592000.0, "seconds of such answers after which the robots.txt counts as absent: everything is allowed", low=0
    )


@frozen
class Frontier:
    """Which URL is fetched next."""

    priority: str = key(
        "depth",
        "what comes first: depth (breadth first), first (first discovered), number (see number_pattern), topic (what is"
        " likely to be relevant: see [topic])",
        choices=("depth", "first", "number", "topic"),
    )
    # possessive, from the first digit on: otherwise it takes quadratic time in a URL of digits
    number_pattern: str = key(
        r"(?<!\d)(\d++)\D*+$",
        "regular expression whose first group is the number in the URL; URLs without one come last",
    )
    refused: int = key(
        0,
        "maximum rows for URLs that are refused when they are discovered (out of scope, too deep ...); of the "
        "rest only the links that lead to them are counted, and the report counts refused URLs without them; "
        "0: all have rows",
        low=0,
    )
    hosts: int = key(10_000, "maximum hosts in memory; the others wait in the database", low=1)
    urls_per_host: int = key(
        100,
        "maximum queued URLs of a host in memory; while fewer than 100 hosts are in memory, each has a larger share. "
        "The others wait in the database",
        low=2,
    )
    split_share: float = key(
        0.25,
        "share of all URLs above which the rings of a cluster share the hosts of a registrable domain, which otherwise"
        " belongs to one; 0: never, as with [fetch] cookies = kept or [browser] use",
        low=0,
        high=1,
    )

    @property
    def best_first(self) -> bool:
        """Whether the URL comes first that is most likely to be relevant."""
        return self.priority == "topic"

    def check(self) -> None:
        """Raises ValueError."""
        number_expression(self.number_pattern)


@frozen
class Seen:
    """The Bloom filter before the exact index."""

    capacity: int = key(4_000_000, "number of URLs for which the filter is made; it grows by itself", low=1, high=1e9)
    error_rate: float = key(0.001, "rate of false positives; each costs a look-up in the index", low=1e-9, high=0.99)


@frozen
class Sitemaps:
    """Sitemaps and feeds, in which sites list their own URLs."""

    use: str = key(
        "robots",
        "no, robots (sitemaps that robots.txt names), yes (also /sitemap.xml if it names none)",
        choices=("no", "robots", "yes"),
    )
    feeds: bool = key(True, "yes: read the RSS and Atom feeds that are fetched")
    max_bytes: int = key(50 << 20, "maximum decoded bytes that are read of a sitemap or feed", low=1024, size=True)
    max_entries: int = key(50_000, "maximum entries that are read of a sitemap or feed", low=1)


@frozen
class Files:
    """Images and documents, each saved as a file."""

    save: bool = key(
        False,
        "yes: fetch images, media and documents and save them under files/HOST/TYPE/ (links of the kinds"
        " image, media and object are followed; of the default scope.extensions only programs and fonts are"
        " still refused)",
    )
    download: bool = key(
        True,
        "no: the bodies of files that are not pages (images, media, documents, archives) are not downloaded; their type"
        " and length are recorded. A HEAD comes first for URLs with the extension of such a file, and the head of the"
        " response decides about all others. What a page loads with [links] page_requisites is downloaded; save = yes"
        " downloads all",
    )
    max_size: int = key(10 << 20, "maximum bytes of a saved file; larger ones are only recorded", low=0, size=True)


@frozen
class Store:
    """How the crawl directory is written."""

    commit_seconds: float = key(0.3, "maximum seconds between two commits", low=0)
    commit_pages: int = key(200, "maximum pages between two commits", low=1)
    durability: str = key(
        "process",
        "what committed data survives: a killed process, or a power failure (syncs each commit)",
        choices=("process", "power"),
    )
    warc_size: int = key(
        1 << 30, "size in bytes at which a WARC file is closed and the next one begins", low=1, size=True
    )
    warc_daily: bool = key(
        False, "yes: also at midnight (UTC), by the moment of the request; the name of a file tells its day"
    )
    warc_move_to: str = key(
        "",
        "object storage to which WARC files are moved as they close, and from which they are read then:"
        " s3://BUCKET/PREFIX, gs://BUCKET/PREFIX, or file:///DIR; empty: they stay in warc/",
    )


@frozen
class Archive:
    """What the WARC files contain beside the responses."""

    requests: bool = key(
        True,
        "yes: the request of each response is a record too, as it was sent; the values of Authorization,"
        " Proxy-Authorization and headers with secrets are removed, cookies of servers are not",
    )
    dns: bool = key(True, "yes: the addresses of a host are a record too, before its first response after each look-up")
    operator: str = key("", "the person or institution that crawls, for the first record of each WARC file")


@frozen
class Sections:
    """The sections with fixed keys and one name each: all except [converters] and the sections of hosts."""

    crawl: Crawl = Crawl()
    agent: Agent = Agent()
    politeness: Politeness = Politeness()
    fetch: Fetch = Fetch()
    login: LoginSection = LoginSection()
    browser: Browser = Browser()
    safety: Safety = Safety()
    frontier: Frontier = Frontier()
    seen: Seen = Seen()
    scope: Scope = Scope()
    url: Url = Url()
    traps: Traps = Traps()
    links: Links = Links()
    record: Record = Record()
    sitemaps: Sitemaps = Sitemaps()
    files: Files = Files()
    documents: Documents = Documents()
    duplicates: Duplicates = Duplicates()
    topic: Topic = Topic()
    revisit: Revisit = Revisit()
    hooks: Hooks = Hooks()
    store: Store = Store()
    archive: Archive = Archive()
    postgresql: Postgresql = Postgresql()


SECTIONS: tuple[Field[Any], ...] = fields(Sections)
