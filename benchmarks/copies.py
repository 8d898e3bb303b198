"""A crawl of any size, made of a real one: copies of its documentation sites under other host names.

Each copy has its own URLs, rows, links, and files of the archive. Host names have the same length in all copies, so the
records differ in them alone; the digests of blocks stay as in the original.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from isal import isal_zlib

from ttcrawl.store.warc import GZIP, LEVEL
from ttcrawl.web.url import key

#: In the host names of the documentation sites, and what a copy has there.
DOCS, COPY = ".docs.", ".{:04d}."

#: Tables with a row per URL, and their columns with ids of URLs.
IDS: Mapping[str, tuple[str, ...]] = {
    "page": ("url", "payload"),
    "metadata": ("url",),
    "text": ("url",),
    "duplicate": ("url", "duplicate_of", "near_duplicate_of"),
}

#: Bytes of an archive that are inflated at a time.
PIECE = 1 << 16


@dataclass(frozen=True, slots=True)
class Url:
    id: int
    url: str
    key: int
    site: int


@dataclass(frozen=True, slots=True)
class Original:
    """`links`: source, the places of the targets in `urls`, and the other columns of outlinks."""

    urls: list[Url]
    sites: dict[int, str]  # id -> host, of the sites that are copied
    links: list[tuple[int, list[int], tuple[bytes, bytes, bytes, str]]]
    members: dict[str, list[tuple[int, bytes]]]  # of each WARC file: offset and content
    step: int  # between the ids of two copies
    visits: int  # between the ids of visits of two copies


def multiply(crawl: Path, directory: Path, pages: int) -> int:
    """Make a crawl of about this many pages in `directory`, which must not exist; returns their number."""
    shutil.copytree(crawl, directory)
    with closing(sqlite3.connect(directory / "crawl.db", isolation_level=None)) as db:
        db.execute("PRAGMA synchronous = OFF")
        original = _original(db, directory / "warc")
        (answers,) = db.execute("SELECT count(*) FROM page").fetchone()
        copies = max(1, round(pages / answers))
        for number in range(1, copies):
            db.execute("BEGIN")
            _copy(db, original, number, directory / "warc")
            db.execute("COMMIT")
        db.execute("DELETE FROM by_key")
        db.execute("INSERT INTO by_key SELECT key, id FROM url ORDER BY key")
        db.execute("UPDATE crawl SET value = (SELECT max(id) FROM url) WHERE name = 'indexed'")
    return int(answers * copies)


def _original(db: sqlite3.Connection, warc: Path) -> Original:
    urls = [Url(*row) for row in db.execute("SELECT id, url, key, site FROM url ORDER BY id")]
    place = {each.key: number for number, each in enumerate(urls)}
    links = db.execute("SELECT source, targets, kinds, regions, landmarks, anchors FROM outlinks")
    sites = {id: name for id, name in db.execute("SELECT id, host FROM site") if DOCS in name}
    return Original(
        urls=urls,
        sites=sites,
        links=[(source, [place[each] for each in json.loads(targets)], rest) for source, targets, *rest in links],
        members={file: list(_members(warc / file)) for (file,) in db.execute("SELECT file FROM archive").fetchall()},
        step=max(max(each.id for each in urls), *(id for (id,) in db.execute("SELECT id FROM site"))),
        visits=db.execute("SELECT max(id) FROM visit").fetchone()[0],
    )


def _members(path: Path) -> Iterator[tuple[int, bytes]]:
    """(offset, content) of each gzip member."""
    data, offset = memoryview(path.read_bytes()), 0
    while offset < len(data):
        inflate, pieces, position = isal_zlib.decompressobj(GZIP), [], offset
        while not inflate.eof:
            pieces.append(inflate.decompress(data[position : position + PIECE]))
            position = min(position + PIECE, len(data))
        yield offset, b"".join(pieces)
        offset = position - len(inflate.unused_data)


def _copy(db: sqlite3.Connection, original: Original, number: int, warc: Path) -> None:
    """Add the copy with this number to the tables and to the archive."""
    of, name = number * original.step, COPY.format(number)
    own = [each.site in original.sites for each in original.urls]
    urls = [each.url.replace(DOCS, name) if each.site in original.sites else each.url for each in original.urls]
    keys = [key(url) for url in urls]
    _insert_sites(db, original, of, name)
    columns = {"id": "?", "key": "?", "url": "?", "site": "?", "found_on": f"found_on + {of}"}
    db.executemany(
        f"INSERT INTO url SELECT {_columns(db, 'url', columns)} FROM url WHERE id = ?",
        [
            (each.id + of, keys[place], urls[place], each.site + of, each.id)
            for place, each in enumerate(original.urls)
            if own[place]
        ],
    )
    positions = _archive(db, original, number, warc)
    for what, column in enumerate(("file", "offset", "size")):
        db.create_function(f"moved_{column}", 2, lambda file, offset, what=what: positions[file, offset][what])
    for table, ids in IDS.items():
        values = {column: f"{column} + {of}" for column in ids}
        if table == "page":
            values |= {column: f"moved_{column}(file, offset)" for column in ("file", "offset", "size")}
        db.execute(
            f"INSERT INTO {table} SELECT {_columns(db, table, values)} FROM {table} WHERE url <= {original.step}"
        )
    visit = {
        "id": f"id + {number * original.visits}",
        "site": f"site + {of}",
        "url": f"replace(url, '{DOCS}', '{name}')",
    }
    db.execute(
        f"INSERT INTO visit SELECT {_columns(db, 'visit', visit)} FROM visit"
        f" WHERE id <= {original.visits} AND instr(url, '{DOCS}')"
    )
    links = (
        (source + of, f"[{','.join([str(keys[place]) for place in places])}]", *rest)
        for source, places, rest in original.links
    )
    db.executemany("INSERT INTO outlinks VALUES (?, ?, ?, ?, ?, ?)", links)


def _insert_sites(db: sqlite3.Connection, original: Original, of: int, name: str) -> None:
    columns = _columns(db, "site", {"id": "?", "host": "?"})
    rows = [(id + of, host.replace(DOCS, name), id) for id, host in original.sites.items()]
    db.executemany(f"INSERT INTO site SELECT {columns} FROM site WHERE id = ?", rows)


def _archive(
    db: sqlite3.Connection, original: Original, number: int, warc: Path
) -> dict[tuple[str, int], tuple[str, int, int]]:
    """Write the files of a copy. Returns where each member is: (file, offset) -> file, offset and size."""
    positions = {}
    hosts = [(host.encode(), host.replace(DOCS, COPY.format(number)).encode()) for host in original.sites.values()]
    for file, members in original.members.items():
        copy = f"{number:04d}{file[4:]}"
        with open(warc / copy, "wb") as archive:
            for offset, content in members:
                for old, new in hosts:
                    content = content.replace(old, new)
                member = isal_zlib.compress(content.replace(file.encode(), copy.encode()), LEVEL, GZIP)
                positions[file, offset] = copy, archive.tell(), len(member)
                archive.write(member)
            db.execute("INSERT INTO archive (file, size) VALUES (?, ?)", (copy, archive.tell()))
    return positions


def _columns(db: sqlite3.Connection, table: str, values: Mapping[str, str]) -> str:
    """The columns of a table for SELECT, some of them replaced by expressions."""
    names = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
    return ", ".join(values.get(name, name) for name in names)
