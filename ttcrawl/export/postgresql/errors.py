"""What an error of PostgreSQL means, and what helps, in words of ours.

The driver's own text is shown nowhere: it differs with the language of the server, may have several lines, and may
have what is secret. SQLSTATE tells the cause of everything but a failed connection; for that libpq has a text alone,
which is looked through, in English, for what it is about.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import psycopg


@dataclass(frozen=True, slots=True)
class Explanation:
    """`cause` and `remedy` may name {user}, {dbname} and {host} of the connection."""

    cause: str
    remedy: str
    passing: bool = False  # it may end without a change of the URL or of the database's settings

    def line(self, names: Mapping[str, str]) -> str:
        return f"{self.cause}: {self.remedy}".format_map(names)


#: The oldest version of PostgreSQL that has all that is used.
OLDEST = 15

_PASSWORD = "correct the password in the URL, in ~/.pgpass or in the service file"

#: What libpq says of a connection that fails -> what it means. The first one that is found counts.
_CONNECTING = {
    "pg_hba.conf": Explanation(
        'the server admits no connection of user "{user}" to database "{dbname}" from here', "add a line to pg_hba.conf"
    ),
    "ssl|certificate|tls": Explanation("no encrypted connection can be made", "correct sslmode or the certificates"),
    "host .*(temporary|try again)": Explanation(
        "host {host} cannot be looked up now", "check the network", passing=True
    ),
    "could not translate host name|failed to resolve host": Explanation(
        "host {host} does not exist", "correct the host in the URL"
    ),
    "connection refused|no such file or directory": Explanation(
        "connection refused, no server is there", "start it, or correct host and port", passing=True
    ),
    "timeout expired|timed out|unreachable|no route to host": Explanation(
        "the server does not answer", "start it, or correct host and port", passing=True
    ),
    "starting up|not yet accepting|shutting down|recovery mode|(is|was) not accepting": Explanation(
        "the server is being started or stopped", "wait until it runs", passing=True
    ),
    "too many clients|connection slots|too many connections": Explanation(
        "too many connections", "end others, or raise max_connections or the CONNECTION LIMIT", passing=True
    ),
    "no password supplied": Explanation(
        'user "{user}" has to give a password', "put it into the URL, ~/.pgpass or a service file"
    ),
    "password authentication failed": Explanation('password authentication failed for user "{user}"', _PASSWORD),
    "role .* does not exist": Explanation('user "{user}" does not exist', "create it with createuser, or correct it"),
    "not permitted to log in": Explanation('user "{user}" may not log in', "ALTER ROLE ... LOGIN, or name another one"),
    "authentication failed": Explanation(
        'authentication failed for user "{user}"', "name another user in the URL, or change pg_hba.conf"
    ),
    "database .* does not exist": Explanation(
        'database "{dbname}" does not exist', "create it with createdb --encoding UTF8, or correct the URL"
    ),
    "permission denied for database": Explanation(
        'user "{user}" may not connect to database "{dbname}"', "GRANT CONNECT ON DATABASE ..., or name another user"
    ),
    "not currently accepting": Explanation(
        'database "{dbname}" admits no connections', "ALTER DATABASE ... ALLOW_CONNECTIONS true, or name another one"
    ),
    "invalid response|expected authentication|unsupported frontend protocol|protocol version": Explanation(
        "what answers there is not PostgreSQL", "correct host and port"
    ),
    "service": Explanation("the service is not defined", "correct its name, or ~/.pg_service.conf"),
    "session is|server is": Explanation("no server is as target_session_attrs wants it", "correct it, or the host"),
    "invalid|missing|bad value|configuration parameter": Explanation("a parameter of the URL is wrong", "correct it"),
    "server closed the connection|reset by peer|broken pipe|lost": Explanation(
        "the server closed the connection", "look into its log", passing=True
    ),
    r"failed: \S+:  ": Explanation(  # in another language
        'the server refuses user "{user}" or database "{dbname}"', "correct user, password and database, or see its log"
    ),
}

_UNKNOWN_CONNECTION = Explanation("the connection is lost", "look into the server's log", passing=True)

#: SQLSTATE, or its class -> what it means.
_STATES = {
    "53100": Explanation("the disk of the server is full", "make room there", passing=True),
    "53300": _CONNECTING["too many clients|connection slots|too many connections"],
    "53": Explanation("the server has no more memory or other resources", "look into its log", passing=True),
    "57014": Explanation(
        "a query was cancelled by statement_timeout or by a user", "raise the statement timeout", passing=True
    ),
    "57P01": Explanation("an administrator ended the connection", "look into the server's log", passing=True),
    "57P05": Explanation("the server ended an idle connection", "raise idle_session_timeout", passing=True),
    "57": Explanation("the server is being started or stopped", "wait until it runs", passing=True),
    "55P03": Explanation("another user has locked a table, lock timeout", "end the other transaction", passing=True),
    "40": Explanation("another transaction was in the way", "end it, if it lasts", passing=True),
    "08": _UNKNOWN_CONNECTION,
    "58": Explanation("the server cannot read or write its files", "look into its log", passing=True),
    "25P03": Explanation("the server ended an idle transaction", "raise its timeout", passing=True),
    "25P04": Explanation("the server ended a long transaction", "raise transaction_timeout", passing=True),
    "25006": Explanation(
        'permission denied, database "{dbname}" is read-only',
        "name the primary server, or unset default_transaction_read_only",
    ),
    "42501": Explanation(
        'permission denied for user "{user}" in database "{dbname}"',
        "the user needs CREATE on the database, or has to own the tables",
    ),
    "2BP01": Explanation("other views or tables depend on ttcrawl's", "drop yours, and create them again afterwards"),
    "54": Explanation("a row exceeds a limit of PostgreSQL", "report it as a defect of ttcrawl"),
    "XX": Explanation("files of the server are damaged", "look into its log"),
}

#: SQLSTATE of what is not there, and its classes of what the types and constraints of tables cause.
_DROPPED, _CHANGED = ("3F000", "42P01", "42703", "42883"), ("42", "23", "22", "0A")


def explain(error: psycopg.Error, version: int) -> Explanation:
    """Say what an error means. `version`: of the server as PostgreSQL counts (150004), 0 if there was no connection."""
    state = error.sqlstate or ""
    for known in (state, state[:2]):
        if known in _STATES:
            return _STATES[known]
    if not state:
        return _of_connection(str(error))
    if 0 < version < OLDEST * 10_000:
        return Explanation(
            f"PostgreSQL {version // 10_000} is too old (SQLSTATE {state})", f"version {OLDEST} or later is needed"
        )
    if state in _DROPPED:
        return Explanation(
            f"somebody has dropped tables or columns of the copy (SQLSTATE {state})",
            "they are made again, with their rows, by the next run",
            passing=True,
        )
    if state.startswith(_CHANGED):
        return Explanation(
            f"its tables are not as ttcrawl made them (SQLSTATE {state})",
            "remove the copies with DROP SCHEMA ttcrawl, crawldb CASCADE, and mirror again",
        )
    return Explanation(f"PostgreSQL refuses a query (SQLSTATE {state})", "look into its log")


def _of_connection(text: str) -> Explanation:
    plain = re.sub("""["'][^"'\\n]*["']""", "", text.lower())  # without names
    found = (meaning for pattern, meaning in _CONNECTING.items() if re.search(pattern, plain))
    return next(found, _UNKNOWN_CONNECTION)
