"""What a command has left behind, in parts that two runs must agree on, and how two of them differ."""

from __future__ import annotations

import gzip
import hashlib
import os
import re
import zipfile
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.soak.kills.tables import tables, without_chance
from tests.support.crawls.crawling import verified
from tests.support.crawls.other_readers import foreign_check, responses

#: Part -> what is in it, and how often.
State = dict[str, Counter[Any]]

#: Files of a crawl directory whose names depend on which process wrote them, or that every command may make.
OTHERS = ("warc", "crawl.db-wal", "crawl.db-shm", "cache.msgpack")

GZIP = b"\x1f\x8b"

#: What is compared of a record: a kill may have its response requested again. A 304 has no digest; a request that is
#: made again has no condition.
RECORD = ("WARC-Target-URI", "WARC-Payload-Digest")

#: What is left of a file that was not completed.
PARTIAL = ("*.new", "*.part", "*.tmp", "*-journal")


def sizes(path: Path) -> dict[str, int]:
    """The sizes of all files: a database that is only read gets no byte, but for its index in memory."""
    found = {}
    for directory, _, names in os.walk(path):
        for name in names:
            if not name.endswith("-shm"):
                with suppress(FileNotFoundError):
                    found[os.path.join(directory, name)] = os.stat(os.path.join(directory, name)).st_size
    return {name: size for name, size in found.items() if size}


def crawl_state(directory: Path, *, sound: bool = True) -> State:
    """All tables, the records of the archive, the names of the files, and config.ini. `sound`: verify finds nothing."""
    foreign_check(directory / "warc")
    heads = {tuple(record.headers.get(each, "") for each in RECORD) for record, _ in responses(directory)}
    files = [path.relative_to(directory) for path in directory.rglob("*") if path.is_file()]
    return {
        **tables(directory),
        "records in warc/": Counter((without_chance(url), digest) for url, digest in heads if digest),
        "files": Counter(str(path) for path in files if path.parts[0] not in OTHERS),
        "config.ini": Counter([(directory / "config.ini").read_text()]),
        "verify": Counter(verified(directory).splitlines() if sound else []),
        "partial files": Counter(path.name for pattern in PARTIAL for path in directory.rglob(pattern)),
    }


def file_state(path: Path) -> State:
    """A file, or those of a directory; of a ZIP file, its members.

    A killed command may leave a directory whose name begins with a dot (ttcrawl.store.replaced).
    """
    partial = Counter(each.name for pattern in PARTIAL for each in path.parent.rglob(pattern))
    files = [path] if path.is_file() else [each for each in path.glob("*") if each.is_file()]
    contents = Counter(row for file in files if file.name not in partial for row in _contents(file))
    return {"files": contents, "partial files": partial}


def _contents(file: Path) -> Iterator[tuple[str, object]]:
    """Without what is another each time: dates of the export, and the random ids of records."""
    if zipfile.is_zipfile(file):
        with zipfile.ZipFile(file) as archive:
            members = archive.infolist()
        yield from ((each.filename, each.CRC) for each in members if not each.filename.startswith("datapackage"))
        return
    data = file.read_bytes()
    if data.startswith(GZIP):
        data = re.sub(rb"(?m)^WARC-(Date|Record-ID): .*$", b"", gzip.decompress(data))
    yield file.name, hashlib.sha256(data).hexdigest()


def differences(expected: State, found: State) -> Iterator[str]:
    """A line for each part that differs, with examples."""
    for part in expected.keys() | found.keys():
        before, after = expected.get(part, Counter()), found.get(part, Counter())
        missing, more = before - after, after - before
        if missing or more:
            examples = [f"-{row!r:.200}" for row in list(missing)[:2]] + [f"+{row!r:.200}" for row in list(more)[:2]]
            yield f"{part}: {missing.total()} missing, {more.total()} more: {'  '.join(examples)}"
