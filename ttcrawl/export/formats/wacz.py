"""The archive with its index and pages in one file: WACZ 1.1.1 (https://specs.webrecorder.net/wacz/1.1.1/).

It is written here: the tool of Webrecorder reads everything twice, and takes no more than 2 GB of pages.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

import msgspec

from ttcrawl import __version__
from ttcrawl.export.formats.cdxj import archive_format, each_at_hand, index, warc_files
from ttcrawl.output.number import counted
from ttcrawl.output.steps import Progress
from ttcrawl.snapshot.page_records import PageRecord
from ttcrawl.snapshot.page_text import words_or_none
from ttcrawl.snapshot.snapshot import View
from ttcrawl.store.private import mode_of_new
from ttcrawl.store.regular import open_regular
from ttcrawl.vocabulary.html import PARSERS
from ttcrawl.vocabulary.state import FETCHED, MOVED

VERSION = "1.1.1"

#: The index in pieces that are compressed, and the key of each piece.
INDEX, KEYS = "index.cdx.gz", "index.idx"

#: What the index has of a record besides the usual fields.
FIELDS = "referrer,req.http:cookie"

LINES = 1024  # of the index in a piece

PIECE = 1 << 20  # bytes that are copied at a time


class Entry:
    """A file in a package, open for writing, and the digest of what was written."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._digest = hashlib.sha256()
        self.size = 0

    def write(self, data: bytes) -> int:
        self._digest.update(data)
        self.size += len(data)
        return self._file.write(data)

    @property
    def digest(self) -> str:
        return f"sha256:{self._digest.hexdigest()}"


class Package:
    """A zip file. `resources`: what datapackage.json says about its entries."""

    def __init__(self, zip: ZipFile) -> None:
        self._zip, self.resources = zip, list[dict[str, object]]()

    @contextmanager
    def entry(self, path: str, compression: int = ZIP_STORED) -> Iterator[Entry]:
        info = ZipInfo(path, time.gmtime()[:6])
        info.compress_type = compression
        with self._zip.open(info, "w", force_zip64=True) as file:
            entry = Entry(file)
            yield entry
        name = path.rpartition("/")[2]
        self.resources.append({"name": name.lower(), "path": path, "hash": entry.digest, "bytes": entry.size})


def wacz(db: View, pages: Iterable[PageRecord], progress: Progress, out: Path) -> None:
    """Write the archive, its index, and the pages with titles and texts. Raises UsageError."""
    files, keys = warc_files(db), io.StringIO()
    os.close(open_regular(out, os.O_WRONLY | os.O_CREAT, mode_of_new(db.directory)))  # it has the archive
    with ZipFile(out, "w") as zip:
        package = Package(zip)
        with package.entry(f"indexes/{INDEX}") as entry:
            options = {"post_append": True, "digest_records": True, "fields": FIELDS, "lines": LINES}
            index(db, progress, keys, compress=entry, data_out_name=INDEX, **options)
        with package.entry(f"indexes/{KEYS}", ZIP_DEFLATED) as entry:
            entry.write(keys.getvalue().encode())
        with TemporaryFile() as of_seeds:
            with package.entry("pages/extraPages.jsonl", ZIP_DEFLATED) as entry:
                entry.write(_header("extra-pages", "Other pages"))
                seeds = _seed_pages(db)
                for id, line in _page_lines(db, pages):
                    (of_seeds if id in seeds else entry).write(line)
            of_seeds.seek(0)
            with package.entry("pages/pages.jsonl", ZIP_DEFLATED) as entry:
                entry.write(_header("pages", "Seeds"))
                shutil.copyfileobj(of_seeds, entry, PIECE)
        db.rest()
        for number, path in enumerate(each_at_hand(db.directory / "warc", files)):
            progress("files to copy", number, len(files))
            with package.entry(f"archive/{path.name}") as entry, open(path, "rb") as file:
                shutil.copyfileobj(file, entry, PIECE)
        _describe(db, package)


def _describe(db: View, package: Package) -> None:
    about = {"profile": "data-package", "resources": package.resources, "title": _title(db)}
    if (page := _main_page(db)) is not None:
        about["mainPageURL"] = page
    about |= {"created": _moment(time.time()), "wacz_version": VERSION, "software": f"ttcrawl {__version__}"}
    with package.entry("datapackage.json", ZIP_DEFLATED) as entry:
        entry.write(json.dumps(about, indent=2).encode())
    digest = {"path": "datapackage.json", "hash": entry.digest}
    with package.entry("datapackage-digest.json", ZIP_DEFLATED) as entry:
        entry.write(json.dumps(digest, indent=2).encode())


def _main_page(db: View) -> str | None:
    """The first seed that answered."""
    answered = "SELECT 1 FROM page WHERE url = ? AND file != ''"
    return next((seed for seed, id in db.seed_ids.items() if db.execute(answered, (id,)).fetchone()), None)


def _seed_pages(db: View) -> set[int]:
    """The ids of the seeds, and of the pages to which their redirects lead."""
    ids = {*db.seed_ids.values()}
    fresh = ids
    while fresh := {target for id in fresh for target in _redirected(db, id)} - ids:
        ids |= fresh
    return ids


def _redirected(db: View, id: int) -> Iterator[int]:
    """The id of the URL to which a URL redirects."""
    query = "SELECT targets FROM outlinks JOIN url ON url.id = outlinks.source WHERE source = ? AND state = ?"
    for (targets,) in db.execute(query, (id, MOVED)).fetchall():
        yield from (target for target, _ in db.of_keys(json.loads(targets)).values())


def _header(id: str, title: str) -> bytes:
    """The first line of a file with pages."""
    return msgspec.json.encode({"format": "json-pages-1.0", "id": id, "title": title, "hasText": True}) + b"\n"


def _page_lines(db: View, pages: Iterable[PageRecord]) -> Iterator[tuple[int, bytes]]:
    """Ids and lines (https://specs.webrecorder.net/wacz/1.1.1/#pages-jsonl): the HTML pages with a status of 2xx."""
    encode = msgspec.json.Encoder().encode
    for page in pages:
        if page.state != FETCHED or not 200 <= page.status < 300 or page.parser not in PARSERS:
            continue
        line = {"id": str(page.id), "url": page.url, "ts": _moment(page.time), "title": page.title}
        text = words_or_none(db, page.id, page.url, main=False)
        if text is not None:
            line["text"] = text
        yield page.id, encode(line) + b"\n"


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _title(db: View) -> str:
    return f"Crawl of {', '.join(db.seeds[:3])}" + (
        f" and {counted(len(db.seeds) - 3, 'more seed')}" if len(db.seeds) > 3 else ""
    )


FORMAT = archive_format(wacz, about="archive, index and pages in one file, for replayweb.page")
