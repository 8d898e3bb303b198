"""All messages between processes.

The ring of one URL::

    crawl process --Request--> fetch process --Fetched or Failed--> crawl process
    crawl process --Parse--> parse process --Page, Same, Moved, NotModified, Robots, Probed or Failed--> crawl process
    crawl process --Read (a second stage)--> parse process --ReadPage or Failed--> crawl process
    ttcrawl extract --Extract--> parse process --Extracted or Failed--> ttcrawl extract
    crawl process --Recall (of an imported archive)--> parse process --Recalled or Failed--> crawl process

They are MessagePack, decoded by type: what workers, which read hostile pages, send is one of these or an error. Only
the arguments with which a process starts are pickled (by multiprocessing): they come from ttcrawl itself.

Bodies are in slots of shared memory (`ttcrawl.ring.slots`) that a fetch process fills and a parse process reads. Times
are seconds since the epoch (`started`, `ended`), by the clock of the fetch process.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec.msgpack import Decoder

from ttcrawl.ring.browsing import Choice, Gain, Plan, ScriptVisit
from ttcrawl.ring.columns import Added, Facts, Headers, Items, LinkCounts, Outlinks, Reading, Topic
from ttcrawl.ring.forms import GET, FormFields, Sending
from ttcrawl.vocabulary.reason import NONE, Code
from ttcrawl.web.cookies.jar import Cookie
from ttcrawl.web.storable import Storable, Work

PAGE, ROBOTS, RESOLVE, PROBE, CHECK, LOGIN = "page", "robots", "resolve", "probe", "check", "login"

#: Room for the packed head of a response in front of its body in a slot, bytes.
HEAD_ROOM = 256 << 10

#: Distance of a URL discovered only by links that are not followed (outside the content region, or by nofollow).
NOT_FOLLOWED = 1 << 30


class LookUp(Storable, frozen=True, kw_only=True):
    """The result of a look-up of a host, for the archive."""

    host: str  # without its port
    addresses: tuple[str, ...]  # that may be requested, best first
    moment: float


class Request(Work, frozen=True, kw_only=True):
    """One GET to send now, or for RESOLVE the look-up of the URL's host.

    A PROBE cannot exist: it shows how the host answers for missing pages. A CHECK shows whether the host is well. A
    LOGIN may send a form.
    """

    token: int  # of this attempt; unique within a crawl process
    kind: str  # PAGE, ROBOTS, RESOLVE, PROBE, CHECK or LOGIN
    url: str
    depth: int  # links from the seeds; NOT_FOLLOWED: only a page requisite
    not_before: float  # earliest moment of its first packet
    address: str = ""  # to connect to; "": fetch.resolve or the proxy decides
    headers: tuple[tuple[str, str], ...] = ()  # of this request only: Cookie, If-None-Match, If-Modified-Since
    requisite: int = 0  # links and redirects since the page to whose display it belongs; 0: none
    sitemap: bool = False  # the URL was discovered as a sitemap
    asker: str = ""  # of a robots.txt: its host, which may differ from the URL's
    last: bool = True  # the URL is not retried after any outcome: then an incomplete answer is parsed
    delay: float = 0.0  # seconds from the end of one exchange with the host or the address to the next
    look_up: LookUp | None = None  # of its host, to be archived before the response
    slot: int = -1  # set by the ring
    off_topic: int = 0  # irrelevant pages in a row on the path to it
    unmodified: Archived | None = None  # the answer that a 304 confirms; None: the request is unconditional
    before: Before | None = None  # the page that this one is compared with; None: the stored texts are compared
    compared: bool = False  # its content is hashed even if the parse process has seen few pages of its pattern
    cookies: tuple[Cookie, ...] = ()  # of its host, for the requests of its scripts
    plan: Plan | None = None  # None: [browser] use decides by the URL
    renew: bool = False  # over a new connection, and without HEAD: the last request for it had no complete answer
    sending: Sending = GET
    visit: bool = False  # the URL was answered before, so its page may be dropped, and the links with it
    meta: str = ""  # what a hook handed to it, a JSON object; "": nothing


#: The version of a head that was received over HTTP/2 (RFC 9113), which has no status line.
HTTP_2 = "HTTP/2"

#: The version of a head made from replies of an FTP server.
FTP = "FTP"


class Head(Storable, frozen=True, kw_only=True):
    """The head of a response as received, and the request that it answers, stored beside its body in the slot."""

    status: int
    phrase: str
    version: str  # "HTTP/1.0", "HTTP/1.1", HTTP_2, FTP
    headers: tuple[tuple[str, str], ...]
    address: str  # of the peer, "" if unknown
    request: bytes = b""  # as sent, without credentials; empty if it is not archived
    tls: str = ""  # "tls/1.3"; "" if unknown, or without TLS
    cipher: str = ""  # of TLS, by its name in the registry of IANA
    raw: bytes = b""  # the bytes received; empty if they need repair, or came over another protocol than HTTP/1


class Fetched(Storable, frozen=True, kw_only=True):
    """A request that ended with an answer; its head and body are in the slot of the request."""

    token: int
    status: int
    address: str
    started: float
    ended: float
    head_size: int  # bytes of the packed Head at the start of the slot
    body_size: int  # bytes of the body, at HEAD_ROOM in the slot
    refused: Code  # why the body was not read completely: "", "too large" (its beginning may be there), "type"
    incomplete: Code = NONE  # why the answer is incomplete: "truncated", "reset", "timeout: total" ...
    unclosed: bool = False  # complete by assumption only: TLS did not end (RFC 9112 section 9.8)
    received: int = 0  # bytes of the body on the wire, with its framing and the bytes that were discarded
    retry_after: float | None = None  # seconds in the header Retry-After
    requests: int = 1  # HEAD, then GET; and a repetition of each on a new connection if a reused one failed
    method: str = "GET"  # the method that this answers; HEAD: a GET was not needed
    set_cookies: tuple[str, ...] = ()  # Set-Cookie headers as received
    digest: bytes = b""  # xxh3_128 of the body as received; empty if it cannot be a duplicate
    parse_context: int = 0  # a hash of the headers, directory of the URL and kind of request
    header_context: int = 0  # the same without the directory
    script_visits: tuple[ScriptVisit, ...] = ()  # what its scripts requested
    rendered: int = 0  # bytes of its rendering behind the body (ttcrawl.ring.rendering); 0: none
    choice: Choice | None = None  # how it is read; None: a crawl without browsers, or no complete page


class Resolved(Storable, frozen=True, kw_only=True):
    """The answer to a RESOLVE: the addresses of the host that may be requested, best first, at least one."""

    token: int
    addresses: tuple[str, ...]


class Parse(Work, frozen=True, kw_only=True):
    """Work for a parse process: the request and its answer."""

    request: Request
    fetched: Fetched
    identical: IdenticalBody | None = None
    without_hooks: bool = False  # they are the likely cause of the death of parse processes


class Read(Work, frozen=True, kw_only=True):
    """Work for a parse process: an archived response that is read in a second stage."""

    request: Request
    fetched: Fetched  # its times, head and codes are unknown
    head: Archived  # its record
    payload: Archived | None = None  # the record with its body; None: its own


class Extract(Work, frozen=True, kw_only=True):
    """Work for a parse process: an archived page of which items are made."""

    read: Read
    wanted: tuple[int, ...]  # the numbers of the extractors
    resources: tuple[Archived, ...] = ()  # among these records of the URL is its document after scripts, if it has one
    between: tuple[float, float] = (0.0, 0.0)  # when the answer before was processed, and when this one was


class Recall(Work, frozen=True, kw_only=True):
    """Work for a parse process: a response of an imported archive, as if it had been fetched now."""

    request: Request
    fetched: Fetched  # of its numbers only the times, the address and the size of its member are known
    head: Archived  # its record
    payload: Archived | None = None  # the record with its body; None: its own


class IdenticalBody(Storable, frozen=True, kw_only=True):
    """A processed page with the same bytes."""

    id: int  # of its URL
    payload: int  # id of the URL with the archived bytes
    url: str  # the URL of `payload`
    moment: float  # when `url` was requested
    same: bool  # the parse context is the same: parsing again is unnecessary
    type: str = ""  # of a file, whose name differs under every URL; "": it is a page


class Failed(Storable, frozen=True, kw_only=True):
    """A failure of the fetch (with the times of the request) or, with `stage` "parse", of the parse process."""

    token: int
    reason: Code  # "dns", "connection refused", "timeout: connect" ...: ttcrawl.vocabulary.reason lists them
    detail: str
    stage: str = "fetch"
    started: float = 0.0
    ended: float = 0.0
    requests: int = 1  # as in Fetched
    received: int = 0  # bytes of an incomplete head
    script_visits: tuple[ScriptVisit, ...] = ()  # as in Fetched


class Link(Storable, frozen=True, kw_only=True):
    """A URL that a parse process discovered, or rediscovered on a shorter path."""

    url: str  # canonical
    key: int
    host: str
    distance: int  # links from the seeds, or NOT_FOLLOWED
    refused: Code  # why it is not followed; NONE: it is
    rule: str = ""  # the rule of scope that refused it
    spelling: str = ""  # the absolute URL before canonicalization, "" if it is the same
    rank: int = 0  # by the sitemap: smaller is fetched first among URLs of the same distance
    sitemap: bool = False  # it is a sitemap
    requisite: int = 0  # as in Request; such a link has the distance NOT_FOLLOWED
    score: int = 0  # 0 to 1000: what the words at the link promise, if that decides what is fetched first
    changed: float = 0.0  # when it last changed, by a sitemap or feed; 0: unknown, or dates are not signals
    meta: str = ""  # what the hook for pages hands to the page behind it, a JSON object; "": nothing


class Archived(Storable, frozen=True, kw_only=True):
    """The position of a response's bytes in the archive: a gzip member of a WARC file."""

    file: str
    offset: int
    length: int


