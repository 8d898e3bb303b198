"""Rows of all tables of two rings, made up: what they refer to is the same after they are gathered."""

import json
import sqlite3
from collections import Counter
from contextlib import closing
from itertools import count

import pytest

from ttcrawl.store.columns import columns
from ttcrawl.store.gather import database, keys, rows, settings, urls
from ttcrawl.store.schema import TABLES
from ttcrawl.store.sqlite import Store
from ttcrawl.web.url import key

HOSTS = {1: "a.test", 2: "b.test"}

#: The text that stands for a row of a table.
SHOWN = {"url": "url", "site": "host", "probe": "url", "template": "pattern", "rule": "text"}


def names():
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(TABLES)
        return {name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}


def test_every_table_is_gathered():
    copied = {each.table for each in rows.tables()}
    assert copied | set(rows.OTHERS) == names() and not copied & set(rows.OTHERS)


@pytest.mark.parametrize("table", rows.tables(), ids=lambda each: each.table)
def test_no_column_with_ids_is_forgotten(table):
    """Columns with these names hold ids, wherever they are numbers."""
    kinds = columns(table.table)
    ids = {name for name in ("url", "site", "source", "page", "payload", "template", "probe", "successor", "rule")}
    numbers = {name for name in ids & kinds.keys() if kinds[name] in ("INTEGER", "INT")}
    assert numbers <= table.ids.keys() | {table.number}


def fill(directory, ring):
    """Two rows in each table that refer to two URLs of the ring's own host, and a URL of the other ring."""
    directory.mkdir()
    with closing(Store(directory / "crawl.db", create=True)) as store:
        readers = json.dumps({"compiled": ring, f"reason {ring}": 1})
        store.set(ring=ring, started=0, seconds=1.0, finished="done", seeds="", readers=readers)
    numbers = count(10 * ring)
    with closing(sqlite3.connect(directory / "crawl.db")) as db, db:
        for id, host in enumerate((HOSTS[ring], HOSTS[3 - ring]), 1):
            insert(db, numbers, "site", id=id, host=host)
        insert(db, numbers, "rule", id=1, text=f"rule {ring}")
        for id in (1, 2, 3):
            host, foreign = (HOSTS[ring], False) if id < 3 else (HOSTS[3 - ring], True)
            url = f"http://{host}/{id % 2}"
            facts = {"site": 2 if foreign else 1, "key": key(url), "url": url}
            state = {"state": "refused" if foreign else "fetched", "reason": "foreign" if foreign else "http 200"}
            insert(db, numbers, "url", id=id, rule=1, found_on=None, due=0, **facts, **state)
        for each in sorted(rows.tables(), key=lambda each: each.table not in ("probe", "template")):
            for id in (1, 2) if "site" not in {each.ids.get(each.owner)} else (1,):
                refers = {column: 1 if parent == "site" else id for column, parent in each.ids.items()}
                refers |= {column: 1 for column, parent in each.ids.items() if parent in ("probe", "template")}
                refers |= {"file": f"file-{ring}"} if "file" in columns(each.table) else {}
                insert(db, numbers, each.table, **refers, **({each.number: id} if each.number else {}))
        insert(db, numbers, "archive", file=f"file-{ring}")


def insert(db, numbers, table, **values):
    """A row; columns that are not given have values by their types."""
    of_type = {"INTEGER": int, "INT": int, "REAL": float, "": float, "BLOB": lambda n: b"%d" % n, "TEXT": str}
    row = {name: values.get(name, of_type[kind](next(numbers))) for name, kind in columns(table).items()}
    if "file" in row and "file" not in values:
        row["file"] = f"file-{(db.execute('SELECT host FROM site WHERE id = 1').fetchone()[0] == 'b.test' and 2) or 1}"
    marks = ", ".join("?" * len(row))
    db.execute(f"INSERT INTO {table} VALUES ({marks})", tuple(row.values()))


