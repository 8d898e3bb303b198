"""Exports of the archive by the tools of Webrecorder: its index (CDXJ), and everything in one file (WACZ)."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from ttcrawl.ask.library.words import words_or_none
from ttcrawl.ask.view.view import View
from ttcrawl.errors import CrawlFailedError, UsageError, require
from ttcrawl.export.tables import PageRecord
from ttcrawl.store.deletions import RECORD
from ttcrawl.vocabulary.state import FETCHED


def cdxj(db: View, pages: Iterable[PageRecord], out: Path) -> None:
    """Write a sorted index of all records, as pywb reads it. It needs no pages. Raises UsageError."""
    require("cdxj_indexer")
    files = _files(db)
    from cdxj_indexer.main import CDXJIndexer

    CDXJIndexer(str(out), files, sort=True).process_all()


def wacz(db: View, pages: Iterable[PageRecord], out: Path) -> None:
    """Write the archive, its index, and the pages with titles and texts (WACZ 1.1.1). Raises UsageError.

    `out` is in a directory for temporary files.
    """
    require("wacz")
    files = _files(db)
    listed = out.with_name("pages.jsonl")
    with open(listed, "wb") as file:
        file.writelines(_page_lines(db, pages))
    options = ["-o", str(out), "-p", str(listed), "--copy-pages", "--title", _title(db)]
    if db.seeds:
        options += ["--url", db.seeds[0]]
    command = [sys.executable, "-c", "import sys; from wacz.main import main; sys.exit(main())", "create"]
    done = subprocess.run([*command, *options, *files], capture_output=True, text=True, check=False)
    if done.returncode or not out.is_file():
        lines = [*done.stdout.splitlines(), *done.stderr.splitlines()]
        raise CrawlFailedError(f"wacz failed: {lines[-1] if lines else f'exit status {done.returncode}'}")


def _files(db: View) -> list[str]:
    """The WARC files. Raises UsageError if one is not what the tables record."""
    if not db.settings.get("finished"):
        raise UsageError(
            "the crawl runs, or was killed: export its archive when it has stopped, or after ttcrawl resume"
        )
    (left,) = db.execute("SELECT count(*) FROM leftover WHERE kind = ?", (RECORD,)).fetchone()
    if left:
        raise UsageError(
            f"{left:,} records of deleted pages are in the archive: first run ttcrawl delete {db.directory} --purge"
        )
    files = []
    for name, size in db.execute("SELECT file, size FROM archive ORDER BY file"):
        path = db.directory / "warc" / name
        if Path(name).name != name or not path.is_file() or path.stat().st_size != size:
            raise UsageError(f"{path} is not as the tables record it: see ttcrawl verify {db.directory}")
        files.append(str(path))
    if not files:
        raise UsageError(f"{db.directory} has no archive")
    return files


def _page_lines(db: View, pages: Iterable[PageRecord]) -> Iterator[bytes]:
    """pages.jsonl (https://specs.webrecorder.net/wacz/1.1.1/#pages-jsonl): the HTML pages with a status of 2xx."""
    encode = msgspec.json.Encoder().encode
    yield encode({"format": "json-pages-1.0", "id": "pages", "title": "All pages", "hasText": True}) + b"\n"
    for page in pages:
        if page.state != FETCHED or not 200 <= page.status < 300 or not page.parser:
            continue
        line = {"id": str(page.id), "url": page.url, "ts": _moment(page.time), "title": page.title}
        text = words_or_none(db, page.id, page.url, main=False)
        if text is not None:
            line["text"] = text
        yield encode(line) + b"\n"


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _title(db: View) -> str:
    return f"Crawl of {', '.join(db.seeds[:3])}" + (
        f" and {len(db.seeds) - 3:,} more seeds" if len(db.seeds) > 3 else ""
    )
