"""Deletions, seen from the tables, verify, the server's log and the bytes in the directory."""

from __future__ import annotations

import json
import shutil
from contextlib import closing
from pathlib import Path

import pytest
from fastwarc.warc import WarcRecordType

import ttcrawl
from tests.maintain.delete.unpacked import unpacked
from tests.support.crawls.crawling import Crawled, crawl, options_for, query, verified
from tests.support.crawls.equal_tables import everything
from tests.support.crawls.other_readers import foreign_check, responses
from tests.support.crawls.preforked import run
from tests.support.long_tables import few
from tests.support.web.identical_bodies import pages
from tests.support.web.site import Answer, Web, at, page
from ttcrawl.config import read
from ttcrawl.maintain.delete.marks import settle
from ttcrawl.store.lock import Lock
from ttcrawl.store.mending import mending

SITE = {
    ("a.test", "/"): Answer(body=page("/people/ann?x=1", "/people/bob", "/news", at("www.a.test", "/"), "/late")),
    ("a.test", "/people/ann?x=1"): Answer(body=page("/", "/of-ann", title="Ann Anson", content="<p>zebrafinch</p>")),
    ("a.test", "/people/bob"): Answer(status=302, headers=(("Location", "/people/ann?x=1"),)),
    ("a.test", "/news"): Answer(body=page("/people/ann?x=1", content="<p>all the news</p>")),
    ("a.test", "/of-ann"): Answer(body=page("/")),
    ("a.test", "/late"): Answer(status=404),
    ("www.a.test", "/"): Answer(body=page(at("a.test", "/"))),
}
EVERYTHING = ["/", "/late", "/news", "/of-ann", "/people/ann?x=1", "/people/bob", "www/"]


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Crawled, int]:
    with Web(SITE) as web:
        place = tmp_path_factory.mktemp("delete") / "c"
        done = crawl(web, web.url("a.test", "/"), place, "--scope", "domain", "--no-obey-delay")
    assert done.status == 0, done.err
    return done, web.port


@pytest.fixture
def small(crawled: tuple[Crawled, int], tmp_path: Path) -> tuple[Path, int]:
    """A copy of this crawl, and its port."""
    return shutil.copytree(crawled[0].directory, tmp_path / "c"), crawled[1]


