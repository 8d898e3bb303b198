"""Copy what a running crawl has just done, between two rounds: new rows, and the rows about what was requested.

It costs as little as what was done, while a round reads the whole crawl. What changes otherwise, such as URLs that
robots.txt refuses, waits for the next round.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path

from ttcrawl.ask.view.view import View, view
from ttcrawl.export.postgresql import checksums
from ttcrawl.export.postgresql.layout import TABLES
from ttcrawl.export.postgresql.rows import Copy, existing_tables, note
from ttcrawl.export.postgresql.server import Connection
from ttcrawl.export.postgresql.table import END
from ttcrawl.web.url import key


def copy_recent(directory: Path, server: Connection, crawl: int) -> int:
    """Copy it in one transaction; return the number of keys. Raises NotACrawl, LostConnection, UsageError."""
    count = 0
    with view(directory) as db:
        existing = existing_tables(db)
        urls, sites = _requested(db, server, crawl)
        of_key = {"url": urls, "site": sites, "all": {0}}
        for table in TABLES:
            if not existing.issuperset(table.needs):
                continue
            copy, kinds = Copy(server=server, crawl=crawl, table=table), table.recent.split()
            keys = {each for kind in kinds for each in of_key.get(kind, ())}
            new = checksums.of_keys(db, table, keys) if keys else {}
            if "appended" in kinds:
                new |= checksums.of_range(db, table, copy.last_key() + 1, END)
            keys |= new.keys()
            old = copy.blocks({each // checksums.BLOCK for each in keys})
            count += sum(copy.replace(db, old, new, [each for each in keys if old.get(each) != new.get(each)]))
        note(db, server, crawl, complete=False)
    server.commit()
    return count


def _requested(db: View, server: Connection, crawl: int) -> tuple[Collection[int], Collection[int]]:
    """The ids of the URLs and sites of the requests that are not copied yet."""
    ((last,),) = server.execute("SELECT coalesce(max(id), 0) FROM ttcrawl.visit WHERE crawl = %s", (crawl,))
    visits = db.execute("SELECT url, site FROM visit WHERE id > ?", (last,)).fetchall()
    keys = json.dumps(list({key(url) for url, _ in visits}))
    ids = db.execute(f"SELECT {db.id_of('each.value')} FROM json_each(?) AS each", (keys,))
    return {id for (id,) in ids if id is not None}, {site for _, site in visits}
