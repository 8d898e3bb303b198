"""Crawls with --files: every file is what the server sent, once, whole after kills and on a full disk, and verified."""

import gzip
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import time
from contextlib import closing
from urllib.parse import quote

import pytest

from tests.support.crawls.crawling import Crawled, command, crawl, options_for, verified
from tests.support.crawls.preforked import run
from tests.support.faults.killing import killed_crawl
from tests.support.web.site import PORT, Answer, Web, page, robots
from ttcrawl.store.files import PART, path_of, saved_files

PNG = bytes.fromhex("89504e470d0a1a0a0000000d49484452000000070000000508060000001234567800000000")
GIF = b"GIF89a\x03\x00\x02\x00" + bytes(9)
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 40"/>' + b" " * 500
ROWS = (
    "SELECT url.url, image.type, name, size, width, height, saved, error FROM image JOIN url ON url.id = image.url"
    " UNION ALL SELECT url.url, document.type, name, size, NULL, NULL, saved, error"
    " FROM document JOIN url ON url.id = document.url ORDER BY 1"
)
FAST = ("--no-obey-delay", "--parsers", "2", "--fetchers", "1")


def typed(kind, body, *more):
    return Answer(headers=(("Content-Type", kind), *more), body=body)


MAIN = ["/2", "/a.png", "/b.png", "/c.gif", "/d.svg", "/e.mp4", "/f.thing", "/private/g.png", "/big.png", "/wrong.png"]
MAIN += ["/gone.png", "/cut.png", "/h.pdf", "/i.zip", "/j.exe", f"http://b.test:{PORT}/away.png"]
PARTS = """<link rel=stylesheet href="/style.css"><script src="/script.js"></script><img src="/a.png" srcset="/b.png 2x,
/c.gif 3x"><picture><source srcset="/d.svg"></picture><video src="/e.mp4"></video><object data="/f.thing"></object>"""
SITE = {
    ("a.test", "/robots.txt"): robots("User-agent: *", "Disallow: /private/"),
    ("a.test", "/"): Answer(body=page(*MAIN)),
    ("a.test", "/2"): Answer(body=page("/k.pdf", "/", "/sub/a.png", "/a.png")),
    ("a.test", "/a.png"): typed("image/png", PNG),
    ("a.test", "/b.png"): typed("image/png", PNG + b"2x"),
    ("a.test", "/c.gif"): typed("image/gif", GIF),
    ("a.test", "/d.svg"): typed("image/svg+xml", gzip.compress(SVG), ("Content-Encoding", "gzip")),
    ("a.test", "/e.mp4"): typed("video/mp4", b"\0\0\0\x14ftypmp42" + bytes(40)),
    ("a.test", "/f.thing"): typed("application/x-thing", b"thing"),
    ("a.test", "/h.pdf"): typed(
        "application/pdf", b"%PDF-1.4 h", ("Content-Disposition", "attachment; filename*=UTF-8''..%2f%e2%82%ac%20h.pdf")
    ),
    ("a.test", "/i.zip"): typed("application/zip", b"PK\x05\x06" + bytes(18)),
    ("a.test", "/j.exe"): typed("application/octet-stream", b"MZ"),
    ("a.test", "/k.pdf"): typed("application/pdf", b"%PDF-1.4 k"),
    ("a.test", "/sub/a.png"): typed("image/png", PNG),
    ("a.test", "/private/g.png"): typed("image/png", PNG),
    ("a.test", "/big.png"): typed("image/png", PNG + bytes(3000)),
    ("a.test", "/wrong.png"): typed("image/png", GIF + b"wrong"),
    ("a.test", "/cut.png"): typed("image/png", PNG[:18]),
    ("a.test", "/parts"): Answer(body=page(content=PARTS)),
    ("b.test", "/away.png"): typed("image/png", PNG),
    ("a.test", "/style.css"): typed("text/css", b"a {}"),
    ("a.test", "/script.js"): typed("text/javascript", b"1"),
}


@pytest.fixture(scope="module")
def web():
    with Web(SITE) as web:
        yield web


