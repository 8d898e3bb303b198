"""`--purge`: the records of deleted pages leave the WARC files, and the bytes of their rows leave crawl.db.

A file is copied without these records under the next name of its series. The rows then refer to the copy, all in one
transaction; after it the old file is deleted. So the tables and the archive agree at every moment. Records that belong
to a deleted one (WARC-Concurrent-To, WARC-Refers-To) are in the same file and go too; if another record replaces it,
they refer to that one.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import BinaryIO

from ttcrawl.errors import CrawlFailedError
from ttcrawl.inspect.verify.archive import member
from ttcrawl.maintain.delete.payloads import read
from ttcrawl.maintain.repair import next_name
from ttcrawl.output.shell import command_line
from ttcrawl.output.steps import Progress
from ttcrawl.store import raw_records
from ttcrawl.store.archive_objects import at_hand, bring_back, delete_gone, in_warc
from ttcrawl.store.database import Database
from ttcrawl.store.deletions import PURGE, RECORD, WARC, sweep
from ttcrawl.store.files import is_ours, saved_files
from ttcrawl.store.imports import imported_files
from ttcrawl.store.mending import Mending, compact, mending
from ttcrawl.store.private import mode_of_new
from ttcrawl.store.raw_records import RawRecord, raw_record
from ttcrawl.store.regular import is_regular, open_regular, sync_directory
from ttcrawl.store.trim import trim
from ttcrawl.vocabulary.state import DELETED

FILES = f"SELECT DISTINCT file FROM leftover WHERE kind = '{RECORD}' ORDER BY file"
#: Whether there may be responses of deleted URLs that no row names, because the URL was requested again; or those to
#: visits by recrawl that refer to a deleted URL.
_SOME_WITHOUT_ROW = """
    SELECT 1 FROM revisit WHERE visits > 0 UNION ALL
    SELECT 1 FROM visit WHERE kind = 'page' AND url IN (SELECT url FROM temp.deleted)
    GROUP BY url HAVING count(*) > 1"""
_IN_FILE = f"SELECT offset, size, successor FROM leftover WHERE kind = '{RECORD}' AND file = ? ORDER BY offset"


def begin(db: Database) -> None:
    """Note that a purge is to be completed."""
    db.execute("INSERT OR IGNORE INTO leftover (kind, file) VALUES (?, '')", (PURGE,))


def is_begun(db: Database) -> bool:
    return db.execute("SELECT 1 FROM leftover WHERE kind = ?", (PURGE,)).fetchone() is not None


def purge(directory: Path, progress: Progress) -> int:
    """Rewrite the files; return the number of records that are gone. The caller has the lock."""
    database = directory / "crawl.db"
    with mending(database) as db:
        settings = dict(db.execute("SELECT name, value FROM crawl"))
        trim(directory, in_warc(db), settings.get("run", ""))
        db.execute("CREATE TEMP TABLE deleted (url TEXT PRIMARY KEY) WITHOUT ROWID")
        db.execute("INSERT OR IGNORE INTO temp.deleted SELECT url FROM url WHERE state = ?", (DELETED,))
        if db.execute(_SOME_WITHOUT_ROW).fetchone():
            _note_without_row(db, directory / "warc", progress)
        imported = {each.file for each in imported_files(db)}  # they stay as they are
        names = [name for (name,) in db.execute(FILES) if name not in imported]
        _remove_without_row(db, directory / "files")
    removed = 0
    for name in names:
        with mending(database) as db:
            copy = next_name(db, directory / "warc", name)
            db.execute("INSERT OR IGNORE INTO leftover (kind, file) VALUES (?, ?)", (WARC, copy))
        with mending(database) as db:
            bring_back(db, directory / "warc", name)
            removed += _rewrite(db, directory / "warc", name, copy, progress)
        sync_directory(directory / "warc")
        with mending(database) as db:
            sweep(db, directory)
    with mending(database) as db:
        delete_gone(db)
    progress("crawl.db", 0, 0)
    compact(database)
    with mending(database) as db:
        db.execute("DELETE FROM leftover WHERE kind = ?", (PURGE,))
    return removed


def _note_without_row(db: Database, warc: Path, progress: Progress) -> None:
    """Note the responses of deleted URLs that no row names, and records of other URLs that refer to deleted ones."""
    is_deleted = partial(_is_deleted, db)
    for name, size in db.execute("SELECT file, size FROM archive ORDER BY file").fetchall():
        for start, record, raw in _members(warc, name, size, progress):
            is_answer = record.get(raw_records.TYPE) in ("response", "revisit") or record.get(raw_records.FTP_REPLY)
            if is_answer and any(map(is_deleted, map(record.get, (raw_records.TARGET, raw_records.REFERS_TO_TARGET)))):
                row = (RECORD, name, start, len(raw))
                db.execute("INSERT OR IGNORE INTO leftover (kind, file, offset, size) VALUES (?, ?, ?, ?)", row)


def _is_deleted(db: Database, url: str) -> bool:
    return db.execute("SELECT 1 FROM temp.deleted WHERE url = ?", (url,)).fetchone() is not None


def _remove_without_row(db: Database, files: Path) -> None:
    """Delete the saved files that no row refers to: files of earlier answers, and of a crawl that was killed."""
    saved = {path for (path,) in db.execute("SELECT saved FROM image UNION SELECT saved FROM document")}
    for path in saved_files(files):
        if path not in saved and is_ours(path) and is_regular(files / path):
            (files / path).unlink()


def _rewrite(db: Mending, warc: Path, name: str, copy: str, progress: Progress) -> int:
    """Copy a file without the records that are left over in it, and let the rows refer to the copy."""
    row = db.execute("SELECT size FROM archive WHERE file = ?", (name,)).fetchone()
    leftover = db.execute(_IN_FILE, (name,)).fetchall()
    db.execute("DELETE FROM leftover WHERE kind = ? AND file = ?", (RECORD, name))
    if row is None:
        return 0
    db.execute("DROP TABLE IF EXISTS temp.moved")
    db.execute("CREATE TEMP TABLE moved (old INTEGER PRIMARY KEY, new INTEGER, size INTEGER)")
    path, mode = warc / copy, mode_of_new(warc.parent)
    with open(open_regular(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC, mode), "r+b") as target:
        copied = _Copy(warc, name, row[0], leftover).write(db, target, copy, progress)
        target.flush()
        os.fsync(target.fileno())
        size = target.tell()
    if copied:
        for table, length in (("page", "size"), ("earlier_page", "size"), ("resource", "size"), ("probe", "length")):
            db.execute(
                f"UPDATE {table} SET file = ?, (offset, {length}) = (SELECT new, size FROM moved WHERE old = offset)"
                " WHERE file = ? AND offset IN (SELECT old FROM moved)",
                (copy, name),
            )
        db.execute("INSERT INTO archive VALUES (?, ?)", (copy, size))
    db.execute("DELETE FROM archive WHERE file = ?", (name,))
    db.execute("INSERT OR IGNORE INTO leftover (kind, file) VALUES (?, ?)", (WARC, name))
    return len(leftover)


@dataclass(slots=True)
class _Copy:
    """A file that is copied without these records: (offset, size, successor)."""

    warc: Path
    name: str
    size: int
    leftover: list[tuple[int, int, str]]

    def write(self, db: Mending, target: BinaryIO, name: str, progress: Progress) -> int:
        """Return the number of records that were copied, without warcinfo records; fill table `moved`."""
        leaving = {offset for offset, _, _ in self.leftover}
        replaced = dict(self._replaced())
        copied = 0
        for start, record, raw in _members(self.warc, self.name, self.size, progress):
            if start in leaving:
                continue
            related = [each for each in self._relations(record) if each in replaced]
            if related and record.get(raw_records.TYPE) == "request":
                continue  # its response goes, or is in another file now
            if any(not replaced[each] for each in related):
                continue
            if record.get(raw_records.TYPE) == "warcinfo":
                raw = record.with_fields(warc_filename=name).packed()
            else:
                copied += 1
                if related:
                    raw = self._relinked(record, replaced).packed()
            db.execute("INSERT INTO moved VALUES (?, ?, ?)", (start, target.tell(), len(raw)))
            target.write(raw)
        return copied

    def _replaced(self) -> Iterator[tuple[str, str]]:
        """Yield (id of a record that goes, id of the one that replaces it or ""), also for records that it names."""
        for offset, size, successor in self.leftover:
            record = read(self.warc, self.name, offset, size)
            yield record.get(raw_records.ID), successor
            if not successor:
                yield from ((each, "") for each in record.all(raw_records.CONCURRENT))

    @staticmethod
    def _relations(record: RawRecord) -> Iterator[str]:
        yield from record.all(raw_records.ID)
        yield from record.all(raw_records.CONCURRENT)
        if record.get(raw_records.TYPE) != "revisit":  # it stays: it refers to a payload that has moved already
            yield from record.all(raw_records.REFERS_TO)

    @staticmethod
    def _relinked(record: RawRecord, replaced: dict[str, str]) -> RawRecord:
        names = (raw_records.CONCURRENT, raw_records.REFERS_TO)
        fields = tuple(
            (name, replaced.get(value, value) if name.lower() in names else value) for name, value in record.fields
        )
        return RawRecord(fields, record.block)


def _members(warc: Path, name: str, size: int, progress: Progress) -> Iterator[tuple[int, RawRecord, bytes]]:
    """Yield (start, record, bytes) of the members of a file."""
    with at_hand(warc, name) as path, open(path, "rb") as source:
        position = 0
        while position < size:
            progress(f"bytes of {path.name}", position, size)
            data, end = member(source, position, size)
            record = None if data is None else raw_record(data)
            if record is None:
                raise CrawlFailedError(
                    f"{path} is damaged at {position}, so it is not rewritten: run"
                    f" {command_line('verify', warc.parent, '--repair')}, then delete again"
                )
            source.seek(position)
            yield position, record, source.read(end - position)
            position = end
