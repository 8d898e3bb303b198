"""Pages as bulk requests of Elasticsearch and OpenSearch: a line with the action, then a line with the document.

https://www.elastic.co/docs/api/doc/elasticsearch/operation/operation-bulk: the lines end with a line feed, the body has
the type application/x-ndjson, and a server takes 100 MB at once unless http.max_content_length says otherwise.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec

from ttcrawl.errors import UsageError
from ttcrawl.export.format import Format, Options, selected, write_file
from ttcrawl.export.formats.dc import is_document
from ttcrawl.export.output import Output, output
from ttcrawl.export.sources import PAGES
from ttcrawl.export.table_files import moment
from ttcrawl.output.steps import Progress
from ttcrawl.snapshot.json_columns import parse
from ttcrawl.snapshot.page_records import PageRecord
from ttcrawl.snapshot.page_text import words_or_none
from ttcrawl.snapshot.snapshot import View
from ttcrawl.store.replaced import replaced
from ttcrawl.vocabulary.headings import heading_texts

#: Bytes of an id, and bytes of a part, at most; a larger document is a part of its own.
LONGEST_ID, PART = 512, 50_000_000

#: The directory of the parts, and the file with the types of the fields.
PARTS, MAPPING = "bulk", "mapping.json"

#: Lucene takes terms of 32,766 bytes, and a character has at most four.
_KEYWORD = {"type": "keyword", "ignore_above": 8191}
_TEXT, _DATE, _LONG = {"type": "text"}, {"type": "date"}, {"type": "long"}
_FREE_DATE = _DATE | {"ignore_malformed": True}  # as pages state it

FIELDS: dict[str, dict[str, Any]] = {
    "url": _KEYWORD,
    "host": _KEYWORD,
    "title": _TEXT,
    "headings": _TEXT,
    "description": _TEXT,
    "keywords": _TEXT,
    "text": _TEXT,
    "main_text": _TEXT,
    "author": _KEYWORD,
    "language": _KEYWORD,
    "type": _KEYWORD,
    "status": {"type": "short"},
    "time": _DATE,
    "published": _FREE_DATE,
    "modified": _FREE_DATE,
    "depth": _LONG,
    "length": _LONG,
    "words": _LONG,
    "links": _LONG,
    "canonical": _KEYWORD,
    "original": _KEYWORD,
    "same": _KEYWORD,
    "fields": {"type": "object", "enabled": False},  # of a hook: any names and types, stored only
}


def mapping() -> bytes:
    """The body of the request that creates an index with these fields."""
    return msgspec.json.format(msgspec.json.encode({"mappings": {"dynamic": False, "properties": FIELDS}})) + b"\n"


def bulk(db: View, pages: Iterable[PageRecord]) -> Iterator[bytes]:
    """The two lines of each page that was answered with 2xx and is no copy. Indexed again, it replaces itself."""
    encode = msgspec.json.Encoder().encode
    for page in filter(is_document, pages):
        yield encode({"index": {"_id": document_id(page.url)}}) + b"\n" + encode(document(db, page)) + b"\n"


def document_id(url: str) -> str:
    """The URL, or of a long one its digest.

    >>> document_id("http://a.test/")
    'http://a.test/'
    """
    data = url.encode()
    return url if len(data) <= LONGEST_ID else f"sha256:{hashlib.sha256(data).hexdigest()}"


def document(db: View, page: PageRecord) -> dict[str, object]:
    """The fields of a page that have a value."""
    values = {name: getattr(page, name, None) for name in FIELDS}
    values |= {
        "time": moment(page.time),
        "headings": heading_texts(page.headings) if isinstance(page.headings, str) else None,
        "fields": parse(page.fields) if isinstance(page.fields, str) else None,
        "text": words_or_none(db, page.id, page.url, main=False),
        "main_text": words_or_none(db, page.id, page.url, main=True),
    }
    return {name: value for name, value in values.items() if value not in (None, "", [])}


def _write(db: View, options: Options, progress: Progress) -> list[Path]:
    if options.directory is None:
        return write_file(db, options, progress, lines=bulk)
    directory = options.directory / PARTS
    if os.path.lexists(directory):
        raise UsageError(f"{directory} exists: remove it, or name another directory")
    with replaced(directory) as fresh:
        fresh.mkdir()
        (fresh / MAPPING).write_bytes(mapping())
        write_parts(fresh, bulk(db, selected(db, PAGES, options, progress, Output())))
    return [directory]


def write_parts(directory: Path, documents: Iterable[bytes], most: int = PART) -> None:
    """Write part-00001.ndjson and so on."""
    number, size = 0, most
    with ExitStack() as opened:
        file = Output()
        for lines in documents:
            if size + len(lines) > most:
                opened.close()
                number, size = number + 1, 0
                path = directory / f"part-{number:05}.ndjson"
                file = opened.enter_context(output(path, binary=False))
            file.write(lines)
            file.flush()
            size += len(lines)


FORMAT = Format(
    about="bulk requests of Elasticsearch and OpenSearch", directory="parts of 50 MB, and a mapping", write=_write
)
