"""CDXJ and WACZ, by the tools of Webrecorder, lead to the records of the archive."""

import fcntl
import gzip
import hashlib
import io
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import zipfile
from contextlib import closing

import brotli
import pytest
from warcio.archiveiterator import ArchiveIterator

from tests.support.crawls.crawling import crawl as run_crawl
from tests.support.crawls.crawling import query
from tests.support.web.site import Answer, Web
from ttcrawl.cli import main
from ttcrawl.export.formats.cdxj import cdxj
from ttcrawl.export.formats.wacz import wacz
from ttcrawl.snapshot.snapshot import view

INDEX = "indexes/index.cdx.gz"
RECORDS = "SELECT count(*) FROM visit WHERE status NOT NULL"


def test_the_index_leads_to_every_record(export, site):
    _, crawl = site
    lines = export("cdxj", crawl=crawl).read_text().splitlines()
    assert lines == sorted(lines) and len(lines) == query(crawl, RECORDS)[0][0]
    for line in lines:
        _, _, row = line.split(" ", 2)
        fields = json.loads(row)
        with open(crawl / "warc" / fields["filename"], "rb") as archive:
            archive.seek(int(fields["offset"]))
            record = next(ArchiveIterator(io.BytesIO(archive.read(int(fields["length"])))))
        assert record.rec_headers.get_header("WARC-Target-URI") == fields["url"]


