"""What a server reports while a crawl is copied is explained by its SQLSTATE, never by its text."""

import psycopg
import pytest

from tests.library.sample_crawl import make
from tests.support.cases import one_in
from ttcrawl.export.postgresql.errors import explain
from ttcrawl.export.postgresql.server import LostConnection, Server
from ttcrawl.export.postgresql.writer import copied

#: SQLSTATE -> whether it may pass, and what is said.
STATES = {
    "53100": (True, "the disk of the server is full: make room there"),
    "53200": (True, "the server has no more memory or other resources: look into its log"),
    "57014": (True, "cancelled by statement_timeout or by a user: raise"),
    "57P01": (True, "an administrator ended the connection: look into"),
    "55P03": (True, "another user has locked a table, lock timeout: end"),
    "40P01": (True, "another transaction was in the way: end it"),
    "58030": (True, "the server cannot read or write its files: look into"),
    "42P01": (True, "somebody has dropped tables or columns of the copy (SQLSTATE 42P01): they are made again"),
    "42804": (False, "its tables are not as ttcrawl made them (SQLSTATE 42804): remove the copies"),
    "23505": (False, "its tables are not as ttcrawl made them (SQLSTATE 23505): remove the copies"),
    "25006": (False, 'database "crawls" is read-only: name the primary'),
    "42501": (False, 'permission denied for user "crawler" in database "crawls": the user needs CREATE'),
    "54000": (False, "a row exceeds a limit of PostgreSQL: report it"),
    "XX001": (False, "files of the server are damaged: look into"),
    "P0001": (False, "PostgreSQL refuses a query (SQLSTATE P0001): look into"),
}


@pytest.fixture
def copy(server, tmp_path):
    """A crawl whose row in the database causes an error when it is written."""
    crawl = make(tmp_path / "crawl")
    with copied(Server(server.url), crawl) as (connection, _):
        connection.commit()
    return crawl


@pytest.mark.parametrize(("state", "passing", "text"), one_in(3, [(state, *row) for state, row in STATES.items()]))
def test_an_error_of_the_server(server, copy, state, passing, text):
    server.execute(
        "CREATE FUNCTION ttcrawl.fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
        f" RAISE EXCEPTION 'secret of the driver' USING ERRCODE = '{state}'; END $$;"
        " CREATE TRIGGER fail BEFORE UPDATE ON ttcrawl.mirror FOR EACH ROW EXECUTE FUNCTION ttcrawl.fail()"
    )
    with pytest.raises(Exception) as error, copied(Server(server.url), copy):
        pass
    assert isinstance(error.value, LostConnection) == passing
    message = str(error.value)
    assert text in message and "secret" not in message and "\n" not in message
    assert message.startswith(f"PostgreSQL host=127.0.0.1 port={server.port} dbname=crawls: ")


VERSIONS = {120_005: "PostgreSQL 12 is too old (SQLSTATE 42883): version 15 or later is needed", 150_004: "made again"}


@pytest.mark.parametrize(("version", "text"), VERSIONS.items())
def test_a_server_of_an_old_version(version, text):
    """What it lacks is an error there; all else may work."""
    assert text in explain(psycopg.errors.UndefinedFunction("no function x"), version).line({})
