"""Which files are meant, and what they are: by their first bytes, because names lie."""

from __future__ import annotations

import glob
import os
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from pathlib import Path

from isal import isal_zlib
from msgspec import Struct

from ttcrawl.archives.header import LONGEST, header_of
from ttcrawl.archives.members import MAGIC, DamagedMemberError, Members
from ttcrawl.archives.scrapy_database import PATTERNS, is_database
from ttcrawl.errors import UsageError
from ttcrawl.store.warc import GZIP

#: The first bytes of a frame of zstd, and of a frame with its dictionary (draft "Use of Zstandard with WARC").
ZSTD, SKIPPABLE = b"\x28\xb5\x2f\xfd", b"\x5d\x2a\x4d\x18"

#: Bytes by which a file is known.
SNIFFED = 1 << 16

#: The file in the directory of a response in Scrapy's cache.
SCRAPY = "pickled_meta"

#: Names of files in a directory that may be archives.
NAMES = (".warc", ".warc.gz", ".warc.zst", ".arc", ".arc.gz", ".wacz", ".har")


class Kind(Enum):
    """A form of archives. Files of members stay where they are; the records of the others are packed anew."""

    MEMBERS = "WARC"  # a gzip member for each record
    WARC_GZIP = "WARC, packed as a whole"
    WARC = "WARC, not packed"
    WARC_ZSTD = "WARC, zstd"
    ARC = "ARC"
    ARC_GZIP = "ARC, packed"
    WACZ = "WACZ"
    HAR = "HAR"
    SCRAPY = "Scrapy's HTTP cache"
    SCRAPY_DATABASE = "Scrapy's HTTP cache, dbm"


class Source(Struct, frozen=True, kw_only=True):
    path: Path
    kind: Kind

    @property
    def size(self) -> int:
        """Bytes; of a directory, the number of its responses."""
        if self.kind is Kind.SCRAPY:
            return sum(1 for _ in self.path.rglob(SCRAPY))
        return self.path.stat().st_size


def archives(texts: Sequence[str], say: Callable[[str], None]) -> Iterator[Source]:
    """Yield the archives that are meant; `say` is told of files that are none. Raises UsageError if there is none."""
    count = 0
    for each in _sources(texts):
        if isinstance(each, str):
            say(each)
            continue
        count += 1
        yield each
    if not count:
        raise UsageError(f"{', '.join(texts)}: there is no archive (WARC, ARC, WACZ, HAR, Scrapy's HTTP cache)")


def _sources(texts: Iterable[str]) -> Iterator[Source | str]:
    for text in texts:
        names = [text] if os.path.exists(text) else sorted(glob.glob(text, recursive=True))
        if not names:
            raise UsageError(f"{text} does not exist: name a file, a directory or a pattern of archives")
        for path in map(Path, names):
            if path.is_dir():
                yield from _in_directory(path)
            else:
                yield _source(path)


def _in_directory(directory: Path) -> Iterator[Source | str]:
    if next(directory.glob(f"**/{SCRAPY}"), None) is not None:
        yield Source(path=directory, kind=Kind.SCRAPY)
    for path in sorted(path for pattern in PATTERNS for path in directory.rglob(pattern)):
        yield from _database(path)
    for path in sorted(directory.rglob("*")):
        if path.name.lower().endswith(NAMES) and path.is_file():
            yield _source(path)


def _database(path: Path) -> Iterator[Source | str]:
    found = is_database(path)
    if found:
        yield found if isinstance(found, str) else Source(path=path, kind=Kind.SCRAPY_DATABASE)


def _source(path: Path) -> Source | str:
    if (kind := kind_of(path)) is not None:
        return Source(path=path, kind=kind)
    return next(_database(path), None) or f"{path} is not an archive that ttcrawl reads: it is left out"


def kind_of(path: Path) -> Kind | None:
    """Return the form of a file; None: it is no archive. Raises UsageError if it cannot be read."""
    try:
        with open(path, "rb") as file:
            data = file.read(SNIFFED)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}; name files that can be read") from error
    if data.startswith(MAGIC):
        return _kind_of_gzip(path, data)
    if data.startswith((ZSTD, SKIPPABLE)):
        return Kind.WARC_ZSTD
    if data.startswith(b"PK") and zipfile.is_zipfile(path):
        return Kind.WACZ
    if data.startswith(b"WARC/"):
        return Kind.WARC
    if data.startswith(b"filedesc://"):
        return Kind.ARC
    return Kind.HAR if data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") and b'"log"' in data else None


def _kind_of_gzip(path: Path, data: bytes) -> Kind | None:
    try:
        begin = isal_zlib.decompressobj(wbits=GZIP).decompress(data)
    except isal_zlib.error:  # type: ignore[misc]  # its stubs have an instance
        return None
    if begin.startswith(b"filedesc://"):
        return Kind.ARC_GZIP
    if not begin.startswith(b"WARC/"):
        return None
    return Kind.MEMBERS if _has_members(path) else Kind.WARC_GZIP


def _has_members(path: Path) -> bool:
    """Whether the first member of a file has one record: then the others do so too."""
    with open(path, "rb") as file:
        head, seen, end = b"", 0, None
        try:
            for piece in Members(file).pieces():
                seen += len(piece)
                if end is None and len(head) < LONGEST:
                    head += piece
                    end = _end_of_record(head)
                if end is not None and seen > end + 4:
                    return False
        except DamagedMemberError:
            return True  # its damage is told when it is read
    return True


def _end_of_record(beginning: bytes) -> int | None:
    """Where the block of a record ends; None: its header is not complete."""
    parsed = header_of(beginning)
    return parsed[1] + (parsed[0].length or 0) if parsed is not None else None
