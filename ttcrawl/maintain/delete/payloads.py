"""Payloads that a deleted page shares with pages that stay: they move.

A page with the same bytes as an earlier one has a revisit record, without a payload. If the page with the payload is
deleted, the first of the others gets a response record with the payload, and the rest revisit records that refer to
it. These are written into a new WARC file; the records that they replace are left over until a purge.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import BinaryIO

from ttcrawl.errors import CrawlFailedError
from ttcrawl.inspect.verify.archive import is_plain, member
from ttcrawl.maintain.delete.selection import GONE
from ttcrawl.output.shell import command_line
from ttcrawl.ring.position import Position
from ttcrawl.store import raw_records
from ttcrawl.store.archive_objects import read_at
from ttcrawl.store.database import Database
from ttcrawl.store.deletions import RECORD
from ttcrawl.store.private import mode_of_new
from ttcrawl.store.raw_records import RawRecord, raw_record
from ttcrawl.store.regular import open_regular
from ttcrawl.store.warc import RUN
from ttcrawl.store.warc_records import information, new_id

#: Answers that stay, with their payload in the record of a page that does not. The first of each group gets it: if
#: possible one with a fingerprint, because later pages may turn out to be identical with it.
SHARED = f"""
    SELECT payload, digest, answer.url, answer.time, file, offset, size,
           EXISTS (SELECT 1 FROM page WHERE page.url = answer.url AND page.time = answer.time) AS latest
    FROM answer WHERE payload IN ({GONE}) AND answer.url NOT IN ({GONE}) AND file != ''
    ORDER BY payload, digest, latest DESC, answer.url NOT IN (SELECT url FROM fingerprint), answer.url, answer.time"""

_HOLDER = "SELECT file, offset, size FROM answer WHERE url = ? AND digest = ? AND payload IS NULL"


@dataclass(frozen=True, slots=True)
class _Shared:
    payload: int
    digest: bytes
    url: int
    time: float
    file: str
    offset: int
    size: int
    latest: int


def are_shared(db: Database) -> bool:
    return db.execute(SHARED).fetchone() is not None


def move(db: Database, warc: Path, start: Position, now: float) -> None:
    """Write the new records into a new file at this position, and update the rows."""
    name, run = start.file, start.run
    rows, mode = [_Shared(*row) for row in db.execute(SHARED)], mode_of_new(warc.parent)
    with open(open_regular(warc / name, os.O_RDWR | os.O_CREAT | os.O_TRUNC, mode), "r+b") as file:
        first = raw_record(information(name, now, new_id(), [(RUN, run.id), *run.information]))
        assert first is not None
        file.write(first.packed())
        for (payload, digest), group in groupby(rows, key=attrgetter("payload", "digest")):
            position = db.execute(_HOLDER, (payload, digest)).fetchone()
            if position is None:
                raise CrawlFailedError(
                    f"the bytes of page {payload} are missing: see {command_line('verify', warc.parent)}"
                )
            holder = read(warc, *position)
            for answer, old, new in _written(list(group), holder, warc):
                new = new.with_fields(warc_warcinfo_id=first.get(raw_records.ID))
                _append(db, file, name, answer, old, new)
        size = file.tell()
        file.flush()
        os.fsync(file.fileno())
    db.execute("INSERT INTO archive VALUES (?, ?)", (name, size))


def _written(
    group: list[_Shared], holder: RawRecord, warc: Path
) -> Iterator[tuple[tuple[_Shared, int | None], RawRecord, RawRecord]]:
    """Yield ((answer, URL with its payload), its record, its new record), the one with the payload first."""
    old = read(warc, group[0].file, group[0].offset, group[0].size)
    first = raw_records.as_response(old, holder)
    yield (group[0], None), old, first
    refers = {"warc_refers_to_target_uri": first.get("warc-target-uri"), "warc_refers_to_date": first.get("warc-date")}
    for answer in group[1:]:
        old = read(warc, answer.file, answer.offset, answer.size)
        new = old.with_fields(warc_record_id=new_id(), warc_refers_to=first.get(raw_records.ID), **refers)
        yield (answer, group[0].url), old, new


def _append(
    db: Database, file: BinaryIO, name: str, answer: tuple[_Shared, int | None], old: RawRecord, new: RawRecord
) -> None:
    row, payload = answer
    offset, data = file.tell(), new.packed()
    file.write(data)
    table = "page" if row.latest else "earlier_page"
    db.execute(
        f"UPDATE {table} SET file = ?, offset = ?, size = ?, payload = ? WHERE url = ? AND time = ?",
        (name, offset, len(data), payload, row.url, row.time),
    )
    db.execute(
        "INSERT OR REPLACE INTO leftover VALUES (?, ?, ?, ?, ?)",
        (RECORD, row.file, row.offset, row.size, new.get(raw_records.ID)),
    )


def read(warc: Path, file: str, offset: int, size: int) -> RawRecord:
    """Read a record. Raises CrawlFailedError if it is missing or damaged."""
    data = None
    if is_plain(file):
        with suppress(FileNotFoundError):
            data, _ = member(io.BytesIO(read_at(warc, file, offset, size)), 0, size)
    record = None if data is None else raw_record(data)
    if record is None:
        raise CrawlFailedError(
            f"{warc / file} lacks a complete record at {offset}: see {command_line('verify', warc.parent)}"
        )
    return record
