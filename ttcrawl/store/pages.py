"""What an answer becomes in the tables: rows by the statement that inserts them. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from typing import Any, TypeAlias

from ttcrawl.ring.messages import Moved, Page
from ttcrawl.ring.record import Record
from ttcrawl.vocabulary.kind import REDIRECT
from ttcrawl.vocabulary.region import CONTENT

Rows: TypeAlias = Iterator[tuple[str, tuple[Any, ...]]]


def _insert(table: str, columns: int) -> str:
    return f"INSERT INTO {table} VALUES ({', '.join('?' * columns)})"


PAGE, OUTLINKS = _insert("page", 28), _insert("outlinks", 6)
_RECORD = attrgetter(*Record.__struct_fields__)
RECORD, TEXT = _insert("record", 14), _insert("text", 5)
IMAGE, DOCUMENT = _insert("image", 8), _insert("document", 8)


def rows(url: int, at: float, status: int, answer: Page | Moved, payload: int | None) -> Rows:
    """(statement, row) of everything that is kept of the answer to a URL.

    `payload`: the URL whose record in the archive has the bytes; None: its own.
    """
    archived = answer.archived
    where = (archived.file, archived.offset, archived.length, payload)
    if isinstance(answer, Moved):
        said = ("", "", "", "", "", 0, "", None, "", "", answer.location, "", "", "", "", 0, 0, 0, 0, 0, "{}")
        yield PAGE, (url, at, status, *said, *where)
        target = answer.target.key if answer.target else 0
        yield OUTLINKS, (url, f"[{target}]", REDIRECT.letter.encode(), bytes([CONTENT]), b"", "")
        return
    yield PAGE, (url, at, status, *_said(answer), *where)
    if answer.kinds:
        yield OUTLINKS, (url, answer.targets, answer.kinds, answer.regions, answer.parts, answer.anchors)
    yield from _read(url, answer)


def _said(page: Page) -> tuple[Any, ...]:
    return (
        *(page.content_type, page.declared_type, page.charset, page.declared_charset, page.charset_from),
        *(page.length, page.title, page.digest, page.etag, page.last_modified, "", page.server, page.robots),
        *(page.parser, page.parse_error, page.found, page.content, page.same_page, page.recorded, page.not_http),
        page.schemes,
    )


def _read(url: int, page: Page) -> Rows:
    if page.record is not None:
        yield RECORD, (url, *_RECORD(page.record))
    if (text := page.text) is not None:
        yield TEXT, (url, text.size, text.packed, text.main_size, text.main)
    if (image := page.image) is not None:
        measures = (image.width, image.height, image.saved, image.error)
        yield IMAGE, (url, page.content_type, image.name, image.size, *measures)
    if (document := page.document) is not None:
        made = (document.pages, document.converter, document.saved, document.error)
        yield DOCUMENT, (url, page.content_type, document.name, document.size, *made)
