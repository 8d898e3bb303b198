"""A database that is wrong is reported before the first request, in one line of ours, and the tables are made."""

import socket
import threading
from contextlib import closing

import psycopg
import pytest

from tests.support.crawls.postgresql import PASSWORD, URL_PASSWORD, USER
from ttcrawl.errors import UsageError
from ttcrawl.export.postgresql.begin import begin
from ttcrawl.export.postgresql.server import LostConnection

ROLES = (
    "CREATE ROLE reader LOGIN PASSWORD 'secret-of-reader'",
    "CREATE ROLE sleeper PASSWORD 'secret-of-reader'",
    "CREATE DATABASE latin1 ENCODING 'LATIN1' TEMPLATE template0",
    "CREATE DATABASE closed ALLOW_CONNECTIONS false",
    "CREATE DATABASE private",
    "REVOKE CONNECT ON DATABASE private FROM PUBLIC",
    "CREATE DATABASE readonly",
    "ALTER DATABASE readonly SET default_transaction_read_only = on",
    "CREATE DATABASE full_",
    "ALTER DATABASE full_ CONNECTION LIMIT 0",
)


@pytest.fixture(scope="module")
def urls(running_server):
    """Templates of URLs have these."""
    with psycopg.connect(running_server.url_of("postgres"), autocommit=True) as connection:
        for statement in ROLES:
            connection.execute(statement)
    server = f"127.0.0.1:{running_server.port}"
    yield {"me": f"{USER}:{URL_PASSWORD}@{server}", "server": server, "reader": f"reader:secret-of-reader@{server}"}
    running_server.clear()  # with what the reader may
    with psycopg.connect(running_server.url_of("postgres"), autocommit=True) as connection:
        for name in ("latin1", "closed", "private", "readonly", "full_"):
            connection.execute(f"DROP DATABASE {name}")
        for name in ("reader", "sleeper"):
            connection.execute(f"DROP ROLE {name}")


#: URL -> cause and remedy.
WRONG = {
    "postgresql://{me}/nowhere": 'database "nowhere" does not exist: create it with createdb --encoding UTF8',
    f"postgresql://{USER}:secret@{{server}}/crawls": f'authentication failed for user "{USER}": correct the password',
    f"postgresql://{USER}@{{server}}/crawls?passfile=/": f'user "{USER}" has to give a password: put it into',
    "postgresql://sleeper:secret-of-reader@{server}/crawls": 'user "sleeper" may not log in: ALTER ROLE',
    "postgresql://me:secret@no-host.invalid/crawls": "host no-host.invalid does not exist: correct the host",
    "postgresql://me:secret@a..b/crawls": "host a..b does not exist: correct it",
    "postgresql://{me}/closed": 'database "closed" admits no connections: ALTER DATABASE',
    "postgresql://{reader}/private": 'user "reader" may not connect to database "private": GRANT CONNECT',
    "postgresql://{reader}/crawls": 'for user "reader" in database "crawls": the user needs CREATE on the database',
    "postgresql://{me}/readonly": 'database "readonly" is read-only: name the primary server',
    "postgresql://{me}/latin1": "texts in LATIN1: create one with ENCODING 'UTF8'",
    "postgresql://{me}/crawls?sslmode=require": "no encrypted connection can be made: correct sslmode",
    "postgresql://{me}/crawls?sslrootcert=/x&sslmode=verify-ca": "no encrypted connection can be made: correct sslmode",
    "postgresql://{me}/crawls?target_session_attrs=standby": "no server is as target_session_attrs wants it",
    "postgresql://{me}/crawls?connect_timeout=abc": "a parameter of the URL is wrong",
    "postgresql://{me}/crawls?options=-c%20nothing%3D1": "a parameter of the URL is wrong",
    "postgresql:///?service=nowhere": "the service is not defined: correct its name, or ~/.pg_service.conf",
}
AWAY = {
    "postgresql://me:secret@127.0.0.1:1/crawls": "connection refused, no server is there: start it, or correct host",
    "postgresql://me:secret@/crawls?host=/nowhere": "connection refused, no server is there: start it, or correct host",
    "postgresql://{reader}/full_": "too many connections: end others, or raise",
    "postgresql://{me}/crawls?options=-c%20statement_timeout%3D1": "cancelled by statement_timeout or by a user: raise",
}
TEXTS_OF_THE_DRIVER = ("FATAL", "connection to server", "connection failed", "connection is bad", "Errno", "LINE 1")


