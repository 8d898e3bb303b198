"""`ttcrawl extract`: items of archived pages, from the command line and from Python; no server is there any more."""

import csv
import json
import os
import sqlite3
from contextlib import closing
from datetime import datetime

import pytest

import ttcrawl
from tests.support.crawls.crawling import crawl
from tests.support.crawls.preforked import run
from tests.support.web.site import Answer, Web, page
from ttcrawl.cli import main
from ttcrawl.extract.items import ItemsFile

PAGES = 30
SHOP = """
def page(page):
    price = page.tree and page.tree.css_first(".price")
    if price:
        return {"name": page.title, "price": float(price.text()), "tags": ["a", page.type], "sold": None}

def reviews(page):
    for each in page.tree.css(".review") if page.tree else ():
        yield {"stars": int(each.text())}

def seen(page):
    return {"text": page.text, "main": page.main_text, "links": len(page.links), "depth": page.depth,
            "type": page.type, "charset": page.charset, "length": len(page.body), "header": page.header("x-name"),
            "language": page.metadata.get("language")}

def fails(page):
    return {"price": page.tree.css_first(".nowhere").text()}
"""


def product(n):
    reviews = "".join(f"<i class=review>{star}</i>" for star in range(n % 3))
    ld = json.dumps({"@type": "Product", "name": f"P{n}", "offers": {"price": n}})
    return page(
        "/", title=f"P{n}", content=f"<b class=price>{n}</b>{reviews}<script type=application/ld+json>{ld}</script>"
    )


@pytest.fixture(scope="module")
def directory(tmp_path_factory):
    """A crawl whose site is gone."""
    pages = {
        ("a.test", "/"): Answer(body=page(*(f"/{n}" for n in range(PAGES)), "/moved", "/gone", "/latin", "/image"))
    }
    pages |= {("a.test", f"/{n}"): Answer(body=product(n)) for n in range(PAGES)}
    pages["a.test", "/moved"] = Answer(status=301, headers=(("Location", "/1"),))
    latin = (("Content-Type", "text/html; charset=iso-8859-1"), ("X-Name", "me"))
    pages["a.test", "/latin"] = Answer(
        headers=latin, body="<title>Caf\xe9</title><b class=price>1</b>".encode("latin-1")
    )
    pages["a.test", "/image"] = Answer(headers=(("Content-Type", "image/gif"),), body=b"GIF89a" + bytes(20))
    with Web(pages) as web:
        top = tmp_path_factory.mktemp("extract")
        done = crawl(
            web, web.url("a.test", "/"), top / "c", "--set", "politeness.delay=0", "--set", "hooks.max_time=0.5"
        )
        assert done.status == 0, done.err
    return top / "c"


@pytest.fixture
def extract(directory, tmp_path, monkeypatch):
    """Call the command in a directory with shop.py; (status, stdout, stderr)."""
    (tmp_path / "shop.py").write_text(SHOP)
    for name in ("items.db", "items.db-wal", "items.db-shm"):
        (directory / name).unlink(missing_ok=True)

    def extract(*options):
        done = run("extract", directory, *options, cwd=tmp_path)
        assert "Traceback" not in done.stderr
        return done.returncode, done.stdout, done.stderr

    return extract


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


def names(text):
    return {each["page_url"].rpartition("/")[2] for each in lines(text)}


def test_items_are_columns_with_types(extract, tmp_path):
    status, out, err = extract("shop.py:page", "-o", "items.csv")
    assert (status, out) == (0, "")
    assert f"ttcrawl: shop.py:page: {PAGES + 1} items of {PAGES + 3} new pages" in err
    rows = list(csv.DictReader((tmp_path / "items.csv").open()))
    assert list(rows[0]) == ["page_url", "page_time", "item", "name", "price", "tags", "sold"]
    assert {(row["name"], row["price"]) for row in rows} >= {("P7", "7.0"), ("Café", "1.0")}
    assert extract("shop.py:page", "-o", "items.db")[0] == 0
    with closing(sqlite3.connect(tmp_path / "items.db")) as db:
        ((kinds,),) = db.execute("SELECT sql FROM sqlite_schema")
        assert '"price" REAL' in kinds and '"tags" JSON' in kinds and '"page_time" DATETIME' in kinds
        assert db.execute('SELECT count(*), sum(price), count(sold) FROM "shop.py:page"').fetchone() == (31, 436.0, 0)
    assert extract("shop.py:page", "-o", "items.parquet")[0] == 0
    import pyarrow.parquet

    table = pyarrow.parquet.read_table(tmp_path / "items.parquet")
    assert str(table.schema.field("price").type) == "double" and str(table.schema.field("page_time").type).startswith(
        "timestamp"
    )
    assert (
        extract("shop.py:page", "-o", "items.jsonl.gz")[0] == 0
        and (tmp_path / "items.jsonl.gz").read_bytes()[:2] == b"\x1f\x8b"
    )