class Before(Storable, frozen=True, kw_only=True):
    """An archived page."""

    record: Archived
    payload: Archived | None  # the record with its body; None: its own
    digest: bytes  # of its body


class Page(Storable, frozen=True, kw_only=True):
    """The results of an answer that is not a redirect."""

    token: int
    archived: Archived
    refused: Code  # why it is not a page: "bomb", or the reason of the hook for pages; "": it is
    digest: bytes  # xxh3_128 of the body as received
    headers: Headers
    facts: Facts
    counts: LinkCounts
    outlinks: Outlinks  # all links
    links: tuple[Link, ...] = ()  # those that the crawl process has to know
    reading: Reading
    content_hashes: tuple[int, int] = (0, 0)  # without its own URL (parse.repeated_content); 0: few pages like it
    look: tuple[int, int] = (0, 0)  # hashes of its references and of a short text (web.traps.shells)
    uses_page_url: bool = True  # the results depend on more of its URL than the directory and the name of a file
    url_independent: bool = False  # the results do not depend on the directory either
    unread: bool = False  # only the first stage is done: text, metadata, landmarks and anchors are missing
    added: Added | None = None  # by the hook for pages; None: it was not called
    topic: Topic | None = None  # None: it has no score
    link_scores: bytes = b""  # of each occurrence, a fifth of it (ttcrawl.topic.links); or empty
    only_counted: bool = False  # it is irrelevant, and of such pages only the score is stored
    resources: tuple[Archived, ...] = ()  # the records with the answers to its scripts
    gain: Gain | None = None  # None: it was not read both ways
    failed_steps: tuple[str, ...] = ()  # of [browser] steps, each with its cause
    reader: str = ""  # of HTML: vocabulary.reader.COMPILED, or why Python read it


