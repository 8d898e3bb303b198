"""`ttcrawl extract` and `ttcrawl index` of a cluster give what those of one crawl of the same pages give."""

import json
import shutil
import sqlite3
from contextlib import closing

import pytest

from tests.cluster.clusters import HOSTS, clustered, finished, seed_of
from tests.support.crawls import zebra
from tests.support.crawls.crawling import crawl
from tests.support.crawls.preforked import run
from tests.support.faults.killing import FAST
from ttcrawl.cli import main

pytestmark = pytest.mark.slow

OPTIONS = ("--no-obey-delay", "--scope", "any")
SHOP = """
def page(page):
    return {"title": page.title, "links": len(page.links), "depth": page.depth}
"""


@pytest.fixture(scope="module")
def crawled(web, tmp_path_factory):
    """The directory with one crawl, and a cluster that has stopped with work left."""
    place = tmp_path_factory.mktemp("crawled")
    one = crawl(web, seed_of(web), place / "one", *FAST, *OPTIONS)
    rings = clustered(web, place / "rings", 2, *OPTIONS, "--max-pages", 25)
    assert (one.status, rings.status) == (0, 3), rings.err
    return place


@pytest.fixture
def place(crawled, tmp_path):
    """A copy of it."""
    place = shutil.copytree(crawled, tmp_path / "copy")
    (place / "shop.py").write_text(SHOP)
    return place


def complete(place):
    """Let the cluster fetch the rest."""
    assert finished(place / "rings", "cluster", "resume", "rings", "--max-pages", "0").status == 0


def items(place, directory, *options):
    """The items of a crawl, without their moments, and what is said of them."""
    done = run("extract", directory, "shop.py:page", *options, cwd=place, timeout=120)
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    return sorted((row["page_url"], row["item"], row["title"], row["links"], row["depth"]) for row in rows), done.stderr


def test_items_are_those_of_one_crawl_and_made_once(place):
    some, said = items(place, "rings")
    assert f"{len(some)} items of {len(some)} new pages" in said and len(some) > 20
    complete(place)
    every, said = items(place, "rings")
    new = len(every) - len(some)
    assert f"{new} items of {new} new pages" in said and new > 0
    assert every == items(place, "one")[0]
    where = ("--where", "url~*/p/1")
    assert items(place, "rings", *where)[0] == items(place, "one", *where)[0] != []


def test_two_versions_are_compared(place):
    items(place, "rings")
    (place / "shop.py").write_text(SHOP.replace("page.depth", "page.depth + 1"))
    complete(place)
    done = run("extract", "rings", "shop.py:page", "--compare", "--format", "json", cwd=place, timeout=120)
    assert done.returncode == 0, done.stderr
    (row,) = json.loads(done.stdout)
    assert row["counts"] == {"changed": row["pages"]} and row["pages"] > 20  # those that both versions have seen


def test_deleted_pages_have_no_items(place):
    complete(place)
    items(place, "rings")
    assert run("delete", "rings", "--host", HOSTS[3], "--yes", cwd=place).returncode == 0
    assert not (place / "rings" / "joined" / "items.db").exists()
    left, _ = items(place, "rings")
    assert left and not [each for each in left if HOSTS[3] in each[0]]


def test_answers_that_are_gone_leave_no_items(place):
    """As when a limit on earlier answers drops one."""
    complete(place)
    every, _ = items(place, "rings")
    with closing(sqlite3.connect(place / "rings" / "ring-1" / "crawl.db")) as db, db:
        (url,) = db.execute(
            "SELECT id FROM page JOIN url ON id = page.url WHERE depth > 1 AND status = 200 LIMIT 1"
        ).fetchone()
        ((name,),) = db.execute("SELECT url FROM url WHERE id = ?", (url,))
        db.execute("DELETE FROM page WHERE url = ?", (url,))
    left, said = items(place, "rings")
    assert "0 items of 0 new pages" in said and left == [each for each in every if each[0] != name]
    with closing(sqlite3.connect(place / "rings" / "joined" / "items.db")) as db:
        db.execute("ATTACH ? AS crawl", (str(place / "rings" / "joined" / "crawl.db"),))
        for table in ("page", "item"):
            gone = f"SELECT url, time FROM main.{table} EXCEPT SELECT url, time FROM crawl.page"
            assert db.execute(gone).fetchall() == []


def test_items_of_a_cluster_do_not_follow_it(place):
    done = run("extract", "rings", "shop.py:page", "--follow", cwd=place)
    assert done.returncode == 2 and "--follow makes items of one crawl" in done.stderr


def test_an_index_has_what_one_crawl_has(place, capsys):
    zebra.index(place / "zebra")
    words = ["index", str(place / "rings"), str(place / "zebra")]
    assert main(words) == 0
    assert zebra.is_complete(place / "zebra", place / "rings")
    shutil.rmtree(place / "fresh")
    position = (place / "zebra" / "ttcrawl.position").read_bytes()
    assert main(words) == 0 and (place / "zebra" / "ttcrawl.position").read_bytes() == position
    complete(place)
    assert main(words) == 0
    assert zebra.is_complete(place / "zebra", place / "one")
    shutil.rmtree(place / "fresh")
    for directory in ("rings", "one"):
        assert main(["delete", str(place / directory), "--host", HOSTS[3], "--yes"]) == 0
    assert main(words) == 0 and zebra.is_complete(place / "zebra", place / "one")


def test_an_index_of_a_cluster_is_named_and_does_not_follow_it(place, capsys):
    assert main(["index", str(place / "rings")]) == 2
    assert f"name the directory of the index: ttcrawl index {place / 'rings'} INDEX" in capsys.readouterr().err
    assert main(["index", str(place / "rings"), "zebra", "--follow"]) == 2
    assert "--follow follows one crawl" in capsys.readouterr().err
