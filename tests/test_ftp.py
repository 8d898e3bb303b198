"""A crawl over FTP: states, politeness, archive, and all that reads it."""

import json
import os
from itertools import groupby

import pytest
from warcio.archiveiterator import ArchiveIterator

import ttcrawl
from tests.fetch.ftp import Scripted, serving
from tests.fetch.transports import MISSING
from tests.support.crawls.crawling import query, verified
from tests.support.crawls.preforked import run
from ttcrawl.fetch.choice import NO_FTP
from ttcrawl.snapshot.responses import Response

OK = ("fetched", "http 200")

STATES = "SELECT url, state, reason FROM url"

FILES = {
    "index.html": b"<title>A page</title><p>Words <a href=sub>s</a> <a href=missing.txt>m</a>"
    b" <a href='ftp://u:secret@127.0.0.1/x'>c</a>",
    "README": b"Text without an extension.\n" * 20,
    "copy": b"Text without an extension.\n" * 20,
    "robots.txt": b"User-agent: *\nDisallow: /no/\nCrawl-delay: 0.01\n",
    "sub/data.raw": bytes(range(256)) * 4,
    "no/x.txt": b"forbidden",
}


def files_in(folder, files):
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def crawl(folder, directory, *options, path="/"):
    with serving(folder) as (port, commands):
        seed = f"ftp://127.0.0.1:{port}"
        done = run("crawl", f"{seed}{path}", "-d", directory, "--progress", "none", *options, cwd=directory.parent)
    return done, seed, commands


@pytest.fixture(scope="module")
def crawled(tmp_path_factory):
    """Seed and directory of a crawl."""
    folder = tmp_path_factory.mktemp("ftp")
    done, seed, commands = crawl(files_in(folder / "files", FILES), folder / "c", "--set=fetch.ftp=yes")
    assert done.returncode == 0, done.stderr
    assert {argument for _, command, argument in commands if command == "USER"} == {"anonymous"}
    return seed, folder / "c"


@pytest.mark.slow
def test_states(crawled):
    seed, directory = crawled
    states = {url.removeprefix(seed): (state, why) for url, state, why in query(directory, STATES)}
    assert states == {
        **dict.fromkeys(("/", "/index.html", "/README", "/copy", "/robots.txt", "/sub/", "/sub/data.raw"), OK),
        "/sub": ("moved", "http 301"),
        "/missing.txt": ("fetched", "http 404"),
        "/no/": ("refused", "robots.txt"),
    }
    assert query(directory, "SELECT schemes FROM page WHERE schemes != '{}'") == [('{"ftp": 1}',)]
    assert not any(b"secret" in path.read_bytes() for path in directory.glob("crawl.db*"))
    assert query(directory, "SELECT DISTINCT host || ' ' || robots_status FROM site") == [(f"{seed[6:]} 200",)]


def test_the_record_is_complete(crawled):
    _, directory = crawled
    assert verified(directory) == ""


def test_the_archive_has_resources(crawled):
    seed, directory = crawled
    records = {}
    for path in (directory / "warc").iterdir():
        with open(path, "rb") as file:
            for record in ArchiveIterator(file, check_digests="raise"):
                header = record.rec_headers.get_header
                body = record.raw_stream.read()
                if (url := header("WARC-Target-URI") or "").startswith(seed):
                    kind = record.rec_type, header("Content-Type"), header("FTP-Reply")[:3]
                    records[url.removeprefix(seed)] = (*kind, body)
    assert records["/sub/data.raw"] == ("resource", None, "226", FILES["sub/data.raw"])
    assert records["/index.html"] == ("resource", "text/html", "226", FILES["index.html"])
    assert records["/missing.txt"][:3] == ("metadata", "text/x-ftp-control-conversation", "550")
    assert records["/sub"][:3] == ("metadata", "text/x-ftp-control-conversation", "250")
    assert {records["/README"][0], records["/copy"][0]} == {"resource", "revisit"}
    assert b'<a href="./data.raw">data.raw</a>' in records["/sub/"][3]


def test_responses(crawled):
    seed, directory = crawled
    crawl = ttcrawl.open(directory)
    for path in ("README", "copy", "index.html", "sub/data.raw"):
        response = crawl.response(f"{seed}/{path}")
        assert isinstance(response, Response) and (response.status, response.version) == (200, "FTP")
        assert response.body == FILES[path] and response.header("Last-Modified").endswith("GMT")
    assert crawl.response(f"{seed}/missing.txt").status == 404
    moved = crawl.response(f"{seed}/sub")
    assert (moved.status, moved.header("Location"), moved.body) == (301, f"{seed}/sub/", b"")


