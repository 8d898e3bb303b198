"""`ttcrawl mirror` copies every row of a crawl, again what has changed, and says in one line what is wrong."""

import itertools
import re
import shutil
import sqlite3
import tarfile
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from tests.export.postgresql.copies import LEFT_OUT, differences, in_postgresql, in_sqlite, page_links, tables
from tests.library.sample_crawl import OLD, UNRECORDED, make
from tests.support.crawls.crawl_db import generated
from tests.support.crawls.crawling import run
from tests.support.crawls.postgresql import PASSWORD, URL_PASSWORD
from ttcrawl.cli import main
from ttcrawl.export.postgresql.round import compare
from ttcrawl.export.postgresql.server import Server
from ttcrawl.export.postgresql.writer import copied
from ttcrawl.store.versions import upgrade
from ttcrawl.web.url import key

MANUAL = Path(__file__).parents[3] / "docs" / "postgresql.md"


def change(directory, *statements):
    with closing(sqlite3.connect(directory / "crawl.db")) as db, db:
        for statement in statements:
            db.execute(statement)


@pytest.fixture
def crawl(tmp_path):
    return make(tmp_path / "crawl")


@pytest.mark.slow
def test_every_row_of_every_table(server, crawl):
    change(
        crawl,
        "UPDATE page SET title = char(0) || 'a' || char(128512), time = 1.0000000000000002 WHERE url = 1",
        "UPDATE url SET key = -9223372036854775808 WHERE id = 9",
        "INSERT INTO robots VALUES (1, 1.5, 'http://a.test/robots.txt', 200, 'x'), (1, 2.5, '', 200, 'y')",
        "INSERT INTO earlier_page SELECT * FROM page",
        "INSERT INTO earlier_text SELECT 7.5, * FROM text",
        "INSERT INTO pattern VALUES (1, '?sid', 1, 1, 1, 0, 0), (1, ';sid', 1, 1, 1, 0, 0)",
    )
    assert main(["mirror", str(crawl), server.url]) == 0
    assert differences(server, crawl) == []
    assert {"page", "earlier_text", "visit", "crawl"} < {*tables(crawl)}
    assert server.query("SELECT crawl, directory FROM ttcrawl.mirror") == [(0, str(crawl))]


@pytest.mark.slow
@pytest.mark.parametrize("view", ["link", "answer"])
def test_the_views_of_the_crawl(server, crawl, view):
    change(crawl, "INSERT INTO earlier_page SELECT * FROM page")
    assert main(["mirror", str(crawl), server.url]) == 0
    names, expected = in_sqlite(crawl, view)
    assert in_postgresql(server, 0, view, names) == expected != []


@pytest.mark.slow
def test_passwords_and_cookies_stay_where_they_are(server, crawl):
    change(crawl, "INSERT INTO cookie VALUES ('a.test', '/', 'session', 'secret', 1, 0, NULL, 1)")
    assert main(["mirror", str(crawl), server.url]) == 0
    assert server.query("SELECT to_regclass('ttcrawl.cookie')") == [(None,)]


#: What a crawl, a merge, a repair or a loss of power may do to rows that were copied.
CHANGES = {
    "a row changes": ["UPDATE url SET state = 'failed', reason = 'dns' WHERE id = 5"],
    "rows are added": [
        "INSERT INTO visit SELECT id + 1000, site, url, kind, started, ended, status, reason, bytes, address, delay,"
        " delay_from, address_delay, requests, backoff, backoff_from FROM visit",
    ],
    "rows are gone": ["DELETE FROM visit WHERE id > 2", "DELETE FROM page", "DELETE FROM outlinks", "DELETE FROM text"],
    "two rows change places": [
        "UPDATE url SET key = -1 WHERE id = 1",
        "UPDATE url SET key = (SELECT key FROM url WHERE id = 2), url = 'http://a.test/b' WHERE id = 1",
        "UPDATE url SET key = 7, url = 'http://a.test/' WHERE id = 2",
    ],
    "a link leads to a URL that becomes known": [
        f"INSERT INTO url SELECT 10, {key(UNRECORDED)}, '{UNRECORDED}', 1, '', 'queued', '', NULL, 2, 0, 0, 0, 0, 0, 0,"
        " 0, 0, 7, 1, 1, NULL, 0, 0",
    ],
    "a page is refused": ["UPDATE url SET state = 'refused', reason = 'scope: host' WHERE id = 2"],
    "a page has other links": [f"UPDATE outlinks SET targets = json_array({key(OLD)}, 5, {key(OLD)}, 6, 7)"],
    "one of two rows of a key is gone": ["DELETE FROM robots WHERE time = 1.5"],
    "an answer is set aside": ["INSERT INTO page SELECT * FROM (SELECT * FROM page) WHERE 0"],
    "settings change": ["INSERT OR REPLACE INTO crawl VALUES ('finished', 'done'), ('new', '1')"],
    "ids beyond a block": ["UPDATE growth SET pages = pages * 100000"],
}