class ReadPage(Storable, frozen=True, kw_only=True):
    """The results of the second stage of a page, with the fields of Page and its groups."""

    token: int
    title: str
    parse_error: str
    kinds: bytes
    landmarks: bytes
    anchors: str
    reading: Reading
    uses_page_url: bool
    reader: str = ""


class Extracted(Storable, frozen=True, kw_only=True):
    """The items of a page, by extractors."""

    token: int
    items: tuple[Items, ...]


class Same(Storable, frozen=True, kw_only=True):
    """A response with an identical body, which was not parsed: its other results are equal to `original`'s."""

    token: int
    archived: Archived  # a revisit record
    original: int  # as in IdenticalBody
    headers: Headers
    name: str = ""  # of a file, "" of a page
    saved: str = ""  # as in Image and Document


class Moved(Storable, frozen=True, kw_only=True):
    """A redirect: its target has the same distance, and one more redirect."""

    token: int
    archived: Archived
    location: str  # the header as received
    target: Link | None  # None if the location is not an http(s) URL
    fresh_until: float | None = None  # as in Headers


class NotModified(Storable, frozen=True, kw_only=True):
    """The answer 304 to a conditional request: the page is as it was."""

    token: int
    archived: Archived  # a revisit record
    etag: str
    fresh_until: float | None = None  # as in Headers