def test_a_page_with_several_items_and_one_with_none(extract):
    status, out, _ = extract("shop.py:reviews")
    assert status == 0 and len(lines(out)) == sum(n % 3 for n in range(PAGES))
    assert [each["item"] for each in lines(out) if each["page_url"].endswith("/8")] == [1, 2]


def test_what_a_function_sees(extract):
    status, out, _ = extract("shop.py:seen", "--where", "url~*/latin")
    (seen,) = lines(out)
    assert status == 0 and (seen["charset"], seen["header"], seen["depth"]) == ("windows-1252", "me", 1)
    assert seen["text"].startswith("1") and seen["type"] == "text/html" and seen["length"] == 39


def test_nothing_is_done_twice_until_the_code_changes(extract, tmp_path):
    assert f"of {PAGES + 3} new pages" in extract("shop.py:page")[2]
    (tmp_path / "shop.py").write_text(f"# a comment\n{SHOP}")
    status, out, err = extract("shop.py:page")
    assert status == 0 and "0 items of 0 new pages" in err and len(lines(out)) == PAGES + 1
    assert f"wrote items.csv: {PAGES + 1} items" in extract("shop.py:page", "-o", "items.csv")[2]
    both = extract("shop.py:page", "shop.py:reviews", "-o", "items.sqlite")[2]
    assert f"wrote items.sqlite: {PAGES + 1 + sum(n % 3 for n in range(PAGES))} items" in both
    assert f"of {PAGES + 3} new pages" in extract("shop.py:page", "--again")[2]
    (tmp_path / "shop.py").write_text(SHOP.replace("float", "int"))
    assert f"of {PAGES + 3} new pages" in extract("shop.py:page")[2]


def test_which_pages(extract):
    status, out, err = extract("shop.py:page", "--sample", "5")
    assert status == 0 and "of 5 new pages" in err and len(lines(out)) <= 5
    assert names(extract("shop.py:page", "--sample", "5")[1]) == names(out)  # the same ones
    assert names(extract("shop.py:page", "--where", "title=P1,P2")[1]) == {"1", "2"}
    assert extract("shop.py:page", "--where", "colour=red")[0] == 2


def test_items_for_reading(extract):
    status, out, _ = extract("shop.py:page", "--where", "title=P3", "--show")
    assert status == 0 and out.splitlines()[0].endswith("/3  shop.py:page 1")
    assert out.splitlines()[1:] == ["    name: P3", "    price: 3.0", '    tags: ["a", "text/html"]', "    sold: null"]


def test_what_a_change_changes(extract, tmp_path):
    assert "there is no version before" in extract("shop.py:page", "--compare")[1]
    changed = SHOP.replace("float(price.text())", "float(price.text()) if len(page.title) > 2 else None")
    (tmp_path / "shop.py").write_text(changed)
    status, out, _ = extract("shop.py:page", "--compare")
    assert status == 0 and f"shop.py:page: 10 of {PAGES + 3} pages differ; items: 10 changed" in out
    assert "/3\n  item 1 is changed\n    - price: 3.0\n" in out and "/12\n" not in out


def test_changes_for_programs(extract, tmp_path):
    (one,) = json.loads(extract("shop.py:page", "--compare", "--format", "json", "--where", "title~P*")[1])
    assert not one["compared"] and one["changes"] == [] and one["function"] == "shop.py:page"
    (tmp_path / "shop.py").write_text(SHOP.replace("float(price.text())", "int(price.text()) + 1"))
    (two,) = json.loads(extract("shop.py:page", "--compare", "--format", "json", "--where", "title~P*")[1])
    assert (two["compared"], two["pages"], two["changed"], two["counts"]) == (True, PAGES, PAGES, {"changed": PAGES})
    change = two["changes"][3]
    assert change["before"]["price"] + 1 == change["after"]["price"]
    assert change.keys() == {"page_url", "page_time", "item", "change", "before", "after", "error"}


def test_several_functions(extract, tmp_path):
    (tmp_path / "out").mkdir()
    assert extract("shop.py:page", "shop.py:reviews", "-o", "out")[0] == 0
    assert sorted(os.listdir(tmp_path / "out")) == ["shop.py.page.jsonl", "shop.py.reviews.jsonl"]
    status, _, err = extract("shop.py:page", "shop.py:reviews")
    assert status == 2 and "several extractors need a directory that exists" in err