@pytest.mark.slow
@pytest.mark.parametrize("statements", CHANGES.values(), ids=CHANGES.keys())
def test_what_changed_is_copied_again(server, crawl, statements):
    links = "SELECT from_page, to_page FROM crawldb.link ORDER BY 1, 2"
    change(crawl, "INSERT INTO robots VALUES (1, 1.5, '', 200, 'x'), (1, 2.5, '', 200, 'y')")
    assert main(["mirror", str(crawl), server.url]) == 0
    assert server.query(links) == page_links(crawl) != []
    change(crawl, *statements)
    assert main(["mirror", str(crawl), server.url]) == 0
    assert differences(server, crawl) == []
    assert server.query(links) == page_links(crawl)


@pytest.mark.slow
def test_what_did_not_change_is_not_written(server, crawl):
    query = "SELECT xmin::text, ctid::text FROM ttcrawl.url UNION ALL SELECT xmin::text, ctid::text FROM crawldb.page"
    main(["mirror", str(crawl), server.url])
    before = server.query(query)
    assert main(["mirror", str(crawl), server.url]) == 0
    assert server.query(query) == before


@pytest.mark.slow
def test_many_blocks(server, tmp_path):
    crawl = generated(tmp_path / "c", urls=40_000, links=3_000, pages=700, hosts=9, texts=50)
    change(crawl, "UPDATE page SET digest = CAST(digest AS BLOB)")
    assert main(["mirror", str(crawl), server.url]) == 0
    assert differences(server, crawl) == []
    change(
        crawl, "UPDATE url SET depth = depth + 1 WHERE id % 1000 = 0", "DELETE FROM url WHERE id BETWEEN 600 AND 39000"
    )
    assert main(["mirror", str(crawl), server.url]) == 0
    assert differences(server, crawl) == []


@pytest.mark.slow
def test_a_round_that_takes_long_is_committed_in_parts(server, crawl):
    """As is seen from outside: each table is there before the next one is begun, and a second round is needed."""
    counts = []

    def progress(step, done, of):
        counts.append(server.query("SELECT count(*) FROM ttcrawl.site")[0][0] if step == "ttcrawl.visit" else 0)

    with copied(Server(server.url), crawl) as (connection, number):
        ticks = itertools.count(0, 1000)
        assert not compare(crawl, connection, number, lambda: next(ticks), progress).equal
        assert max(counts) == 1 and differences(server, crawl) == []
        result = compare(crawl, connection, number, lambda: next(ticks), progress)
    assert result.equal and result.changed == 0
    assert differences(server, crawl) == []


@pytest.mark.slow
def test_one_crawl_is_removed_as_the_manual_says(server, tmp_path):
    first, second = make(tmp_path / "one"), make(tmp_path / "two")
    change(second, "UPDATE crawl SET value = '5' WHERE name = 'started'")
    for each in (first, second):
        assert main(["mirror", str(each), server.url]) == 0
    statement = MANUAL.read_text().split("removes the crawl with the number 0")[1].split("```sql\n")[1].split("```")[0]
    server.execute(statement)
    assert differences(server, second, 1) == []
    tables_ = "SELECT table_schema || '.' || table_name FROM information_schema.columns WHERE column_name = 'crawl'"
    for (table,) in server.query(tables_ + " AND table_schema IN ('ttcrawl', 'crawldb')"):
        assert server.query(f"SELECT count(*) FROM {table} WHERE crawl = 0") == [(0,)], table
    assert main(["mirror", str(first), server.url]) == 0
    assert differences(server, first, 2) == []


@pytest.mark.slow
def test_what_is_deleted_is_deleted_in_the_copy(server, crawl):
    main(["mirror", str(crawl), server.url])
    ((path,),) = server.query("SELECT url FROM ttcrawl.url WHERE id = (SELECT min(source) FROM ttcrawl.outlinks)")
    assert main(["delete", str(crawl), "--url", path, "--yes", "--purge"]) == 0
    assert main(["mirror", str(crawl), server.url]) == 0
    assert differences(server, crawl) == []
    assert server.query("SELECT count(*) FROM crawldb.page WHERE url = %s", path) == [(0,)]
    assert server.query("SELECT what FROM ttcrawl.deletion") == [(f"--url {path}",)]


