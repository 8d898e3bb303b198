"""The answers to the requests of a page's scripts: which WARC records a page in a browser needs besides its own."""

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from ttcrawl.ring.messages import Archived

TABLES = (
    """-- the records with the answers to the requests of a page's scripts, which pages may share, with its document
-- after scripts, and with its screenshot or PDF
CREATE TABLE resource (
    page   INTEGER NOT NULL REFERENCES url (id),
    file   TEXT NOT NULL,                      -- in warc/
    offset INTEGER NOT NULL,
    size   INTEGER NOT NULL,
    PRIMARY KEY (page, file, offset)
) WITHOUT ROWID""",
    "CREATE INDEX resource_record ON resource (file, offset)",
)

INSERT = "INSERT OR IGNORE INTO resource VALUES (?, ?, ?, ?)"

Row: TypeAlias = tuple[int, str, int, int]


def rows(page: int, records: Iterable[Archived]) -> Iterator[Row]:
    """Yield a row for each record that a page needs."""
    return ((page, each.file, each.offset, each.length) for each in records)
