"""`ttcrawl page`: the data about a URL, as text and as JSON. All text from the web is escaped."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from ttcrawl.output.moments import moment
from ttcrawl.output.number import counted
from ttcrawl.output.untrusted import escape_untrusted
from ttcrawl.snapshot.page_rows import PageRows
from ttcrawl.snapshot.rows import Link, Metadata, Topic
from ttcrawl.topic.best_first import FULL

WIDTH = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class PageData:
    """The requested data about one URL. None: not requested."""

    rows: PageRows
    words: str | None = None
    links: bool = False


def as_json(data: PageData) -> dict[str, Any]:
    """The rows under the names of their tables. Links are counted unless requested."""
    rows: dict[str, Any] = {name: asdict(row) for name, row in _rows(data.rows) if row is not None}
    links: Any = [asdict(link) for link in data.rows.links] if data.links else dict(_kinds(data.rows.links))
    return rows | {"links": links, "answers": data.rows.times} | ({} if data.words is None else {"text": data.words})


def text(data: PageData) -> str:
    """Lines, without a line feed at the end."""
    lines = [
        escape_untrusted(data.rows.url.url),
        *(f"  {name:{WIDTH}}{escape_untrusted(value)}" for name, value in _facts(data.rows) if value),
    ]
    if data.links and data.rows.links:
        lines += ["", *map(_link, data.rows.links)]
    if data.words is not None:
        lines += ["", *map(escape_untrusted, data.words.split("\n"))]
    return "\n".join(lines)


def _rows(page_rows: PageRows) -> Iterator[tuple[str, Any]]:
    for name in ("url", "page", "metadata", "image", "document", "topic"):
        yield name, getattr(page_rows, name)


def _facts(rows: PageRows) -> Iterator[tuple[str, str]]:
    page, metadata = rows.page, rows.metadata
    yield "state", f"{rows.url.state}, {rows.url.reason}"
    yield "answered", f"{moment(page.time)} UTC"
    yield "answers", _answers(rows.times, page.time)
    yield "type", _joined(page.type, page.charset and f"{page.charset} by {page.charset_from or 'default'}")
    revisit = f"; a revisit record, the bytes are those of URL {page.payload}" if page.payload is not None else ""
    irrelevant = rows.topic is not None and not rows.topic.relevant
    absent = "not archived: the page is irrelevant" if irrelevant else "in a record that verify --repair removed"
    where = f"in {page.file} at {page.offset:,}" if page.file else absent
    yield "bytes", f"{page.length:,} {where}{revisit}"
    yield "declared", "" if page.declared_length is None else f"{page.declared_length:,} bytes by Content-Length"
    yield "leads to", page.location
    yield "title", page.title
    if metadata is not None:
        yield from _metadata(metadata)
    if (image := rows.image) is not None:
        measures = f"{image.width} x {image.height} pixels" if image.width and image.height else ""
        yield "image", _joined(image.name, measures, image.saved, image.error)
    if (document := rows.document) is not None:
        pages = counted(document.pages, "page") if document.pages is not None else ""
        yield "document", _joined(document.name, pages, document.saved, document.error)
    yield "fields", "" if page.fields is None else json.dumps(page.fields, ensure_ascii=False)
    yield "score", "" if page.score is None else f"{page.score:g}"
    yield "expected", f"score {rows.url.score:,} of {FULL:,} by the best link to it" if rows.url.score > 0 else ""
    if rows.topic is not None:
        yield from _topic(rows.topic)
    yield "robots", page.robots
    yield "parser", _joined(page.parser, page.parse_error)
    yield "links", ", ".join(f"{count:,} {kind}" for kind, count in _kinds(rows.links))


def _answers(times: tuple[float, ...], time: float) -> str:
    """Which answer this is, if there are several."""
    if len(times) < 2:
        return ""
    number = times.index(time) + 1 if time in times else len(times)
    return (
        f"this is number {number:,} of {len(times):,}, {moment(times[0])} to {moment(times[-1])} UTC;"
        " ttcrawl why lists them"
    )


def _topic(topic: Topic) -> Iterator[tuple[str, str]]:
    probability = "" if topic.probability is None else f"relevant with probability {topic.probability:.4f}"
    verdict = "relevant" if topic.relevant else "irrelevant"
    yield "topic", _joined(f"{verdict} by {topic.by}", f"score {topic.score:g}", probability)
    if isinstance(topic.classes, dict):  # not in a damaged row
        yield "classes", ", ".join(f"{name} {points}" for name, points in topic.classes.items())
    if isinstance(topic.terms, list):
        yield "terms", ", ".join(map(str, topic.terms))


def _metadata(metadata: Metadata) -> Iterator[tuple[str, str]]:
    yield "description", metadata.description
    yield "keywords", metadata.keywords
    yield "author", metadata.author
    published = metadata.published and f"published {metadata.published}"
    yield "dates", _joined(published, metadata.modified and f"modified {metadata.modified}")
    sure = f"detected, {metadata.confidence:.0%} sure" if metadata.confidence else ""
    declared = metadata.declared_language and f"declared {metadata.declared_language}"
    yield "language", _joined(metadata.language, sure, declared)
    yield "canonical", metadata.canonical
    yield "words", f"{metadata.words:,}, of them {metadata.main_words:,} of the main text" if metadata.words else ""
    for heading in metadata.headings if isinstance(metadata.headings, list) else ():
        yield "heading", " ".join(map(str, heading)) if isinstance(heading, list) else str(heading)


def _joined(*texts: str) -> str:
    return ", ".join(filter(None, texts))


def _kinds(links: tuple[Link, ...]) -> list[tuple[str, int]]:
    return Counter(link.kind for link in links).most_common()


def _link(link: Link) -> str:
    """kind, region and landmark, target, anchor text. A link outside all landmarks has a dash."""
    cells = (f"{link.kind:10}", f"{link.region:20}", f"{link.landmark or '-':7}", link.target or "(not in the ledger)")
    return f"  {' '.join(map(escape_untrusted, cells))}{f'  {escape_untrusted(link.anchor)}' if link.anchor else ''}"
