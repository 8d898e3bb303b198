"""Sitemaps list what search engines may index, in the form of sitemaps.org."""

import sqlite3
import xml.etree.ElementTree as ElementTree
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.crawls.crawl_db import crawl_of
from tests.support.xml_schema import xml_schema
from ttcrawl.cli import main
from ttcrawl.errors import UsageError
from ttcrawl.export.formats.sitemap import changed, is_listed, sitemap, sitemaps
from ttcrawl.export.sources import BY_SITE
from ttcrawl.snapshot.snapshot import view
from ttcrawl.web.sitemaps.read import FORMS

NAMES = ("a.test", "b.test%3A8080")
SCHEMA = Path(__file__).with_name("sitemap.xsd")
NS = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


def urls(path):
    return [each.text for each in ElementTree.parse(path).iter(f"{NS}loc")]


def test_one_sitemap(export, site):
    web, crawl = site
    path = export("sitemap", crawl=crawl)
    home, b, copy = (web.url("a.test", each) for each in ("/", "/b?x=1&y=2", "/copy"))
    xml_schema(SCHEMA).validate(path.read_text())
    assert sorted(urls(path)) in (sorted([home, b]), sorted([home, copy]))  # one of two copies is the original


@pytest.fixture
def hosts(tmp_path):
    """Pages of two hosts, discovered in turn."""
    pages = {f"http://{host}/{n}": () for n in range(5) for host in ("a.test", "b.test:8080")}
    directory = crawl_of(tmp_path / "crawl", {**pages, "http://b.test:8080/?a=1&b=<2>": ()})
    with closing(sqlite3.connect(directory / "crawl.db")) as db, db:
        db.execute("UPDATE url SET depth = 0")
        db.execute("UPDATE page SET parser = 'lexbor', type = 'text/html'")
    return directory


def test_a_sitemap_for_each_host(hosts, tmp_path):
    out = tmp_path / "maps"
    out.mkdir()
    assert main(["export", str(hosts), "--format", "sitemap", "-o", str(out)]) == 0
    assert urls(out / "a.test" / "sitemap.xml") == [f"http://a.test/{n}" for n in range(5)]
    assert urls(out / "b.test%3A8080" / "sitemap.xml")[-1] == "http://b.test:8080/?a=1&b=<2>"
    assert len([*out.rglob("*")]) == 4


def test_large_ones_have_an_index(hosts, tmp_path):
    out = tmp_path / "maps"
    out.mkdir()
    with view(hosts) as db:
        assert sitemaps(BY_SITE.pieces.rows(db), out, most=2) == [out / name / "sitemap.xml" for name in NAMES]
    for path in out.rglob("*.xml"):
        xml_schema(SCHEMA).validate(path.read_text())
    parts = [f"http://a.test/sitemap-{n}.xml" for n in (1, 2, 3)]
    assert urls(out / "a.test" / "sitemap.xml") == parts
    listed = [url for part in parts for url in urls(out / "a.test" / part.rpartition("/")[2])]
    assert listed == [f"http://a.test/{n}" for n in range(5)]


def test_one_file_is_for_one_host(hosts, tmp_path, capsys):
    command = ["export", str(hosts), "--format", "sitemap", "-o", str(tmp_path / "x.xml")]
    assert main(command[:-2]) == main(command) == 2
    out, err = capsys.readouterr()
    assert "a sitemap is of one host: select one (--where host=a.test), or name a directory" in err and not out
    assert not (tmp_path / "x.xml").exists()
    assert main([*command, "--where", "host=a.test"]) == 0 and len(urls(tmp_path / "x.xml")) == 5


def test_one_file_has_a_maximum_of_pages(hosts):
    with view(hosts) as db:
        pages = [page for page in BY_SITE.pieces.rows(db) if page.host == "a.test"]
    assert b"".join(sitemap(pages, most=5)).count(b"<loc>") == 5
    with pytest.raises(UsageError, match="at most 4 URLs"):
        list(sitemap(pages, most=4))


@pytest.fixture
def record(hosts):
    with view(hosts) as db:
        return next(BY_SITE.pieces.rows(db))


NOT_LISTED = (
    {"state": "moved", "status": 301},
    {"status": 404},
    {"depth": None},
    *({"parser": form} for form in ("", *sorted(FORMS))),
    {"same": "bytes"},
    {"same": "text"},
    {"soft_404": 1},
    {"canonical": "http://a.test/other"},
    {"robots": "noindex"},
    {"robots": "nofollow, NoIndex"},
    {"robots": "none"},
    {"url": f"http://a.test/{'a' * 2035}"},
)


@pytest.mark.parametrize("changes", NOT_LISTED)
def test_what_is_not_listed(record, changes):
    assert is_listed(record) and is_listed(replace(record, same="near"))
    assert not is_listed(replace(record, **changes))


DATES = (
    ({"modified": "2026-01-31"}, "2026-01-31"),
    ({"modified": "2026-01-31T12:00:00"}, "2026-01-31T12:00:00+00:00"),
    ({"modified": "2026-01-31T12:00:00+02:00"}, "2026-01-31T12:00:00+02:00"),
    ({"modified": "2026-01-31T12:00:00+02:00:30"}, "2026-01-31T09:59:30+00:00"),
    ({"modified": "2026-W05-6"}, "2026-01-31T00:00:00+00:00"),
    ({"published": "2025-01-31"}, "2025-01-31"),
    ({"last_modified": "Sat, 07 Oct 2000 12:35:07 GMT"}, "2000-10-07T12:35:07+00:00"),
    ({"modified": "soon", "last_modified": "Sat, 07 Oct 2000 12:35:07 GMT"}, "2000-10-07T12:35:07+00:00"),
    ({"last_modified": "Thu, 01 Jan 2099 00:00:00 GMT"}, ""),
    ({"last_modified": "yesterday"}, ""),
    ({}, ""),
)


@pytest.mark.parametrize("values,expected", DATES)
def test_when_a_page_was_changed(record, values, expected):
    record = replace(record, **values)
    assert changed(record) == expected
    xml_schema(SCHEMA).validate(b"".join(sitemap([record])).decode())
