"""The crawl table of the course CIS 5550: a row for each URL that answered, with the hash of the URL as its key.

A row has the columns url, responseCode, contentType, length (as received), page (of HTML and XHTML with status 200) or,
for a duplicate, canonicalURL, and a column anchors:URL with the anchor texts of each page that links to it. URLs have a
port.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache, partial
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from ttcrawl.errors import UsageError, require
from ttcrawl.export.format import Format, Options, selected, write_file
from ttcrawl.export.formats.parquet import row_groups
from ttcrawl.export.inlinks import REMEMBERED, Inlinks
from ttcrawl.export.output import Output, output
from ttcrawl.export.sources import PAGES
from ttcrawl.output.steps import Progress
from ttcrawl.ring.columns import NEAR
from ttcrawl.snapshot.errors import NotThere
from ttcrawl.snapshot.page_records import PageRecord
from ttcrawl.snapshot.responses import body, response
from ttcrawl.snapshot.snapshot import View
from ttcrawl.store.replaced import replaced
from ttcrawl.vocabulary.html import HTML_TYPES
from ttcrawl.vocabulary.state import FETCHED
from ttcrawl.web.charset.detect import to_utf8

#: Name of the table, and of its directory in a store.
TABLE = "pt-crawl"

#: A column begins with this, and a URL follows.
ANCHORS = "anchors:"

_PORTS = {"http": 80, "https": 443, "ftp": 21}

#: The two letters of each number from 0 to 255.
_PAIRS = tuple(chr(97 + number % 26) + "acegikmoqs"[number // 26] for number in range(256))

#: Fixed columns, in the order in which they are written.
COLUMNS = ("url", "responseCode", "contentType", "length", "page", "canonicalURL")


def key(url: str) -> str:
    """Return the key of a URL: its SHA-1, two letters per byte (class cis5550.tools.Hasher).

    >>> key("http://www.example.com:80/")
    'dqvkgmpguigqdkfopgakhozonebkiqyqactokmsq'
    """
    digest = hashlib.sha1(url.encode()).digest()
    # bytes of Java are signed, and the class adds 255 to those that are not positive
    return "".join(_PAIRS[byte if 0 < byte < 128 else (byte - 1) % 256] for byte in digest)


@lru_cache(maxsize=REMEMBERED)
def with_port(url: str) -> str:
    """
    >>> with_port("https://a.test/x?y"), with_port("http://h/")
    ('https://a.test:443/x?y', 'http://h:80/')
    """
    parts = urlsplit(url)
    if parts.port:
        return url
    end = len(f"{parts.scheme}://{parts.netloc}")
    return f"{url[:end]}:{_PORTS[parts.scheme]}{url[end:]}"


def rows(db: View, pages: Iterable[PageRecord], progress: Progress) -> Iterator[tuple[str, dict[str, bytes], str]]:
    """(key, columns, charset) of each page. Pages come in the order of their ids.

    Reads the archive; a page that is missing there, or that cannot be decoded, has no column `page`.
    """
    inlinks = Inlinks(db, progress)
    for page in pages:
        url = with_port(page.url)
        columns = {"url": url.encode(), "responseCode": b"%d" % page.status}
        columns |= _content(db, page)
        columns |= _anchors(inlinks, page.id)
        yield key(url), columns, page.charset


def _content(db: View, page: PageRecord) -> dict[str, bytes]:
    try:
        answer = response(db, page.id, page.url)
    except NotThere:
        return {}
    headers = {"contentType": answer.header("content-type"), "length": answer.header("content-length")}
    columns = {name: value.encode("utf-8", "replace") for name, value in headers.items() if value}
    if page.original is not None and page.same != NEAR:
        columns["canonicalURL"] = with_port(page.original).encode()
    elif page.status == 200 and page.type in HTML_TYPES:
        with suppress(NotThere):  # it cannot be decoded
            content = body(answer, db.config.fetch)
            if content or page.state == FETCHED:  # the body of a refused page may not have been read
                columns["page"] = content
    return columns


def _anchors(inlinks: Inlinks, url: int) -> dict[str, bytes]:
    """Column -> the anchor texts of all links of a page to the URL with this id."""
    of_source: dict[str, list[str]] = {}
    for source, _, text in inlinks.of(url):
        of_source.setdefault(source, []).append(text)
    return {f"{ANCHORS}{with_port(source)}": " ".join(anchors).encode() for source, anchors in of_source.items()}


def json_lines(db: View, pages: Iterable[PageRecord], progress: Progress) -> Iterator[bytes]:
    """An object per row with `key` and the columns. The page is decoded by its charset."""
    encode = msgspec.json.Encoder().encode
    for row_key, columns, charset in rows(db, pages, progress):
        values = {name: value.decode("utf-8", "replace") for name, value in columns.items() if name != "page"}
        if "page" in columns:
            values["page"] = to_utf8(columns["page"], charset).utf8.decode("utf-8", "replace")
        yield encode({"key": row_key} | values) + b"\n"


def serialized(row_key: str, columns: Mapping[str, bytes]) -> bytes:
    """Return a row as cis5550.kvs.Row writes it: the key, then name, bytes and value of each column, and no end.

    >>> serialized("k", {"url": b"http://a.test:80/"})
    b'k url 17 http://a.test:80/ '
    """
    parts = [row_key.encode() + b" "]
    parts += [b"%b %d %b " % (name.encode(), len(value), value) for name, value in columns.items()]
    return b"".join(parts)


def parquet(db: View, pages: Iterable[PageRecord], progress: Progress, file: Output) -> None:
    """Columns as in the table, `page` as bytes, and `anchors`, a map from URLs to texts. Raises UsageError."""
    require("pyarrow")
    import pyarrow
    from pyarrow.parquet import ParquetWriter

    text = pyarrow.string()
    types = {"key": text} | {name: pyarrow.binary() if name == "page" else text for name in COLUMNS}
    schema = pyarrow.schema([*types.items(), ("anchors", pyarrow.map_(text, text))])
    repeated = ["responseCode", "contentType"]  # a dictionary of other columns only takes memory
    with ParquetWriter(file, schema, compression="zstd", use_dictionary=repeated) as writer:
        for group in row_groups(_parquet_rows(rows(db, pages, progress))):
            writer.write_table(pyarrow.Table.from_pylist(group, schema=schema))


def _parquet_rows(rows: Iterable[tuple[str, dict[str, bytes], str]]) -> Iterator[tuple[dict[str, object], int]]:
    """Rows with the bytes of their values."""
    for row_key, columns, _ in rows:
        yield _parquet_row(row_key, columns), sum(map(len, columns.values()))


def _parquet_row(row_key: str, columns: Mapping[str, bytes]) -> dict[str, object]:
    anchors = {
        name.removeprefix(ANCHORS): value.decode("utf-8", "replace")
        for name, value in columns.items()
        if name.startswith(ANCHORS)
    }
    values = {
        name: value if name == "page" else value.decode("utf-8", "replace")
        for name, value in columns.items()
        if name in COLUMNS
    }
    return {"key": row_key} | values | {"anchors": list(anchors.items())}


def store(db: View, pages: Iterable[PageRecord], progress: Progress, directory: Path) -> Path:
    """Write DIRECTORY/pt-crawl with a file for each row, named by its key. Returns its path.

    It gets its name when it is complete. Raises UsageError if it exists: another table would be mixed with this one.
    """
    table = directory / TABLE
    if os.path.lexists(table):
        raise UsageError(f"{table} exists: remove it, or name another directory")
    with replaced(table) as fresh:
        fresh.mkdir()
        for row_key, columns, _ in rows(db, pages, progress):
            (fresh / row_key).write_bytes(serialized(row_key, columns))
    return table


def _write(db: View, options: Options, progress: Progress) -> list[Path]:
    """As JSON lines, as Parquet if the name of the file says so, or as the files of a store."""
    pages = partial(selected, db, PAGES, options, progress)
    if options.directory is not None:
        return [store(db, pages(Output()), progress, options.directory)]
    if options.out is None or options.out.suffix != ".parquet":
        return write_file(db, options, progress, lines=partial(json_lines, progress=progress))
    with output(options.out, binary=True) as file:
        parquet(db, pages(file), progress, file)
    return [options.out]


FORMAT = Format(
    about="the crawl table of the course CIS 5550", directory="the files of its key-value store", write=_write
)
