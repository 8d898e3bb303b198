"""How it is decided whether a page goes through a browser, and what the browser showed: parts of messages."""

from __future__ import annotations

from ttcrawl.web.storable import Storable

#: How a page is read: from the answer, or from the document after its scripts.
STATIC, RENDERED = "static", "browser"

#: How the next page of a template is read, besides these: both ways, to compare.
SAMPLE = "sample"

#: Why a page is read as it is. CONFIGURED: by [browser] use; TEMPLATE: as the pages before it that are alike;
#: AGAIN: it was read statically before its template turned out to need a browser.
CONFIGURED, NO_SCRIPTS, SHELL, TEMPLATE, AGAIN = "config.ini", "no scripts", "empty shell", "template", "again"

#: The browser failed on it, by its end: it died, did not end in time, took too much memory, or made a document that is
#: too large.
DIED, STUCK, MEMORY, SIZE = (f"browser failed: {how}" for how in ("died", "stuck", "memory", "size"))
FAILED = frozenset((DIED, STUCK, MEMORY, SIZE))


class Known(Storable, frozen=True, kw_only=True):
    """A template of the pattern of a request's URL, and how its next page is read."""

    signature: int
    read: str  # STATIC, RENDERED or SAMPLE


class Plan(Storable, frozen=True, kw_only=True):
    """What the crawl process knows when it sends the request of a page ([browser] use = auto)."""

    templates: tuple[Known, ...]
    full: bool = False  # further templates are one, with the signature 0
    again: bool = False  # the page goes to the browser


class Choice(Storable, frozen=True, kw_only=True):
    """What a fetch process decided about a page, and what the browser cost."""

    reason: str
    signature: int = 0  # of its template
    templated: bool = False  # its template decided, or is learnt from it
    seconds: float = 0.0  # in the browser
    requests: int = 0  # of its scripts
    received: int = 0  # bytes of the answers to them
    document: bytes = b""  # xxh3_128 of the document after its scripts; empty: it was not in the browser


class ScriptVisit(Storable, frozen=True, kw_only=True):
    """Requests to one host for one page, one after the other, that were one visit to it."""

    url: str  # of the first of them
    started: float
    ended: float
    status: int | None  # of the last answer; None: there was none
    address: str
    requests: int
    received: int  # bytes on the wire
    delay: float  # seconds since the last exchange with the host that were due
    delay_from: str  # as in table visit
    backoff: float | None = None  # seconds of back-off, because of the status; None: the delay only


class Gain(Storable, frozen=True, kw_only=True):
    """What only the browser showed of a page."""

    links: int
    words: int
    digest: bytes  # of both; empty if there are none
