"""Everything that crosses a process border, and nothing else.

The ring of one URL::

    crawl process --Request--> fetch process --Fetched or Failed--> crawl process
    crawl process --Parse--> parse process --Page, Same, Moved, Robots, Probed or Failed--> crawl process

They are MessagePack, decoded by type: what a worker sends, which has read hostile pages, is one of these or an error.
Only the arguments with which a process starts are pickled (by multiprocessing): they are our own.

Bodies are not in these messages: they lie in a slot of shared memory (`ttcrawl.ring.slots`) that a fetch process fills
and a parse process reads. Times are seconds since the epoch (`started`, `ended`) as the fetch process read its clock.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec.msgpack import Decoder

from ttcrawl.ring.record import Document, Fingerprint, Image, Record, Text
from ttcrawl.vocabulary.reason import NONE, Code
from ttcrawl.web.storable import Storable

PAGE, ROBOTS, RESOLVE, PROBE, CHECK = "page", "robots", "resolve", "probe", "check"

#: Room for the packed head of a response in front of its body in a slot, bytes.
HEAD_ROOM = 256 << 10

#: Distance of a URL that was met only where links are not followed (outside the content region, or by nofollow).
NOT_FOLLOWED = 1 << 30


class Request(Storable, frozen=True, kw_only=True):
    """One GET to be made now, or for RESOLVE the look-up of the URL's host.

    A PROBE is a URL that cannot exist: its answer says what the host calls a page that is not there. A CHECK is a page
    that was fetched: its status says whether the host is well.

    `token` names this attempt and is never used twice in a crawl process's life.
    """

    token: int
    kind: str  # PAGE, ROBOTS, RESOLVE, PROBE or CHECK
    url: str
    depth: int
    not_before: float  # no packet of it may leave earlier
    address: str = ""  # to connect to; "": fetch.resolve or the proxy says where
    headers: tuple[tuple[str, str], ...] = ()  # of this request alone: Cookie, If-None-Match, If-Modified-Since
    sitemap: bool = False  # the URL was met as a sitemap
    asker: str = ""  # of a robots.txt: the host that it is for, which need not be that of the URL
    last: bool = True  # the URL is not tried again, whatever comes: then what came is read
    slot: int = -1  # given by the ring


class Head(Storable, frozen=True, kw_only=True):
    """The head of a response as it came, kept beside its body in the slot."""

    status: int
    phrase: str
    version: str  # "HTTP/1.1"
    headers: tuple[tuple[str, str], ...]
    address: str  # of the peer, "" when not known


class Fetched(Storable, frozen=True, kw_only=True):
    """An exchange that ended with an answer; its head and body lie in the slot of the request."""

    token: int
    status: int
    address: str
    started: float
    ended: float
    head_size: int  # bytes of the packed Head at the start of the slot
    body_size: int  # bytes of the body, at HEAD_ROOM in the slot
    refused: Code  # why not all of the body was read: "", "too large" (its beginning may be there), "type"
    incomplete: Code = NONE  # why not all came that was: "truncated", "reset", "timeout: total" ...
    received: int = 0  # bytes of the body that came over the wire, those included that were not kept, and its framing
    retry_after: float | None = None  # seconds that the server asks to be left alone
    requests: int = 1  # HEAD, then GET; and each once more on a new connection, where a kept one did not carry it
    method: str = "GET"  # what this answers; HEAD: that was enough
    set_cookies: tuple[str, ...] = ()  # Set-Cookie headers as they came
    digest: bytes = b""  # xxh3_128 of the body as it came; empty where it cannot be the same page as another
    reading: int = 0  # a hash of what else decides how it is read: headers, directory of the URL, kind of request
    anywhere: int = 0  # the same without the directory


class Resolved(Storable, frozen=True, kw_only=True):
    """The answer to a RESOLVE: the addresses at which the host may be asked, best first, at least one."""

    token: int
    addresses: tuple[str, ...]


class Parse(Storable, frozen=True, kw_only=True):
    """Work for a parse process: the request and the answer to it."""

    request: Request
    fetched: Fetched
    identical: IdenticalBody | None = None


class IdenticalBody(Storable, frozen=True, kw_only=True):
    """A page with the same bytes that is settled."""

    id: int  # of its URL
    payload: int  # of the URL whose record in the archive holds the bytes
    url: str  # that one
    at: float  # when that was asked for
    same: bool  # it was read as this one would be: so this one need not be
    type: str = ""  # of a file, which has a name of its own under every URL; "": it is a page


class Failed(Storable, frozen=True, kw_only=True):
    """No outcome: of the fetch (then with the times of the exchange) or, with `stage` "parse", of the parse process."""

    token: int
    reason: Code  # "dns", "connection refused", "timeout: connect" ...: ttcrawl.fetch.http lists them
    detail: str
    stage: str = "fetch"
    started: float = 0.0
    ended: float = 0.0
    requests: int = 1  # as in Fetched
    received: int = 0  # bytes of a head that broke off


class Link(Storable, frozen=True, kw_only=True):
    """A URL that a parse process met for the first time, or on a shorter way than before."""

    url: str  # canonical
    key: int
    host: str
    distance: int  # links from the seeds, or NOT_FOLLOWED
    refused: Code  # why it is not followed; NONE: it is
    rule: str = ""  # the rule of scope that refused it
    spelling: str = ""  # the absolute URL before it was made canonical, "" where that is no other
    rank: int = 0  # by the sitemap: smaller is fetched first among URLs of the same distance
    sitemap: bool = False  # it is a sitemap


class Archived(Storable, frozen=True, kw_only=True):
    """Where the bytes of a response lie: a gzip member of a WARC file."""

    file: str
    offset: int
    length: int


class Page(Storable, frozen=True, kw_only=True):
    """What the crawl process has to know of an answer that is no redirect."""

    token: int
    archived: Archived
    refused: Code  # why nothing of the body was read: "" or "bomb"
    content_type: str  # what the bytes are
    declared_type: str  # what the header says, without parameters
    charset: str  # they were read as, "" where they are no text
    declared_charset: str  # of the header, else of the page itself
    charset_from: str  # what decided: bom, header, meta, content, detected, default
    length: int  # bytes of the body as it came
    digest: bytes  # xxh3_128 of the body as it came
    title: str
    etag: str
    last_modified: str
    server: str  # header Server
    robots: str  # directives of meta robots and X-Robots-Tag for all or for us: "noindex, nofollow"
    parser: str  # which parser served: lexbor, html5lib, regex; "" for what is not HTML
    parse_error: str  # why a better parser, or all of them, did not serve; "" when the first one did
    found: int  # link occurrences with an http(s) URL, of kinds that are followed; of them:
    content: int  # ... inside the content region (all of them when none is configured)
    same_page: int  # ... to a place on the page itself (not in `targets`)
    recorded: int  # those of the other kinds
    not_http: int  # links of other schemes or that are no URL; not part of `found`
    schemes: str  # of them, with how many of each: a JSON object
    says: tuple[int, int]  # what it says apart from its own address (web.traps.memory); 0: there are few like it
    links: tuple[Link, ...]  # to be met by the frontier
    targets: str  # every other occurrence in order of place: a JSON array of URL keys
    kinds: bytes  # one letter an occurrence: ttcrawl.vocabulary.kind
    regions: (
        bytes  # a letter each: c content, e elsewhere (C, E: says nofollow); n, o: not followed by it; r: recorded only
    )
    parts: bytes  # a letter each: n nav, m main, h header, f footer, a aside, - none of them; or empty
    anchors: str  # the anchor text of each: a JSON array, "" where none was asked for
    record: Record | None
    text: Text | None
    image: Image | None
    document: Document | None
    fingerprint: Fingerprint | None = None  # None: it is no page that another could be the same as
    bound: bool = True  # what was read depends on more of its URL than the directory, besides the name of a file
    anywhere: bool = False  # nor on the directory


class Same(Storable, frozen=True, kw_only=True):
    """A response with an identical body, which was not read: the rest of what a Page has is that of `original`."""

    token: int
    archived: Archived  # a revisit record
    original: int  # as in IdenticalBody
    etag: str
    last_modified: str
    server: str
    name: str = ""  # of a file, "" of a page
    saved: str = ""  # as in Image and Document


class Moved(Storable, frozen=True, kw_only=True):
    """A redirect: a link with one hop less."""

    token: int
    archived: Archived
    location: str  # the header as it came
    target: Link | None  # None when the location is no http(s) URL


class Robots(Storable, frozen=True, kw_only=True):
    """The answer to a request for robots.txt, decoded."""

    token: int
    archived: Archived
    text: str | None  # "" unless the status is 2xx; None when the body cannot be decoded
    sitemaps: tuple[Link, ...] = ()  # that it names, or that lie at the usual place
    etag: str
    last_modified: str


class Probed(Storable, frozen=True, kw_only=True):
    """The answer to a PROBE, of which nothing is followed; empty where its status is not 2xx. Or to a CHECK: empty."""

    token: int
    archived: Archived
    location: str  # the canonical URL that a redirect leads to, "" where there is none
    digest: bytes  # xxh3_128 of the body as it came
    text: bytes  # xxh3_128 of what it says without its own address
    shingles: bytes  # 32-bit hashes of the shingles of that, little-endian, distinct, in rising order
    size: int  # bytes of the text that was read


class Ready(Storable, frozen=True, kw_only=True):
    """A worker has started and takes work."""


class Converting(Storable, frozen=True, kw_only=True):
    """A parse process has begun to convert a document: that takes longer than a page may."""

    token: int


class Trouble(Storable, frozen=True, kw_only=True):
    """A worker died or was stuck and has been replaced: which, over what, for how long. For people."""

    what: str


class Broken(Storable, frozen=True, kw_only=True):
    """A worker cannot go on, nor could another in its place: the crawl has to stop."""

    what: str


class Ended(Storable, frozen=True, kw_only=True):
    """The last message of a process that an error ends: before it was ready none of its kind can be."""

    what: str


Outcome: TypeAlias = Page | Same | Moved | Robots | Probed | Failed
Report: TypeAlias = Outcome | Fetched | Resolved | Converting | Ready | Broken | Ended

#: What a worker is sent, what it sends, and what a fetch process leaves in a slot for a parse process.
WORK, REPORTS, HEADS = Decoder(Request | Parse), Decoder(Report), Decoder(Head)