@pytest.mark.slow
def test_wacz_is_valid_and_complete(export, site):
    web, crawl = site
    path = export("wacz", name="site.wacz", crawl=crawl)
    code = "import sys; from wacz.main import main; sys.exit(main())"
    done = subprocess.run([sys.executable, "-c", code, "validate", "-f", path], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    with zipfile.ZipFile(path) as archive:
        seeds = [json.loads(line) for line in archive.read("pages/pages.jsonl").splitlines()]
        pages = [json.loads(line) for line in archive.read("pages/extraPages.jsonl").splitlines()]
        about = json.loads(archive.read("datapackage.json"))
        names = archive.namelist()
    assert pages[0]["format"] == "json-pages-1.0" and about["mainPageURL"] == web.url("a.test", "/")
    assert [each["url"] for each in seeds[1:]] == [web.url("a.test", "/")] and seeds[0]["format"] == pages[0]["format"]
    listed = {each["url"]: each for each in seeds[1:] + pages[1:]}
    assert {*listed} == {web.url("a.test", each) for each in ("/", "/b?x=1&y=2", "/copy", "/new")}
    home = listed[web.url("a.test", "/")]
    assert home["title"] == "Home" and "word59" in home["text"] and home["ts"].endswith("Z")
    assert {f"archive/{each.name}" for each in (crawl / "warc").iterdir()} <= {*names}
    assert [each.name for each in path.parent.iterdir()] == ["site.wacz"]


def test_the_page_to_which_a_seed_redirects_is_a_seed(tmp_path):
    moved = Answer(status=301, headers=(("Location", "/b"),))
    pages = {("a.test", "/"): moved, ("a.test", "/b"): Answer(status=302, headers=(("Location", "/c"),))}
    pages |= {("a.test", "/c"): Answer(body=b"<a href=/d>d</a>"), ("a.test", "/d"): Answer(body=b"d")}
    with Web(pages) as web:
        assert run_crawl(web, web.url("a.test", "/"), tmp_path / "crawl", "--no-obey-delay").status == 0
    assert main(["export", str(tmp_path / "crawl"), "--format", "wacz", "-o", str(tmp_path / "x.wacz")]) == 0
    with zipfile.ZipFile(tmp_path / "x.wacz") as archive:
        for name, path in ("pages", "/c"), ("extraPages", "/d"):
            _, page = map(json.loads, archive.read(f"pages/{name}.jsonl").splitlines())
            assert page["url"] == web.url("a.test", path)


@pytest.mark.parametrize("form", ["cdxj", "wacz"])
def test_an_archive_that_is_not_complete_is_not_exported(site, tmp_path, capsys, form):
    crawl = tmp_path / "crawl"
    shutil.copytree(site[1], crawl)
    with open(next((crawl / "warc").iterdir()), "ab") as file:
        file.write(b"half a record")
    assert main(["export", str(crawl), "--format", form, "-o", str(tmp_path / "x.wacz")]) == 2
    assert "is not as the tables record it: see ttcrawl verify" in capsys.readouterr().err
    assert not (tmp_path / "x.wacz").exists()


def test_the_package_describes_its_files(export, site):
    _, crawl = site
    with zipfile.ZipFile(export("wacz", name="site.wacz", crawl=crawl)) as archive:
        about = archive.read("datapackage.json")
        digest = json.loads(archive.read("datapackage-digest.json"))
        resources = json.loads(about)["resources"]
        assert {each["path"] for each in resources} | {"datapackage.json", "datapackage-digest.json"} == {
            *archive.namelist()
        }
        for each in resources:
            data = archive.read(each["path"])
            assert (each["bytes"], each["hash"]) == (len(data), f"sha256:{hashlib.sha256(data).hexdigest()}")
            stored = archive.getinfo(each["path"]).compress_type == zipfile.ZIP_STORED
            assert stored == each["path"].endswith(".gz")
    assert digest == {"path": "datapackage.json", "hash": f"sha256:{hashlib.sha256(about).hexdigest()}"}


def test_feeds_are_no_pages(export, site, tmp_path):
    web, crawl = site
    shutil.copytree(crawl, tmp_path / "c")
    with closing(sqlite3.connect(tmp_path / "c" / "crawl.db")) as db, db:
        db.execute("UPDATE page SET parser = 'rss' FROM url WHERE url.id = page.url AND url.url LIKE '%/new'")
    with zipfile.ZipFile(export("wacz", name="site.wacz", crawl=tmp_path / "c")) as archive:
        lines = [
            line for name in ("pages", "extraPages") for line in archive.read(f"pages/{name}.jsonl").splitlines()[1:]
        ]
    assert {json.loads(line)["url"] for line in lines} == {
        web.url("a.test", each) for each in ("/", "/b?x=1&y=2", "/copy")
    }


def test_bodies_with_br_are_in_the_index(export, tmp_path):
    answer = Answer(headers=(("Content-Encoding", "br"),), body=brotli.compress(b"<title>b</title>" + b"word " * 50))
    with Web({("a.test", "/"): answer}) as web:
        assert run_crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay").status == 0
    with zipfile.ZipFile(export("wacz", name="b.wacz", crawl=tmp_path / "c")) as archive:
        rows = [json.loads(line.split(b" ", 2)[2]) for line in gzip.decompress(archive.read(INDEX)).splitlines()]
    assert (web.url("a.test", "/"), "200") in {(row["url"], row["status"]) for row in rows}
    assert len(rows) == query(tmp_path / "c", RECORDS)[0][0]


@pytest.mark.slow
def test_a_seed_that_did_not_answer_is_not_the_main_page(export, tmp_path):
    with Web({("a.test", "/b"): Answer(body=b"<title>b</title>")}) as web:
        seeds = [web.url("nowhere.test", "/"), web.url("a.test", "/b")]
        assert run_crawl(web, seeds, tmp_path / "c", "--no-obey-delay").status == 0
    path = export("wacz", name="b.wacz", crawl=tmp_path / "c")
    with zipfile.ZipFile(path) as archive:
        assert json.loads(archive.read("datapackage.json"))["mainPageURL"] == seeds[1]


@pytest.mark.parametrize("form", ["cdxj", "wacz"])
def test_progress_is_told(site, tmp_path, form):
    steps = []
    with view(site[1]) as db:
        {"cdxj": cdxj, "wacz": wacz}[form](db, (), lambda *step: steps.append(step), tmp_path / "x")
    assert {step for step, _, _ in steps} == {"bytes of the archive", *(["files to copy"] if form == "wacz" else [])}
    assert all(done <= of for _, done, of in steps)


@pytest.mark.parametrize("form", ["cdxj", "wacz"])
def test_a_pipe_is_not_replaced(site, tmp_path, form):
    """Nor is a device: for root /dev/null would be a file afterwards."""
    _, crawl = site
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    fcntl.fcntl(reader, fcntl.F_SETPIPE_SZ, 1 << 20)  # without a reader at the same time
    assert main(["export", str(crawl), "--format", form, "-o", str(path)]) == 0
    received = os.read(reader, 1 << 20)
    os.close(reader)
    assert received and path.is_fifo() and [*tmp_path.iterdir()] == [path]
