"""Whether a crawl can be copied, asked before its first request; its tables are made.

`python -m ttcrawl.export.postgresql.begin` is a process of its own, so that the crawl needs no library of PostgreSQL.
It reads the URL from stdin, where no list of processes shows it, and says in one line on stderr what is wrong.
"""

from __future__ import annotations

import sys

from ttcrawl.errors import DONE, USAGE, UsageError
from ttcrawl.export.postgresql.schemas import create
from ttcrawl.export.postgresql.server import Connection, LostConnection, Server
from ttcrawl.output.display import tell

#: A table that the user cannot change.
_FOREIGN = """
    SELECT nspname || '.' || relname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE nspname IN ('ttcrawl', 'crawldb') AND relkind = 'r' AND NOT (
        has_schema_privilege(nspname, 'USAGE') AND has_table_privilege(pg_class.oid, 'SELECT')
        AND has_table_privilege(pg_class.oid, 'INSERT') AND has_table_privilege(pg_class.oid, 'UPDATE')
        AND has_table_privilege(pg_class.oid, 'DELETE'))
    ORDER BY 1 LIMIT 1"""


def begin(url: str) -> None:
    """Create what is missing. Raises UsageError, LostConnection."""
    server = Server(url)
    with server.connected() as connection:
        create(connection)
        _must_be_writable(server, connection)


def _must_be_writable(server: Server, connection: Connection) -> None:
    for (name,) in connection.execute(_FOREIGN):
        raise UsageError(
            f"{server.shown}: permission denied for table {name}: the user has to own the tables, or needs SELECT,"
            " INSERT, UPDATE and DELETE on all of them"
        )
    connection.execute("DELETE FROM ttcrawl.mirror WHERE false")  # an error in a database that is read-only


def main() -> int:
    try:
        begin(sys.stdin.read())
    except LostConnection:
        return DONE  # the crawl does not wait for the server; the process that copies it says so
    except UsageError as error:
        tell(str(error))
        return USAGE
    return DONE


if __name__ == "__main__":
    sys.exit(main())
