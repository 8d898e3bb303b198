"""The archive for others: its WARC files, and their index (CDXJ), made by the tool of Webrecorder."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from warcio.archiveiterator import ArchiveIterator
from warcio.recordloader import ArcWarcRecord

from ttcrawl.errors import UsageError, require
from ttcrawl.export.tables import PageRecord
from ttcrawl.output.number import counted
from ttcrawl.output.steps import Progress
from ttcrawl.snapshot.snapshot import View
from ttcrawl.store.deletions import RECORD


def cdxj(db: View, pages: Iterable[PageRecord], progress: Progress, out: Path) -> None:
    """Write a sorted index of all records, as pywb reads it. It needs no pages. Raises UsageError."""
    index(db, progress, str(out))


class Coded(ArchiveIterator):  # type: ignore[misc]
    """Records whose bodies stay as they came.

    For fields of requests the indexer copies each body without its content coding into a temporary file, which has no
    limit for a bomb, and fails for br: warcio decodes that by brotlipy alone. The index needs nothing of a body.
    """

    def __iter__(self) -> Iterator[ArcWarcRecord]:
        for record in super().__iter__():
            record.content_stream = lambda record=record: record.raw_stream
            yield record


def index(db: View, progress: Progress, out: Any, **options: Any) -> None:
    """Write the sorted index of all records to a path or file; `options`: those of CDXJIndexer. Raises UsageError."""
    require("cdxj_indexer")
    files = warc_files(db)
    db.rest()  # the archive is not in the database
    from cdxj_indexer.main import CDXJIndexer

    total = sum(path.stat().st_size for path in files)

    class Counting(CDXJIndexer):  # type: ignore[misc]
        read = 0  # bytes of the files before the one that is open

        def process_one(self, file: BinaryIO, output: Any, name: str) -> None:
            self.file = file
            super().process_one(file, output, name)
            self.read += file.tell()

        def _create_record_iter(self, file: BinaryIO) -> Coded:
            return Coded(file)

        def get_url_key(self, url: str) -> str:
            progress("bytes of the archive", self.read + self.file.tell(), total)
            return str(super().get_url_key(url))

    Counting(out, list(map(str, files)), sort=True, **options).process_all()


def warc_files(db: View) -> list[Path]:
    """The WARC files. Raises UsageError if one is not what the tables record."""
    if not db.settings.get("finished"):
        raise UsageError(
            "the crawl runs, or was killed: export its archive when it has stopped, or after ttcrawl resume"
        )
    (left,) = db.execute("SELECT count(*) FROM leftover WHERE kind = ?", (RECORD,)).fetchone()
    if left:
        raise UsageError(
            f"the archive has {counted(left, 'record')} of deleted pages:"
            f" first run ttcrawl delete {db.directory} --purge"
        )
    files = []
    for name, size in db.execute("SELECT file, size FROM archive ORDER BY file"):
        path = db.directory / "warc" / name
        if Path(name).name != name or not path.is_file() or path.stat().st_size != size:
            raise UsageError(f"{path} is not as the tables record it: see ttcrawl verify {db.directory}")
        files.append(path)
    if not files:
        raise UsageError(f"{db.directory} has no archive")
    return files
