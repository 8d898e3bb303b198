"""Conditional requests: which validators of a page are sent back, and what an answer to them is worth.

A server may be wrong in both directions. If it answers 200 though nothing has changed, that costs bytes; comparing the
bodies shows it. If it answers 304 though the page has changed, the copy would be stale for ever. So

- after a complete answer at most `Trust.audit` visits in a row may end with 304; the next request is unconditional;
- if such an *audit* finds another page, the next request sends the outdated validators on purpose. An honest server
  answers 200 to them, one that answers 304 whatever it is asked is caught;
- a validator that stood beside two different bodies, or brought a 304 for a page that it does not belong to, is a lie:
  nothing is sent for the next PENANCE visits (longer after each lie), then it is tried again, with frequent audits.

Weak ETags (RFC 9110 section 8.8.1) promise the same content, not the same bytes: a lie is another content. A
Last-Modified that is not at least a minute older than the answer may hide a second change in the same second, and one
in the future or at the moment of each answer says nothing (section 8.8.2.2): they are not sent.
"""

from __future__ import annotations

from datetime import UTC

from msgspec import Struct
from msgspec.structs import replace

from ttcrawl.web.etag import conditions, etags
from ttcrawl.web.mail_date import mail_date

#: Longer validators are not sent back, characters.
LONGEST = 1024

#: Visits from one unconditional request to the next: at first, and after many audits that found no lie.
SHORTEST_AUDIT, LONGEST_AUDIT = 2, 16

#: Seconds after which the next request is unconditional, however few visits there were.
OLDEST = 90 * 86400.0

#: Unconditional visits after the first lie; after each next one, this many times more.
PENANCE, MOST_PENANCES = 20, 10

#: Seconds by which a Last-Modified must be older than its answer.
SETTLED = 60.0

#: Visits in a row with the same body and another ETag, after which ETags are not sent.
CHANGING = 2

OK, NOT_MODIFIED = 200, 304

#: Answers of servers that do not know conditions: 400, 412 and 501.
UNABLE = frozenset({400, 412, 501})

#: What an answer means. AGAIN: nothing; the page is requested again at once, unconditionally. BROKEN: a 304 to that, a
#: failed visit. OTHER: no answer about the contents of the page.
CHANGED, SAME, UNMODIFIED, AGAIN, BROKEN, OTHER = "changed", "same", "not modified", "again", "broken", "other"


class Answer(Struct, frozen=True, kw_only=True):
    """The part of a response that matters here. `body`: digest of the bytes; `content`: of what a reader sees, b"":
    unknown."""

    status: int
    time: float  # when it came, by our clock
    etag: str = ""
    last_modified: str = ""
    body: bytes = b""
    content: bytes = b""
    length: int = 1


class Trust(Struct, frozen=True, kw_only=True):
    """What is remembered of a page, from its last complete answer and of the server's honesty."""

    etag: str = ""
    last_modified: str = ""
    body: bytes = b""
    content: bytes = b""
    time: float = 0.0  # of the last complete answer; 0: there was none
    unmodified: int = 0  # answers 304 since then
    audit: int = SHORTEST_AUDIT
    outdated: tuple[str, str] = ("", "")  # validators that are known to be outdated, to test the server with
    changing: int = 0  # times in a row that the ETag was another one and the body was not
    penance: int = 0  # unconditional visits that are left of a punishment
    lies: int = 0


#: Of a page without any answer.
STRANGE = Trust()


class Condition(Struct, frozen=True, kw_only=True):
    """The validators to send; both "": the request is unconditional. `test`: they are outdated, and 304 is a lie."""

    etag: str = ""
    last_modified: str = ""
    test: bool = False

    @property
    def headers(self) -> tuple[tuple[str, str], ...]:
        return conditions(self.etag, self.last_modified)


UNCONDITIONAL = Condition()


def condition(trust: Trust, now: float) -> Condition:
    """Return what the next request is to be made dependent on."""
    if not trust.time or trust.penance or now - trust.time > OLDEST or now < trust.time:
        return UNCONDITIONAL
    if any(trust.outdated):
        return Condition(etag=trust.outdated[0], last_modified=trust.outdated[1], test=True)
    if trust.unmodified >= trust.audit:
        return UNCONDITIONAL
    etag = trust.etag if trust.changing < CHANGING else ""
    return Condition(etag=etag, last_modified=trust.last_modified)


