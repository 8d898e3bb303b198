"""The known facts about one URL. Times are seconds since the epoch, durations are seconds."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from ttcrawl.inspect.why.browser import BrowserUse
from ttcrawl.inspect.why.recrawl import Visits
from ttcrawl.inspect.why.vanished import Absence, LostLinks
from ttcrawl.snapshot.history import Answer as DatedAnswer
from ttcrawl.snapshot.history import Dropped


@dataclass(frozen=True, slots=True, kw_only=True)
class CanonStep:
    """A step towards the canonical URL."""

    name: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Spelled:
    """A spelling and its canonical form."""

    text: str
    steps: tuple[CanonStep, ...]
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Linking:
    """A page with a link to the URL."""

    page: str
    kinds: tuple[str, ...]  # of its links to the URL: 'anchor in content', 'frame elsewhere, not followed' ...
    times: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Linked:
    """The number of links to the URL, without links of the page to itself."""

    times: int
    pages: int
    examples: tuple[Linking, ...]
    looked_through: int  # pages that were searched ...
    of: int  # ... of this many; fewer if the time limit was reached


UNSEARCHED = Linked(times=0, pages=0, examples=(), looked_through=0, of=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The decision of robots.txt."""

    allowed: bool
    line: int  # 0: no line decided
    text: str  # of this line, or why there is none
    agent: str  # the group
    url: str  # of the robots.txt
    status: int
    read_at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruled:
    """A decision by the rules of the current config.ini."""

    reason: str  # "": allowed
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Queue:
    """Its position in the queue of its host, and the time of the host's next request."""

    priority: int
    demoted: bool  # put behind all other URLs of the host
    before: int  # URLs of the host that come earlier
    due: float  # earliest time of a retry; 0: none
    next_at: float
    waits: float
    why: str
    in_flight: str  # the process that has it and for how long, or ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One HTTP request and its outcome."""

    kind: str  # page, robots, probe or check
    started: float
    seconds: float
    outcome: str  # 'http 200', 'timeout: read'
    bytes: int
    address: str
    delay: float  # due since the last request to the host
    delay_from: str
    backoff: float | None  # back-off of the host after this request, in seconds
    backoff_from: str
    requests: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Other:
    """Another URL of the crawl."""

    url: str
    state: str
    reason: str


@dataclass(frozen=True, slots=True)
class PageRow:
    """Columns of table `page`."""

    time: float
    status: int
    type: str
    charset: str
    length: int
    title: str
    parser: str
    parse_error: str
    links: int  # link occurrences, of these ...
    content_links: int  # ... in the content region
    same_page_links: int
    not_http: int
    robots: str  # directives of meta robots and X-Robots-Tag
    location: str
    file: str
    offset: int
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SameBytes:
    """Other pages with the same body."""

    same_bytes: int = 0
    same_as: str = ""  # the first of them
    held_by: str = ""  # the page whose record in the archive has the body; "": its own


@dataclass(frozen=True, slots=True)
class Soft404:
    """A probe URL with the same response."""

    soft_404: str = ""
    missing: float = 0.0  # similarity to its response


@dataclass(frozen=True, slots=True)
class Mark:
    """The page that it duplicates."""

    original: str = ""
    same: str = ""  # bytes, text, near
    similarity: float = 0.0  # for near duplicates
    unsettled: bool = False  # the mark may change until a run ends


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The response and the results of its processing."""

    page: PageRow
    imported_from: str  # the archive of another program that has its bytes; "": warc/ has them
    failed_steps: tuple[str, ...]  # of [browser] steps, each with its cause
    unread: bool  # its reading was put off
    target: Other | None  # of a redirect
    same_bytes: SameBytes
    soft_404: Soft404
    mark: Mark


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """How relevant the page is to the subject."""

    relevant: bool
    score: float
    by: str  # what decided: terms, model, hook, site, language, country


@dataclass(frozen=True, slots=True)
class UrlRow:
    """Columns of table `url`, `rule` as its text."""

    url: str
    spelling: str
    site: int
    state: str
    reason: str
    depth: int | None
    redirects: int
    off_domain: int
    off_topic: int  # irrelevant pages in a row before it
    score: int  # above 0: what the best link to it promises, up to 1000
    priority: int
    demoted: int
    attempts: int
    due: float
    discovered: float
    processed: float | None
    found_on: int | None
    key: int
    sitemap: int
    requisite: int  # links and redirects since the page that shows it; 0: no page requisite
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """Why it has its state."""

    sentence: str
    compared: str  # 'depth 6 > 5', or ""
    now: Ruled | None  # if the current rules decide differently
    robots: Verdict | None  # None: not read, or not consulted


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where it was discovered."""

    found_on: str | None  # the page; None: a seed, or named by a robots.txt
    found_by: str  # the letter of the first link on that page, ""
    sitemap: str  # what named it as a sitemap, in words; ""
    spelled: Spelled | None  # its first spelling, if that differs


@dataclass(frozen=True, slots=True, kw_only=True)
class Recrawled:
    """What later visits have shown."""

    visits: Visits | None  # None: it is not requested again
    absence: Absence | None  # of its page; None: it is there
    moved_here: tuple[str, ...]  # URLs whose page is known again here, the first ones
    lost_links: LostLinks | None  # None: no link to it has vanished


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A row of table `url`, and all data about it."""

    row: UrlRow
    decided: Decided
    origin: Origin
    queue: Queue | None
    requests: tuple[Request, ...]  # to this URL
    robots_first: Request | None  # to its host, for robots.txt
    answer: Answer | None
    history: tuple[DatedAnswer, ...]  # all answers in order of time; empty if there is only the one in `answer`
    dropped: Dropped | None  # earlier answers that have left the tables; None: none has
    topic: Topic | None  # None: it was not scored
    browser: BrowserUse | None  # None: the crawl has no browser, or it is not an HTML page
    recrawled: Recrawled


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownUrl:
    """A URL without a row: the decision of the current rules."""

    ruled: Ruled
    address: str  # why its host must not be contacted, as far as its name shows; ""
    robots: Verdict | None  # None: robots.txt of its host was not read ...
    robots_reason: str  # ... for this reason: 'http 503'; "": not requested, or unknown host
    unrecorded: bool  # the crawl did not give every refused URL a row
    would: str  # in words
    similar: tuple[str, ...]  # discovered URLs with another scheme, www., port or slash at the end


@dataclass(frozen=True, slots=True, kw_only=True)
class Life:
    """The history of one URL."""

    input: Spelled
    entry: Entry | None
    unknown: UnknownUrl | None
    linked: Linked


#: Columns that `as_fields` leaves out: others say the same in words.
_INTERNAL = ("url", "spelling", "site", "off_domain", "demoted", "due", "found_on", "key", "sitemap")


def as_fields(life: Life) -> dict[str, Any]:
    """Plain data for JSON: an entry and its answer have the fields of their parts as their own."""
    fields = asdict(life)
    if entry := fields["entry"]:
        for name in _INTERNAL:
            del entry["row"][name]
        for part in ("row", "decided", "origin", "recrawled"):
            entry |= entry.pop(part)
        if answer := entry["answer"]:
            for part in ("page", "same_bytes", "soft_404", "mark"):
                answer |= answer.pop(part)
    return fields
