"""Where the bytes of an import are: a link to the file, a copy, or records that are packed anew, in warc/."""

from __future__ import annotations

import os
import re
import shutil
import time
import zlib
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from ttcrawl.archives.sources import Kind, Source
from ttcrawl.errors import CrawlFailedError
from ttcrawl.ring.position import LONGEST
from ttcrawl.store.imports import PACKED, ImportedFile

Mode = Literal["reference", "copy", "link"]


#: Marks the names of imported files; their series is that of no parse process.
SERIES, MARK = 9999, "imported"

_EXTENSIONS = re.compile(r"(\.(warc|arc|wacz|har|gz|zst|json))+$", re.IGNORECASE)


def name_of(path: Path, taken: Callable[[str], bool]) -> str:
    """Return the name of an imported file in warc/, the same for the same file."""
    stem = re.sub("[^A-Za-z0-9._-]+", "_", _EXTENSIONS.sub("", path.name)).strip(".-")[:LONGEST] or "archive"
    begun = datetime.fromtimestamp(path.stat().st_mtime, UTC).strftime("%Y%m%d%H%M%S")
    number = zlib.crc32(os.fsencode(path)) % 100_000
    while taken(name := f"{stem}-{begun}-{SERIES}-{number:05d}-{MARK}.warc.gz"):
        number += 1
    return name


def placed(source: Source, name: str, warc: Path, mode: Mode) -> ImportedFile:
    """Put a file into warc/ under a name, unless it will be packed anew. Raises CrawlFailedError."""
    path, target, size = source.path.resolve(), warc / name, source.size
    if source.kind is not Kind.MEMBERS:
        return ImportedFile(str(path), name, source.kind.value, PACKED, size, time.time())
    try:
        target.unlink(missing_ok=True)  # of an import that was killed
        if mode == "reference":
            target.symlink_to(path)
        elif mode == "link":
            os.link(path, target)
        else:
            _copy(path, target)
    except OSError as error:
        raise CrawlFailedError(f"cannot put {path} into {warc}: {error.strerror or error}") from error
    return ImportedFile(str(path), name, source.kind.value, mode, size, time.time())


def _copy(path: Path, target: Path) -> None:
    """Copy a file, which has its name when it is complete. Raises OSError."""
    part = target.with_name(f".{target.name}.part")
    try:
        shutil.copyfile(path, part)
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)