def test_without_python(extract):
    options = ("--css", "name=title", "--css", "price=.price", "--css", "stars[]=.review")
    rows = {each["page_url"].rpartition("/")[2]: each for each in lines(extract(*options)[1])}
    assert (rows["8"]["name"], rows["8"]["price"], rows["8"]["stars"]) == ("P8", "8", ["0", "1"])
    things = lines(extract("--jsonld", "Product")[1])
    assert len(things) == PAGES and {"name": "P4", "offers": {"price": 4}}.items() <= things[4].items()
    assert extract("--css", "a=[[")[0] == 2 and "[[ is not a CSS selector" in extract("--css", "a=[[")[2]


def test_a_function_that_fails_on_twenty_pages_stops(extract):
    status, out, err = extract("shop.py:fails", "--parsers", "1", "--where", "type=text/html")
    assert (status, out) == (1, "")
    assert "shop.py:fails failed on 20 pages in a row, the last time on http://a.test:" in err
    assert "AttributeError: 'NoneType' object has no attribute 'text' (shop.py, line 17)" in err


HOSTILE = """
import os, sys, time
def page(page):
    name = page.title
    print("printed")
    if name == "P1": time.sleep(60)
    if name == "P2": sys.exit(3)
    if name == "P3": os._exit(4)
    if name == "P4": [0] * (1 << 40)
    if name == "P5" and os.fork() == 0: return {"child": True}
    if name == "P6": os.chdir("/")
    if name == "P7": raise KeyError("x")
    if name == "P8": return {"bad": object()}
    if name == "P9":
        while True:
            try: time.sleep(60)
            except BaseException: pass
    return {"name": name}
"""


@pytest.mark.slow
def test_what_a_function_must_not_do_loses_one_page(extract, tmp_path):
    (tmp_path / "hostile.py").write_text(HOSTILE)
    status, out, err = extract("hostile.py:page", "--parsers", "1", "--where", "title~P*")
    assert status == 0 and "printed" not in out
    assert {each["name"] for each in lines(out)} == {f"P{n}" for n in range(PAGES)} - {
        "P1",
        "P2",
        "P3",
        "P4",
        "P7",
        "P8",
        "P9",
    }
    assert all("child" not in each for each in lines(out))
    assert "hostile.py:page failed on http://a.test" in err and "4 more pages" in err


def test_items_that_cannot_be_read_are_one_line(tmp_path):
    with ItemsFile(tmp_path) as file, closing(sqlite3.connect(tmp_path / "items.db")) as db:
        db.execute("DROP TABLE page")
        with pytest.raises(ttcrawl.CrawlFailedError, match=r"items\.db: .*delete the file"):
            file.done([1], [])


WRONG = (
    ((), "name what makes the items"),
    (("nowhere.py:page",), "there is no file"),
    (("shop.py:nothing",), "shop.py:nothing: shop "),
    (("shop.py",), "write FILE.py:FUNCTION"),
    (("shop.py:page", "-o", "items.xls"), "end the name with .jsonl, .csv, .parquet, .sqlite"),
    (("shop.py:page", "-o", "items.parquet.gz"), "parquet is not compressed by .gz"),
    (("shop.py:page", "--format", "sqlite"), "sqlite is one file"),
    (("shop.py:page", "--show", "-o", "x.csv"), "--show is instead of other output"),
    (("shop.py:page", "--format", "json"), "--format json goes with --compare"),
    (("shop.py:page", "--compare", "--format", "csv"), "--compare is instead of other output"),
    (("shop.py:page", "--follow", "--where", "status=200"), "--follow makes items of all pages"),
    (("--each", ".x"), "each needs css"),
)


@pytest.mark.parametrize("options,message", WRONG)
def test_a_wrong_command(directory, tmp_path, monkeypatch, capsys, options, message):
    (tmp_path / "shop.py").write_text(SHOP)
    monkeypatch.chdir(tmp_path)
    assert main(["extract", str(directory), *options]) == 2
    assert message in capsys.readouterr().err


def test_from_python(directory, tmp_path, extract, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with ttcrawl.open(directory) as opened:
        items = list(opened.extract("shop.py:page", where="title=P5"))
        assert [(each["name"], each["price"], each["item"]) for each in items] == [("P5", 5.0, 1)]
        assert isinstance(items[0]["page_time"], datetime)
        assert len(list(opened.extract("jsonld Product", where=["type=text/html"]))) == PAGES
        with pytest.raises(ttcrawl.UsageError, match="call extract for each"):
            next(opened.extract(["jsonld", "microdata"]))