@pytest.mark.slow
def test_many_crawls_in_one_database(server, tmp_path):
    first, second = make(tmp_path / "one"), make(tmp_path / "two")
    change(second, "UPDATE crawl SET value = '5' WHERE name = 'started'", "DELETE FROM url WHERE id > 7")
    for crawl in (first, second, first):
        assert main(["mirror", str(crawl), server.url]) == 0
    assert [differences(server, first, 0), differences(server, second, 1)] == [[], []]
    (pages, distinct) = server.query("SELECT count(*), count(DISTINCT id) FROM crawldb.page")[0]
    assert pages == distinct > 0


@pytest.mark.slow
def test_a_crawl_that_was_moved_is_the_same(server, crawl):
    main(["mirror", str(crawl), server.url])
    moved = crawl.rename(crawl.with_name("moved"))
    assert main(["mirror", str(moved), server.url]) == 0
    assert server.query("SELECT crawl, directory FROM ttcrawl.mirror") == [(0, str(moved))]


@pytest.mark.slow
def test_a_copy_of_a_directory_takes_over_only_if_it_is_told(server, crawl):
    assert main(["mirror", str(crawl), server.url]) == 0
    copy = crawl.with_name("copy")
    shutil.copytree(crawl, copy)
    change(copy, "UPDATE url SET depth = 99")
    directory, depth = (
        "SELECT crawl, directory FROM ttcrawl.mirror",
        "SELECT count(*) FROM ttcrawl.url WHERE depth = 99",
    )
    for options in ((), ("--follow",)):
        refused = run("mirror", copy, server.url, *options)  # not in this process: --follow lowers its priority
        assert refused.returncode == 2
        assert f"this crawl from {crawl}" in refused.stderr and "--take-over" in refused.stderr
        assert refused.stderr.count("\n") == 1
    assert (server.query(directory), server.query(depth)) == ([(0, str(crawl))], [(0,)])
    assert main(["mirror", str(copy), server.url, "--take-over"]) == 0
    assert server.query(directory) == [(0, str(copy))] and differences(server, copy) == []
    assert main(["mirror", str(copy), server.url]) == 0
    assert main(["mirror", str(crawl), server.url]) == 2
    shutil.rmtree(copy)
    assert main(["mirror", str(crawl), server.url]) == 0
    assert server.query(directory) == [(0, str(crawl))] and differences(server, crawl) == []


@pytest.mark.slow
@pytest.mark.parametrize("instead", ["another crawl", "no crawl", "a link to it"])
def test_what_is_where_a_crawl_was_does_not_matter(server, crawl, instead):
    assert main(["mirror", str(crawl), server.url]) == 0
    moved = crawl.rename(crawl.with_name("moved"))
    if instead == "another crawl":
        change(make(crawl), "UPDATE crawl SET value = '5' WHERE name = 'started'")
    elif instead == "no crawl":
        crawl.mkdir()
    else:
        crawl.symlink_to(moved)
    assert main(["mirror", str(moved), server.url]) == 0
    assert server.query("SELECT crawl, directory FROM ttcrawl.mirror") == [(0, str(moved))]


def test_the_manual_lists_what_is_not_copied():
    listed = MANUAL.read_text().split("- Not copied are ")[1].split(":")[0]
    assert set(re.findall(r"`(\w+)`", listed)) == LEFT_OUT


@pytest.mark.slow
def test_a_later_version_with_another_column(server, crawl):
    main(["mirror", str(crawl), server.url])
    server.execute("ALTER TABLE ttcrawl.visit DROP COLUMN backoff")
    server.execute("DELETE FROM ttcrawl.layout")
    change(crawl, "UPDATE visit SET backoff = 5")
    assert main(["mirror", str(crawl), server.url]) == 0
    assert differences(server, crawl) == []


