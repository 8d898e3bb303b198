"""`ttcrawl page`: the data about a URL, as text and as JSON. All text from the web is escaped."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from ttcrawl.ask.library.rows import Link, Record
from ttcrawl.ask.library.whole import Whole
from ttcrawl.ask.why.render import moment
from ttcrawl.web.shown import shown

WIDTH = 12
JSON_COLUMNS = ("schemes", "headings", "open_graph")


@dataclass(frozen=True, slots=True, kw_only=True)
class PageData:
    """The requested data about one URL. None: not requested."""

    whole: Whole
    words: str | None = None
    links: bool = False


def as_json(told: PageData) -> dict[str, Any]:
    """The rows under the names of their tables. JSON columns are parsed; links are counted unless requested."""
    rows: dict[str, Any] = {name: asdict(row) for name, row in _rows(told.whole) if row is not None}
    for row in rows.values():
        row |= {name: _parsed(row[name]) for name in JSON_COLUMNS if name in row}
    links: Any = [asdict(link) for link in told.whole.links] if told.links else dict(_kinds(told.whole.links))
    return rows | {"links": links} | ({} if told.words is None else {"text": told.words})


def text(told: PageData) -> str:
    """Lines, without a line feed at the end."""
    lines = [
        shown(told.whole.url.url),
        *(f"  {name:{WIDTH}}{shown(said)}" for name, said in _facts(told.whole) if said),
    ]
    if told.links and told.whole.links:
        lines += ["", *map(_link, told.whole.links)]
    if told.words is not None:
        lines += ["", *map(shown, told.words.split("\n"))]
    return "\n".join(lines)


def _rows(whole: Whole) -> Iterator[tuple[str, Any]]:
    for name in ("url", "page", "record", "image", "document"):
        yield name, getattr(whole, name)


def _facts(whole: Whole) -> Iterator[tuple[str, str]]:
    page, record = whole.page, whole.record
    yield "state", f"{whole.url.state}, {whole.url.reason}"
    yield "answered", f"{moment(page.at)} UTC"
    yield "type", _described(page.type, page.charset and f"{page.charset} by {page.charset_from or 'default'}")
    revisit = f"; a revisit record, the bytes are those of URL {page.payload}" if page.payload is not None else ""
    yield "bytes", f"{page.length:,} in {page.file} at {page.offset:,}{revisit}"
    yield "leads to", page.location
    yield "title", page.title
    if record is not None:
        yield from _record(record)
    if (image := whole.image) is not None:
        measures = f"{image.width} x {image.height} pixels" if image.width and image.height else ""
        yield "image", _described(image.name, measures, image.saved, image.error)
    if (document := whole.document) is not None:
        pages = f"{document.pages:,} pages" if document.pages is not None else ""
        yield "document", _described(document.name, pages, document.saved, document.error)
    yield "robots", page.robots
    yield "parser", _described(page.parser, page.parse_error)
    yield "links", ", ".join(f"{count:,} {kind}" for kind, count in _kinds(whole.links))


def _record(record: Record) -> Iterator[tuple[str, str]]:
    yield "description", record.description
    yield "keywords", record.keywords
    yield "author", record.author
    yield "published", _described(record.published, record.modified and f"modified {record.modified}")
    sure = f"detected, {record.confidence:.0%} sure" if record.confidence else ""
    declared = record.declared_language and f"declared {record.declared_language}"
    yield "language", _described(record.language, sure, declared)
    yield "canonical", record.canonical
    yield "words", f"{record.words:,}, of them {record.main_words:,} of the main text" if record.words else ""
    headings = _parsed(record.headings)
    for heading in headings if isinstance(headings, list) else ():
        yield "heading", " ".join(map(str, heading)) if isinstance(heading, list) else str(heading)


def _described(*parts: str) -> str:
    return ", ".join(filter(None, parts))


def _kinds(links: tuple[Link, ...]) -> list[tuple[str, int]]:
    return Counter(link.kind for link in links).most_common()


def _link(link: Link) -> str:
    """kind, region and part, target, anchor text. A link outside all landmarks has a dash."""
    cells = (f"{link.kind:10}", f"{link.region:20}", f"{link.part or '-':7}", link.target or "(not in the ledger)")
    return f"  {' '.join(map(shown, cells))}{f'  {shown(link.anchor)}' if link.anchor else ''}"


def _parsed(packed: str) -> Any:
    try:
        return json.loads(packed)
    except ValueError:
        return packed  # `ttcrawl verify` reports damaged rows
