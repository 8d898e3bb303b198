"""The pages to score: the pages of a crawl, or a file."""

from __future__ import annotations

import zlib
from collections.abc import Container, Iterator
from pathlib import Path

from ttcrawl import config
from ttcrawl.errors import UsageError
from ttcrawl.output.untrusted import escape_untrusted
from ttcrawl.parse.links.extract import extract
from ttcrawl.read.page import read_page
from ttcrawl.snapshot.errors import NotThere
from ttcrawl.snapshot.page_text import WITH_WORDS, WITH_WORDS_OR_ERRORS, words_or_none
from ttcrawl.snapshot.pieces import Group, Pieces, of_query
from ttcrawl.snapshot.snapshot import View
from ttcrawl.topic.page import Page, page_of_metadata
from ttcrawl.web.charset.detect import to_utf8
from ttcrawl.web.mime.kind import HTML, family, mime_type

#: A larger file is not read, bytes.
LARGEST = 64 << 20

_COLUMNS = """
    url.id, url.url, page.title, coalesce(metadata.description, ''), coalesce(metadata.keywords, ''),
    coalesce(metadata.headings, ''), coalesce(metadata.language, '')"""
_SOURCE = """
    page JOIN url ON url.id = page.url LEFT JOIN metadata ON metadata.url = page.url
    LEFT JOIN text ON text.url = page.url"""
_ROWS = f"SELECT {_COLUMNS} FROM {_SOURCE} WHERE "

#: Pages whose texts are in memory together.
PAGES = 100


def pages_of(db: View, ids: Container[int] | None = None, *, errors: bool = False) -> Iterator[tuple[int, str, Page]]:
    """(Id, URL, page) of all pages of a crawl with a text or a title, or of those with `ids`, in order of discovery.

    `errors`: also pages of responses that are errors. While the caller has one, no snapshot is open.
    """
    where = WITH_WORDS_OR_ERRORS if errors else WITH_WORDS
    rows = of_query(_COLUMNS, _SOURCE, "page.url", lambda *row: row, where=where, keys=PAGES)

    def after(db: View, position: int, last: int | None) -> list[Group[tuple[int, str, Page]]]:
        return [
            (key, tuple((row[0], row[1], _page(db, *row)) for row in group if ids is None or row[0] in ids))
            for key, group in rows.after(db, position, last)
        ]

    return Pieces(last=rows.last, after=after).rows(db)


def page_of(db: View, id: int, url: str) -> tuple[str, Page]:
    """(Canonical URL, page) of the id of a URL; `url` as it was written. Raises NotThere."""
    row = db.execute(f"{_ROWS}{WITH_WORDS} AND url.id = ?", (id,)).fetchone()
    if row is None:
        raise NotThere(f"{url} has neither a text nor a title")
    return row[1], _page(db, *row)


def page_with(db: View, id: int) -> tuple[str, Page]:
    """(URL, page) of an id that `pages_of` returned. Raises NotThere if the page is stored no longer."""
    row = db.execute(f"{_ROWS}{WITH_WORDS_OR_ERRORS} AND url.id = ?", (id,)).fetchone()
    if row is None:
        raise NotThere(f"{db.directory} stores this page no longer")
    return row[1], _page(db, *row)


def _page(
    db: View, id: int, url: str, title: str, description: str, keywords: str, headings: str, language: str
) -> Page:
    text = words_or_none(db, id, url, main=False) or ""
    return page_of_metadata(url, title, description, keywords, headings, language, text)


def page_of_file(path: Path) -> Page:
    """The page in a file of HTML or of text. Raises UsageError."""
    try:
        if path.stat().st_size > LARGEST:
            raise UsageError(f"{path} is larger than {LARGEST >> 20} MB: name a page")
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}; name a file, the directory of a crawl, or a URL") from error
    type = mime_type((), data, path.absolute().as_uri(), nosniff=False)
    if b"\0" in data and family(type, data) != HTML:
        raise UsageError(f"{escape_untrusted(str(path))} is a binary file: name a file of HTML or of text")
    if family(type, data) != HTML:
        return Page(text=to_utf8(data, "")[0].decode("utf-8", "replace"))
    html = to_utf8(data, "")[0]
    page = extract(html, "http://file.invalid/")
    metadata, text, _ = read_page(page.tree, html, {}, frozenset(page.anchors), str, config.Record())
    body = zlib.decompress(text.packed).decode() if text else ""
    if metadata is None:
        return Page(title=page.title, text=body)
    return page_of_metadata(
        "", page.title, metadata.description, metadata.keywords, metadata.headings, metadata.language, body
    )
