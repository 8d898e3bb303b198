"""A site with the same bytes in many places: they are archived once, and the tables are as if each had been read."""

import contextlib
import io
import os
import random
import shutil
import sqlite3
import zlib
from collections import Counter
from dataclasses import replace
from urllib.parse import urlsplit

import pytest
from warcio.archiveiterator import ArchiveIterator

import ttcrawl
from tests.support.cases import some_fast
from tests.support.crawls.crawling import crawl, verified
from tests.support.crawls.other_readers import foreign_check
from tests.support.faults.killing import killed_crawl
from tests.support.web.identical_bodies import PNG, pages
from tests.support.web.site import Answer, Web, at, page
from ttcrawl.cli import main

KEYS = (
    "--scope",
    "any",
    "--no-obey-delay",
    "--max-depth",
    "4",
    "--set",
    "links.anchors=yes",
    "--set",
    "scope.extensions=",
    "--set",
    "links.kinds=anchor image document next",
    "--set",
    "files.save=yes",
    "--set",
    "files.max_size=20k",
)
TABLES = {
    "url": "SELECT url, state, reason, depth, redirects, off_domain, sitemap FROM url ORDER BY 1",
    "page": "SELECT u.url, status, type, declared_type, charset, declared_charset, charset_from, length, title,"
    " hex(digest), etag, last_modified, location, server, robots, parser, parse_error, links, content_links,"
    " same_page_links, recorded_links, not_http, schemes FROM page JOIN url AS u ON u.id = page.url ORDER BY 1",
    "outlinks": "SELECT url, targets, kinds, regions, landmarks, anchors"
    " FROM outlinks JOIN url ON id = source ORDER BY 1",
    "totals": "SELECT max(pages), max(links), max(distinct_urls), max(bytes) FROM growth",
    **{
        name: f"SELECT u.url AS at, {name}.* FROM {name} JOIN url AS u ON u.id = {name}.url ORDER BY 1"
        for name in ("metadata", "text", "image", "document")
    },
}


def tables(done):
    found = {name: done.query(query) for name, query in TABLES.items()}
    for name in ("metadata", "text", "image", "document"):  # ids are a matter of timing
        found[name] = [(row[0], *map(_unpacked, row[2:])) for row in found[name]]
    return found


def _unpacked(value):
    """isal does not always pack the same text into the same bytes."""
    return zlib.decompress(value) if isinstance(value, bytes) else value


@pytest.fixture(scope="module")
def web():
    with Web(pages()) as web:
        yield web


@pytest.fixture(scope="module")
def read_all(web, tmp_path_factory):
    """What the tables say when every page is read."""
    done = crawl(
        web, web.url("a.test", "/"), tmp_path_factory.mktemp("all") / "c", *KEYS, "--set", "duplicates.exact=no"
    )
    assert done.status == 0, done.err
    return tables(done)


@pytest.fixture(
    scope="module",
    params=some_fast([("--parsers", "1"), ("--parsers", "3"), ("--inline",)], ("--inline",)),
    ids=" ".join,
)
def done(web, tmp_path_factory, request):
    done = crawl(web, web.url("a.test", "/"), tmp_path_factory.mktemp("once") / "c", *KEYS, *request.param)
    assert done.status == 0, done.err
    return done


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_the_tables_are_as_if_every_page_had_been_read(done, read_all, name):
    ours, expected = Counter(map(repr, tables(done)[name])), Counter(map(repr, read_all[name]))
    assert ours == expected, (ours - expected, expected - ours)


def records(done):
    """(kind, target URI, date, status, digest, refers-to, length of the body) of every record but warcinfo."""
    for path in sorted((done.directory / "warc").iterdir()):
        with open(path, "rb") as file:
            for record in ArchiveIterator(file):
                if record.rec_type == "warcinfo":
                    continue
                said = record.rec_headers.get_header
                refers = said("WARC-Refers-To-Target-URI"), said("WARC-Refers-To-Date")
                names = ("WARC-Target-URI", "WARC-Date", "WARC-Payload-Digest", "WARC-Profile")
                size = len(record.raw_stream.read())
                yield record.rec_type, *map(said, names), record.http_headers.get_statuscode(), refers, size


