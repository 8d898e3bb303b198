"""Copies of a page's rows for another page with the same bytes. Part of the store; works in its transaction."""

from __future__ import annotations

import json
import sqlite3
from itertools import compress

from msgspec import Struct
from msgspec.structs import astuple

from ttcrawl.ring.messages import Same
from ttcrawl.store.pages import BESIDE, EQUAL, OWN
from ttcrawl.vocabulary.region import RECORDED

_TAKEN = ", ".join(EQUAL)
_PAGE = (
    f"INSERT INTO page ({', '.join(OWN)}, {_TAKEN}) SELECT {', '.join('?' * len(OWN))}, {_TAKEN} FROM page"
    " WHERE url = ? RETURNING type, digest, parse_error, links"
)
_ROWS = [
    f"INSERT INTO {table} SELECT ?1, {', '.join(columns)} FROM {table}"
    f" WHERE {'source' if table == 'outlinks' else 'url'} = ?2"
    for table, columns in BESIDE.items()
]
_UNREAD = "INSERT INTO unread SELECT ?1 FROM unread WHERE url = ?2"
_NAMED = [f"UPDATE {table} SET name = ?, saved = ? WHERE url = ?" for table in ("image", "document")]
_LINKS = "SELECT targets, kinds, regions, landmarks, anchors FROM outlinks WHERE source = ?1 AND instr(targets, ?2)"


class Copied(Struct, frozen=True, kw_only=True):
    """The copied results of a page that was not parsed."""

    type: str
    digest: bytes
    parse_error: str
    links: int
    bound: bool  # it has links to itself, which are other links on another page


def copy(db: sqlite3.Connection, url: int, key: int, at: float, status: int, same: Same, payload: int) -> Copied:
    """Write the rows of an answer to a URL. `key`: the key of the URL, to find links to itself."""
    own = (url, at, status, *astuple(same.archived), payload, *astuple(same.headers))
    ((type_, digest, parse_error, links),) = db.execute(_PAGE, (*own, same.original)).fetchall()
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
