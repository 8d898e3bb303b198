"""Every export of a documentation crawl, read back by programs of others, has the rows that plain SQL counts."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
import zipfile
from pathlib import Path
from typing import Any

import duckdb
import pytest
from fastwarc.warc import ArchiveIterator, WarcRecordType
from pyarrow import parquet

from benchmarks.docsites import DocSites
from tests.real.crawled import crawl
from tests.support.crawls.crawling import query
from ttcrawl.cli import main

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

TABLES = {
    "pages": "page",
    "urls": "url",
    "links": "link",
    "sites": "site",
    "visits": "visit",
}
FETCHED = "state = 'fetched' AND status BETWEEN 200 AND 299"
PAGE = "page JOIN url ON url.id = page.url LEFT JOIN duplicate ON duplicate.url = page.url"


@pytest.fixture(scope="module")
def crawled(sites: DocSites, tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("exports") / "crawl"
    crawl(sites, [sites.seed("sqlite.docs.test")], directory)
    return directory


def export(directory: Path, form: str, out: Path, *options: str) -> Path:
    assert main(["export", str(directory), "--format", form, "-o", str(out), *options]) == 0
    return out


def count(directory: Path, of: str) -> int:
    ((number,),) = query(directory, f"SELECT count(*) FROM {of}")
    return int(number)


def urls(directory: Path, of: str) -> list[str]:
    return sorted(url for (url,) in query(directory, f"SELECT url.url FROM {of}"))


@pytest.mark.parametrize("form", ["jsonl", "csv", "parquet"])
def test_tables(crawled: Path, tmp_path: Path, form: str) -> None:
    export(crawled, form, tmp_path)
    reader = {"jsonl": "read_json", "csv": "read_csv", "parquet": "read_parquet"}[form]
    options = ", all_varchar = true" if form == "csv" else ", maximum_object_size = 99999999" if form == "jsonl" else ""
    for name, table in TABLES.items():
        file = tmp_path / f"{name}.{form}"
        (rows,) = duckdb.execute(f"SELECT count(*) FROM {reader}('{file}'{options})").fetchall()
        assert rows[0] == count(crawled, table) > 0, name
    read = duckdb.execute(f"SELECT url FROM {reader}('{tmp_path}/urls.{form}'{options})").fetchall()
    assert sorted(url for (url,) in read) == urls(crawled, "url")
    if form == "csv":  # and by the standard library, whose reader is stricter about quotes
        with open(tmp_path / "links.csv", newline="", encoding="utf-8") as lines:
            assert sum(1 for _ in csv.DictReader(lines, strict=True)) == count(crawled, "link")


def test_crawl_log(crawled: Path, tmp_path: Path) -> None:
    lines = export(crawled, "crawl-log", tmp_path / "crawl.log").read_text().splitlines()
    visits = query(crawled, "SELECT url, status FROM visit ORDER BY started, id")
    assert sorted((fields[3], int(fields[1])) for fields in map(str.split, lines)) == sorted(visits)
    assert {len(line.split()) for line in lines} == {12}


def test_archives(crawled: Path, tmp_path: Path) -> None:
    responses = count(crawled, "visit WHERE status NOT NULL")
    lines = export(crawled, "cdxj", tmp_path / "index.cdxj").read_text().splitlines()
    assert len(lines) == responses
    wacz = export(crawled, "wacz", tmp_path / "crawl.wacz")
    done = subprocess.run(
        [sys.executable, "-c", "import sys; from wacz.main import main; sys.exit(main())", "validate", "-f", wacz],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0 and "invalid" not in done.stdout.lower(), done.stdout
    with zipfile.ZipFile(wacz) as packed:
        lists = [packed.read(f"pages/{name}.jsonl").splitlines()[1:] for name in ("pages", "extraPages")]
        pages = [json.loads(line) for lines in lists for line in lines]
        for name in (each for each in packed.namelist() if each.endswith(".warc.gz")):
            assert packed.read(name) == (crawled / "warc" / Path(name).name).read_bytes()
    assert sorted(page["url"] for page in pages) == urls(crawled, f"{PAGE} WHERE {FETCHED} AND parser != ''")
    out = io.StringIO()
    from cdxj_indexer.main import CDXJIndexer  # half a second, which all others that collect need not wait

    CDXJIndexer(out, [str(each) for each in (crawled / "warc").iterdir()], sort=True).process_all()
    assert out.getvalue().splitlines() == lines


def test_wet(crawled: Path, tmp_path: Path) -> None:
    with open(export(crawled, "wet", tmp_path / "x.wet.gz"), "rb") as file:
        records = ArchiveIterator(file, record_types=WarcRecordType.conversion)
        read = {each.headers["WARC-Target-URI"]: len(each.reader.read()) for each in records}
    sizes = query(crawled, "SELECT url.url, size FROM text JOIN url ON url.id = text.url")
    assert read == dict(sizes)


def test_alvis_and_dublin_core(crawled: Path, tmp_path: Path) -> None:
    documents = urls(crawled, f"{PAGE} WHERE {FETCHED} AND coalesce(same, '') != 'bytes'")
    alvis = ElementTree.parse(export(crawled, "alvis", tmp_path / "x.xml")).getroot()
    name = "{http://alvis.info/enriched/}"
    named = {each.text for each in alvis.iter(f"{name}url")}
    assert len(alvis.findall(f"{name}documentRecord")) == len(documents)
    assert sorted(named) == urls(crawled, f"{PAGE} WHERE {FETCHED}")  # copies are further URLs of a document
    identifier = "{http://purl.org/dc/elements/1.1/}identifier"
    core = ElementTree.parse(export(crawled, "dc", tmp_path / "dc.xml")).getroot()
    assert sorted(each.text or "" for each in core.iter(identifier)) == documents


def test_sitemap(crawled: Path, tmp_path: Path) -> None:
    root = ElementTree.parse(export(crawled, "sitemap", tmp_path / "sitemap.xml")).getroot()
    listed = sorted(each.text or "" for each in root.iter("{http://www.sitemaps.org/schemas/sitemap/0.9}loc"))
    own = f"{PAGE} LEFT JOIN metadata ON metadata.url = page.url LEFT JOIN soft_404 ON soft_404.url = page.url"
    assert listed == urls(
        crawled,
        f"{own} WHERE state = 'fetched' AND status = 200 AND parser != '' AND coalesce(same, 'near') = 'near'"
        " AND coalesce(canonical, '') IN ('', url.url) AND soft_404.url IS NULL AND robots NOT LIKE '%no%'",
    )
    assert len(listed) > 500


def test_crawl_table(crawled: Path, tmp_path: Path) -> None:
    export(crawled, "crawl-table", tmp_path)
    stored = {path.name: path.stat().st_size for path in (tmp_path / "pt-crawl").iterdir()}
    lines = export(crawled, "crawl-table", tmp_path / "x.jsonl").read_bytes().splitlines()
    table = parquet.read_table(export(crawled, "crawl-table", tmp_path / "x.parquet"))
    rows: list[dict[str, Any]] = table.to_pylist()
    assert {row["key"] for row in rows} == {json.loads(line)["key"] for line in lines} == {*stored}
    assert len(rows) == count(crawled, "page")
    bodies = [row for row in rows if row["page"]]
    originals = query(crawled, f"SELECT url.url FROM {PAGE} WHERE {FETCHED} AND type = 'text/html' AND same IS NULL")
    assert len(bodies) >= len(originals) > 500
