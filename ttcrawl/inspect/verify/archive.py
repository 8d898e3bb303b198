"""Checks the archive against the tables: every record of every file, and the bytes of every page.

A file is read from its start to its size in the tables, one gzip member after the other. After a damaged member,
reading continues at the next position that a page row names. Temporary tables collect what to repair: `misplaced` (URLs
whose bytes are missing or wrong) and `torn` (ranges without valid records).
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import BinaryIO

from ttcrawl.inspect.verify import imported, revisits
from ttcrawl.inspect.verify.findings import Findings
from ttcrawl.inspect.verify.page_bytes import PageBytes
from ttcrawl.inspect.verify.revisits import FOREIGN, NOWHERE
from ttcrawl.inspect.verify.warc_record import Record, parse
from ttcrawl.output.steps import Progress, silent
from ttcrawl.ring.position import is_name
from ttcrawl.snapshot.snapshot import View
from ttcrawl.store.archive_objects import at_hand
from ttcrawl.store.deletions import WARC
from ttcrawl.store.regular import is_link, is_regular

CHUNK = 1 << 14

MISSING = "archive: a file is missing"
SHORT = "archive: a file is shorter than the tables record"
TAIL = "archive: torn tail, cut by resume or --repair"
UNKNOWN = "archive: a file that is not in the tables"
TORN = "archive: a damaged record"
ALONE = "archive: a request without its response"
LINK = "archive: a file is a symbolic link"
NAME = "archive: not a name of a WARC file"

TEMPORARY = """
    CREATE TEMP TABLE place (file, offset, url, time, PRIMARY KEY (file, offset, url)) WITHOUT ROWID;
    CREATE TEMP TABLE misplaced (url INTEGER PRIMARY KEY);
    CREATE TEMP TABLE torn (file, start, end);
    INSERT INTO place SELECT file, offset, url, time FROM page
    WHERE file != '' OR url NOT IN (SELECT url FROM topic WHERE NOT relevant);  -- [topic] irrelevant = record
