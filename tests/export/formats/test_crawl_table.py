"""The crawl table: keys, rows and files as the store of the course writes them (HW8 of CIS 5550)."""

import json
from itertools import islice

import pytest

from tests.support.crawls.crawling import crawl
from tests.support.web.site import Answer, Web
from ttcrawl.cli import main
from ttcrawl.export.formats.crawl_table import key, serialized, store, with_port
from ttcrawl.export.sources import SOURCES
from ttcrawl.output.steps import silent

#: The first two are the names of row files in repositories of students.
KEYS = {
    "http://simple.crawltest.401.cis5550.net:80/LE4.html": "qicotqkcreraucskiqdsrmeimejefcjejijayoia",
    "http://simple.crawltest.401.cis5550.net:80/UJ2p.html": "ygvcrivsqsfgrstmkatkvgssomugwedsoqpcjkgs",
    "http://simple.crawltest.401.cis5550.net:80/": "vicieguimseatgwoxqsozocohmxcqgnqwekguifm",
    "http://www.example.com:80/": "dqvkgmpguigqdkfopgakhozonebkiqyqactokmsq",
    "": "jqfegmdsqgdixenaychgioessksgyanksmhqhaja",
}


@pytest.mark.parametrize("url", KEYS)
def test_keys(url):
    assert key(url) == KEYS[url]


@pytest.mark.parametrize(
    "url,expected",
    [
        ("http://a.test/", "http://a.test:80/"),
        ("https://a.test/x?y=//z", "https://a.test:443/x?y=//z"),
        ("http://a.test:8080/a.test", "http://a.test:8080/a.test"),
        ("http://[::1]/x", "http://[::1]:80/x"),
        ("http://[::1]:81/x", "http://[::1]:81/x"),
        ("http://h/x", "http://h:80/x"),  # its name is a part of the scheme
    ],
)
def test_urls_have_a_port(url, expected):
    assert with_port(url) == expected


def read_row(data):
    """A row as cis5550.kvs.Row.readFrom reads it."""
    name, _, rest = data.partition(b" ")
    columns = {}
    while rest:
        column, _, rest = rest.partition(b" ")
        length, _, rest = rest.partition(b" ")
        columns[column.decode()], space = rest[: int(length)], rest[int(length) : int(length) + 1]
        assert space == b" "
        rest = rest[int(length) + 1 :]
    return name.decode(), columns


def test_a_row_may_hold_any_bytes():
    columns = {"url": b"http://a.test:80/", "page": b" 3 \n\x00\xff", "empty": b""}
    assert read_row(serialized("k", columns)) == ("k", columns)


@pytest.fixture
def table(site, tmp_path):
    """The store, read back: path of the URL -> columns."""
    _, crawl = site
    assert main(["export", str(crawl), "--format", "crawl-table", "-o", str(tmp_path)]) == 0
    rows = {}
    for path in (tmp_path / "pt-crawl").iterdir():
        name, columns = read_row(path.read_bytes())
        assert name == path.name == key(columns["url"].decode())
        rows[columns["url"].decode()] = columns
    return rows


def test_the_store(site, table):
    web, _ = site
    home, b, copy, old, gone = (web.url("a.test", path) for path in ("/", "/b?x=1&y=2", "/copy", "/old", "/gone"))
    assert table[home]["page"].startswith(b"<title>Home</title>") and table[home]["responseCode"] == b"200"
    assert table[home]["contentType"].startswith(b"text/html") and table[home]["length"] == b"%d" % len(
        table[home]["page"]
    )
    assert table[b][f"anchors:{home}"] == b"the b" and table[home][f"anchors:{b}"] == b"home again"
    assert table[old]["responseCode"] == b"301" and "page" not in table[old] and table[gone]["responseCode"] == b"404"
    originals = {name for name in (b, copy) if "page" in table[name]}
    (original,) = originals
    (duplicate,) = {b, copy} - originals
    assert table[duplicate]["canonicalURL"] == original.encode()
    assert web.url("a.test", "/secret") not in table


def test_as_json_lines_and_as_parquet(export, site, table):
    from pyarrow import parquet

    _, crawl = site
    rows = [json.loads(line) for line in export("crawl-table", crawl=crawl).read_bytes().splitlines()]
    assert {row["url"] for row in rows} == {*table}
    columns = parquet.read_table(export("crawl-table", crawl=crawl, name="x.parquet")).to_pylist()
    for row, of_parquet in zip(rows, columns, strict=True):
        stored = table[row["url"]]
        assert row["key"] == of_parquet["key"] == key(row["url"])
        for name, value in stored.items():
            assert row[name] == value.decode()
            if name.startswith("anchors:"):
                assert dict(of_parquet["anchors"])[name.removeprefix("anchors:")] == value.decode()
            else:
                assert of_parquet[name] == (value if name == "page" else value.decode())


def test_a_page_in_xhtml_has_its_content(export, xhtml):
    directory, content = xhtml
    (row,) = [json.loads(line) for line in export("crawl-table", crawl=directory).read_bytes().splitlines()]
    assert row["page"].encode() == content


def test_a_page_whose_body_was_not_read_has_no_content(export, tmp_path):
    long, empty = Answer(body=b"<p>" + b"x" * 5000), Answer(body=b"")
    pages = {("a.test", "/"): Answer(body=b"<a href=/long>x</a><a href=/empty>x</a>")}
    with Web(pages | {("a.test", "/long"): long, ("a.test", "/empty"): empty}) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--set", "fetch.max_body=4k")
    lines = export("crawl-table", crawl=done.directory).read_bytes().splitlines()
    rows = {row["url"].rpartition("/")[2]: row.get("page") for row in map(json.loads, lines)}
    assert (rows["long"], rows["empty"]) == (None, "")


def test_an_interrupted_store_has_no_name(db, directory, tmp_path):
    def pages():
        yield from islice(SOURCES["pages"].pieces.rows(db), 2)
        assert not (tmp_path / "pt-crawl").exists()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store(db, pages(), silent, tmp_path)
    assert list(tmp_path.iterdir()) == []
    assert main(["export", str(directory), "--format", "crawl-table", "-o", str(tmp_path)]) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["pt-crawl"]


def test_another_table_is_not_mixed_with_it(site, tmp_path, capsys):
    (tmp_path / "pt-crawl").mkdir()
    assert main(["export", str(site[1]), "--format", "crawl-table", "-o", str(tmp_path)]) == 2
    assert "pt-crawl exists: remove it, or name another directory" in capsys.readouterr().err
