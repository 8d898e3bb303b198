"""Zebra indexes the export `alvis` by docs/zebra, and finds by Z39.50 and SRU what the crawl has."""

import json
import sqlite3
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest

from benchmarks.docsites import DocSites
from tests.real.crawled import crawl
from tests.support.crawls import zebra
from ttcrawl.cli import main
from ttcrawl.export.formats.alvis import NAMESPACE
from ttcrawl.store.search_db import NAME

NS = f"{{{NAMESPACE}}}"

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

Count = Callable[[str], int]


@pytest.fixture(scope="module")
def directory(sites: DocSites, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl of one of the sites, its search.db, and zebra/pages.xml."""
    zebra.need_zebra()
    directory = tmp_path_factory.mktemp("zebra") / "crawl"
    crawl(sites, [seed for seed in sites.seeds if "sqlite" in seed], directory)
    (directory / "zebra").mkdir()
    assert main(["export", str(directory), "--format", "alvis", "-o", str(directory / "zebra" / "pages.xml")]) == 0
    main(["search", str(directory), "x"])
    return directory


@pytest.fixture(scope="module")
def port(directory: Path) -> Iterator[int]:
    """The index, served on this port."""
    zebra.index(directory / "zebra", "pages.xml")
    with zebra.served(directory / "zebra", "-S") as port:
        yield port


@pytest.fixture(scope="module")
def z3950(port: int) -> Count:
    """The number of records for a query of Z39.50, in prefix notation."""
    return partial(zebra.count, port)


def sru(port: int, query: str) -> ElementTree.Element:
    fields = {"version": "1.1", "operation": "searchRetrieve", "query": query, "maximumRecords": 1}
    with urlopen(f"http://127.0.0.1:{port}/Default?{urlencode(fields | {'recordSchema': 'dc'})}", timeout=60) as answer:
        return ElementTree.parse(answer).getroot()


def count_of(response: ElementTree.Element) -> int:
    assert "diagnostic" not in ElementTree.tostring(response, "unicode"), ElementTree.tostring(response)
    return int(response.findtext("{*}numberOfRecords"))


@pytest.fixture(scope="module")
def crawled(directory: Path) -> Iterator[Count]:
    """The number of exported pages for an SQL condition over the index of `ttcrawl search`."""
    tree = ElementTree.parse(directory / "zebra" / "pages.xml")
    urls = [(each.findtext(f".//{NS}urls/{NS}url"),) for each in tree.getroot()]
    with closing(sqlite3.connect(directory / NAME)) as db:
        db.execute("ATTACH ? AS crawl", (str(directory / "crawl.db"),))
        db.execute("CREATE TEMP TABLE exported (url TEXT PRIMARY KEY)")
        db.executemany("INSERT INTO exported VALUES (?)", urls)
        joined = "crawl.url JOIN exported USING (url) JOIN main.page ON page.id = url.id LEFT JOIN crawl.metadata"
        joined += " ON metadata.url = url.id"
        yield lambda where: db.execute(f"SELECT count(*) FROM {joined} WHERE {where}").fetchone()[0]


def words(match: str) -> str:
    return f"page.id IN (SELECT rowid FROM words WHERE words MATCH '{match}')"


#: The query as CQL, as prefix notation, and over the crawl.
QUERIES = (
    ("cql.allRecords=1", '@attr 1=_ALLRECORDS @attr 2=103 ""', "1"),
    ("cql.text=vacuum", "@attr 1=text vacuum", words("text: vacuum")),
    ("cql.text=VACUUM", "@attr 1=text Vacuum", words("text: vacuum")),
    ('cql.text="journal mode"', '@attr 1=text "journal mode"', words('text: "journal mode"')),
    ("cql.text=journal and cql.text=mode", "@and @attr 1=text journal @attr 1=text mode", words("text: journal mode")),
    (
        "cql.text=journal or cql.text=vacuum",
        "@or @attr 1=text journal @attr 1=text vacuum",
        words("text: (journal OR vacuum)"),
    ),
    (
        "cql.text=journal not cql.text=mode",
        "@not @attr 1=text journal @attr 1=text mode",
        words("text: (journal NOT mode)"),
    ),
    ("cql.text=vacu*", "@attr 1=text @attr 5=1 vacu", words("text: vacu*")),
    ("cql.text=sqlite3_open", '@attr 1=text "sqlite3_open"', words('text: "sqlite3 open"')),
    ("dc.title=sqlite", "@attr 1=4 sqlite", words("title: sqlite")),
    ("cql.text=nowhereatall", "@attr 1=text nowhereatall", "0"),
    ("dc.language=en", "@attr 1=language @attr 4=3 en", "page.language = 'en'"),
)


@pytest.mark.parametrize(("cql", "prefix", "where"), QUERIES)
def test_counts_are_those_of_the_crawl(
    port: int, z3950: Count, crawled: Count, cql: str, prefix: str, where: str
) -> None:
    expected = crawled(where)
    assert (count_of(sru(port, cql)), z3950(prefix)) == (expected, expected)
    assert expected > 0 or where == "0"


def test_days_can_be_compared(port: int, z3950: Count, crawled: Count) -> None:
    everything = crawled("1")
    day = "2022-06-01"
    before, since = (count_of(sru(port, f"dc.date{sign}{day}")) for sign in ("<", ">="))
    assert before + since == everything
    assert z3950(f"@attr 1=date @attr 4=3 @attr 2=4 {day}") == since == crawled(f"page.date >= '{day}'")


def test_a_page_is_found_by_its_url(port: int, directory: Path, z3950: Count) -> None:
    with closing(sqlite3.connect(directory / "crawl.db")) as db:
        ((url, title),) = db.execute(
            "SELECT url.url, title FROM url JOIN page ON page.url = url.id WHERE url.url LIKE '%/lang_vacuum.html'"
            " ORDER BY length(url.url) LIMIT 1"
        )
    response = sru(port, f'cql.url="{url}"')
    assert count_of(response) == z3950(f'@attr 1=url @attr 4=3 "{url}"') == 1
    dc = "{http://purl.org/dc/elements/1.1/}"
    assert (response.findtext(f".//{dc}title"), response.findtext(f".//{dc}identifier")) == (title, url)


def test_search_of_the_crawl_finds_as_many(directory: Path, port: int, capsys: pytest.CaptureFixture[str]) -> None:
    """In all columns. `ttcrawl search` shows one of similar pages, and counts the others."""
    assert main(["search", str(directory), '"vacuum"', "--limit", "10000", "--format", "json"]) == 0
    hits = json.loads(capsys.readouterr().out)
    assert count_of(sru(port, "vacuum")) <= sum(1 + hit["duplicates"] for hit in hits)
    assert count_of(sru(port, "vacuum")) >= len(hits)
