"""The rows of all other tables. The foreign keys of the schema say which columns hold ids, and of what."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import cache

from ttcrawl.store.columns import columns
from ttcrawl.store.gather import keys
from ttcrawl.store.schema import TABLES

#: Tables that are not copied row by row: indexes and marks are made anew, the others have rules of their own.
OTHERS = (
    "by_key",
    "queue",
    "bucket",
    "duplicate",
    "unsettled",
    "crawl",
    "site",
    "url",
    "rule",
    "growth",
    "archive",
    "cookie",
    "pattern",
)

#: Ids without a foreign key.
_BESIDES = {"vanished_key": {"url": "url"}}

#: Numbered tables in order of time; the others are in order of the rings.
_MOMENTS = {"fingerprint": "time", "visit": "ended", "event": "time", "deletion": "time"}

#: Every request is kept, whoever has the host: the proof of politeness.
_KEPT = "visit"

_EARLIER = "earlier_"


@dataclass(frozen=True, slots=True, kw_only=True)
class Refers:
    """What the columns of a table refer to. `number`: the column with its own id; "": it has none."""

    table: str
    number: str
    ids: Mapping[str, str]  # column -> table

    @property
    def owner(self) -> str:
        """The column with the URL, else the site, that a row is about; "": none."""
        if self.table == _KEPT:
            return ""
        by_url = [column for column, table in self.ids.items() if table == "url"]
        by_site = [column for column, table in self.ids.items() if table == "site"]
        return next(iter((*by_url, *by_site)), "")

    def query(self, *, rekeyed: bool = False) -> str:
        """Return the statement that copies the rows of the attached ring ?1. `rekeyed`: some of its keys change."""
        names, owner = columns(self.table), self.owner
        values = {column: _id_of(table, column) for column, table in self.ids.items()}
        if self.number:
            values[self.number] = _id_of(self.table, self.number)
        if owner:
            values[owner] = "owner.new"
        if "file" in names:
            values["file"] = "coalesce((SELECT new FROM name_of_file WHERE ring = ?1 AND old = each.file), each.file)"
        if rekeyed and "targets" in names:
            values["targets"] = "new_keys(each.targets)"
        if rekeyed and self.table == "unlinked":
            values["key"] = "new_key(each.key)"
        selected = ", ".join(values.get(name, f'each."{name}"') for name in names)
        query = f"INSERT INTO main.{self.table} SELECT {selected} FROM ring.{self.table} AS each"
        if not owner:
            return query
        same = f"owner.ring = ?1 AND owner.old = each.{owner}"
        if self.ids[owner] == "url":  # what an earlier owner of a host knows of it is true, too
            same += " AND owner.own"
        return f"{query} CROSS JOIN id_of_{self.ids[owner]} AS owner ON {same}"


def _id_of(table: str, column: str) -> str:
    return f"(SELECT new FROM id_of_{table} WHERE ring = ?1 AND old = each.{column})"


@cache
def tables() -> tuple[Refers, ...]:
    """Return the tables that are copied row by row."""
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(TABLES)
        names = [name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
        return tuple(_refers(db, name) for name in names if name not in OTHERS)


def _refers(db: sqlite3.Connection, name: str) -> Refers:
    """An earlier answer refers to what the latest one does."""
    latest = name.removeprefix(_EARLIER)
    parents = {row[3]: row[2] for row in db.execute(f"PRAGMA foreign_key_list({latest})")} | _BESIDES.get(latest, {})
    info = db.execute(f"PRAGMA table_info({latest})").fetchall()
    primary = [column for _, column, *_, place in info if place]
    numbered = name == latest and len(primary) == 1 and primary[0] not in parents and info[0][2] == "INTEGER"
    ids = {column: parents[column] for _, column, *_ in info if column in parents}
    return Refers(table=name, number=primary[0] if numbered else "", ids=ids)


def prepare(db: sqlite3.Connection) -> None:
    """Make the temporary tables of the numbered ones."""
    for each in tables():
        if each.number:
            db.execute(f"CREATE TEMP TABLE row_of_{each.table} (ring INTEGER, old INTEGER, moment REAL)")
            db.execute(
                f"CREATE TEMP TABLE id_of_{each.table} (ring INTEGER, old INTEGER, new INTEGER,"
                " PRIMARY KEY (ring, old)) WITHOUT ROWID"
            )


def collect(db: sqlite3.Connection, ring: int) -> None:
    """Read the ids of the numbered rows of the attached ring."""
    for each in tables():
        if each.number:
            moment = _MOMENTS.get(each.table, "0")
            db.execute(
                f"INSERT INTO row_of_{each.table} SELECT ?, {each.number}, {moment} FROM ring.{each.table}", (ring,)
            )


def number(db: sqlite3.Connection) -> None:
    """Give all numbered rows their new ids, once all rings are read."""
    for each in tables():
        if each.number:
            db.execute(
                f"INSERT INTO id_of_{each.table} SELECT ring, old,"
                f" row_number() OVER (ORDER BY moment, ring, old) AS new FROM row_of_{each.table}"
            )
            db.execute(f"DROP TABLE row_of_{each.table}")


def copy(db: sqlite3.Connection, ring: int) -> None:
    """Copy the rows of the attached ring about its own URLs and all sites, its requests, cookies and WARC files."""
    if changed := keys.changed(db, ring):
        keys.define(db, changed)
    for each in tables():
        query = each.query(rekeyed=bool(changed))
        db.execute(query, (ring,) if "?1" in query else ())
    db.execute(
        "INSERT INTO main.archive SELECT new, size FROM ring.archive JOIN name_of_file"
        " ON name_of_file.ring = ? AND name_of_file.old = archive.file",
        (ring,),
    )
    # only answers of a domain set its cookies, and while cookies are kept a domain belongs to one ring at a time
    last = "(SELECT coalesce(max(place), 0) FROM main.cookie)"
    db.execute(
        "INSERT OR IGNORE INTO main.cookie SELECT domain, path, name, value, host_only, secure, expires,"
        f" {last} + place FROM ring.cookie ORDER BY place"
    )
