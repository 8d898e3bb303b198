"""The index of the archive (CDXJ), made by the tool of Webrecorder; and what all formats of the whole archive need."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, cast

from warcio.archiveiterator import ArchiveIterator
from warcio.recordloader import ArcWarcRecord

from ttcrawl.errors import UsageError
from ttcrawl.export.compressed import COMPRESSORS, compressed
from ttcrawl.export.format import Format, Options, selected
from ttcrawl.export.output import Output
from ttcrawl.export.sources import PAGES
from ttcrawl.output.number import counted
from ttcrawl.output.shell import command_line
from ttcrawl.output.steps import Progress
from ttcrawl.snapshot.page_records import PageRecord
from ttcrawl.snapshot.snapshot import View
from ttcrawl.store.archive_objects import at_hand, moved
from ttcrawl.store.deletions import RECORD
from ttcrawl.store.imports import imported_files
from ttcrawl.store.replaced import replaced


def cdxj(db: View, pages: Iterable[PageRecord], progress: Progress, out: Path) -> None:
    """Write a sorted index of all records, as pywb reads it. It needs no pages. Raises UsageError."""
    with open(out, "wb") as file, compressed(file, out) as packed:
        index(db, progress, codecs.getwriter("utf-8")(cast(Any, packed)))


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
    """Write the sorted index of all records to a path or file; `options` of CDXJIndexer. Raises UsageError."""
    files = warc_files(db)
    db.rest()  # the archive is not in the database
    from cdxj_indexer.main import CDXJIndexer

    total = sum(files.values())

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

    Counting(out, map(str, each_at_hand(db.directory / "warc", files)), sort=True, **options).process_all()


def each_at_hand(warc: Path, names: Iterable[str]) -> Iterator[Path]:
    """Each WARC file on this disk, until the next one is asked for."""
    for name in names:
        with at_hand(warc, name) as path:
            yield path


def warc_files(db: View) -> dict[str, int]:
    """The names of the WARC files, and their bytes. Raises UsageError if one is not what the tables record."""
    if not db.settings.get("finished"):
        raise UsageError(
            "the crawl runs, or was killed: export its archive when it has stopped, or after ttcrawl resume"
        )
    (left,) = db.execute("SELECT count(*) FROM leftover WHERE kind = ?", (RECORD,)).fetchone()
    if left:
        raise UsageError(
            f"the archive has {counted(left, 'record')} of deleted pages:"
            f" first run {command_line('delete', db.directory, '--purge')}"
        )
    files, elsewhere = dict[str, int](), moved(db)
    for name, size in db.execute("SELECT file, size FROM archive ORDER BY file"):
        path = db.directory / "warc" / name
        is_here = path.is_file() and path.stat().st_size == size
        if Path(name).name != name or not (is_here or name in elsewhere):
            raise UsageError(f"{path} is not as the tables record it: see {command_line('verify', db.directory)}")
        files[name] = size
    for imported in imported_files(db):
        path = db.directory / "warc" / imported.file
        if imported.file not in files:
            if not path.is_file():
                raise UsageError(f"{path} leads nowhere: see {command_line('verify', db.directory)}")
            files[imported.file] = path.stat().st_size
    if not files:
        raise UsageError(f"{db.directory} has no archive")
    return files


def archive_format(
    write: Callable[[View, Iterable[PageRecord], Progress, Path], None], *, about: str, compressed: Collection[str] = ()
) -> Format:
    """A format of the whole archive, in one file."""
    return Format(about=about, needs="cdxj_indexer", compressed=compressed, write=partial(_write, write=write))


def _write(
    db: View,
    options: Options,
    progress: Progress,
    *,
    write: Callable[[View, Iterable[PageRecord], Progress, Path], None],
) -> list[Path]:
    options.must_be_one_file()
    if options.out is None:
        raise UsageError(f"{options.form} is one file: name it with -o FILE")
    if options.conditions:
        raise UsageError(f"--where is not for {options.form}: it has every record of the archive")
    with replaced(options.out) as path:
        write(db, selected(db, PAGES, options, progress, Output()), progress, path)
    return [options.out]


FORMAT = archive_format(cdxj, about="the sorted index of the archive, for pywb", compressed=tuple(COMPRESSORS))