def shown(path, each):
    """The rows of a table, with texts in place of ids."""
    values = []
    for name in columns(each.table):
        if name in each.ids:
            parent = each.ids[name]
            values.append(f'(SELECT p.{SHOWN[parent]} FROM {parent} p WHERE p.id = each."{name}")')
        elif name != each.number:
            values.append(f'each."{name}"')
    with closing(sqlite3.connect(path)) as db:
        return Counter(db.execute(f"SELECT {', '.join(values)} FROM {each.table} AS each").fetchall())


@pytest.fixture(scope="module")
def gathered(tmp_path_factory):
    place = tmp_path_factory.mktemp("rings")
    directories = {ring: place / f"ring-{ring}" for ring in HOSTS}
    for ring, directory in directories.items():
        fill(directory, ring)
    owner_of = {host: ring for ring, host in HOSTS.items()}.__getitem__
    files = {(ring, f"file-{ring}"): f"file-{ring}" for ring in HOSTS}
    database.gather(place / "all.db", directories, owner_of, files, lambda *step: None)
    return place, directories


@pytest.mark.parametrize("table", rows.tables(), ids=lambda each: each.table)
def test_rows_refer_to_what_they_referred_to(gathered, table):
    place, directories = gathered
    before = sum((shown(directory / "crawl.db", table) for directory in directories.values()), Counter())
    assert before and shown(place / "all.db", table) == before


def test_foreign_keys_lead_somewhere(gathered):
    with closing(sqlite3.connect(gathered[0] / "all.db")) as db:
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
        assert db.execute("SELECT count(*) FROM url").fetchone() == (4,)
        assert {row[0] for row in db.execute("SELECT file FROM archive")} == {"file-1", "file-2"}


def test_pages_are_counted_by_reader(gathered):
    with closing(sqlite3.connect(gathered[0] / "all.db")) as db:
        (readers,) = db.execute("SELECT value FROM crawl WHERE name = 'readers'").fetchone()
    assert json.loads(readers) == {"compiled": 3, "reason 1": 1, "reason 2": 1}


def test_links_lead_to_urls_that_share_a_key(tmp_path):
    """Each ring has given the key 5 to another URL, and the next one to the other."""
    urls = {1: {"http://b.test/x": 5, "http://b.test/y": 6}, 2: {"http://b.test/y": 5, "http://b.test/x": 6}}
    directories = {ring: tmp_path / f"ring-{ring}" for ring in HOSTS}
    for ring, directory in directories.items():
        fill(directory, ring)
        with closing(sqlite3.connect(directory / "crawl.db")) as db, db:
            site, state = (2, ("refused", "foreign")) if ring == 1 else (1, ("fetched", "http 200"))
            for id, (url, number) in enumerate(urls[ring].items(), 10):
                facts = {"id": id, "key": number, "url": url, "site": site, "rule": 1, "found_on": 1, "due": 0}
                insert(db, count(50), "url", **facts, state=state[0], reason=state[1])
            db.execute("UPDATE outlinks SET targets = iif(source = 1, '[5,6,5]', '[]')")
            db.execute("UPDATE earlier_outlinks SET targets = iif(source = 1, '[6]', '[]')")
            db.execute("UPDATE unlinked SET key = 6 WHERE url = 1")
    owner_of = {host: ring for ring, host in HOSTS.items()}.__getitem__
    database.gather(tmp_path / "all.db", directories, owner_of, {}, lambda *step: None)
    with closing(sqlite3.connect(tmp_path / "all.db")) as db:
        url_of = dict(db.execute("SELECT key, url FROM url"))
        assert len(url_of) == 6
        for host, x, y in (("a.test", "x", "y"), ("b.test", "y", "x")):
            for table, targets in (("outlinks", (x, y, x)), ("earlier_outlinks", (y,))):
                query = f"SELECT targets FROM {table} JOIN url ON url.id = source WHERE url = ?"
                (packed,) = db.execute(query, (f"http://{host}/1",)).fetchone()
                assert [url_of[each] for each in json.loads(packed)] == [f"http://b.test/{each}" for each in targets]
            (lost,) = db.execute(
                "SELECT u.key FROM unlinked u JOIN url ON url.id = u.url WHERE url.url = ?", (f"http://{host}/1",)
            )
            assert url_of[lost[0]] == f"http://b.test/{y}"