def deleted(directory: Path, state: str = "deleted") -> list[str]:
    urls = [url for (url,) in query(directory, f"SELECT url FROM url WHERE state = '{state}'")]
    short = ("www" * url.startswith("http://www.") + "/" + url.split("/", 3)[3] for url in urls)
    return sorted(short)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "gone"),
    [
        ("--host a.test", EVERYTHING),
        ("--host A.TEST:PORT", EVERYTHING),
        ("--host http://a.test:PORT/x", EVERYTHING),
        ("--host a.test:1", []),
        ("--host www.a.test", ["www/"]),
        ("--host test", EVERYTHING),
        ("--host est", []),
        ("--host *.a.test", ["www/"]),
        ("--path /people/*", ["/people/ann?x=1", "/people/bob"]),
        ("--path /people/ann", []),
        ("--path *x=1", ["/people/ann?x=1"]),
        ("--path *[!x]*", []),
        ("--path / --host a.test", ["/", "www/"]),
        ("--path / --host www.a.test", ["www/"]),
        ("--path /news --path /of-ann", ["/news", "/of-ann"]),
        ("--url http://A.test:PORT/news", ["/news"]),
        ("--url *news", ["/news"]),
        ("--url http://a.test:PORT/other", []),
        ("--id 1", ["/"]),
        ("--id 1 --id 99", ["/"]),
        ("--digest DIGEST", ["/news"]),
        ("--digest 00000000000000000000000000000000", []),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
@pytest.mark.parametrize("purge", [(), ("--purge",)], ids=["", "purged"])
def test_what_is_named_is_deleted(
    small: tuple[Path, int], options: str, gone: list[str], purge: tuple[str, ...]
) -> None:
    directory, port = small
    (digest,) = query(
        directory, "SELECT hex(digest) FROM page JOIN url ON url.id = page.url WHERE url.url LIKE '%news'"
    )
    words = options.replace("PORT", str(port)).replace("DIGEST", digest[0]).split()
    done = run("delete", directory, *words, "--yes", *purge)
    assert done.returncode == 0, done.stderr
    assert deleted(directory) == gone
    assert verified(directory) == ""
    rows = "SELECT count(*) FROM url WHERE state = 'deleted' AND id IN (SELECT url FROM answer)"
    assert query(directory, rows) == [(0,)]
    assert query(directory, "SELECT count(*) FROM leftover WHERE kind = 'record'") == [(0 if purge else len(gone),)]
    if len(gone) < len(EVERYTHING) or not purge:
        foreign_check(directory / "warc")


@pytest.mark.slow
def test_nothing_of_a_page_stays_but_its_name(small: tuple[Path, int]) -> None:
    directory, port = small
    url = f"http://a.test:{port}/people/ann?x=1"
    for command in ("search", "report"):
        assert run(command, directory, *(["zebrafinch"] if command == "search" else [])).returncode == 0
    assert run("delete", directory, "--url", url, "--purge", "--yes").returncode == 0
    assert _files_with(directory, b"zebrafinch") == _files_with(directory, b"Ann Anson") == []
    assert run("search", directory, "zebrafinch").stdout == "no page matches\n"
    why = run("why", directory, url).stdout
    assert "deleted" in why and f"ttcrawl delete --url '{url}'" in why
    assert "Deleted" in run("report", directory).stdout
    (found_on,) = query(directory, "SELECT found_on FROM url WHERE url LIKE '%/of-ann'")
    assert query(directory, f"SELECT url FROM url WHERE id = {found_on[0]}") == [(url,)]


def _files_with(directory: Path, marker: bytes) -> list[Path]:
    """Files with these bytes, as they stand or in members of gzip."""
    return [path for path in directory.rglob("*") if path.is_file() and marker in unpacked(path)]


@pytest.mark.slow
def test_a_resumed_crawl_does_not_fetch_it_unless_it_is_requeued(small: tuple[Path, int]) -> None:
    directory, port = small
    assert run("delete", directory, "--path", "/people/ann*", "--yes").returncode == 0
    assert run("requeue", directory, "--host", f"a.test:{port}").returncode == 0
    with Web(SITE, port=port) as web:
        for _ in range(2):
            assert run("resume", directory, *options_for(web), "--progress", "none").returncode == 0
        assert "/people/ann?x=1" not in [hit.path for hit in web.log()]
        assert verified(directory) == ""
        assert run("requeue", directory, "--state", "deleted").returncode == 0
        assert verified(directory) == ""
        assert run("resume", directory, "--progress", "none").returncode == 0
        assert [hit.path for hit in web.log()].count("/people/ann?x=1") == 1
    assert deleted(directory) == [] and verified(directory) == ""


@pytest.mark.slow
def test_a_queued_url_is_not_requested(tmp_path: Path) -> None:
    with Web(SITE) as web:
        begin = (web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--max-pages", "1")
        done = crawl(web, *begin)
        assert run("delete", done.directory, "--path", "/people/*", "--yes").returncode == 0
        assert verified(done.directory) == ""
        assert run("resume", done.directory, "--max-pages", "99", "--progress", "none").returncode == 0
        assert not [hit.path for hit in web.log() if hit.path.startswith("/people")]
    assert verified(done.directory) == ""


# -- duplicates and payloads ------------------------------------------------------------------------------------------

#: Options that delete originals, payloads, whole groups, and everything.
GROUPS = ("--path *a.html", "--path *a.html --path *b.html", "--host b.test", "--path /gz/0", "--path *0*", "--path *")


@pytest.mark.slow
@pytest.mark.parametrize("purge", [(), ("--purge",)], ids=["", "purged"])
@pytest.mark.parametrize("options", few(2, GROUPS))
def test_the_others_keep_their_bytes_and_get_the_right_originals(
    directory: Path, options: str, purge: tuple[str, ...]
) -> None:
    before = _bodies(directory)
    done = run("delete", directory, *options.split(), "--yes", *purge)
    assert done.returncode == 0, done.stderr
    assert verified(directory) == ""
    after = _bodies(directory)
    assert after == {url: body for url, body in before.items() if url in after}
    assert len(after) + len(deleted(directory)) >= len(before)
    anew = shutil.copytree(directory, directory.with_name("anew"))
    with mending(anew / "crawl.db") as db:
        db.forget_marks()
    settle(anew, read(anew / "config.ini"), lambda step, done, of: None)
    assert everything(anew) == everything(directory)
    assert list((directory / "warc").iterdir()) == [] or foreign_check(directory / "warc") is None
    if purge:
        responses = query(directory, "SELECT count(*) FROM answer WHERE payload NOTNULL")
        assert responses == [(_revisits(directory),)]


def _bodies(directory: Path) -> dict[str, bytes]:
    urls = query(directory, "SELECT url.url FROM page JOIN url ON url.id = page.url WHERE digest NOTNULL")
    opened = ttcrawl.open(directory)
    return {url: opened.body(url) for (url,) in urls}


def _revisits(directory: Path) -> int:
    return sum(record.record_type == WarcRecordType.revisit for record, _ in responses(directory))


@pytest.mark.slow
def test_a_crawl_goes_on_after_a_deletion(directory: Path, first: tuple[Crawled, int]) -> None:
    """What is requeued finds the moved payloads again."""
    assert run("delete", directory, "--path", "*a.html", "--yes", "--purge").returncode == 0
    for state in ("deleted", "fetched"):
        assert run("requeue", directory, "--state", state).returncode == 0
    with Web(pages(), port=first[1]) as web:
        assert run("resume", directory, *options_for(web), "--progress", "none").returncode == 0
    assert verified(directory) == ""
    mine, other = everything(directory), everything(first[0].directory)
    for name in ("pages", "text", "duplicates"):
        assert mine[name] == other[name]
    assert run("delete", directory, "--state", "deleted").returncode == 2


# -- errors -----------------------------------------------------------------------------------------------------------

ERRORS = {
    "": "name what to delete: --host, --path, --digest, --id or --url",
    "--digest xyz --yes": "--digest 'xyz' is not a digest",
    "--path people --yes": "--path 'people' must begin with / or *",
    "--url a.test/ --yes": "https://a.test/ was never discovered by the crawl",
    "--host a/b --yes": "--host 'a/b' is not a host",
    "--host  --yes": "--host",
    "--id 0 --yes": "--id: '0' is not a whole number from 1",
    "--id 99999999999999999999 --yes": "is not a whole number from 1",
    "--id x --yes": "--id: 'x' is not a whole number",
    "--host a.test": "nothing was deleted: add --yes",
}


@pytest.mark.parametrize("options", ERRORS)
def test_errors_change_nothing(small: tuple[Path, int], options: str) -> None:
    directory, _ = small
    before = (directory / "crawl.db").read_bytes()
    done = run("delete", directory, *options.split(" ") if options else ())
    assert (done.returncode, done.stderr.count("\n")) == (2, 1) and ERRORS[options] in done.stderr
    assert (directory / "crawl.db").read_bytes() == before


def test_a_dry_run_changes_nothing(small: tuple[Path, int]) -> None:
    directory, _ = small
    before = {path: path.read_bytes() for path in directory.rglob("*") if path.is_file()}
    told = json.loads(run("delete", directory, "--path", "/*", "--dry-run", "--format", "json").stdout)
    assert told["selected"] == {"urls": 7, "pages": 6, "queued": 0, "records": 7, "links": 10, "same": 0}
    assert {path: path.read_bytes() for path in directory.rglob("*") if path.is_file()} == before


@pytest.mark.slow
def test_a_running_crawl_is_left_alone(small: tuple[Path, int]) -> None:
    directory, _ = small
    with closing(Lock(directory)):
        done = run("delete", directory, "--path", "/*", "--yes")
        assert run("delete", directory, "--path", "/*", "--dry-run").returncode == 0
    assert done.returncode == 2 and "is being crawled by process" in done.stderr
    assert deleted(directory) == []


@pytest.mark.slow
def test_an_archive_with_deleted_records_is_not_exported(small: tuple[Path, int]) -> None:
    directory, _ = small
    assert run("delete", directory, "--path", "/news", "--yes").returncode == 0
    done = run("export", directory, "--format", "cdxj", "-o", directory.with_name("x"))
    assert done.returncode == 2 and "--purge" in done.stderr
    assert run("delete", directory, "--purge").returncode == 0
    assert run("export", directory, "--format", "cdxj", "-o", directory.with_name("x")).returncode == 0
    assert "/news" not in directory.with_name("x").read_text()


@pytest.mark.slow
def test_one_of_everything_is_singular(small):
    directory, port = small
    url = f"http://a.test:{port}/of-ann"
    done = run("delete", directory, "--url", url, "--yes")
    assert done.stdout.splitlines() == [
        "        1  URL: 1 page, 0 queued, 0 redirects and others",
        "        1  record in WARC files",
        "1 URL is deleted",
        f"1 record of deleted pages is still in warc/: ttcrawl delete {directory} --purge removes it",
    ]
    (state,) = (line.split() for line in run("why", directory, url).stdout.splitlines() if line.startswith("  state"))
    assert state == ["state", "deleted"]
    assert run("delete", directory, "--purge").stdout.splitlines()[-1] == "1 record is removed from the WARC files"
    assert ", 1 WARC file)" in run("verify", directory).stdout
