"""What somebody has dropped in PostgreSQL is made again, with its rows."""

import sqlite3
from contextlib import closing

import pytest

from tests.export.postgresql.copies import differences
from tests.library.sample_crawl import make
from ttcrawl.cli import main


@pytest.fixture
def crawl(tmp_path):
    return make(tmp_path / "crawl")


@pytest.mark.slow
@pytest.mark.parametrize(
    "lost",
    [
        *("TABLE ttcrawl.page", "TABLE ttcrawl.unread", "TABLE ttcrawl.page_link", "TABLE ttcrawl.anchor"),
        *("TABLE ttcrawl.search", "TABLE crawldb.page", "VIEW crawldb.link"),
    ],
)
def test_what_somebody_has_dropped_is_copied_again(server, crawl, lost):
    def there():
        counts = ("ttcrawl.search", "ttcrawl.anchor", "ttcrawl.answer", "crawldb.page", "crawldb.image", "crawldb.link")
        return [server.query(f"SELECT count(*) FROM {name}") for name in counts]

    assert main(["mirror", str(crawl), server.url]) == 0
    before = there()
    server.execute(f"DROP {lost} CASCADE")
    assert main(["mirror", str(crawl), server.url]) == 0
    assert differences(server, crawl) == [] and there() == before


@pytest.mark.slow
def test_a_column_that_somebody_has_dropped_is_copied_again(server, crawl):
    assert main(["mirror", str(crawl), server.url]) == 0
    server.execute("ALTER TABLE ttcrawl.url DROP COLUMN reason CASCADE")
    with closing(sqlite3.connect(crawl / "crawl.db")) as db, db:
        db.execute("DELETE FROM url WHERE id = (SELECT max(id) FROM url)")
    assert main(["mirror", str(crawl), server.url]) == 0
    assert differences(server, crawl) == []


@pytest.mark.slow
def test_without_its_checksums_no_copy_is_continued(server, crawl, capsys):
    assert main(["mirror", str(crawl), server.url]) == 0
    server.execute("DROP TABLE ttcrawl.checksum")
    assert main(["mirror", str(crawl), server.url]) == 2
    assert "lost table ttcrawl.checksum" in capsys.readouterr().err