def test_temporary_columns_have_types():
    """SQLite uses an index only if its column has the type of what it is compared with: without, each row is a scan."""
    with closing(sqlite3.connect(":memory:")) as db:
        for statement in (*urls.TEMPORARY, *keys.TEMPORARY):
            db.execute(statement)
        rows.prepare(db)
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_temp_schema WHERE type = 'table'")]
        kinds = {(name, row[1]): row[2] for name in tables for row in db.execute(f"PRAGMA table_info({name})")}
    assert len(tables) > 10 and "" not in kinds.values()


def test_what_an_earlier_owner_knows_of_a_host_stays(tmp_path):
    """Ring 2 has fetched a page of a.test, which is ring 1's now. Two URLs that it had put last were still queued."""
    directories = {ring: tmp_path / f"ring-{ring}" for ring in HOSTS}
    for ring, directory in directories.items():
        fill(directory, ring)
        site, url = ring, f"http://a.test/by-{ring}"  # of a.test
        with closing(sqlite3.connect(directory / "crawl.db")) as db, db:
            db.execute("DELETE FROM pattern")
            db.execute("UPDATE url SET demoted = 0")
            facts = {"id": 10, "site": site, "key": key(url), "url": url, "state": "fetched", "reason": "http 200"}
            insert(db, count(70), "url", **facts, demoted=1, rule=1, found_on=None, due=0)
            db.execute("INSERT INTO pattern VALUES (?, '?sid', 5, 4, ?, ?, 0)", (site, ring - 1, 2 * ring - 1))
            insert(db, count(80), "robots", site=site, time=ring)
            insert(db, count(90), "probe", id=10, site=site)
            insert(db, count(95), "soft_404", url=10, probe=10)
    owner_of = {host: ring for ring, host in HOSTS.items()}.__getitem__
    database.gather(tmp_path / "all.db", directories, owner_of, {}, lambda *step: None)
    with closing(sqlite3.connect(tmp_path / "all.db")) as db:
        of_host = "FROM {0} JOIN site ON site.id = {0}.site WHERE host = 'a.test'"
        columns_of_pattern = "text, pattern.fetched, duplicates, repeating, put_last, refused "
        rows_of_pattern = db.execute(f"SELECT {columns_of_pattern}" + of_host.format("pattern")).fetchall()
        assert rows_of_pattern == [("?sid", 10, 8, 1, 2, 0)]
        assert {1.0, 2.0} <= {time for (time,) in db.execute("SELECT robots.time " + of_host.format("robots"))}
        marked = db.execute(
            "SELECT url.url FROM soft_404 JOIN probe ON probe.id = probe JOIN url ON url.id = soft_404.url"
        )
        assert {"http://a.test/by-1", "http://a.test/by-2"} <= {url for (url,) in marked}
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []


@pytest.mark.parametrize(("stored", "joined"), [({}, []), ({"seed_redirects": "[]"}, ["[]"])], ids=["earlier", "none"])
def test_redirects_of_seeds_that_earlier_versions_did_not_store_are_still_to_be_found(stored, joined):
    ring = {"started": "1.0", "seeds": "http://a.test/"} | stored
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(TABLES)
        settings.join(db, [ring, ring])
        assert [value for (value,) in db.execute("SELECT value FROM crawl WHERE name = 'seed_redirects'")] == joined


def test_redirects_of_seeds_in_parts_become_one_part():
    redirects = [["http://a.test/", "http://www.a.test/"], ["http://b.test/", "http://www.b.test/"]]
    first, second = (json.dumps([each]) for each in redirects)
    ring = {"started": "1.0", "seeds": "http://a.test/"}
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(TABLES)
        settings.join(
            db, [ring | {"seed_redirects": first, "seed_redirects 1": second}, ring | {"seed_redirects": first}]
        )
        rows = dict(db.execute("SELECT name, value FROM crawl WHERE name LIKE 'seed_redirects%'"))
    assert {name: json.loads(value) for name, value in rows.items()} == {"seed_redirects": redirects}
