"""When a host as a whole is left alone: pure. Whether a 429 or 503 is the host's is decided in ``health``.

A server that says 429 or 503 is asking for less, and one that lets nobody connect may be drowning. Whatever the URL, it
is then not asked at all: as long as Retry-After says (RFC 9110 section 10.2.3), else a minute, twice as long each time
it happens again. Several exchanges that fail together are one incident: only those that began after the last one was
noticed count as another. An incident is forgotten once the host has been well for as long as it was left alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ttcrawl.ring.messages import PAGE
from ttcrawl.vocabulary.reason import NO_CONNECTION, OVERLOADED, Code, Family, family

#: Before any moment.
NEVER = float("-inf")

#: Longest time a host is left alone, seconds.
DAY = 86400.0

#: Own waits are up to so much longer, at random, lest many hosts of one server come back together.
JITTER = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class Backoff:
    """A host is left alone for `seconds`, until a moment; `origin` says why: 'Retry-After', 'http 503' ..."""

    seconds: float = 0.0
    until: float = 0.0
    origin: str = ""
    silent: int = 0  # incidents in a row without any answer in between


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """What is to be known of an exchange that ended."""

    reason: Code  # 'http 200', 'connection refused' ...
    retry_after: float | None  # seconds
    started: float
    ended: float
    address: str = ""  # that was to be asked
    url: str = ""
    kind: str = PAGE
    status: int = 0  # 0: no answer
    gate: bool = False  # it was for the robots.txt of the host itself, before which nothing else is requested
    overloaded_at: float = NEVER  # when the last exchange with this URL ended that brought a 429 or 503


def after(exchange: Exchange, before: Backoff, base: float, chance: float) -> Backoff:
    """What holds after an exchange, when `before` held until then; `chance` is a random number from 0 to 1.

    >>> down = Exchange(reason="http 503", retry_after=None, started=99.0, ended=100.0)
    >>> after(down, Backoff(), 60.0, 0.0)
    Backoff(seconds=60.0, until=160.0, origin='http 503', silent=0)
    """
    answered = family(exchange.reason) is Family.HTTP
    silent = 0 if answered else before.silent
    if exchange.reason not in NO_CONNECTION | OVERLOADED:
        return replace(before, silent=silent)
    asked = exchange.retry_after
    same = before.seconds > 0 and exchange.started < before.until - before.seconds
    if same and asked is None:
        return replace(before, silent=silent)
    silent += exchange.reason in NO_CONNECTION and not same
    if asked is not None:
        seconds, origin = min(asked, DAY), "Retry-After"
    else:
        quiet = exchange.ended - before.until > max(base, before.seconds)
        seconds = base if quiet else min(max(base, before.seconds * 2), DAY)
        seconds, origin = min(seconds * (1 + JITTER * chance), DAY), exchange.reason
    if seconds <= 0 or exchange.ended + seconds <= before.until:
        return replace(before, silent=silent)
    return Backoff(seconds=seconds, until=exchange.ended + seconds, origin=origin, silent=silent)