"""


#: A redirect has no digest; its Location may be empty, which leads to the URL itself (RFC 9110 section 10.2.2).
_PLACED = """
    SELECT url.id, url.url, digest IS NULL AND status BETWEEN 300 AND 399, status, length, digest,
    page.offset, size, payload,
    EXISTS (SELECT 1 FROM spoken_of WHERE spoken_of.url = page.url), {latest}
    FROM place JOIN {table} AS page ON page.url = place.url AND page.time = place.time JOIN url ON url.id = page.url
    WHERE place.file = ?1"""
_TABLES = (("page", 1), ("earlier_page", 0))
PLACED = " UNION ALL ".join(_PLACED.format(table=table, latest=latest) for table, latest in _TABLES) + " ORDER BY 7"


def check(db: View, findings: Findings, progress: Progress = silent) -> None:
    """`progress` counts the bytes that are read."""
    with findings.catching(db):
        db.execute_all(TEMPORARY + revisits.TEMPORARY)
        sizes = dict(db.execute("SELECT file, size FROM archive ORDER BY file"))
        total, before = sum(sizes.values()), 0
        for name, size in sizes.items():
            advance = partial(_advance, progress, before, total)
            _file(db, db.directory / "warc", name, size, findings, advance)
            before += size
        others = imported.check(db, findings, partial(_pages, db), partial(_add_misplaced, db, findings=findings))
        _unspoken(db, findings, others)
        revisits.check(db, findings)
        left = {name for (name,) in db.execute("SELECT file FROM leftover WHERE kind = ?", (WARC,))}
        for path in unknown(db.directory, left | set(sizes) | others):
            findings.add(UNKNOWN, path.name)


def _advance(progress: Progress, before: int, total: int, position: int) -> None:
    progress("bytes of the archive", before + position, total)


def unknown(directory: Path, names: set[str]) -> Iterator[Path]:
    """WARC files without a row. The file of a parse process without any page has no response and does not count."""
    for path in sorted((directory / "warc").glob("*.warc.gz")):
        if path.name not in names and _is_candidate(path) and not _without_answer(path):
            yield path


def foreign(directory: Path) -> int:
    """The number of WARC files that do not belong to a crawl. They stay untouched."""
    return sum(not _is_candidate(path) for path in (directory / "warc").glob("*.warc.gz"))


def _is_candidate(path: Path) -> bool:
    return is_name(path.name) and is_regular(path)


def _without_answer(path: Path) -> bool:
    with open(path, "rb") as file:
        size = path.stat().st_size
        data, end = member(file, 0, size)
        record = None if data is None else parse(data)
    return size == 0 or (record is not None and record.kind == "warcinfo" and end == size)


def _file(db: View, warc: Path, name: str, size: int, findings: Findings, advance: Callable[[int], None]) -> None:
    if is_plain(name):
        with suppress(FileNotFoundError), at_hand(warc, name) as path:
            _read(db, path, name, size, findings, advance)
            return
    findings.add(MISSING if is_plain(name) else NAME, name)
    db.execute("INSERT INTO torn VALUES (?, 0, ?)", (name, size))
    for page in _pages(db, name):
        _add_misplaced(db, page, NOWHERE, findings)


def _read(db: View, path: Path, name: str, size: int, findings: Findings, advance: Callable[[int], None]) -> None:
    """Raises FileNotFoundError."""
    if not path.is_file():
        raise FileNotFoundError(path)
    if is_link(path):
        findings.add(LINK, name)
    actual = path.stat().st_size
    if actual < size:
        findings.add(SHORT, f"{name}: {actual} of {size} bytes")
    if actual > size:
        findings.add(TAIL, f"{name}: {actual - size} bytes behind {size}")
    with open(path, "rb") as file:
        _walk(db, file, name, size, findings, advance)


def is_plain(name: str) -> bool:
    """Whether this is the name of a file in warc/, and not a path that leads elsewhere."""
    return Path(name).name == name and name.endswith(".warc.gz")


def _walk(db: View, file: BinaryIO, name: str, size: int, findings: Findings, advance: Callable[[int], None]) -> None:
    pages = _pages(db, name)
    page = next(pages, None)
    position = 0
    waiting: tuple[int, str] | None = None  # a request: its start, and the id of its response
    while position < size:
        advance(position)
        while page is not None and page.offset < position:
            _add_misplaced(db, page, NOWHERE, findings)
            page = next(pages, None)
        data, end = member(file, position, size)
        record = None if data is None else parse(data)
        sound = record is not None and record.sound
        start = waiting[0] if waiting else position  # of the request and its response
        if waiting and not (record and sound and record.id == waiting[1]):
            _add_alone(db, name, waiting[0], position, findings)
            start = position
        waiting = (position, record.concurrent) if record and sound and record.kind == "request" else None
        if record is None or not sound:
            while page is not None and page.offset == position:
                _add_misplaced(db, page, NOWHERE, findings)
                page = next(pages, None)
            stop = end if data is not None else min(size, page.offset) if page is not None else size
            findings.add(TORN, f"{name} at {position}")
            db.execute("INSERT INTO torn VALUES (?, ?, ?)", (name, position, stop))
            position = stop
            continue
        revisits.note(db, record, (name, start, end))
        while page is not None and page.offset == position:
            if not _belongs(page, record, end - position):
                _add_misplaced(db, page, FOREIGN, findings)
            else:
                _remember(db, page, record)
            page = next(pages, None)
        position = end
    if waiting:
        _add_alone(db, name, waiting[0], size, findings)
    while page is not None:
        _add_misplaced(db, page, NOWHERE, findings)
        page = next(pages, None)


def _add_alone(db: View, name: str, start: int, end: int, findings: Findings) -> None:
    """A request in front of a record that is not its response."""
    findings.add(ALONE, f"{name} at {start}")
    db.execute("INSERT INTO torn VALUES (?, ?, ?)", (name, start, end))


def _pages(db: View, name: str) -> Iterator[PageBytes]:
    return (PageBytes(*row) for row in db.execute(PLACED, (name,)))


def _belongs(page: PageBytes, record: Record, size: int) -> bool:
    """Whether the record is the response of this page. Redirects and revisits have no body to compare."""
    facts = (record.kind, record.url, record.status, size)
    kind = "response" if page.payload is None else "revisit"
    if facts != (kind, page.url, str(page.status), page.size):
        return False
    if page.payload is not None:
        return record.length == 0
    return page.moved or (record.length, record.digest) == (page.length, page.digest)


def _remember(db: View, page: PageBytes, record: Record) -> None:
    """Stores facts that are compared after all files are read."""
    if page.payload is not None and page.latest:
        refers = (page.id, record.target, record.target_date, record.payload_digest)
        db.execute("INSERT OR IGNORE INTO reference VALUES (?, ?, ?, ?)", refers)
    elif page.payload is None and page.is_original:
        facts = (page.id, page.digest, record.url, record.date, record.payload_digest, page.length)
        db.execute("INSERT OR IGNORE INTO held VALUES (?, ?, ?, ?, ?, ?)", facts)


def _add_misplaced(db: View, page: PageBytes, kind: str, findings: Findings) -> None:
    if page.latest:  # otherwise the pages that have their bytes there are misplaced
        findings.add(kind, page.url)
        db.execute("INSERT OR IGNORE INTO misplaced VALUES (?)", (page.id,))


def _unspoken(db: View, findings: Findings, others: set[str]) -> None:
    """Pages whose file has no row in `archive`, and is not among the imported ones."""
    db.execute("CREATE TEMP TABLE other_file (file TEXT PRIMARY KEY)")
    db.executemany("INSERT INTO other_file VALUES (?)", [(each,) for each in others])
    homeless = (
        "SELECT page.url FROM place JOIN page ON page.url = place.url AND page.time = place.time"
        " WHERE place.file NOT IN (SELECT file FROM archive UNION ALL SELECT file FROM other_file)"
    )
    db.execute(f"INSERT OR IGNORE INTO misplaced {homeless}")
    rows = db.execute(f"SELECT coalesce(url, id) FROM url WHERE id IN ({homeless})")
    findings.add_all(NOWHERE, (row[0] for row in rows))


def member(file: BinaryIO, start: int, limit: int) -> tuple[bytes | None, int]:
    """(content, end) of the gzip member that starts at `start`; (None, start) without a complete member."""
    file.seek(start)
    unpack = zlib.decompressobj(31)  # zlib, because the writer used another library: each checks the other
    pieces, position = [], start
    try:
        while not unpack.eof:
            chunk = file.read(min(CHUNK, limit - position))
            if not chunk:
                return None, start
            pieces.append(unpack.decompress(chunk))
            position += len(chunk)
    except zlib.error:
        return None, start
    return b"".join(pieces), position - len(unpack.unused_data)
