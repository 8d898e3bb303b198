"""Crawls that earlier releases left behind when SIGKILL ended them are read, continued to their end, and complete."""

from __future__ import annotations

import sqlite3
import tarfile
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.crawls.preforked import run
from tests.support.web.site import Answer, Web, page
from ttcrawl import open as open_crawl
from ttcrawl.cli import main
from ttcrawl.store.schema import VERSION

HERE, PORT = Path(__file__).parent, 37975

#: The version of the tables of each release. Its archive has what `kill -9` of all processes left of a crawl of SITE:
#: the write-ahead log, a WARC file without its end.
RELEASES = {"0.1.0": 5, "0.2.0": 15, "0.3.0": 16}

WORDS = "Once more the same words about a garden of stones and water, " * 12
SITE = {
    ("a.test", "/robots.txt"): Answer(body=b"User-agent: *\nDisallow: /private/\n"),
    ("a.test", "/"): Answer(
        body=page(*(f"/{n}" for n in range(8)), "/private/1", "/gone", "/moved", "http://b.test:@PORT@/")
    ),
    **{("a.test", f"/{n}"): Answer(body=page(f"/{n}/deep", "/", title=str(n))) for n in range(8)},
    **{("a.test", f"/{n}/deep"): Answer(body=page("/same", "/copy", title=f"deep {n}")) for n in range(8)},
    ("a.test", "/same"): Answer(body=b"<title>Same</title><p>" + WORDS.encode()),
    ("a.test", "/copy"): Answer(body=b"<title>Same</title><p>" + WORDS.encode()),
    ("a.test", "/moved"): Answer(status=302, headers=(("Location", "/3"),)),
    ("b.test", "/"): Answer(body=page(*(f"/{n}" for n in range(6)), title="other")),
    **{("b.test", f"/{n}"): Answer(body=page("http://a.test:@PORT@/", title=f"other {n}")) for n in range(6)},
}
SEEDS = [f"http://{host}.test:{PORT}/" for host in "ab"]


@pytest.fixture(params=RELEASES)
def killed(tmp_path, request):
    with tarfile.open(HERE / f"release-{request.param}.tar.gz") as archive:
        archive.extractall(tmp_path, filter="data")
    return tmp_path / request.param


def states(directory):
    with closing(open_crawl(directory)) as crawl:
        return {url.url.replace(f":{PORT}", ""): url.state for url in crawl.iter_urls()}


def test_it_is_read_as_it_was_killed(killed, capsys):
    with closing(open_crawl(killed)) as crawl:
        fetched = [page for page in crawl.iter_pages() if page.state == "fetched"]
        assert crawl.finished == "" and all(crawl.body(page.url) for page in fetched)
    assert len(fetched) >= 9
    for words in (["status"], ["report"], ["why", SEEDS[0]], ["search", "garden"]):
        assert main([words[0], str(killed), *words[1:]]) in (0, 1), capsys.readouterr().err
    with closing(sqlite3.connect(killed / "crawl.db")) as db:
        (version,) = db.execute("SELECT value FROM crawl WHERE name = 'schema_version'").fetchone()
    assert int(version) == RELEASES[killed.name]


@pytest.mark.slow
def test_it_goes_on_and_is_complete(killed, capsys):
    before = {url for url, state in states(killed).items() if state == "fetched"}
    address = f"127.0.0.{90 + [*RELEASES].index(killed.name)}"  # they may run at the same time
    resolve = " ".join(f"{host}.test:{PORT}:{address}" for host in "ab")
    with Web(SITE, address=address, port=PORT) as web:
        more = ("politeness.delay=0.01", "politeness.address_delay=0", f"fetch.resolve={resolve}")
        done = run("resume", killed, "--progress", "none", *(word for each in more for word in ("--set", each)))
        requested = [f"http://{hit.host}{hit.path}" for hit in web.log()]
    assert done.returncode == 0, done.stderr
    assert states(killed) == {
        **{f"http://{host}{path}": "fetched" for host, path in SITE if path not in ("/robots.txt", "/moved")},
        **{"http://a.test/moved": "moved", "http://a.test/gone": "fetched", "http://a.test/private/1": "refused"},
    }
    assert len(requested) == len(set(requested)) and not before & set(requested)
    for words in (["verify"], ["report"], ["why", f"http://a.test:{PORT}/private/1"], ["duplicates"]):
        assert main([words[0], str(killed), *words[1:]]) == 0, capsys.readouterr().out
    with closing(sqlite3.connect(killed / "crawl.db")) as db:
        assert db.execute("SELECT value FROM crawl WHERE name = 'schema_version'").fetchone() == (str(VERSION),)


@pytest.mark.slow
def test_a_cluster_of_an_earlier_release_goes_on(tmp_path):
    """Two rings of 0.2.0, whose conductor was killed."""
    with tarfile.open(HERE / "cluster-0.2.0.tar.gz") as archive:
        archive.extractall(tmp_path, filter="data")
    directory, rings = tmp_path / "cluster", [tmp_path / "cluster" / f"ring-{number}" for number in (1, 2)]
    resolve = " ".join(f"{host}.test:{PORT}:127.0.0.96" for host in "ab")
    with Web(SITE, address="127.0.0.96", port=PORT):
        more = ("politeness.delay=0.01", f"fetch.resolve={resolve}")
        words = ("--progress", "none", *(word for each in more for word in ("--set", each)))
        done = run("cluster", "resume", directory, *words, timeout=200)
    assert done.returncode == 0, done.stderr
    fetched = {url for ring in rings for url, state in states(ring).items() if state == "fetched"}
    assert fetched == {f"http://{host}{path}" for host, path in SITE if path not in ("/robots.txt", "/moved")} | {
        "http://a.test/gone"
    }
    assert [main(["verify", str(ring)]) for ring in rings] == [0, 0]