WRONG = {
    "mysql://a/b": "write the database as postgresql://[USER[:PASSWORD]@][HOST][:PORT]/DATABASE",
    f"postgresql://me:{URL_PASSWORD}@h:99x/b": "the URL of the database is wrong: write postgresql://",
    f"postgresql://me:a/{URL_PASSWORD}@h/b": "the URL of the database is wrong: write postgresql://",
    f"postgresql://me:1/{URL_PASSWORD}@h/b": "the URL of the database is wrong: write postgresql://",
    f"postgresql://me:{URL_PASSWORD}@1@h/b": "the URL of the database is wrong: write postgresql://",
    f"postgresql://me:{URL_PASSWORD}@127.0.0.1:1/b": "PostgreSQL host=127.0.0.1 port=1 dbname=b: connection refused",
    f"postgresql://me:{URL_PASSWORD}@127.0.0.1:%s/b": "password authentication failed for user",
    f"postgresql://127.0.0.1:%s/b?user=crawler&password={URL_PASSWORD}": 'database "b" does not exist',
}


@pytest.mark.slow
@pytest.mark.parametrize(("url", "message"), WRONG.items())
def test_what_is_wrong_is_said_in_one_line_without_the_password(server, crawl, capsys, url, message):
    url = url.replace("%s", str(server.port))
    assert main(["mirror", str(crawl), url]) in (1, 2)
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1 and error.startswith("ttcrawl: ")
    assert PASSWORD not in error and URL_PASSWORD not in error and "wörd" not in error


@pytest.mark.slow
def test_a_directory_without_a_crawl(server, tmp_path, capsys):
    assert main(["mirror", str(tmp_path), server.url]) == 2
    assert "is not a crawl directory" in capsys.readouterr().err


@pytest.mark.slow
def test_a_user_who_may_not_write(server, crawl, capsys):
    server.execute("DROP ROLE IF EXISTS reader")
    server.execute("CREATE ROLE reader LOGIN PASSWORD 'secret-of-reader'")
    url = f"postgresql://reader:secret-of-reader@127.0.0.1:{server.port}/crawls"
    assert main(["mirror", str(crawl), url]) == 2
    error = capsys.readouterr().err
    assert (
        'permission denied for user "reader" in database "crawls"' in error
        and "needs CREATE" in error
        and "secret" not in error
    )


@pytest.mark.slow
def test_two_copies_of_a_crawl_at_once(server, crawl, capsys):
    main(["mirror", str(crawl), server.url])
    with psycopg.connect(server.url) as other:
        other.execute("SELECT pg_advisory_lock(29812, 0)")
        assert main(["mirror", str(crawl), server.url]) == 2
    assert "another process copies" in capsys.readouterr().err


@pytest.mark.slow
def test_a_database_in_another_encoding(server, crawl, capsys):
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS latin")
        connection.execute("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0")
    assert main(["mirror", str(crawl), server.url_of("latin")]) == 2
    assert "ENCODING 'UTF8'" in capsys.readouterr().err


@pytest.mark.slow
def test_a_password_file_and_a_service(server, crawl, tmp_path, monkeypatch):
    secret = tmp_path / "pgpass"
    secret.write_text(f"127.0.0.1:{server.port}:*:crawler:{PASSWORD.replace(':', chr(92) + ':')}\n")
    secret.chmod(0o600)
    service = tmp_path / "service"
    service.write_text(f"[mine]\nhost=127.0.0.1\nport={server.port}\nuser=crawler\ndbname=crawls\n")
    monkeypatch.setenv("PGPASSFILE", str(secret))
    monkeypatch.setenv("PGSERVICEFILE", str(service))
    assert main(["mirror", str(crawl), "postgresql:///?service=mine"]) == 0
    assert differences(server, crawl) == []


OLD = Path(__file__).parents[2] / "store"
VERSIONS = {"5": "crawl", "6": "depth", "7": "depth", "8": "depth", "9": "depth"}


@pytest.mark.slow
@pytest.mark.parametrize(("version", "name"), VERSIONS.items())
def test_a_crawl_of_an_earlier_version(server, tmp_path, version, name):
    """It is copied as if it were upgraded, and after the upgrade nothing of it is copied again but its settings."""
    with tarfile.open(OLD / f"version-{version}.tar.gz") as archive:
        archive.extractall(tmp_path, filter="data")
    crawl, rows = tmp_path / name, "SELECT xmin::text, ctid::text FROM ttcrawl.url ORDER BY 2"
    assert main(["mirror", str(crawl), server.url]) == 0
    before = server.query(rows)
    with closing(sqlite3.connect(crawl / "crawl.db", isolation_level=None)) as db:
        upgrade(db)
    assert main(["mirror", str(crawl), server.url]) == 0
    assert differences(server, crawl) == []
    assert server.query(rows) == before != []
