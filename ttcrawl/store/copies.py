"""Copies of a page's rows for another page with the same bytes. Part of the store; works in its transaction."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass
from itertools import compress

from ttcrawl.ring.messages import Same
from ttcrawl.vocabulary.region import RECORDED

#: Columns of `page` that an answer takes from its original if it was not parsed.
TAKEN = (
    "type, declared_type, charset, declared_charset, charset_from, length, title, digest, location, robots, parser,"
    " parse_error, links, content_links, same_page_links, recorded_links, not_http, schemes"
)

#: Tables with a row for a page; their first column is its URL.
ROWS = {
    "outlinks": "targets, kinds, regions, landmarks, anchors",
    "metadata": (
        "description, keywords, author, published, modified, headings, language, declared_language, confidence,"
        " canonical, open_graph, words, main_words"
    ),
    "text": "size, text, main_size, main",
    "image": "type, name, size, width, height, saved, error",
    "document": "type, name, size, pages, converter, saved, error",
}

_PAGE = (
    f"INSERT INTO page (url, time, status, {TAKEN}, etag, last_modified, server, file, offset, size, payload,"
    " fresh_until)"
    f" SELECT ?1, ?3, ?4, {TAKEN}, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12 FROM page WHERE url = ?2"
    " RETURNING type, digest, parse_error, links"
)
_ROWS = [
    f"INSERT INTO {table} SELECT ?1, {columns} FROM {table} WHERE {'source' if table == 'outlinks' else 'url'} = ?2"
    for table, columns in ROWS.items()
]
_UNREAD = "INSERT INTO unread SELECT ?1 FROM unread WHERE url = ?2"
_NAMED = [f"UPDATE {table} SET name = ?, saved = ? WHERE url = ?" for table in ("image", "document")]
_LINKS = "SELECT targets, kinds, regions, landmarks, anchors FROM outlinks WHERE source = ?1 AND instr(targets, ?2)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Copied:
    """The copied results of a page that was not parsed."""

    type: str
    digest: bytes
    parse_error: str
    links: int
    bound: bool  # it has links to itself, which are other links on another page


def copy(db: sqlite3.Connection, url: int, key: int, at: float, status: int, same: Same, payload: int) -> Copied:
    """Write the rows of an answer to a URL. `key`: the key of the URL, to find links to itself."""
    where = (same.archived.file, same.archived.offset, same.archived.length, payload, same.fresh_until)
    values = (url, same.original, at, status, same.etag, same.last_modified, same.server, *where)
    ((type_, digest, parse_error, links),) = db.execute(_PAGE, values).fetchall()
    for query in (*_ROWS, _UNREAD):
        db.execute(query, (url, same.original))
    if same.name:
        for query in _NAMED:
            db.execute(query, (same.name, same.saved, url))
    bound = _to_itself(db, url, key)
    return Copied(type=type_, digest=digest, parse_error=parse_error, links=links, bound=bound)


def _to_itself(db: sqlite3.Connection, url: int, key: int) -> bool:
    """Remove links to the page itself from its copied links, where they were links from the original to this page.

    Return True if there are any.
    """
    row = db.execute(_LINKS, (url, str(key))).fetchone()
    targets = json.loads(row[0]) if row else []
    if key not in targets:  # only part of the digits of another key
        return False
    others = [target != key for target in targets]
    kinds, regions, landmarks = (bytes(compress(letters, others)) for letters in row[1:4])
    own = len(targets) - len(kinds)
    aside = row[2].count(RECORDED) - regions.count(RECORDED)  # these do not count as links to the page itself
    db.execute(
        "UPDATE page SET same_page_links = same_page_links + ?, recorded_links = recorded_links - ? WHERE url = ?",
        (own - aside, aside, url),
    )
    anchors = [*compress(json.loads(row[4]), others)] if row[4] else []
    texts = json.dumps(anchors, ensure_ascii=False, separators=(",", ":")) if row[4] else ""
    packed = json.dumps([*compress(targets, others)], separators=(",", ":"))
    if kinds:
        columns = "targets = ?, kinds = ?, regions = ?, landmarks = ?, anchors = ?"
        db.execute(f"UPDATE outlinks SET {columns} WHERE source = ?", (packed, kinds, regions, landmarks, texts, url))
    else:
        db.execute("DELETE FROM outlinks WHERE source = ?", (url,))
    return True