@pytest.fixture(scope="module")
def saved(web, tmp_path_factory):
    """(the crawl with --files, what the server was asked for)"""
    before = len(web.log())
    options = (*FAST, "--files", "--set", "files.max_size=2000", "--set", "crawl.max_depth=3")
    done = crawl(web, web.url("a.test", "/"), tmp_path_factory.mktemp("saved") / "c", *options)
    assert done.status == 0, done.err
    return done, [hit.path for hit in web.log()[before:] if hit.host == "a.test"]


def by_path(done):
    return {row[0].rsplit(":", 1)[1].lstrip("0123456789"): row[1:] for row in done.query(ROWS)}


def plain(answer):
    return SVG if dict(answer.headers).get("Content-Encoding") else answer.body


@pytest.mark.slow
def test_each_file_is_what_the_server_sent(saved):
    done, _ = saved
    rows = by_path(done)
    files = done.directory / "files"
    kept = {path: row[5] for path, row in rows.items() if row[5]}
    names = ("a.png", "b.png", "c.gif", "d.svg", "e.mp4", "f.thing", "h.pdf", "i.zip", "k.pdf", "wrong.png", "cut.png")
    assert set(kept) == {"/sub/a.png", *(f"/{name}" for name in names)}
    for path, where in kept.items():
        body = plain(SITE["a.test", path])
        assert (files / where).read_bytes() == body and rows[path][2] == len(body)
    assert set(saved_files(files)) == set(kept.values()) and kept["/a.png"] == kept["/sub/a.png"]
    assert not list(files.glob(f"{PART}*")) and verified(done.directory) == ""


def test_what_is_recorded(saved):
    rows = by_path(saved[0])
    port = rows["/a.png"][5].partition("/")[0].removeprefix("a.test_")
    assert rows["/a.png"][:5] == ("image/png", "a.png", len(PNG), 7, 5) and rows["/a.png"][6] == ""
    assert rows["/a.png"][5] == path_of(f"a.test:{port}", "image/png", "a.png", PNG)
    assert rows["/d.svg"][:5] == ("image/svg+xml", "d.svg", len(SVG), 30, 40)
    assert rows["/h.pdf"][:3] == ("application/pdf", "\u20ac h.pdf", 10) and rows["/h.pdf"][5].endswith(".pdf")
    assert rows["/big.png"][2:] == (len(PNG) + 3000, 7, 5, "", "too large to save")
    assert rows["/wrong.png"][3:5] == (3, 2) and rows["/wrong.png"][6] == "is image/gif"
    assert rows["/cut.png"][3:5] == (None, None) and rows["/cut.png"][6] == "no width and height"
    assert "/gone.png" not in rows


def test_everything_is_asked_for_once_and_nothing_that_may_not_be(saved):
    done, asked = saved
    assert len(asked) == len(set(asked))
    assert not {"/private/g.png", "/j.exe"} & set(asked)
    states = {url.rsplit("/", 1)[1]: (state, reason) for url, (state, reason) in done.states().items()}
    assert states["g.png"] == ("refused", "robots.txt") and states["away.png"] == ("refused", "scope: host")
    assert states["j.exe"] == ("refused", "scope: extension")
    assert states["gone.png"] == ("fetched", "http 404")
    depths = {
        url.rsplit(":", 1)[1].lstrip("0123456789"): depth for url, depth in done.query("SELECT url, depth FROM url")
    }
    assert (depths["/a.png"], depths["/sub/a.png"]) == (1, 2)


@pytest.mark.slow
def test_images_media_and_objects_are_followed(web, tmp_path):
    followed = {"/a.png", "/b.png", "/c.gif", "/d.svg", "/e.mp4", "/f.thing"}
    done = crawl(web, web.url("a.test", "/parts"), tmp_path / "c", *FAST, "--files")
    assert set(by_path(done)) == followed and verified(done.directory) == ""
    assert done.query("SELECT DISTINCT depth FROM image JOIN url ON url.id = image.url") == [(1,)]
    without = crawl(web, web.url("a.test", "/parts"), tmp_path / "d", *FAST)
    assert without.query("SELECT count(*) FROM url WHERE state = 'fetched'") == [(1,)]


