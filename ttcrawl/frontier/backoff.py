"""When to back off a host as a whole: pure. ``health`` decides whether a 429 or 503 concerns the host.

A server that answers 429 or 503 asks for fewer requests, and one that accepts no connection may be overloaded. Then no
URL of the host is requested for the time in Retry-After (RFC 9110 section 10.2.3), else for a minute, which doubles
with each incident. Several requests that fail together are one incident: a request counts as another incident only if
it began after the last one was noticed. An incident is forgotten once the host has been well for as long as it was
backed off.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from ttcrawl.ring.messages import PAGE
from ttcrawl.vocabulary.family import Family
from ttcrawl.vocabulary.reason import NO_CONNECTION, OVERLOADED, Code, family

#: Earlier than every moment.
NEVER = float("-inf")

#: Reasons for which a host is backed off.
INCIDENTS = NO_CONNECTION | OVERLOADED

#: Longest back-off of a host, seconds.
DAY = 86400.0

#: Back-offs without Retry-After are longer by a random share up to this, so that the hosts of a server do not all
#: return at once.
JITTER = 0.1


class Backoff(Struct, frozen=True, kw_only=True):
    """A host is backed off for `seconds`, until a moment. `origin` is the cause: 'Retry-After', 'http 503' ..."""

    seconds: float = 0.0
    until: float = 0.0
    origin: str = ""
    silent: int = 0  # incidents in a row without any answer in between


class Exchange(Struct, frozen=True, kw_only=True):
    """A finished request."""

    reason: Code  # 'http 200', 'connection refused' ...
    retry_after: float | None  # seconds
    started: float
    ended: float
    address: str = ""  # requested address
    url: str = ""
    kind: str = PAGE
    status: int = 0  # 0: no answer
    gate: bool = False  # a request for the host's own robots.txt, which precedes all others
    overloaded_at: float = NEVER  # when the last request for this URL with a 429 or 503 ended


def after(exchange: Exchange, before: Backoff, base: float, chance: float) -> Backoff:
    """Return the back-off after a request; `before` was in force until then, `chance` is a random number from 0 to 1.

    >>> down = Exchange(reason="http 503", retry_after=None, started=99.0, ended=100.0)
    >>> after(down, Backoff(), 60.0, 0.0)
    Backoff(seconds=60.0, until=160.0, origin='http 503', silent=0)
    """
    is_http = family(exchange.reason) is Family.HTTP
    silent = 0 if is_http else before.silent
    if exchange.reason not in INCIDENTS:
        return before if silent == before.silent else replace(before, silent=silent)
    retry_after = exchange.retry_after
    same = before.seconds > 0 and exchange.started < before.until - before.seconds
    if same and retry_after is None:
        return replace(before, silent=silent)
    silent += exchange.reason in NO_CONNECTION and not same
    if retry_after is not None:
        seconds, origin = min(retry_after, DAY), "Retry-After"
    else:
        quiet = exchange.ended - before.until > max(base, before.seconds)
        seconds = base if quiet else min(max(base, before.seconds * 2), DAY)
        seconds, origin = min(seconds * (1 + JITTER * chance), DAY), exchange.reason
    if seconds <= 0 or exchange.ended + seconds <= before.until:
        return replace(before, silent=silent)
    return Backoff(seconds=seconds, until=exchange.ended + seconds, origin=origin, silent=silent)
