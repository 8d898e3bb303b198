"""The connection to PostgreSQL. No message has a password."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ttcrawl.config import FORM, SCHEMES
from ttcrawl.errors import UsageError, require
from ttcrawl.export.postgresql.errors import explain
from ttcrawl.web.storable import is_sound

if TYPE_CHECKING:
    import psycopg

#: Seconds and counts after which a connection counts as lost, unless the URL says otherwise.
USUAL = {
    "application_name": "ttcrawl",
    "connect_timeout": "10",
    "keepalives_idle": "30",
    "keepalives_interval": "10",
    "keepalives_count": "3",
    "tcp_user_timeout": "60000",
}
#: Limits that a user or a database has for ordinary queries: a large transaction may take longer, as one of pg_dump. A
#: lock of another user is waited for in vain meanwhile, and the log of a crawl that runs grows while its snapshot is
#: open: then the connection counts as lost.
LIMITS = {"statement_timeout": "0", "idle_in_transaction_session_timeout": "0", "lock_timeout": "30s"}
WRONG = f"the URL of the database is wrong: write {FORM}, special characters as %XX"


class LostConnection(Exception):
    """PostgreSQL cannot be reached or cannot go on: what was not committed has to be done again."""


class Server:
    """Where PostgreSQL is. Raises UsageError if the text is not such a URL, or the extra is missing."""

    def __init__(self, url: str) -> None:
        require("psycopg")
        import psycopg
        from psycopg.conninfo import conninfo_to_dict

        if not url.startswith(SCHEMES) or not is_sound(url):
            raise UsageError(f"write the database as {FORM}")
        try:
            parameters = {name: str(value) for name, value in conninfo_to_dict(url).items()}
        except psycopg.Error:  # its message may have the password
            raise UsageError(WRONG) from None
        if _is_torn(url, parameters):
            raise UsageError(WRONG)
        # whatever PGCLIENTENCODING or a setting of the user or the database says: texts of a crawl have all characters
        self._parameters = USUAL | parameters | {"client_encoding": "UTF8"}
        #: Of the server, as PostgreSQL counts; 0: not known yet.
        self._version = 0
        self._names = {name: parameters.get(name, "") for name in ("user", "dbname", "host")}
        names = {name: parameters.get(name, "") for name in ("service", "host", "hostaddr", "port", "dbname")}
        self.shown = "PostgreSQL" + "".join(f" {name}={value}" for name, value in names.items() if value)

    @contextlib.contextmanager
    def connected(self) -> Iterator[Connection]:
        """A connection inside a block. Raises LostConnection, UsageError."""
        with self._explained(), contextlib.closing(self._connect()) as connection:
            self._version = connection.info.server_version
            connection.autocommit = True  # so that they hold before the first transaction
            for limit, value in LIMITS.items():
                if limit not in connection.info.options:  # what the URL asks for is obeyed
                    connection.execute(f"SET {limit} = '{value}'".encode())
            connection.autocommit = False
            yield Connection(connection)

    def _connect(self) -> psycopg.Connection[tuple[Any, ...]]:
        import psycopg

        parameters: dict[str, Any] = self._parameters
        try:
            return psycopg.connect(**parameters)
        except UnicodeError:  # a label of the host is empty or too long
            raise UsageError(f"{self.shown}: host {self._names['host']} does not exist: correct it") from None

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        import psycopg

        try:
            yield
        except psycopg.Error as error:
            meaning = explain(error, self._version)
            text = f"{self.shown}: {meaning.line(self._names | _names(error))}"
            raise (LostConnection if meaning.passing else UsageError)(text) from None


def _names(error: psycopg.Error) -> dict[str, str]:
    """User and database of a connection that failed: the URL may have neither."""
    failed = error.pgconn
    names = {"user": failed.user, "dbname": failed.db} if failed is not None else {}
    return {name: value.decode("utf-8", "replace") for name, value in names.items() if value}


def _is_torn(url: str, parameters: Mapping[str, str]) -> bool:
    """Whether a part of a password with special characters counts as host, port or database, and would be shown."""
    path = url.partition("://")[2].partition("?")[0].partition("/")[2]
    ports = parameters.get("port", "").split(",")
    return "@" in path + parameters.get("host", "") or not all(port.isdecimal() for port in ports if port)


class Connection:
    """A connection with a transaction that begins by itself."""

    def __init__(self, connection: psycopg.Connection[tuple[Any, ...]]) -> None:
        self._connection = connection

    @property
    def process(self) -> int:
        """The number of the server's process for this connection, 0 if it is on another machine."""
        address = self._connection.info.hostaddr
        local = not address or address == "::1" or address.startswith("127.")
        return self._connection.info.backend_pid if local else 0

    def execute(self, query: str, values: Sequence[Any] | Mapping[str, Any] | None = None) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        cursor = self._connection.execute(query.encode(), values)
        return cursor.fetchall() if cursor.description else []

    def execute_many(self, query: str, rows: Iterable[Sequence[Any]]) -> None:
        with self._connection.cursor() as cursor:
            cursor.executemany(query.encode(), rows)

    def copy(self, table: str, columns: Sequence[str], types: Sequence[str], rows: Iterable[tuple[Any, ...]]) -> None:
        """Append rows to a table."""
        names = ", ".join(f'"{name}"' for name in columns)
        query = f"COPY {table} ({names}) FROM STDIN (FORMAT BINARY)"
        with self._connection.cursor() as cursor, cursor.copy(query.encode()) as copy:
            copy.set_types([each.partition("(")[0] for each in types])
            for row in rows:
                copy.write_row(row)

    def commit(self) -> None:
        self._connection.commit()