@pytest.mark.slow
def test_without_the_option_nothing_is_followed_or_saved(web, tmp_path):
    done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *FAST)
    assert done.status == 0 and not (done.directory / "files").exists()
    rows = by_path(done)
    assert set(rows) == {"/h.pdf", "/k.pdf", "/f.thing"} and {row[5] for row in rows.values()} == {""}
    assert done.states()[web.url("a.test", "/a.png")] == ("refused", "scope: extension")
    assert verified(done.directory) == ""


@pytest.mark.slow
def test_a_list_of_extensions_of_ones_own_holds(web, tmp_path):
    done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *FAST, "--files", "--set", "scope.extensions=png")
    assert {path.rpartition(".")[2] for path in by_path(done)} == {"gif", "svg", "mp4", "thing", "pdf", "zip", "exe"}


def test_an_image_that_is_a_seed_and_a_depth_that_shuts_images_out(web, tmp_path):
    seeds = [web.url("a.test", "/"), web.url("a.test", "/c.gif")]
    done = crawl(web, seeds, tmp_path / "c", *FAST, "--files", "--max-depth", "0", "--inline")
    assert set(by_path(done)) == {"/c.gif"} and done.query("SELECT max(pages) FROM growth") == [(2,)]


# -- verify -----------------------------------------------------------------------------------------------------------


def change(done, sql):
    with closing(sqlite3.connect(done.directory / "crawl.db", isolation_level=None)) as db:
        assert db.execute(sql).rowcount > 0


def file_of(done):
    ((path,),) = done.query("SELECT saved FROM image JOIN url ON url.id = image.url WHERE url.url LIKE '%/c.gif'")
    return done.directory / "files" / path


def other_bytes(done):
    path = file_of(done)
    path.write_bytes(path.read_bytes()[:-1] + b"x")


def a_link(done):
    path = file_of(done)
    path.rename(path.with_name("aside"))
    path.symlink_to("aside")


SPOILT = {
    "files: a file is missing": lambda done: file_of(done).unlink(),
    "files: a file is missing: 1 ": a_link,
    "files: a file is not as it was saved": lambda done: file_of(done).write_bytes(b"short"),
    "files: a file is not as it was saved: 1 ": other_bytes,
    "files: not a path of a saved file": lambda done: change(
        done, "UPDATE image SET saved = '../warc/x' WHERE width = 3"
    ),
    "image: of a URL that was not fetched": lambda done: change(done, "UPDATE image SET url = 1000 WHERE width = 30"),
    "document: of a URL that was not fetched": lambda done: change(
        done, "UPDATE url SET state = 'failed' WHERE url LIKE '%/h.pdf'"
    ),
    "image: type is not that of its page": lambda done: change(
        done, "UPDATE image SET type = 'image/x' WHERE width = 3"
    ),
    "image: a document too": lambda done: change(
        done, "UPDATE document SET url = (SELECT url FROM image LIMIT 1) WHERE name = 'k.pdf'"
    ),
}


@pytest.fixture
def copied(saved, tmp_path):
    shutil.copytree(saved[0].directory, tmp_path / "c")
    return Crawled(status=0, out="", err="", directory=tmp_path / "c")


@pytest.mark.parametrize(("kind", "spoil"), SPOILT.items(), ids=SPOILT)
def test_what_verify_finds(copied, kind, spoil):
    spoil(copied)
    assert f"\n{kind}" in f"\n{verified(copied.directory)}"


def test_files_without_a_row_are_told(copied):
    (copied.directory / "files" / "more").mkdir()
    (copied.directory / "files" / "more" / "x").touch()
    done = run("verify", copied.directory)
    assert done.returncode == 0 and "nothing is wrong" in done.stdout and "1 file without" in done.stdout, done.stdout