class Robots(Storable, frozen=True, kw_only=True):
    """The answer to a request for robots.txt, decoded."""

    token: int
    archived: Archived
    text: str | None  # "" unless the status is 2xx; None if the body cannot be decoded
    sitemaps: tuple[Link, ...] = ()  # listed in it, or at the usual path
    etag: str
    last_modified: str


class Probed(Storable, frozen=True, kw_only=True):
    """The answer to a PROBE, whose links are not followed; empty unless its status is 2xx. Or to a CHECK: empty."""

    token: int
    archived: Archived
    location: str  # the canonical URL of a redirect's target, "" if there is none
    digest: bytes  # xxh3_128 of the body as received
    text: bytes  # xxh3_128 of its text without its own address
    shingles: bytes  # 32-bit hashes of the shingles of this text, little-endian, distinct, in rising order
    size: int  # bytes of the text that was read


class LoginStep(Storable, frozen=True, kw_only=True):
    """The answer to a LOGIN, which is not archived."""

    token: int
    archived: Archived = Archived(file="", offset=0, length=0)
    location: str = ""  # the canonical URL of a redirect's target, "" if there is none
    forms: tuple[FormFields, ...] = ()
    password: bool = False  # it has a field for a password
    texts: tuple[bool, ...] = ()  # whether it has the words of each line of [login] success


class LoggedOut(Storable, frozen=True, kw_only=True):
    """The answer for a page shows that the session of the user is lost. It is not archived."""

    token: int
    archived: Archived = Archived(file="", offset=0, length=0)


class Checked(Storable, frozen=True, kw_only=True):
    """The hooks can be called. `refused` has a reason for each seed, "" if the hook for URLs allows it."""

    refused: tuple[Code, ...]
    versions: tuple[str, ...] = ()  # of each extractor; "": it is no function


class Recalled(Storable, frozen=True, kw_only=True):
    """The results of a response of an imported archive, and how it would have been fetched."""

    token: int
    fetched: Fetched
    outcome: Page | Moved | Robots | Probed


class Ready(Storable, frozen=True, kw_only=True):
    """A worker has started and takes work."""


class Converting(Storable, frozen=True, kw_only=True):
    """A parse process has begun to convert a document: this takes longer than the limit for a page."""

    token: int


class Trouble(Storable, frozen=True, kw_only=True):
    """A worker died or was stuck and has been replaced. `message` names it, its URL and its time, for the user."""

    message: str


class Broken(Storable, frozen=True, kw_only=True):
    """A worker cannot continue, nor could a replacement: the crawl must stop."""

    message: str


class Ended(Storable, frozen=True, kw_only=True):
    """The last message of a process that an error ends. Before Ready: processes of its role cannot start."""

    message: str
    remedy: bool = False  # the message gives cause and remedy


Outcome: TypeAlias = Page | Same | Moved | NotModified | Robots | Probed | LoginStep | LoggedOut | Failed
Report: TypeAlias = (
    Outcome | ReadPage | Extracted | Recalled | Fetched | Resolved | Converting | Checked | Ready | Broken | Ended
)

#: Decoders: messages to a worker, messages from a worker, and the head that a fetch process leaves in a slot.
WORK, REPORTS, HEADS = Decoder(Request | Parse | Read | Extract | Recall), Decoder(Report), Decoder(Head)
