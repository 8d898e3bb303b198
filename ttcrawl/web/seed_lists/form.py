"""Which form a list of URLs has, by its beginning."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TypeAlias

from msgspec import Struct

from ttcrawl.web.seed_lists import documents, lines, tables
from ttcrawl.web.seed_lists.entry import Entry, NoListError

_JSON_OBJECT = re.compile(r'\s*\{\s*(?:"|\}|\Z)')
_JSON_ARRAY = re.compile(r'\s*\[\s*(?:["\[{\]]|\Z)')
_MARKUP = re.compile(r"\s*<(?!\s*(?:[A-Za-z][A-Za-z0-9+.-]*+://|[^\s<>.]++\.[^\s<>]++>))")
_HTML = re.compile(
    r"\s*(?>(?:<!--.*?-->|<\?xml.*?\?>)\s*)*+<(?:!doctype\s+(?:html|netscape-bookmark)|html|head|body|title|meta|dl|ul|ol|a|p)\b",
    re.IGNORECASE | re.DOTALL,
)

OfLines: TypeAlias = Callable[[Iterable[str]], Iterator[Entry]]
OfDocument: TypeAlias = Callable[[bytes, str, Callable[[str], None]], Iterator[Entry]]

#: First line of a log or an index -> how its lines are read.
_LOGS: tuple[tuple[re.Pattern[str], OfLines], ...] = (
    (lines.CRAWL_LOG, lines.crawl_log),
    (lines.CDX_HEADER, lines.cdx),
    (lines.CDXJ, lines.cdxj),
    (lines.CDX, lines.cdx),
    (re.compile("!OpenWayback-CDXJ"), lines.cdxj),
)


class Form(Struct, frozen=True, kw_only=True):
    """How a list is read: line by line, or as one document."""

    of_lines: OfLines | None = None
    of_document: OfDocument | None = None


def form_of(head: str, column: str, *, complete: bool) -> Form:
    """Return the form of a list that begins so. `complete`: that is all of it. Raises NoListError."""
    first = [line for line in head.splitlines()[: None if complete else -1] if line.strip()] or [head]
    if head.startswith("WARC/"):
        raise NoListError("is an archive (WARC), no list of URLs: write its index with cdxj-indexer")
    if _MARKUP.match(head):
        return Form(of_document=documents.html if _HTML.match(head) else documents.xml)
    if _JSON_ARRAY.match(head):
        return Form(of_document=documents.json)
    if _JSON_OBJECT.match(head):
        rows = len(first) > 1 and first[0].rstrip().endswith("}") and first[1].lstrip().startswith("{")
        return Form(of_lines=partial(tables.objects, column=column)) if rows else Form(of_document=documents.json)
    logged = next((line for line in first if not line.startswith("#")), "")
    of_lines = next((read for pattern, read in _LOGS if pattern.match(logged)), None)
    if of_lines is not None and not column:
        return Form(of_lines=of_lines)
    layout = tables.layout(first, column)
    if layout is None or layout.alone:
        return Form(of_lines=partial(lines.listed, header=layout is not None))
    return Form(of_lines=partial(tables.delimited, form=layout))
