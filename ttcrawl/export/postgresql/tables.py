"""The tables of schema `ttcrawl`: the tables of crawl.db with the same columns."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import msgspec

from ttcrawl.export.postgresql import page_links, search_table
from ttcrawl.export.postgresql.table import ID, Row, Table
from ttcrawl.snapshot.snapshot import View
from ttcrawl.store.columns import columns

TYPES = {"INTEGER": "bigint", "REAL": "double precision", "TEXT": "text", "BLOB": "bytea"}

#: Table -> its key; "": its rows are replaced together. The others are indexes of crawl.db, have passwords (cookie), or
#: what is left on the disk (leftover), or say whose records in it are (resource).
KEYS = {
    "crawl": "",
    "archive": "",
    "site": "id",
    "rule": "id",
    "robots": "site",
    "pattern": "site",
    "url": "id",
    "page": "url",
    "outlinks": "source",
    "metadata": "url",
    "text": "url",
    "fields": "url",
    "unread": "url",
    "fingerprint": "n",
    "duplicate": "url",
    "probe": "id",
    "soft_404": "url",
    "audit": "url",
    "image": "url",
    "topic": "url",
    "link_score": "url",
    "document": "url",
    "visit": "id",
    "event": "id",
    "growth": "pages",
    "deletion": "id",
    "revisit": "url",
    "signal": "site",
    "dropped": "url",
    "template": "site",
    "browser_use": "url",
    "failed_steps": "url",
    "link_meta": "url",
    "vanished": "url",
    "vanished_print": "url",
    "unlinked": "url",
}
EARLIER = {
    "page": "url",
    "outlinks": "source",
    "metadata": "url",
    "text": "url",
    "fields": "url",
    "topic": "url",
    "link_score": "url",
}

#: Table -> which of its rows are copied between two rounds. Tables whose key is a URL: the rows of requested URLs.
RECENT = {
    **dict.fromkeys(("rule", "fingerprint", "probe", "visit", "event", "growth", "deletion"), "appended"),
    **dict.fromkeys(("crawl", "archive"), "all"),
    "url": "appended url",
    "site": "appended site",
    "robots": "site",
    "pattern": "site",
    "signal": "site",
    "template": "site",
}

INDEXES: Mapping[str, tuple[str, ...]] = {
    "url": ("(crawl, key)", "(crawl, site, state)", "(state, reason, crawl)", "USING hash (url)"),
    "page": ("(crawl, status)",),
    "duplicate": (f"(({ID.format('url')}))", f"(({ID.format('duplicate_of')}))"),
    "visit": ("(crawl, site)",),
    "fingerprint": ("(crawl, url)",),
    "outlinks": (f"(({ID.format('source')}))",),
}

#: What is to be done after rows of `outlinks` were replaced.
AFTER_OUTLINKS = page_links.OUTLINKS_CHANGED + search_table.OUTLINKS_CHANGED

#: Columns that have another type: the words without their packing, and the targets of links as an array.
UNPACKED = {"text": {"text": "text", "main": "text"}, "outlinks": {"targets": "bigint[]"}}

#: The one key of tables without keys.
ONE = "one"


_texts = msgspec.json.Decoder(list[str]).decode


def _plain_text(value: Any) -> Any:
    """A text without NUL, which PostgreSQL refuses."""
    return value.replace("\0", "\ufffd") if isinstance(value, str) else value


def _binary(value: Any) -> Any:
    return value.encode() if isinstance(value, str) else value


def _words(value: Any) -> Any:
    return None if value is None else _plain_text(zlib.decompress(value).decode("utf-8", "replace"))


def _anchors(value: str) -> str:
    """JSON of texts without NUL and half characters, which PostgreSQL refuses also where they are escaped."""
    if not value:
        return ""
    try:
        texts = json.loads(value) if "\\u" in value else _texts(value)
    except ValueError:
        return ""
    plain = [str(text).replace("\0", "\ufffd").encode("utf-8", "replace").decode() for text in texts]
    return value if plain == texts else json.dumps(plain)


_CONVERTED: Mapping[str, Callable[[Any], Any]] = {"text": _plain_text, "bytea": _binary}
_UNPACK: Mapping[tuple[str, str], Callable[[Any], Any]] = {
    ("text", "text"): _words,
    ("text", "main"): _words,
    ("outlinks", "anchors"): _anchors,
    ("outlinks", "targets"): partial(msgspec.json.decode, type=list[int]),
}


def _table(table: str, key: str, prefix: str = "") -> Table:
    names = columns(table)
    of_type = {name: TYPES[kind] for name, kind in names.items()} | UNPACKED.get(table, {})
    conversions = [_UNPACK.get((table, name), _CONVERTED.get(of_type[name])) for name in names]
    if prefix and "time" not in names:
        of_type, conversions = {"time": TYPES["REAL"], **of_type}, [None, *conversions]
    if not key:
        of_type, conversions = {ONE: "smallint", **of_type}, [None, *conversions]
    selected = ", ".join(f'"{name}"' for name in of_type if name != ONE)
    return Table(
        name=f"ttcrawl.{prefix}{table}",
        key=key or ONE,
        columns=of_type,
        needs=(prefix + table,),
        source_key=key or "0",
        selected=selected if key else f"0, {selected}",
        source=prefix + table,
        rows=partial(_converted, conversions),
        indexes=INDEXES.get(table, ()),
        by_range=bool(key) and not prefix,
        after=AFTER_OUTLINKS if (prefix, table) == ("", "outlinks") else (),
        # before version 13, the other tables of earlier answers have no index of URLs
        recent="" if prefix and table != "page" else RECENT.get(table, "url"),
    )


def _converted(conversions: list[Callable[[Any], Any] | None], db: View, row: Row) -> Iterator[Row]:
    yield tuple(convert(value) if convert else value for convert, value in zip(conversions, row[1:], strict=True))


TABLES = (
    *(_table(table, key) for table, key in KEYS.items()),
    *(_table(table, key, "earlier_") for table, key in EARLIER.items()),
)
