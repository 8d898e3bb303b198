"""The answers that pages of a fetch process share: scripts, style sheets, and what servers call fresh (RFC 9111).

An answer serves requests with the same URL and headers, without a request while it is fresh (section 4.2), after a
conditional one later (section 4.3). Answers that set cookies serve one page. If a server states no lifetime, scripts
and style sheets are fresh for a tenth of the time since their Last-Modified (section 4.2.2), within limits; without a
date, for the shortest time.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from http import HTTPStatus

from ttcrawl.fetch.answer import Answer
from ttcrawl.parse.head import first_values, values
from ttcrawl.recrawl.expiry import fresh_until
from ttcrawl.recrawl.validators import modified_at
from ttcrawl.ring.messages import ROBOTS
from ttcrawl.ring.rendering import Resource
from ttcrawl.web.etag import conditions

#: Types of requests, in the words of the DevTools protocol and ours, whose answers pages share without the server's
#: word.
SHARED = frozenset(("script", "stylesheet", ROBOTS))

#: Lifetime of answers to these if the server states none: a share of their age, and its limits in seconds.
GUESS, SHORTEST, LONGEST = 0.1, 600.0, 86_400.0

#: Requests for different answers that wait for each other by chance: one in this number.
TURNS = 64

#: Bytes that an entry takes besides its answer.
OVERHEAD = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """An answer as the browser gets it."""

    status: int
    headers: dict[str, str]
    body: bytes  # decoded


@dataclass(frozen=True, slots=True, kw_only=True)
class Lifetime:
    """`until`: seconds since the epoch; `conditions`: headers that ask afterwards whether the answer has changed."""

    until: float
    conditions: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """An answer, as the browser gets it and as the archive has it."""

    response: Response
    resource: Resource
    lifetime: Lifetime

    @property
    def size(self) -> int:
        """Bytes of memory."""
        return OVERHEAD + len(self.response.body) + len(self.resource.body)


class Cache:
    """At most `limit` bytes; those used last. For all threads of a process."""

    def __init__(self, limit: int) -> None:
        self._limit, self._size = limit, 0
        self._entries: dict[object, Entry] = {}  # those used last are last
        self._lock = threading.Lock()
        self._turns = [threading.Lock() for _ in range(TURNS)]

    def turn(self, key: object) -> threading.Lock:
        """Return what a thread holds while it makes a request, so that others do not make the same one."""
        return self._turns[hash(key) % TURNS]

    def get(self, key: object) -> Entry | None:
        """Return the answer to a request; `key`: its URL and headers."""
        with self._lock:
            entry = self._entries.pop(key, None)
            if entry is not None:
                self._entries[key] = entry
            return entry

    def put(self, key: object, entry: Entry) -> None:
        """Keep an answer in place of an earlier one."""
        with self._lock:
            self._size += entry.size - self._drop(key)
            self._entries[key] = entry
            while self._size > self._limit:
                self._size -= self._drop(next(iter(self._entries)))

    def _drop(self, key: object) -> int:
        """Remove an entry; return its bytes."""
        entry = self._entries.pop(key, None)
        return 0 if entry is None else entry.size


def lifetime(kind: str, answer: Answer) -> Lifetime | None:
    """Return for how long other pages get a complete answer; None: they do not. `kind`: of its request."""
    headers = first_values(answer.head)
    if kind == ROBOTS:  # for a day at most (RFC 9309 section 2.4), also if there is none
        decides = answer.status == HTTPStatus.OK or 400 <= answer.status < 500
        decides = decides and answer.status != HTTPStatus.TOO_MANY_REQUESTS
        return Lifetime(until=answer.ended + LONGEST, conditions=()) if decides else None
    control, varies = headers.get("cache-control", "").lower(), headers.get("vary", "").lower()
    one_page = "no-store" in control or varies.strip() == "*" or "cookie" in varies or "set-cookie" in headers
    if answer.status != HTTPStatus.OK or one_page:
        return None
    modified = headers.get("last-modified", "")
    asked, until = conditions(headers.get("etag", ""), modified), _expiry(kind, answer, modified)
    return Lifetime(until=until, conditions=asked) if asked or until > answer.ended else None


def confirmed(kind: str, entry: Entry, answer: Answer) -> Entry:
    """Return an entry after a 304, whose headers say for how long it is fresh, if they say anything."""
    modified = first_values(entry.resource.head).get("last-modified", "")
    return replace(entry, lifetime=replace(entry.lifetime, until=_expiry(kind, answer, modified)))


def _expiry(kind: str, answer: Answer, last_modified: str) -> float:
    """Return when an answer becomes stale, seconds since the epoch."""
    names = ("cache-control", "expires", "date", "age")
    lists = [values(answer.head, name) for name in names]
    stated = fresh_until(*lists, sent=answer.started, received=answer.ended)
    if stated is not None or kind not in SHARED:
        return answer.ended if stated is None else stated
    modified = modified_at(last_modified.strip())
    age = 0.0 if modified is None else answer.ended - modified
    return answer.ended + min(max(GUESS * age, SHORTEST), LONGEST)
