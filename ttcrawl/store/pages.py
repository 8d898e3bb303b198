"""The rows of an answer, each with the statement that inserts it. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import astuple

from ttcrawl.ring.columns import Added, Document, Facts, Headers, Image, LinkCounts, Metadata, Outlinks, Reading, Topic
from ttcrawl.ring.messages import Moved, Page
from ttcrawl.store.rows import insert
from ttcrawl.vocabulary.kind import REDIRECT
from ttcrawl.vocabulary.region import CONTENT

Rows: TypeAlias = Iterator[tuple[str, tuple[Any, ...]]]


def _columns(*groups: type[Struct]) -> tuple[str, ...]:
    return tuple(name for group in groups for name in group.__struct_fields__)


#: Columns of `page` that each answer has for itself, and those in which answers with the same bytes are equal.
OWN = ("url", "time", "status", "file", "offset", "size", "payload", *_columns(Headers))
EQUAL = ("digest", "location", *_columns(Facts, LinkCounts))

#: Tables with a row for a page -> their columns after the first, its URL.
BESIDE = {
    "outlinks": _columns(Outlinks),
    "metadata": _columns(Metadata),
    "text": ("size", "text", "main_size", "main"),
    "image": ("type", *_columns(Image)),
    "document": ("type", *_columns(Document)),
}

PAGE = insert("page", (*OWN, *EQUAL))
OUTLINKS, METADATA, TEXT, IMAGE, DOCUMENT = (
    insert(table, ("source" if table == "outlinks" else "url", *columns)) for table, columns in BESIDE.items()
)
TOPIC = insert("topic", ("url", *_columns(Topic)))  # after `page`, whose trigger moves the row of an earlier answer
UNREAD = insert("unread", ("url",))
FIELDS = insert("fields", ("url", "fields", "score"))
LINK_SCORE = insert("link_score", ("url", "scores"))
RESOURCE = insert("resource", ("page", "file", "offset", "size"), verb="INSERT OR IGNORE")
FAILED_STEPS = insert("failed_steps", ("url", "time", "steps"), verb="INSERT OR REPLACE")

#: Statement -> the one that inserts the same row of an earlier answer, with its time (`ttcrawl.store.earlier`).
_EARLIER = {
    each: each.replace("INTO ", "INTO earlier_").replace("(", '("time", ', 1).replace("(?", "(?, ?")
    for each in (OUTLINKS, METADATA, TEXT, TOPIC, FIELDS, LINK_SCORE)
}
_EARLIER_PAGE = insert("earlier_page", (*OWN, *EQUAL))

#: A redirect has no body.
_NOTHING = (*astuple(Facts()), *astuple(LinkCounts()))


def rows(url: int, time: float, status: int, answer: Page | Moved, payload: int | None) -> Rows:
    """Yield (statement, row) for all stored data of the answer to a URL.

    `payload`: the URL with the archived bytes; None: this URL.
    """
    own = (url, time, status, *astuple(answer.archived), payload)
    if isinstance(answer, Moved):
        yield PAGE, (*own, *astuple(Headers(fresh_until=answer.fresh_until)), None, answer.location, *_NOTHING)
        target = answer.target.key if answer.target else 0
        yield OUTLINKS, (url, f"[{target}]", REDIRECT.letter.encode(), bytes([CONTENT]), b"", "")
        return
    if not answer.only_counted:
        groups = (*astuple(answer.headers), answer.digest, "", *astuple(answer.facts), *astuple(answer.counts))
        yield PAGE, own + groups
    if answer.topic is not None:
        yield TOPIC, (url, *astuple(answer.topic))
    if answer.outlinks.kinds:
        yield OUTLINKS, (url, *astuple(answer.outlinks))
        if answer.link_scores:
            yield LINK_SCORE, (url, answer.link_scores)
    yield from _read(url, answer.facts.type, answer.reading)
    if answer.added is not None and answer.added != Added():
        yield FIELDS, (url, *astuple(answer.added))
    if answer.unread:
        yield UNREAD, (url,)
    for each in answer.resources:
        yield RESOURCE, (url, *astuple(each))
    if answer.failed_steps:
        yield FAILED_STEPS, (url, time, json.dumps(answer.failed_steps, ensure_ascii=False))


def earlier_rows(url: int, time: float, status: int, answer: Page | Moved, payload: int | None) -> Rows:
    """Yield the same for an answer that is not the latest one: what is stored of such answers."""
    for statement, row in rows(url, time, status, answer, payload):
        if statement == PAGE:
            yield _EARLIER_PAGE, row
        elif statement in _EARLIER:
            yield _EARLIER[statement], (time, *row)


def _read(url: int, kind: str, reading: Reading) -> Rows:
    if reading.metadata is not None:
        yield METADATA, (url, *astuple(reading.metadata))
    if (text := reading.text) is not None:
        yield TEXT, (url, text.size, text.packed, text.main_size, text.main)
    if reading.image is not None:
        yield IMAGE, (url, kind, *astuple(reading.image))
    if reading.document is not None:
        yield DOCUMENT, (url, kind, *astuple(reading.document))
