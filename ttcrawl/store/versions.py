"""Tables of earlier versions: a crawl that continues upgrades them, a reader sees them as if they were upgraded."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from ttcrawl.store.schema import VERSION


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """The changes from a version to the next one."""

    change: tuple[str, ...]  # statements for the writer
    view: tuple[str, ...]  # temporary views for a reader, which hide the tables of the same name


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
        view=("CREATE TEMP VIEW growth AS SELECT *, NULL AS in_scope FROM main.growth",),
    ),
}


def known(version: str) -> bool:
    """Whether tables of this version can be read and upgraded."""
    return version.isdigit() and min(STEPS) <= int(version) <= VERSION


def version_of(path: Path) -> str:
    """Return the version of the tables of a crawl.db; "0" if it has none. Raises sqlite3.Error for another file."""
    with closing(sqlite3.connect(path)) as db:
        (version,) = db.execute("SELECT value FROM crawl WHERE name = 'schema_version'").fetchone() or ("0",)
    return str(version)


def upgrade(db: sqlite3.Connection) -> None:
    """Upgrade the tables completely or, after an interruption, not at all."""
    db.execute("BEGIN IMMEDIATE")
    for step in _steps(db):
        for statement in step.change:
            db.execute(statement)
    db.execute("UPDATE crawl SET value = ? WHERE name = 'schema_version'", (str(VERSION),))
    db.execute("COMMIT")


def shown(db: sqlite3.Connection) -> None:
    """Let a reader see the tables as if they were upgraded."""
    for step in _steps(db):
        for statement in step.view:
            db.execute(statement)


def _steps(db: sqlite3.Connection) -> list[Step]:
    (version,) = db.execute("SELECT value FROM crawl WHERE name = 'schema_version'").fetchone()
    return [STEPS[number] for number in range(int(version), VERSION)]
