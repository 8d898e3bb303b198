"""Commands that look up many URLs of a crawl whose indexes lag behind: what they read does not grow with their number
times the URLs that the indexes lack."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import ttcrawl
from tests.support.crawls.crawl_db import generated
from ttcrawl.cli import main
from ttcrawl.config import Config, example
from ttcrawl.snapshot.snapshot import view
from ttcrawl.snapshot.tail import SCANS, Tail
from ttcrawl.web.url import key

URLS, PAGES = 20_000, 200

IDS = {"url": "id", "page": "url", "outlinks": "source", "text": "url", "metadata": "url"}

#: Bytes that a command may read beside its libraries: the ledger has 2.5 MB, which some commands read several times.
MOST = 60e6


@pytest.fixture(scope="module")
def lagging(tmp_path_factory):
    """A crawl of which no URL is indexed yet; its pages are the last URLs."""
    directory = tmp_path_factory.mktemp("lagging") / "c"
    generated(directory, urls=URLS, links=PAGES * 20, pages=PAGES, hosts=10, texts=PAGES)
    with closing(sqlite3.connect(directory / "crawl.db")) as db, db:
        for table, column in IDS.items():
            db.execute(f"UPDATE {table} SET {column} = {column} - {URLS + 1}")
            db.execute(f"UPDATE {table} SET {column} = -{column}")
        db.execute("INSERT INTO crawl VALUES ('seeds', (SELECT url FROM url WHERE state = 'fetched'))")
        db.execute("UPDATE url SET processed = discovered + 1 WHERE state = 'fetched'")
        pages = [url for (url,) in db.execute("SELECT url FROM url WHERE state = 'fetched'")]
        assert db.execute("SELECT count(*) FROM by_key").fetchone() == (0,)
    (directory / "config.ini").write_text(example(Config()))
    (directory / "pairs").write_text("".join(f"{a}\t{b}\t1\n" for a, b in zip(pages[::2], pages[1::2], strict=True)))
    for name, urls in (("yes", pages[::2]), ("no", pages[1::2])):
        (directory / name).write_text("\n".join(urls))
    return directory, pages


def bytes_read(work):
    """Bytes that this process reads meanwhile, from files of any kind (proc(5), rchar)."""

    def now():
        return int(dict(line.split(": ") for line in Path("/proc/self/io").read_text().splitlines())["rchar"])

    before = now()
    work()
    return now() - before


COMMANDS = {
    "crawl-log": ("export", "DIR", "--format", "crawl-log", "-o", "/dev/null"),
    "links": ("export", "DIR", "--table", "links", "-o", "/dev/null"),
    "alvis": ("export", "DIR", "--format", "alvis", "-o", "/dev/null"),
    "diff": ("diff", "DIR", "2000-01-01"),
    "labels": ("topic", "train", "DIR", "--relevant", "DIR/yes", "--irrelevant", "DIR/no", "-o", "/dev/null"),
    "held back": ("topic", "recall", "DIR", "--held-back", "DIR/yes"),
    "pairs": ("duplicates", "DIR", "--tune", "--pairs", "DIR/pairs"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_reads_the_urls_some_times(lagging, name):
    arguments = [each.replace("DIR", str(lagging[0])) for each in COMMANDS[name]]
    assert bytes_read(lambda: main(arguments)) < MOST


LOOKUPS = {
    "page": ttcrawl.Crawl.page,
    "text": ttcrawl.Crawl.text,
    "history": lambda crawl, url: list(crawl.history(url)),
}


@pytest.mark.parametrize("name", LOOKUPS)
def test_the_library_remembers_them(lagging, name):
    directory, pages = lagging
    crawl = ttcrawl.open(directory)
    assert bytes_read(lambda: [LOOKUPS[name](crawl, url) for url in pages[:40]]) < MOST


@pytest.mark.parametrize("lookups", [1, SCANS, SCANS + 1, 50])
def test_every_url_is_found_by_scans_and_from_memory(lagging, lookups):
    directory, pages = lagging
    with view(directory) as db:
        ids = dict(db.execute("SELECT url, id FROM url"))
        for url in pages[:lookups]:
            assert db.url_id(url) == ids[url]
            assert db.url_id(url + "never") is None


def test_what_is_remembered_follows_the_crawl(tmp_path):
    directory = generated(tmp_path / "c", urls=30, links=30, pages=10, hosts=2)
    tail = Tail()

    def found(*keys):
        with view(directory, tail) as db:
            return {each: id for each, (id, _) in db.of_keys(keys).items()}

    with closing(sqlite3.connect(directory / "crawl.db", isolation_level=None)) as db:
        ids = dict(db.execute("SELECT key, id FROM url"))
        for _ in range(SCANS + 2):
            assert found(*ids) == ids
        new = key("http://new.test/")
        assert found(new) == {}
        db.execute("CREATE TEMP TABLE more AS SELECT * FROM url WHERE id = 1")
        db.execute("UPDATE more SET id = 31, key = ?, url = 'http://new.test/'", (new,))
        db.execute("INSERT INTO url SELECT * FROM more")
        assert found(new, *ids) == ids | {new: 31}
        db.execute("INSERT INTO by_key SELECT key, id FROM url WHERE id <= 20")
        db.execute("INSERT OR REPLACE INTO crawl VALUES ('indexed', '20')")
        assert found(new, *ids) == ids | {new: 31}
        db.execute("DELETE FROM url WHERE id > 25")
        assert found(new, *ids) == {key: id for key, id in ids.items() if id <= 25}