@pytest.mark.slow
def test_a_lost_file_is_fetched_again_after_a_repair(web, copied):
    before = by_path(copied)
    file_of(copied).unlink()
    assert run("verify", copied.directory, "--repair").returncode == 1
    assert run("resume", copied.directory, "--progress", "none", "--inline").returncode == 0
    assert verified(copied.directory) == "" and by_path(copied) == before and file_of(copied).exists()


# -- kills and full disks ---------------------------------------------------------------------------------------------


def gallery(pages, seed):
    """Pages of images, some of them equal, some with names that need to be made safe."""
    rng = random.Random(seed)
    site = {("a.test", "/"): Answer(body=page(*(f"/p/{n}" for n in range(pages))), delay=0.05)}
    for n in range(pages):
        names = [f"/i/{n}-{k}/{quote(rng.choice(['logo.png', 'con.png', 'ü.png', 'a b.png']))}" for k in range(4)]
        site["a.test", f"/p/{n}"] = Answer(body=page(*names), delay=0.05)
        for name in names:
            body = PNG + rng.randbytes(rng.choice((0, 10, 20_000)))
            site["a.test", name] = Answer(headers=(("Content-Type", "image/png"),), body=body, delay=0.05)
    return site


def all_saved(done, site):
    rows = by_path(done)
    images = {path: answer.body for (_, path), answer in site.items() if path.startswith("/i/")}
    assert {path: (done.directory / "files" / rows[path][5]).read_bytes() for path in rows} == images
    assert verified(done.directory) == "" and not list((done.directory / "files").glob(f"{PART}*"))


@pytest.mark.parametrize(
    ("pages", "kills"),
    [(10, 1), pytest.param(25, 3, marks=pytest.mark.slow), pytest.param(150, 20, marks=pytest.mark.slow)],
)
def test_a_crawl_that_is_killed_has_every_file_whole(tmp_path, pages, kills):
    site = gallery(pages, seed=pages)
    options = ("--no-obey-delay", "--files", "--parsers", "2", "--set", "politeness.connections=4")
    with Web(site) as web:
        killed = killed_crawl(web, [web.url("a.test", "/")], tmp_path, kills, random.Random(pages), *options)
    assert killed.total() == kills
    all_saved(Crawled(status=0, out="", err="", directory=tmp_path / "c"), site)


@pytest.mark.slow
def test_every_row_has_its_file_at_the_moment_of_a_kill(tmp_path):
    site = gallery(40, seed=3)
    begin = ("--no-obey-delay", "--files", "--set", "store.commit_seconds=0.05", "--progress", "none")
    with Web(site) as web:
        process = subprocess.Popen(
            command("crawl", web.url("a.test", "/"), "-d", tmp_path / "c", *options_for(web), *begin),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        while len(web.log()) < 120:
            assert process.poll() is None
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(10)
    done = Crawled(status=0, out="", err="", directory=tmp_path / "c")
    run("verify", done.directory, "--repair")  # of the tail of a WARC file
    rows = by_path(done)
    assert rows and all((done.directory / "files" / row[5]).stat().st_size == row[2] for row in rows.values())
    assert verified(done.directory) == ""


@pytest.mark.slow
def test_a_full_disk_stops_the_crawl_and_nothing_is_lost(tmp_path):
    place = tmp_path / "disk"
    place.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1536k", "tmpfs", place], capture_output=True).returncode:
        pytest.skip("a small file system cannot be mounted here")
    site = {key: Answer(headers=each.headers, body=each.body) for key, each in gallery(40, seed=5).items()}
    try:
        with Web(site) as web:
            options = (*FAST, "--files", "--set", "crawl.min_disk=0")
            done = crawl(web, web.url("a.test", "/"), place / "c", *options)
            assert done.status == 1 and len(done.err.splitlines()) <= 2
            assert "No space left on device" in done.err or "disk is full" in done.err
            shutil.copytree(place / "c", tmp_path / "c")
            assert run("resume", tmp_path / "c", "--progress", "none").returncode == 0
    finally:
        subprocess.run(["umount", "--lazy", place], check=True)
    all_saved(Crawled(status=0, out="", err="", directory=tmp_path / "c"), site)
