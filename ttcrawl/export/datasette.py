"""What Datasette shows of crawls: labels, hidden tables, queries with names, and counts of rows.

https://docs.datasette.io/en/stable/metadata.html
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ttcrawl.snapshot.snapshot import View, view

#: Table -> the column that stands for a row where another table refers to it.
LABELS = {"url": "url", "site": "host", "rule": "text", "archive": "name"}

#: Tables that hold packed data or indexes, and those of the crawl's bookkeeping. Empty tables are hidden too.
INTERNAL = ("audit", "browser_use", "bucket", "by_key", "dropped", "leftover", "outlinks", "signal", "template", "text")
BOOKKEEPING = ("unread", "unsettled", "vanished_key", "vanished_print")

#: Name of a query -> what it answers, and its SQL. Names with a colon are asked for.
QUERIES = {
    "failed": (
        "Why did URLs fail?",
        "SELECT reason, count(*) AS urls FROM url WHERE state = 'failed' GROUP BY reason ORDER BY urls DESC",
    ),
    "refused": (
        "Why were URLs refused?",
        "SELECT reason, rule.text AS rule, count(*) AS urls FROM url LEFT JOIN rule ON rule.id = url.rule"
        " WHERE state = 'refused' GROUP BY reason, rule.text ORDER BY urls DESC",
    ),
    "statuses": (
        "With which status were pages answered?",
        "SELECT status, count(*) AS pages FROM page GROUP BY status ORDER BY pages DESC",
    ),
    "inlinks": (
        "Who links to a URL?",
        "SELECT source.url AS source, link.anchor, link.kind, link.landmark FROM url AS target"
        " JOIN link ON link.target = target.key JOIN url AS source ON source.id = link.source WHERE target.url = :url",
    ),
    "requests": (
        "When was a host contacted, and which delay was due?",
        "SELECT datetime(started, 'unixepoch') AS started, round(ended - started, 3) AS seconds, status, visit.url,"
        " visit.reason, visit.delay, visit.delay_from FROM visit JOIN site ON site.id = visit.site"
        " WHERE host = :host ORDER BY visit.id",
    ),
    "hosts": (
        "How many pages has each host?",
        "SELECT host, count(*) AS pages FROM page JOIN url ON url.id = page.url JOIN site ON site.id = url.site"
        " GROUP BY site.id ORDER BY pages DESC",
    ),
}


def metadata(directories: Sequence[Path]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Its metadata, and the counts of rows for which it would take too long. It names files with the same name crawl,
    crawl_2 ... Raises NotACrawl."""
    databases, counts = {}, {}
    for number, directory in enumerate(directories, 1):
        name = "crawl" if number == 1 else f"crawl_{number}"
        with view(directory) as snapshot:
            rows = _counts(snapshot)
        state = (directory / "crawl.db").stat()
        counted = {table: {"count": count} for table, count in rows.items()}
        counts[name] = {"hash": f"{state.st_mtime_ns:x}", "size": state.st_size, "tables": counted}
        tables = {table: _table(table, count) for table, count in rows.items()}
        queries = {query: {"sql": sql, "title": title} for query, (title, sql) in QUERIES.items()}
        databases[name] = {"description": str(directory), "tables": tables, "queries": queries}
    allow = {"id": "root"}  # whoever opens the address that it prints
    return {"title": "ttcrawl", "allow": allow, "databases": databases}, counts


def _counts(snapshot: View) -> dict[str, int]:
    names = [
        name for (name,) in snapshot.execute("SELECT name FROM main.sqlite_schema WHERE type = 'table' ORDER BY name")
    ]
    return {name: snapshot.execute(f"SELECT count(*) FROM main.{name}").fetchone()[0] for name in names}


def _table(name: str, count: int) -> dict[str, Any]:
    hidden = not count or name in INTERNAL + BOOKKEEPING or name.startswith("earlier_")
    label = {"label_column": LABELS[name]} if name in LABELS else {}
    return {"hidden": hidden} | label
