"""The rows of an answer, each with the statement that inserts it. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator
from operator import attrgetter
from typing import Any, TypeAlias

from ttcrawl.ring.messages import Moved, Page
from ttcrawl.ring.record import Record, Topic
from ttcrawl.store import resource_tables, step_tables
from ttcrawl.store.rows import NewPage, insert
from ttcrawl.vocabulary.kind import REDIRECT
from ttcrawl.vocabulary.region import CONTENT

Rows: TypeAlias = Iterator[tuple[str, tuple[Any, ...]]]


def _insert(table: str, columns: int) -> str:
    return f"INSERT INTO {table} VALUES ({', '.join('?' * columns)})"


PAGE, OUTLINKS = insert("page", NewPage), _insert("outlinks", 6)
RECORD = attrgetter(*Record.__struct_fields__)
METADATA, TEXT = _insert("metadata", 14), _insert("text", 5)
IMAGE, DOCUMENT = _insert("image", 8), _insert("document", 8)
OF_TOPIC = attrgetter(*Topic.__struct_fields__)
TOPIC = _insert("topic", 7)  # after `page`, whose trigger moves the row of an earlier answer
UNREAD, FIELDS, LINK_SCORE = _insert("unread", 1), _insert("fields", 3), _insert("link_score", 2)


def rows(url: int, time: float, status: int, answer: Page | Moved, payload: int | None) -> Rows:
    """Yield (statement, row) for all stored data of the answer to a URL.

    `payload`: the URL with the archived bytes; None: this URL.
    """
    where = answer.archived
    if isinstance(answer, Moved):
        yield (
            PAGE,
            NewPage(
                url=url,
                time=time,
                status=status,
                location=answer.location,
                file=where.file,
                offset=where.offset,
                size=where.length,
                payload=payload,
                fresh_until=answer.fresh_until,
            ),
        )
        target = answer.target.key if answer.target else 0
        yield OUTLINKS, (url, f"[{target}]", REDIRECT.letter.encode(), bytes([CONTENT]), b"", "")
        return
    if not answer.only_counted:
        yield PAGE, _page(url, time, status, answer, payload)
    if answer.topic is not None:
        yield TOPIC, (url, *OF_TOPIC(answer.topic))
    if answer.kinds:
        yield OUTLINKS, (url, answer.targets, answer.kinds, answer.regions, answer.parts, answer.anchors)
        if answer.link_scores:
            yield LINK_SCORE, (url, answer.link_scores)
    yield from _read(url, answer)
    if answer.fields or answer.score is not None:
        yield FIELDS, (url, answer.fields, answer.score)
    if answer.unread:
        yield UNREAD, (url,)
    for row in resource_tables.rows(url, answer.resources):
        yield resource_tables.INSERT, row
    if answer.failed_steps:
        yield step_tables.INSERT, (url, time, json.dumps(answer.failed_steps, ensure_ascii=False))


def _page(url: int, time: float, status: int, page: Page, payload: int | None) -> NewPage:
    return NewPage(
        url=url,
        time=time,
        status=status,
        type=page.content_type,
        declared_type=page.declared_type,
        charset=page.charset,
        declared_charset=page.declared_charset,
        charset_from=page.charset_from,
        length=page.length,
        title=page.title,
        digest=page.digest,
        etag=page.etag,
        last_modified=page.last_modified,
        server=page.server,
        robots=page.robots,
        parser=page.parser,
        parse_error=page.parse_error,
        links=page.found,
        content_links=page.content,
        same_page_links=page.same_page,
        recorded_links=page.recorded,
        not_http=page.not_http,
        schemes=page.schemes,
        file=page.archived.file,
        offset=page.archived.offset,
        size=page.archived.length,
        payload=payload,
        fresh_until=page.fresh_until,
        declared_length=page.declared_length,
    )


def _read(url: int, page: Page) -> Rows:
    if page.record is not None:
        yield METADATA, (url, *RECORD(page.record))
    if (text := page.text) is not None:
        yield TEXT, (url, text.size, text.packed, text.main_size, text.main)
    if (image := page.image) is not None:
        measures = (image.width, image.height, image.saved, image.error)
        yield IMAGE, (url, page.content_type, image.name, image.size, *measures)
    if (document := page.document) is not None:
        facts = (document.pages, document.converter, document.saved, document.error)
        yield DOCUMENT, (url, page.content_type, document.name, document.size, *facts)