@pytest.mark.slow
def test_exports(crawled, tmp_path):
    seed, directory = crawled
    for form in ("cdxj", "crawl-log"):
        done = run("export", directory, "--format", form, "-o", tmp_path / form, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    lines = (tmp_path / "cdxj").read_text().splitlines()
    urls = {json.loads(line.split(" ", 2)[2])["url"] for line in lines}
    assert {f"{seed}/", f"{seed}/README", f"{seed}/sub/data.raw"} <= urls
    assert f" {seed}/README " in (tmp_path / "crawl-log").read_text()


@pytest.mark.slow
def test_reading_later_gives_the_same(crawled, tmp_path):
    seed, directory = crawled
    options = ("--set=fetch.ftp=yes", "--set=record.reading=later")
    done, later, _ = crawl(files_in(tmp_path / "files", FILES), tmp_path / "c", *options)
    assert done.returncode == 0, done.stderr
    done = run("read", tmp_path / "c", cwd=tmp_path)
    assert done.returncode == 0 and verified(tmp_path / "c") == "", done.stderr
    facts = "SELECT url.url, type, title, length, charset FROM page JOIN url ON url.id = page.url ORDER BY 1"
    rows = [(row[0].removeprefix(seed), row[1], row[2].replace(seed, ""), *row[4:]) for row in query(directory, facts)]
    assert rows == [
        (row[0].removeprefix(later), row[1], row[2].replace(later, ""), *row[4:])
        for row in query(tmp_path / "c", facts)
    ]


@pytest.mark.slow
def test_deleting(tmp_path):
    done, seed, _ = crawl(files_in(tmp_path / "files", FILES), tmp_path / "c", "--set=fetch.ftp=yes")
    assert done.returncode == 0, done.stderr
    rows = query(tmp_path / "c", "SELECT url.url FROM page JOIN url ON url.id = page.url WHERE payload IS NULL")
    (original,) = {f"{seed}/README", f"{seed}/copy"} & {url for (url,) in rows}
    for url in (original, f"{seed}/missing.txt"):
        done = run("delete", tmp_path / "c", "--url", url, "--yes", "--purge", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    assert verified(tmp_path / "c") == ""
    (copy,) = {f"{seed}/README", f"{seed}/copy"} - {original}
    assert ttcrawl.open(tmp_path / "c").response(copy).body == FILES["copy"]
    urls = set()
    for path in (tmp_path / "c" / "warc").iterdir():
        with open(path, "rb") as file:
            urls |= {record.rec_headers.get_header("WARC-Target-URI") for record in ArchiveIterator(file)}
    assert copy in urls and not urls & {original, f"{seed}/missing.txt"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "line"),
    [
        ((), "ftp: URLs are fetched with [fetch] ftp = yes"),
        (("--set=fetch.ftp=yes", "--set=fetch.proxy=http://127.0.0.1:9"), "[fetch] ftp = yes goes through no proxy"),
    ],
)
def test_a_crawl_that_cannot_use_ftp(tmp_path, options, line):
    done, _, commands = crawl(files_in(tmp_path / "files", {"a": b""}), tmp_path / "c", *options)
    assert done.returncode == 2 and line in done.stderr and not commands


@pytest.mark.slow
@pytest.mark.parametrize("settings", [{"fetch.transport": "urllib3"}, {"crawl.threads": "1"}], ids=str)
def test_other_ways_to_fetch(tmp_path, settings):
    options = [f"--set={name}={value}" for name, value in settings.items()]
    files = files_in(tmp_path / "files", {"a": b"x", "sub/b": b"y"})
    done, seed, _ = crawl(files, tmp_path / "c", "--set=fetch.ftp=yes", "--no-obey-delay", *options)
    assert done.returncode == 0, done.stderr
    urls = {f"{seed}{path}": OK for path in ("/", "/a", "/sub/", "/sub/b")}
    assert {url: (state, why) for url, state, why in query(tmp_path / "c", STATES)} == urls


@pytest.mark.slow
def test_without_pycurl(tmp_path, monkeypatch):
    (tmp_path / "sitecustomize.py").write_text(MISSING)
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:{os.environ.get('PYTHONPATH', '')}")
    done, seed, commands = crawl(files_in(tmp_path / "files", {"a": b""}), tmp_path / "c", "--set=fetch.ftp=yes")
    assert NO_FTP in done.stderr and not commands
    assert query(tmp_path / "c", STATES) == [(f"{seed}/", "failed", "ftp")]


@pytest.mark.slow
def test_no_two_requests_at_once(tmp_path):
    """Every connection of the crawl ends before the next one begins, by the commands that the server receives."""
    files = files_in(tmp_path / "files", {f"{number}.txt": b"x" for number in range(6)})
    done, _, commands = crawl(files, tmp_path / "c", "--set=fetch.ftp=yes", "--set=politeness.delay=0.05")
    clients = [client for client, *_ in commands]
    assert done.returncode == 0 and [client for client, _ in groupby(clients)] == list(dict.fromkeys(clients))
    starts, ends = zip(*query(tmp_path / "c", "SELECT started, ended FROM visit ORDER BY started"), strict=True)
    assert len(starts) == 8 and all(start - end >= 0.05 for start, end in zip(starts[1:], ends, strict=False))


@pytest.mark.slow
def test_a_busy_server_is_left_alone(tmp_path):
    with Scripted({"USER": "421 too many connections\r\n"}) as server:
        seed = f"ftp://127.0.0.1:{server.port}/robots.txt"
        options = ("--set=fetch.ftp=yes", "--max-time", "2", "--progress", "none")
        run("crawl", seed, "-d", tmp_path / "c", *options, cwd=tmp_path)
        asked = server.commands.count("USER anonymous")
    ((reason, left),) = query(tmp_path / "c", "SELECT backoff_from, backoff_until > 0 FROM site")
    assert asked == 1 and (reason, left) == ("http 503", 1)