@pytest.mark.slow
def test_the_bytes_are_archived_once(done):
    foreign_check(done.directory / "warc")
    responses = {(url, date): digest for kind, url, date, digest, *_ in records(done) if kind == "response"}
    revisits = [each for each in records(done) if each[0] == "revisit"]
    bodies = [
        digest
        for kind, url, _, digest, _, status, _, size in records(done)
        if kind == "response" and status == "200" and size and not url.endswith("/robots.txt")
    ]
    assert len(bodies) == len(set(bodies))
    for _, _, _, digest, profile, _, refers, size in revisits:
        assert (responses[refers], size) == (digest, 0)  # as a player of archives looks it up
        assert profile == "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
    served = Counter(answer.body for answer in pages().values() if answer.body and answer.status == 200)
    assert len(revisits) == sum(served.values()) - len(served)
    assert done.query("SELECT count(*) FROM page WHERE payload IS NOT NULL") == [(len(revisits),)]
    assert verified(done.directory) == ""


@pytest.mark.slow
def test_every_body_comes_back(done, web):
    port = str(web.port).encode()
    with ttcrawl.open(done.directory) as kept:
        for (host, path), answer in pages().items():
            found = kept.response(web.url(host, path))
            assert found.body == answer.body.replace(b"@PORT@", port), path
            assert urlsplit(found.url).path == path.partition("?")[0] and not found.truncated
            assert all(found.header(name) == value for name, value in answer.headers)


@pytest.mark.slow
def test_a_canonical_url_that_is_not_among_the_links(tmp_path):
    """The page may say so of itself."""
    body = page("x", content='<link rel="canonical" href="?">')
    site = {("a.test", f"/{name}"): Answer(body=body) for name in "ab"} | {("a.test", "/"): Answer(body=page("b", "a"))}
    found = []
    with Web(site) as web:
        for exact in ("yes", "no"):
            keys = ("links.kinds=anchor", "links.recorded=", f"duplicates.exact={exact}")
            sets = [part for key in keys for part in ("--set", key)]
            done = crawl(web, web.url("a.test", "/"), tmp_path / exact, "--no-obey-delay", "--inline", *sets)
            assert done.status == 0, done.err
            found.append(done.query("SELECT url.url, canonical FROM metadata JOIN url ON id = metadata.url ORDER BY 1"))
    assert found[0] == found[1] and found[0][1][1] != found[0][2][1] != ""


@pytest.mark.slow
def test_a_crawl_that_goes_on_with_other_keys_reads_the_same_bytes_by_them(tmp_path):
    """What an earlier run has read of them was not looked through for images, and its text was not kept."""
    body = page("c", content=f'<img src="i.png"><p>{"words " * 30}</p>')
    site = {("a.test", f"/d/{name}.html"): Answer(body=body) for name in "ab"}
    site |= {("a.test", "/"): Answer(body=page("/d/a.html", "/d/b.html")), ("a.test", "/d/c"): Answer(body=page())}
    site["a.test", "/d/i.png"] = Answer(body=PNG, headers=(("Content-Type", "image/png"),))
    keys = ("links.recorded=", "scope.extensions=", "record.text=no")
    sets = [part for key in keys for part in ("--set", key)]
    with Web(site) as web:
        done = crawl(
            web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--inline", "--max-pages", "2", *sets
        )
        assert done.status == 3, done.err
        keys = ("crawl.max_pages=0", "links.kinds=anchor image", "record.text=yes")
        sets = [part for key in keys for part in ("--set", key)]
        assert here("resume", "--inline", "--progress", "none", tmp_path / "c", *sets) == 0
        states = {url.partition(".test")[2].partition("/")[2]: state for url, (state, _) in done.states().items()}
    assert states["d/i.png"] == "fetched"
    rows = done.query(
        "SELECT u.url, payload IS NULL, text.size > 0 FROM page JOIN url AS u ON id = page.url"
        " LEFT JOIN text ON text.url = u.id"
    )
    told = {urlsplit(url).path: (own, kept) for url, own, kept in rows}
    assert told["/d/a.html"] == (1, None) and told["/d/b.html"] == (0, 1)
    assert verified(done.directory) == ""