def message(error, url):
    """The text of an error, which is one line with what `ttcrawl status` may show."""
    text = str(error.value)
    assert "\n" not in text and not [each for each in TEXTS_OF_THE_DRIVER if each in text]
    assert not [each for each in ("secret", PASSWORD, URL_PASSWORD) if each in text]
    return text


@pytest.mark.parametrize(("url", "text"), WRONG.items())
def test_what_has_to_be_changed(server, urls, url, text):
    with pytest.raises(UsageError) as error:
        begin(url.format_map(urls))
    assert text in message(error, url)


@pytest.mark.parametrize(("url", "text"), AWAY.items())
def test_what_may_pass(server, urls, url, text):
    with pytest.raises(LostConnection) as error:
        begin(url.format_map(urls))
    assert text in message(error, url) and str(error.value).startswith("PostgreSQL host=")


def field(letter, text):
    return letter + text.encode() + b"\0"


#: What a server of another language says, and what is no server of PostgreSQL.
BODY = field(b"S", "USODNO") + field(b"V", "FATAL") + field(b"C", "3D000") + field(b"M", "baza ne obstaja") + b"\0"
STRANGE = {
    "another language": (b"E" + (len(BODY) + 4).to_bytes(4, "big") + BODY, "the server refuses user"),
    "a web server": (
        b"HTTP/1.1 400 Bad Request\r\n\r\n",
        "what answers there is not PostgreSQL: correct host and port",
    ),
    "SSH": (b"SSH-2.0-OpenSSH_9.2\r\n", "what answers there is not PostgreSQL: correct host and port"),
}


@pytest.mark.parametrize(("answer", "text"), STRANGE.values(), ids=STRANGE.keys())
def test_what_is_another_server(answer, text):
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        listening.settimeout(20)

        def serve():
            with closing(listening.accept()[0]) as connection:
                connection.recv(1000)
                connection.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        url = f"postgresql://me@127.0.0.1:{listening.getsockname()[1]}/crawls?sslmode=disable"
        with pytest.raises(UsageError) as error:
            begin(url)
        thread.join()
    assert text in message(error, url)


def test_the_tables_are_made(server):
    begin(server.url)
    assert server.query("SELECT count(*) FROM crawldb.page") == [(0,)]
    begin(server.url)


@pytest.mark.parametrize("right", ["INSERT", "UPDATE", "DELETE", "SELECT"])
def test_a_user_who_may_not_write_into_one_of_the_tables(server, urls, right):
    begin(server.url)
    server.execute("GRANT USAGE ON SCHEMA ttcrawl, crawldb TO reader")
    server.execute("GRANT ALL ON ALL TABLES IN SCHEMA ttcrawl, crawldb TO reader")
    reader = "postgresql://{reader}/crawls".format_map(urls)
    begin(reader)
    server.execute(f"REVOKE {right} ON ttcrawl.visit FROM reader")
    with pytest.raises(UsageError, match=r"permission denied for table ttcrawl\.visit: the user has to own the tables"):
        begin(reader)


@pytest.mark.parametrize("statement", ["CREATE VIEW mine AS SELECT * FROM crawldb.link"])
def test_views_of_others_that_depend_on_ours(server, statement):
    begin(server.url)
    server.execute(statement)
    server.execute("DELETE FROM ttcrawl.layout")
    try:
        with pytest.raises(UsageError) as error:
            begin(server.url)
        assert "depend on ttcrawl's: drop yours" in message(error, server.url)
    finally:
        server.execute("DROP VIEW mine")
