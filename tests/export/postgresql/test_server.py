"""The connection to PostgreSQL is the same whatever the user or the database has set."""

import sqlite3
from contextlib import closing

import psycopg
import pytest

from tests.export.postgresql.copies import differences
from tests.library.sample_crawl import make
from ttcrawl.cli import main
from ttcrawl.export.postgresql.server import Server


@pytest.mark.slow
@pytest.mark.parametrize("where", ["variable", "database"])
def test_a_client_in_another_encoding(server, tmp_path, monkeypatch, capsys, where):
    """Programs of the user may want texts in Latin-1; a crawl has all characters."""
    crawl = make(tmp_path / "crawl")
    with closing(sqlite3.connect(crawl / "crawl.db")) as db, db:
        db.execute("UPDATE page SET title = '\u65e5\u672c' || char(128512) WHERE url = 1")
    if where == "variable":
        monkeypatch.setenv("PGCLIENTENCODING", "LATIN1")
    else:
        server.execute("ALTER DATABASE crawls SET client_encoding = 'LATIN1'")
    try:
        assert main(["mirror", str(crawl), server.url]) == 0
        assert main(["search", server.url, "\u65e5\u672c"]) in (0, 1)
    finally:
        server.execute("ALTER DATABASE crawls RESET client_encoding")
    monkeypatch.delenv("PGCLIENTENCODING", raising=False)
    assert differences(server, crawl) == []
    assert "damaged" not in capsys.readouterr().err


@pytest.mark.slow
def test_limits_of_ordinary_queries_do_not_stop_a_mirror(server, tmp_path, capsys):
    """As for pg_dump. What the URL asks for is obeyed, and said."""
    crawl = make(tmp_path / "crawl")
    unlimited = "-c%20statement_timeout%3D0%20-c%20idle_in_transaction_session_timeout%3D0"
    with psycopg.connect(f"{server.url}?options={unlimited}", autocommit=True) as connection:
        for limit in ("statement_timeout", "idle_in_transaction_session_timeout"):
            connection.execute(f"ALTER DATABASE crawls SET {limit} = '1ms'")
        try:
            assert main(["mirror", str(crawl), server.url]) == 0, capsys.readouterr().err
            assert main(["mirror", str(crawl), f"{server.url}?options=-c%20statement_timeout%3D1"]) == 1
        finally:
            connection.execute("ALTER DATABASE crawls RESET ALL")
    assert differences(server, crawl) == []
    assert "statement timeout" in capsys.readouterr().err


@pytest.mark.slow
def test_a_lock_of_another_user_is_waited_for_half_a_minute(server, tmp_path, capsys):
    """Meanwhile the snapshot of the crawl is open, so that its log grows."""
    crawl = make(tmp_path / "crawl")
    with Server(server.url).connected() as connection:
        assert connection.execute("SHOW lock_timeout") == [("30s",)]
    assert main(["mirror", str(crawl), server.url]) == 0
    with psycopg.connect(server.url) as other:
        other.execute("LOCK TABLE ttcrawl.mirror IN ACCESS EXCLUSIVE MODE")
        assert main(["mirror", str(crawl), f"{server.url}?options=-c%20lock_timeout%3D300"]) == 1
    error = capsys.readouterr().err
    assert "lock timeout: end the other transaction; what was copied is kept: run the command again" in error
