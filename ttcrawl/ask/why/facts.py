"""What is known of one URL. Times are seconds since the epoch, durations seconds."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A step on the way to the canonical URL."""

    name: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Spelled:
    """A spelling and what was made of it."""

    text: str
    steps: tuple[Made, ...]
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Linking:
    """A page with a link to the URL."""

    page: str
    kinds: tuple[str, ...]  # of its links to it: 'anchor in content', 'frame elsewhere, not followed' ...
    times: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Linked:
    """How often pages link to the URL (links of a page to itself are not among them)."""

    times: int
    pages: int
    examples: tuple[Linking, ...]
    looked_through: int  # pages, of ...
    of: int  # ... so many: fewer when the time was up


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What robots.txt says."""

    allowed: bool
    line: int  # 0: no line decided
    text: str  # of that line, or why there is none
    agent: str  # the group
    url: str  # of the robots.txt
    status: int
    read_at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruled:
    """A decision of the rules as config.ini has them now."""

    reason: str  # "": nothing is against it
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Queue:
    """Its place in the queue of its host, and when that may be asked."""

    priority: int
    before: int  # URLs of the host that come first
    due: float  # not before this moment (a retry); 0: no such wait
    next_at: float
    waits: float
    why: str
    in_flight: str  # which process has it and for how long, or ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One HTTP exchange."""

    kind: str  # page, robots, probe or check
    started: float
    seconds: float
    outcome: str  # 'http 200', 'timeout: read'
    bytes: int
    address: str
    delay: float  # that was due since the last exchange with the host
    delay_from: str
    backoff: float | None  # seconds for which the host was left alone because of it
    backoff_from: str
    requests: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Other:
    """Another URL of the ledger."""

    url: str
    state: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came of it."""

    at: float
    status: int
    type: str
    charset: str
    length: int
    title: str
    parser: str
    parse_error: str
    found: int  # link occurrences, of them ...
    content: int  # ... in the content region
    same_page: int
    not_http: int
    robots: str  # directives of meta robots and X-Robots-Tag
    location: str
    target: Other | None  # of a redirect
    same_bytes: int  # other pages with the same body
    same_as: str  # the first of them
    soft_404: str  # the URL that cannot exist whose answer this is too; ""
    missing: float  # how similar it is to that answer
    held_by: str  # the one whose record in the archive has it; "": its own
    original: str  # the page of which it is a duplicate, ""
    same: str  # by what: bytes, text, near; ""
    similarity: float  # where that is near
    unsettled: bool  # that may change until a run ends
    file: str
    offset: int
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A row of the ledger, and all that is behind it."""

    state: str
    reason: str
    sentence: str
    compared: str  # 'depth 6 > 5', or ""
    rule: str
    depth: int | None
    hops: int
    priority: int
    attempts: int
    met: float
    settled: float | None
    found_on: str | None  # the page; None: it is a seed, or named by a robots.txt
    found_by: str  # the letter of the first link on that page, ""
    sitemap: str  # by whom it was named as a sitemap, in words; ""
    spelled: Spelled | None  # as it was first met, where that was another spelling
    now: Ruled | None  # where the rules of today say something else
    robots: Verdict | None  # None: not read, or never asked about it
    queue: Queue | None
    exchanges: tuple[Exchange, ...]  # with it
    robots_first: Exchange | None  # with its host, for robots.txt
    answer: Answer | None


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownUrl:
    """A URL without a row: what the rules of today would say."""

    ruled: Ruled
    address: str  # why its host may not be asked, as far as its name tells; ""
    robots: Verdict | None  # None: robots.txt of its host was not read ...
    robots_reason: str  # ... for this reason: 'http 503'; "": it was not asked for, or the host never met
    unrecorded: bool  # the crawl did not give every refused URL a row
    would: str  # in words


@dataclass(frozen=True, slots=True, kw_only=True)
class Life:
    """One URL."""

    asked: Spelled
    entry: Entry | None
    unknown: UnknownUrl | None
    linked: Linked
