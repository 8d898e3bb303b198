"""Tables of earlier versions: a crawl that continues upgrades them, a reader sees them as if they were upgraded."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from msgspec import Struct, field

from ttcrawl.store import (
    browser_tables,
    deletions,
    events,
    link_metas,
    rare_tables,
    recrawl_tables,
    vanished_tables,
)
from ttcrawl.store.database import PATIENCE
from ttcrawl.store.earlier import ANOTHER_ANSWER, EARLIER
from ttcrawl.store.schema import TABLES, VERSION


class Step(Struct, frozen=True, kw_only=True):
    """The changes from a version to the next one."""

    change: tuple[str, ...]  # statements for the writer
    #: For a reader: table -> the SELECT that gives its new rows, from {} for its rows before the step.
    view: Mapping[str, str]
    #: For a reader, once before the views.
    prepare: tuple[str, ...] = ()
    new_names: Mapping[str, str] = field(default_factory=dict)  # of tables: new -> old


def _renamed(table: str, **columns: str) -> tuple[str, ...]:
    return tuple(f"ALTER TABLE {table} RENAME COLUMN {old} TO {new}" for old, new in columns.items())


#: What the priorities of version 6 were made of: a URL that was put last had 2^62 more, a depth counted 1,024.
_DEMOTED = "(priority > 1 << 61)"
_IN_DEPTH = f"(priority - {_DEMOTED} * (1 << 62) - coalesce(depth, 0) * 1024)"

#: Whether priorities are made from depth and rank: under the other values of [frontier] priority they are not.
_BY_DEPTH = f"""
    SELECT NOT EXISTS (SELECT 1 FROM (SELECT depth, priority FROM url WHERE depth > 0 LIMIT 1000)
    WHERE {_IN_DEPTH} NOT BETWEEN -512 AND 511)"""
_RANK = f"CASE WHEN (SELECT * FROM by_depth) THEN {_IN_DEPTH} WHEN depth IS NULL THEN 511 ELSE 0 END"

#: New columns of table url: their values for a crawl of version 6 -> their names.
_ADDED_BY_6 = {_RANK: "rank", "0": "score", _DEMOTED: "demoted"}

#: Renamed columns of version 6: table -> old name -> new name.
_NAMES_OF_6 = {
    "site": {"robots_at": "robots_time", "asked": "requested"},
    "url": {"hops": "redirects", "outside": "off_domain", "met": "discovered", "settled": "processed"},
    "robots": {"at": "time"},
    "page": {
        "at": "time",
        "found": "links",
        "content": "content_links",
        "same_page": "same_page_links",
        "recorded": "recorded_links",
    },
    "outlinks": {"parts": "landmarks"},
    "fingerprint": {"asked": "time", "reading": "parse_context"},
    "probe": {"at": "time"},
    "growth": {"found": "links"},
}
_NO_TOPIC = (
    "SELECT 0 AS url, 0 AS relevant, 0.0 AS score, NULL AS probability, '' AS \"by\", '' AS classes, '' AS terms"
    " WHERE 0"
)
_NO_FIELDS = "SELECT 0 AS url, '' AS fields, NULL AS score WHERE 0"
_NO_SCORES = "SELECT 0 AS url, x'' AS scores WHERE 0"
_NO_REVISITS = (
    "SELECT 0 AS url, 0.0 AS next, 0.0 AS visited, 0 AS visits, 0 AS not_modified, 0 AS changes, 0 AS missing,"
    " 0 AS failures, '' AS trust, '' AS evidence, NULL AS announced WHERE 0"
)
_NO_SIGNALS = "SELECT 0 AS site, 0 AS hits, 0 AS misses WHERE 0"
_PAGES = ("page", "earlier_page")
_NO_TEMPLATES = (
    "SELECT 0 AS id, 0 AS site, '' AS pattern, 0 AS signature, '' AS state, 0 AS pages, 0 AS rendered, 0 AS alike,"
    " x'' AS gain, 0 AS gap, 0 AS wait WHERE 0"
)
_NO_BROWSER_USE = (
    "SELECT 0 AS url, '' AS way, '' AS reason, NULL AS template, 0.0 AS seconds, 0 AS requests, 0 AS bytes,"
    " NULL AS links, NULL AS words WHERE 0"
)
_NO_DROPPED = "SELECT 0 AS url, 0 AS answers, 0.0 AS until WHERE 0"
_VANISHED = {
    "vanished": (
        "SELECT 0 AS url, 0.0 AS present, 0.0 AS missing, NULL AS confirmed, NULL AS successor, '' AS same WHERE 0"
    ),
    "vanished_print": (
        "SELECT 0 AS url, '' AS title, x'' AS bytes, x'' AS text, x'' AS bands, x'' AS signature, x'' AS shingles"
        " WHERE 0"
    ),
    "vanished_key": "SELECT 0 AS key, 0 AS url WHERE 0",
    "unlinked": "SELECT 0 AS url, 0 AS key, 0.0 AS lost, NULL AS since WHERE 0",
}
_CONTENT = TABLES[TABLES.index("CREATE VIEW content AS") :].partition(";")[0]
_UNREAD = TABLES[TABLES.index("CREATE TABLE unread") :].partition(";")[0]
_LINK = TABLES[TABLES.index("CREATE VIEW link AS") :].partition(";")[0]

#: By the version that they start from.
STEPS = {
    5: Step(
        change=(
            # a refused connection had the name of a state
            "UPDATE url SET reason = 'connection refused' WHERE reason = 'refused'",
            "UPDATE visit SET reason = 'connection refused' WHERE reason = 'refused'",
            "UPDATE visit SET backoff_from = 'connection refused' WHERE backoff_from = 'refused'",
            "UPDATE site SET backoff_from = 'connection refused' WHERE backoff_from = 'refused'",
            "UPDATE site SET robots_reason = 'connection refused' WHERE robots_reason = 'refused'",
            "UPDATE probe SET reason = 'connection refused' WHERE reason = 'refused'",
            "ALTER TABLE growth ADD COLUMN in_scope INTEGER",
            # all except the few that were queued and later refused as a trap
            "INSERT OR REPLACE INTO crawl SELECT 'total_in_scope', count(*) FROM url"
            " WHERE found_on NOTNULL AND (state != 'refused' OR reason LIKE 'robots.txt%')",
        ),
        view={"growth": "SELECT *, NULL AS in_scope FROM {}"},
    ),
    6: Step(
        change=(
            f"CREATE TEMP TABLE by_depth AS {_BY_DEPTH}",
            "DROP VIEW link",
            *(statement for table, columns in _NAMES_OF_6.items() for statement in _renamed(table, **columns)),
            "ALTER TABLE record RENAME TO metadata",
            _LINK,
            *(f"ALTER TABLE url ADD COLUMN {name} INTEGER NOT NULL DEFAULT 0" for name in _ADDED_BY_6.values()),
            # most URLs have the defaults: a row that does not change costs no write
            f"UPDATE url SET demoted = {_DEMOTED}, rank = {_RANK} WHERE {_DEMOTED} OR {_RANK} != 0",
            # originals had the order of the queue: without its depths they have to be decided anew
            "DELETE FROM bucket WHERE NOT (SELECT * FROM by_depth)",
            "DELETE FROM crawl WHERE name = 'bucketed' AND NOT (SELECT * FROM by_depth)",
            "UPDATE crawl SET value = '' WHERE name = 'marked_by' AND NOT (SELECT * FROM by_depth)",
            "INSERT OR REPLACE INTO crawl SELECT 'queue_order', 'depth' FROM by_depth WHERE (SELECT * FROM by_depth)",
            "DROP TABLE temp.by_depth",
            *EARLIER,
        ),
        prepare=(f"CREATE TEMP TABLE by_depth AS {_BY_DEPTH}",),
        view={
            **{
                table: f"SELECT *, {', '.join(f'{old} AS {new}' for old, new in columns.items())} FROM {{}}"
                for table, columns in (_NAMES_OF_6 | {"url": _NAMES_OF_6["url"] | _ADDED_BY_6}).items()
            },
            "earlier_page": "SELECT * FROM {} WHERE 0",
            "answer": "SELECT * FROM {}",
            "metadata": "SELECT * FROM {}",
            "bucket": "SELECT * FROM {} WHERE (SELECT * FROM by_depth)",
            "crawl": "SELECT * FROM {} WHERE name NOT IN ('bucketed', 'marked_by') OR (SELECT * FROM by_depth)",
            "unsettled": "SELECT n FROM {} UNION SELECT 0 WHERE NOT (SELECT * FROM by_depth)",
            "link": _LINK.partition(" AS\n")[2],
        },
        new_names={"metadata": "record", "earlier_page": "page", "answer": "page"},
    ),
    7: Step(
        change=(_UNREAD, "DROP TRIGGER another_answer", ANOTHER_ANSWER),
        view={"unread": "SELECT 0 AS url WHERE 0"},
    ),
    8: Step(
        change=(*rare_tables.FIELDS, *events.TABLES, "DROP TRIGGER another_answer", ANOTHER_ANSWER),
        view={
            "fields": _NO_FIELDS,
            "earlier_fields": f"SELECT 0.0 AS time, * FROM ({_NO_FIELDS})",
            "field": "SELECT 0 AS url, '' AS name, NULL AS value WHERE 0",
            "event": "SELECT 0 AS id, 0 AS url, 0.0 AS time, '' AS state, '' AS reason WHERE 0",
        },
    ),
    9: Step(
        change=("ALTER TABLE url ADD COLUMN requisite INTEGER NOT NULL DEFAULT 0",),
        view={"url": "SELECT *, 0 AS requisite FROM {}"},
    ),
    10: Step(
        change=(*deletions.NEW_STATE, *deletions.TABLES),
        view={
            "deletion": "SELECT 0 AS id, 0.0 AS time, '' AS what, 0 AS urls, 0 AS pages, 0 AS links WHERE 0",
            "leftover": "SELECT '' AS kind, '' AS file, 0 AS offset, 0 AS size, '' AS successor WHERE 0",
        },
    ),
    11: Step(
        change=(
            "ALTER TABLE url ADD COLUMN off_topic INTEGER NOT NULL DEFAULT 0",
            *rare_tables.TOPIC,
            "DROP TRIGGER another_answer",
            ANOTHER_ANSWER,
        ),
        view={
            "url": "SELECT *, 0 AS off_topic FROM {}",
            "topic": _NO_TOPIC,
            "earlier_topic": f"SELECT 0.0 AS time, * FROM ({_NO_TOPIC})",
            "link_score": _NO_SCORES,
            "earlier_link_score": f"SELECT 0.0 AS time, * FROM ({_NO_SCORES})",
        },
    ),
    12: Step(
        change=(
            *(f"ALTER TABLE {table} ADD COLUMN fresh_until REAL" for table in _PAGES),
            *recrawl_tables.TABLES_OF_13,
        ),
        view={
            "revisit": _NO_REVISITS,
            "signal": _NO_SIGNALS,
            "dropped": _NO_DROPPED,
            **dict.fromkeys((*_PAGES, "answer"), "SELECT *, NULL AS fresh_until FROM {}"),
        },
    ),
    13: Step(
        change=(
            recrawl_tables.REFUSED,
            *browser_tables.TABLES,
            *rare_tables.RESOURCE,
            *rare_tables.FAILED_STEPS,
            *vanished_tables.TABLES,
        ),
        view={
            "revisit": "SELECT *, '' AS refused FROM {}",
            "template": _NO_TEMPLATES,
            "browser_use": _NO_BROWSER_USE,
            "resource": "SELECT 0 AS page, '' AS file, 0 AS offset, 0 AS size WHERE 0",
            "failed_steps": "SELECT 0 AS url, 0.0 AS time, '' AS steps WHERE 0",
            **_VANISHED,
            "content": _CONTENT.partition(" AS\n")[2],
        },
    ),
    14: Step(
        change=(
            "ALTER TABLE page ADD COLUMN declared_length INTEGER",
            "ALTER TABLE earlier_page ADD COLUMN declared_length INT",  # as in a table that a query has made
        ),
        view=dict.fromkeys((*_PAGES, "answer"), "SELECT *, NULL AS declared_length FROM {}"),
    ),
    15: Step(change=link_metas.TABLES, view={"link_meta": "SELECT 0 AS url, 0 AS source, '' AS meta WHERE 0"}),
}


def known(version: str) -> bool:
    """Whether tables of this version can be read and upgraded."""
    return version.isdigit() and min(STEPS) <= int(version) <= VERSION


def version_of(path: Path) -> str:
    """Return the version of the tables of a crawl.db; "0" if it has none. Raises sqlite3.Error for another file."""
    with closing(sqlite3.connect(path, timeout=PATIENCE)) as db:
        (version,) = db.execute("SELECT value FROM crawl WHERE name = 'schema_version'").fetchone() or ("0",)
    return str(version)


def create(db: sqlite3.Connection) -> None:
    """Make the tables of this version; `note_version` is called in the first transaction."""
    db.executescript(f"BEGIN; {TABLES}; COMMIT")  # one by one each statement would be written and locked for


def note_version(db: sqlite3.Connection) -> None:
    db.execute("INSERT OR REPLACE INTO crawl VALUES ('schema_version', ?)", (str(VERSION),))


def upgrade(db: sqlite3.Connection) -> None:
    """Upgrade the tables completely or, after an interruption, not at all."""
    db.execute("BEGIN IMMEDIATE")
    for step in _steps(db):
        for statement in step.change:
            db.execute(statement)
    note_version(db)
    db.execute("COMMIT")


def show_upgraded(db: sqlite3.Connection) -> None:
    """Let a reader see the tables as if they were upgraded: temporary views hide the tables of the same names."""
    latest: dict[str, str] = {}  # table -> the view of it after the last step
    for number, step in enumerate(_steps(db)):
        for statement in step.prepare:
            db.execute(statement)
        for table, select in step.view.items():
            before = step.new_names.get(table, table)
            name = f"{table}_after_{number}"
            db.execute(f"CREATE TEMP VIEW {name} AS {select.format(latest.get(before, f'main.{before}'))}")
            latest[table] = name
    for table, name in latest.items():
        db.execute(f"CREATE TEMP VIEW {table} AS SELECT * FROM {name}")


def _steps(db: sqlite3.Connection) -> list[Step]:
    (version,) = db.execute("SELECT value FROM crawl WHERE name = 'schema_version'").fetchone()
    return [STEPS[number] for number in range(int(version), VERSION)]
