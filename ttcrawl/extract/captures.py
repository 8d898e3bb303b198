"""The answers of a crawl of which items can be made: complete ones with a status of 2xx, of URLs that are no refused
ones, in the archive."""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

import xxhash
from msgspec import Struct

from ttcrawl.ring.messages import NOT_FOLLOWED, PAGE, Archived, Extract, Fetched, Read, Request
from ttcrawl.snapshot.conditions import compile_conditions
from ttcrawl.snapshot.page_records import PAGE_RECORDS
from ttcrawl.snapshot.snapshot import View
from ttcrawl.vocabulary.reason import NONE
from ttcrawl.vocabulary.state import REFUSED

#: URLs that are looked up at once.
MANY = 500

_ANSWER = f"""
    SELECT url.id, url.url, url.depth, answer.time, status, length, digest, file, offset, size, payload,
           (SELECT meta FROM link_meta WHERE link_meta.url = url.id),
           (SELECT max(time) FROM answer AS other WHERE other.url = url.id AND other.time < answer.time)
    FROM json_each(?) AS wanted JOIN {{}} AS answer ON answer.url = wanted.value JOIN url ON url.id = answer.url
    WHERE status BETWEEN 200 AND 299 AND file != '' AND url.state != '{REFUSED}' ORDER BY url.id, answer.time"""
_PAYLOAD = "SELECT file, offset, size FROM answer WHERE url = ? AND digest = ? AND payload IS NULL"
_RESOURCES = "SELECT file, offset, size FROM resource WHERE page = ?"
_IDS = "SELECT DISTINCT url FROM {} WHERE url > ? AND status BETWEEN 200 AND 299 ORDER BY url LIMIT ?"


class Capture(Struct, frozen=True, kw_only=True):
    """An answer in the archive. `since`: when the one before it was processed, 0 if there is none."""

    id: int  # of its URL
    url: str
    depth: int | None
    time: float  # when it was processed, seconds since the epoch
    status: int
    length: int
    digest: bytes
    record: Archived
    payload: Archived | None
    meta: str
    since: float
    resources: tuple[Archived, ...]

    def work(self, token: int, wanted: tuple[int, ...]) -> Extract:
        """The message to a parse process. `wanted`: the numbers of the extractors."""
        fetched = Fetched(
            token=token,
            status=self.status,
            address="",
            started=self.time,
            ended=self.time,
            head_size=0,
            body_size=self.length,
            refused=NONE,
            digest=self.digest,
        )
        depth = NOT_FOLLOWED if self.depth is None else self.depth
        request = Request(token=token, kind=PAGE, url=self.url, depth=depth, not_before=0.0, meta=self.meta)
        read = Read(request=request, fetched=fetched, head=self.record, payload=self.payload)
        return Extract(read=read, wanted=wanted, resources=self.resources, between=(self.since, self.time))


def captures(db: View, ids: Iterable[int], *, every: bool) -> Iterator[list[Capture]]:
    """The latest answers of URLs, or `every` one, in pieces. No snapshot is open while the caller has one."""
    query, remaining = _ANSWER.format("answer" if every else "page"), iter(ids)
    while piece := list(islice(remaining, MANY)):
        found = [_capture(db, row) for row in db.execute(query, (json.dumps(piece),)).fetchall()]
        db.rest()
        yield found


def _capture(db: View, row: Sequence[Any]) -> Capture:
    id, url, depth, time, status, length, digest, file, offset, size, payload, meta, since = row
    holder = db.execute(_PAYLOAD, (payload, digest)).fetchone() if payload is not None else None
    return Capture(
        id=id,
        url=url,
        depth=depth,
        time=time,
        status=status,
        length=length,
        digest=digest or b"",
        record=_archived(file, offset, size),
        payload=_archived(*holder) if holder else None,
        meta=meta or "",
        since=since or 0.0,
        resources=tuple(_archived(*each) for each in db.execute(_RESOURCES, (id,))),
    )


def _archived(file: str, offset: int, size: int) -> Archived:
    return Archived.sound(file=file, offset=offset, length=size)  # type: ignore[no-any-return]


def matching(db: View, conditions: Sequence[str], *, every: bool) -> Iterator[int]:
    """The ids of URLs with answers for which the conditions hold, about their latest ones. Raises UsageError."""
    if conditions:
        holds = compile_conditions(conditions, PAGE_RECORDS.row)
        yield from (row.id for row in PAGE_RECORDS.stored.rows(db) if holds(row))
        return
    query, last = _IDS.format("answer" if every else "page"), -1
    while ids := [id for (id,) in db.execute(query, (last, MANY))]:
        db.rest()
        yield from ids
        last = ids[-1]


def sampled(db: View, ids: Iterable[int], count: int) -> list[int]:
    """So many of the ids, from all of the crawl; the same ones each time."""
    return sorted(heapq.nsmallest(count, ids, key=lambda id: xxhash.xxh3_64_intdigest(db.url_of(id).encode())))


def total(db: View) -> int:
    """How many answers there may be, for the progress."""
    (count,) = db.execute("SELECT count(*) FROM page WHERE status BETWEEN 200 AND 299").fetchone()
    return int(count)