def test_what_need_not_be_read_is_not(done):
    """How many, is a matter of timing: of three equal pages in one directory at least one."""
    rows = done.query(
        "SELECT count(*) FROM page JOIN url ON id = page.url WHERE payload IS NOT NULL AND url.url LIKE '%/gz/%'"
    )
    assert rows == [(2,)]


CONVERTER = """#!/bin/sh
echo converted >> {log}
cat "$1"
"""


@pytest.mark.slow
@pytest.mark.parametrize("options", [("--parsers", "2"), ("--inline",)], ids=" ".join)
def test_a_document_is_converted_once(tmp_path, monkeypatch, options):
    """Whatever its URL; each URL has its file."""
    script, log = tmp_path / "convert", tmp_path / "log"
    (tmp_path / "bwrap").symlink_to("/bin/false")  # under bubblewrap it could not write to the log
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    script.write_text(CONVERTER.format(log=log))
    script.chmod(0o755)
    places = [("a.test", name) for name in ("/a/x.pdf", "/a/x.pdf?sid=1", "/a/y.pdf", "/b/x.pdf")] + [
        ("b.test", "/x.pdf")
    ]
    site = dict.fromkeys(places, Answer(body=b"%PDF-1.4 words", headers=(("Content-Type", "application/pdf"),)))
    site[("a.test", "/")] = Answer(body=page(*(path if host == "a.test" else at(host, path) for host, path in places)))
    keys = (f"converters.application/pdf={script} {{file}}", "files.save=yes")
    sets = [part for key in keys for part in ("--set", key)]
    with Web(site) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--scope", "any", "--no-obey-delay", *options, *sets)
    assert done.status == 0, done.err
    assert log.read_text().split() == ["converted"]
    rows = done.query(
        "SELECT u.url, name, converter, saved, words FROM document JOIN url AS u ON u.id = document.url"
        " JOIN metadata ON metadata.url = u.id ORDER BY 1"
    )
    assert [urlsplit(url).path.rpartition("/")[2] for url, *_ in rows] == [name for _, name, *_ in rows]
    assert len(rows) == len(places) and {row[2] for row in rows} == {str(script)} and {row[4] for row in rows} == {2}
    saved = {row[3] for row in rows}
    assert len(saved) == 3 and all(
        (done.directory / "files" / path).read_bytes() == b"%PDF-1.4 words" for path in saved
    )
    assert verified(done.directory) == ""