def judge(trust: Trust, sent: Condition, answer: Answer) -> tuple[str, Trust]:
    """Return what an answer to a request with the condition `sent` means, and what is remembered after it."""
    if answer.status == NOT_MODIFIED:
        return _not_modified(trust, sent, answer)
    empty = answer.status == OK and not answer.length and answer.body != trust.body
    if sent.headers and (answer.status in UNABLE or empty):
        return AGAIN, _punished(trust, lie=False)
    if answer.status >= 500:  # perhaps because of the condition: the next request has none
        return OTHER, replace(trust, penance=max(1, trust.penance))
    if answer.status != OK:
        return OTHER, trust
    return _complete(trust, sent, answer)


def _not_modified(trust: Trust, sent: Condition, answer: Answer) -> tuple[str, Trust]:
    if not sent.headers:
        return BROKEN, _punished(trust)
    other = answer.etag and sent.etag and _opaque(answer.etag) not in map(_opaque, etags(sent.etag))
    if sent.test or other:  # other: of a page that we do not have (RFC 9111 section 4.3.4)
        return AGAIN, _punished(trust)
    return UNMODIFIED, replace(trust, unmodified=trust.unmodified + 1)


def _complete(trust: Trust, sent: Condition, answer: Answer) -> tuple[str, Trust]:
    etag = sendable(answer.etag)
    last_modified = settled(answer.last_modified, answer.time)
    fresh = Trust(
        etag=etag,
        last_modified=last_modified,
        body=answer.body,
        content=answer.content,
        time=answer.time,
        audit=trust.audit,
        changing=trust.changing,
        penance=max(0, trust.penance - 1),
        lies=trust.lies,
    )
    if not trust.time:
        return CHANGED, fresh
    if answer.body == trust.body:
        if etag != trust.etag:
            return SAME, replace(fresh, changing=min(trust.changing + 1, CHANGING))
        audited = sent.test or (trust.unmodified and not sent.headers)
        longer = min(2 * trust.audit, LONGEST_AUDIT) if audited else trust.audit
        return SAME, replace(fresh, changing=0, audit=longer)
    if _lied(trust, answer):
        return CHANGED, _punished(fresh)
    if trust.unmodified and not sent.headers and (trust.etag, trust.last_modified) != (etag, last_modified):
        return CHANGED, replace(fresh, outdated=(trust.etag, trust.last_modified))
    return CHANGED, fresh


def _lied(trust: Trust, answer: Answer) -> bool:
    """Whether validators have stayed the same beside different bodies."""
    if trust.etag and answer.etag == trust.etag:
        weak = trust.etag.startswith("W/")
        return not weak or answer.content != trust.content or not answer.content
    if trust.etag or answer.etag:
        return False
    return bool(trust.last_modified) and answer.last_modified == trust.last_modified


def _punished(trust: Trust, *, lie: bool = True) -> Trust:
    """Return what is remembered of a server that has lied, or cannot answer conditional requests."""
    lies = trust.lies + lie
    penance = PENANCE * min(max(lies, 1), MOST_PENANCES)
    return replace(trust, penance=penance, lies=lies, audit=SHORTEST_AUDIT, outdated=("", ""), unmodified=0)


def sendable(value: str) -> str:
    """Return a validator that may be sent back, else "".

    >>> sendable('"x"'), sendable('""'), sendable("*"), sendable('"a\\r\\nX: y"')
    ('"x"', '', '', '')
    """
    # every page fits "*" (RFC 9110 section 13.1.2)
    good = len(value) <= LONGEST and value.isascii() and value.isprintable() and _opaque(value).strip('"*')
    return value if good else ""


def settled(value: str, now: float) -> str:
    """Return a Last-Modified that was older than SETTLED seconds at the time of its answer, else ""."""
    moment = modified_at(value)
    return sendable(value) if moment is not None and 0 < moment <= now - SETTLED else ""


def modified_at(value: str) -> float | None:
    """Return the time in a Last-Modified.

    >>> modified_at("Thu, 01 Jan 1970 00:01:00 GMT"), modified_at("yesterday")
    (60.0, None)
    """
    date = mail_date(value)
    if date is None:
        return None
    return (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()


def _opaque(etag: str) -> str:
    """Return an ETag without its mark of weakness: GET compares weakly (RFC 9110 section 13.1.2)."""
    return etag.removeprefix("W/")