def spoil_bytes(place, row):
    """The record of a page is damaged."""
    path = place / "warc" / row["file"]
    data = bytearray(path.read_bytes())
    data[row["offset"] + row["size"] // 2] ^= 0xFF
    path.write_bytes(data)


def spoil_row(what):
    def spoil(place, row):
        with contextlib.closing(sqlite3.connect(place / "crawl.db", isolation_level=None)) as db:
            db.execute(f"UPDATE page SET {what} WHERE url = ?", (row["url"],))

    return spoil


OTHER = "(SELECT url FROM page AS other WHERE payload IS NULL AND length > 0 AND other.digest != page.digest LIMIT 1)"
DAMAGE = {  # what is spoilt, of the revisit or of the page with its bytes -> what is found
    "the revisit record": ("again", spoil_bytes, "archive: a damaged record"),
    "the bytes": ("first", spoil_bytes, "page: its bytes are missing"),
    "the page with the bytes": ("again", spoil_row(f"payload = {OTHER}"), "page: its bytes are not"),
    "a revisit that says it is none": ("again", spoil_row("payload = NULL"), "page: its bytes are not its response"),
    "a page that says it is a revisit": ("first", spoil_row(f"payload = {OTHER}"), "page: its bytes are not"),
    "its digest": ("again", spoil_row("digest = x'00112233445566778899aabbccddeeff'"), "page: its bytes are not"),
    "its length": ("again", spoil_row("length = length + 1"), "page: its bytes are not its response"),
    "the place of another revisit": (
        "again",
        spoil_row(
            "(file, offset, size) = (SELECT file, offset, size FROM page AS b WHERE payload IS NOT NULL"
            " AND b.digest != page.digest LIMIT 1)"
        ),
        "page: its bytes are not its response",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize(("which", "spoil", "finding"), DAMAGE.values(), ids=DAMAGE)
def test_each_damage_is_found_and_mended(done, read_all, tmp_path, which, spoil, finding):
    shutil.copytree(done.directory, tmp_path / "c")
    with contextlib.closing(sqlite3.connect(tmp_path / "c" / "crawl.db")) as db:
        db.row_factory = sqlite3.Row
        again = db.execute("SELECT * FROM page WHERE payload IS NOT NULL ORDER BY url DESC LIMIT 1").fetchone()
        first = db.execute("SELECT * FROM page WHERE url = ?", (again["payload"],)).fetchone()
    spoil(tmp_path / "c", {"again": again, "first": first}[which])
    assert f"\n{finding}" in "\n" + verified(tmp_path / "c")
    here("verify", "--repair", tmp_path / "c")
    assert verified(tmp_path / "c") == ""
    assert here("resume", "--inline", "--progress", "none", tmp_path / "c") == 0
    assert verified(tmp_path / "c") == ""
    mended = tables(replace(done, directory=tmp_path / "c"))
    for name in ("url", "page", "outlinks"):
        assert mended[name] == read_all[name], name


def here(*command):
    """The command in this process, where it is done sooner."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        return main([*map(str, command)])


def test_why_says_where_the_bytes_are(done):
    ((url, held),) = done.query(
        "SELECT a.url, b.url FROM page JOIN url AS a ON a.id = page.url JOIN url AS b ON b.id = payload LIMIT 1"
    )
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert main(["why", str(done.directory), url]) == 0
    assert f"its body is in the WARC record of {held}" in out.getvalue()


@pytest.mark.slow
def test_killed_again_and_again(tmp_path):
    """Hardly a page that is not one of a few that are the same."""
    bodies = [page(*(f"/{(n * 7 + k) % 90}" for k in range(5)), "?", content=f"<p>No {n}</p>") for n in range(4)]
    bodies += [page(*(f"/{(n * 11 + k) % 90}" for k in range(9)), content=f"<p>No {n}</p>") for n in range(4)]
    start = page("/0", *(f"/dir/{n}" for n in range(90)))
    site = {("a.test", f"/{n}"): Answer(body=bodies[n % 8]) for n in range(90)}
    site |= {("a.test", f"/dir/{n}"): Answer(body=bodies[n % 8]) for n in range(90)} | {
        ("a.test", "/"): Answer(body=start)
    }
    options = ("--no-obey-delay", "--parsers", "2", "--set", "traps.same_content=0")
    with Web(site) as web:
        reference = crawl(web, web.url("a.test", "/"), tmp_path / "reference", *options)
        port = web.port
    slow = {key: replace(answer, delay=0.4) for key, answer in site.items()}
    with Web(slow, port=port) as web:
        killed = killed_crawl(web, [web.url("a.test", "/")], tmp_path, 4, random.Random(3), *options)
    assert killed.total() == 4
    mended = replace(reference, directory=tmp_path / "c")
    for name in ("url", "page", "outlinks", "metadata", "text"):
        assert tables(mended)[name] == tables(reference)[name], name
    foreign_check(mended.directory / "warc")
    assert verified(mended.directory) == "" and verified(reference.directory) == ""
