"""What archivists look for in the WARC files of a crawl: requests as they were sent, the first record, look-ups."""

from __future__ import annotations

import io
import re
import socketserver
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import pairwise
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from tests.support.crawls.crawling import Crawled, query, verified
from tests.support.crawls.other_readers import foreign_check
from tests.support.crawls.preforked import run
from ttcrawl.cli import main
from ttcrawl.inspect.verify.archive import member

PASSWORD, ENCODED = "s3cret:word", "bWU6czNjcmV0OndvcmQ="
HOME = (
    b'<title>Home</title><a href="/x?q=a|b%3d&amp;u=%c3%a9">x</a> <a href="/copy">copy</a> <a href="/moved">moved</a>'
)


class _Handler(socketserver.StreamRequestHandler):
    """Keeps the bytes of each request."""

    def handle(self) -> None:
        while head := self._head():
            target = head.split(b" ")[1]
            if not self.server.requests and self.server.silent:  # type: ignore[attr-defined]
                self.server.silent -= 1  # type: ignore[attr-defined]
                return
            self.server.requests[target] = head  # type: ignore[attr-defined]
            status, more, body = b"200 OK", b"", HOME
            if target == b"/moved":
                status, more, body = b"301 Moved", b"Location: /x\r\n", b""
            if target == b"/robots.txt":
                body = b"User-agent: *\nAllow: /\n"
            fields = b"Content-Type: text/html\r\nSet-Cookie: id=7\r\n%bContent-Length: %d\r\n" % (more, len(body))
            self.wfile.write(b"HTTP/1.1 %b\r\n%b\r\n%b" % (status, fields, body))

    def _head(self) -> bytes:
        lines = []
        while (line := self.rfile.readline()) not in (b"\r\n", b""):
            lines.append(line)
        return b"".join([*lines, line]) if lines else b""


@contextmanager
def server(silent: int = 0) -> Iterator[tuple[int, dict[bytes, bytes]]]:
    """The port, and target -> the bytes of the last request for it; `silent`: first requests without an answer."""
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Handler) as running:
        running.daemon_threads = True
        running.requests, running.silent = {}, silent  # type: ignore[attr-defined]
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield running.server_address[1], running.requests  # type: ignore[attr-defined]
        running.shutdown()


def crawl(directory: Path, url: str, *options: str) -> Crawled:
    quick = ("--no-obey-delay", "--set", "politeness.address_delay=0", "--progress", "none")
    done = run("crawl", url, "-d", directory, *quick, *options, cwd=directory.parent)
    return Crawled(status=done.returncode, out=done.stdout, err=done.stderr, directory=directory)


def records(directory: Path) -> list[tuple[str, dict[str, str], bytes]]:
    """(Type, fields, block) of each record."""
    found = []
    for path in sorted((directory / "warc").iterdir()):
        with open(path, "rb") as file:
            for record in ArchiveIterator(file, no_record_parse=True):
                found.append((record.rec_type, dict(record.rec_headers.headers), record.raw_stream.read()))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("transport", ["curl", "urllib3"])
def test_requests_are_archived_as_they_were_sent_without_credentials(transport, tmp_path):
    with server() as (port, requests):
        here = f"127.0.0.1:{port}"
        options = (f"fetch.transport={transport}", "fetch.cookies=host", f"fetch.login={here}=me:s3cret%3Aword")
        options += ("archive.operator=A Library", "agent.contact=a@b.test")
        done = crawl(tmp_path / "c", f"http://{here}/", *(part for each in options for part in ("--set", each)))
    assert done.status == 0, done.err
    found = records(done.directory)
    by_id = {fields["WARC-Record-ID"]: (kind, fields) for kind, fields, _ in found}
    sent = {}
    for place, (kind, fields, block) in enumerate(found):
        if kind != "request":
            continue
        answer, of_answer = by_id[fields["WARC-Concurrent-To"]]
        assert found[place + 1][1] is of_answer and answer in ("response", "revisit")
        for name in ("WARC-Target-URI", "WARC-Date", "WARC-IP-Address", "WARC-Warcinfo-ID"):
            assert fields[name] == of_answer[name]
        sent[block.split(b" ")[1]] = block
    assert ENCODED.encode() in requests[b"/"] and b"Cookie: id=7\r\n" in requests[b"/x?q=a%7Cb%3D&u=%C3%A9"]
    assert sent == {
        target: data.replace(f"Basic {ENCODED}".encode(), b"(removed)") for target, data in requests.items()
    }
    answers = [kind for kind, *_ in found if kind in ("response", "revisit")]
    assert len(answers) == len(sent) == 6 and answers.count("revisit") == 3
    everything = b"".join(block for *_, block in found) + repr([fields for _, fields, _ in found]).encode()
    assert not any(each.encode() in everything for each in (PASSWORD, ENCODED, "s3cret"))
    foreign_check(done.directory / "warc")
    assert verified(done.directory) == ""


@pytest.mark.slow
def test_the_first_record_tells_of_the_crawl_and_all_others_name_it(tmp_path):
    with server() as (port, _):
        here = f"http://127.0.0.1:{port}/"
        options = ("archive.operator=A Library", "agent.contact=a@b.test", "fetch.proxy=", "politeness.robots=1996")
        done = crawl(tmp_path / "my site", here, *(part for each in options for part in ("--set", each)))
    assert done.status == 0, done.err
    names = [path.name for path in (done.directory / "warc").iterdir()]
    assert all(re.fullmatch(r"my_site-\d{14}-\d-00000-[A-Za-z0-9._]+\.warc\.gz", name) for name in names), names
    (kind, first, block), *others = records(done.directory)[: 12 if len(names) == 1 else 1]
    about = [line.split(": ", 1) for line in block.decode().splitlines()]
    assert kind == "warcinfo" and first["WARC-Filename"] in names
    assert {"operator", "contact", "hostname", "isPartOf", "software", "format", "conformsTo"} <= {n for n, _ in about}
    assert ["operator", "A Library"] in about and ["robots", "classic"] in about and ["seed", here] in about
    assert ["setting", "archive.operator = A Library"] in about
    assert any(name == "http-header-user-agent" and "(+a@b.test)" in value for name, value in about)
    assert {fields.get("WARC-Warcinfo-ID") for _, fields, _ in others} <= {first["WARC-Record-ID"]}


@pytest.mark.slow
def test_look_ups_are_archived_once(tmp_path):
    with server() as (port, _):
        done = crawl(tmp_path / "c", f"http://localhost:{port}/", "--set", "crawl.parsers=2")
        plain = crawl(
            tmp_path / "without", f"http://localhost:{port}/", "--set", "archive.dns=no", "--set", "archive.requests=no"
        )
    assert (done.status, plain.status) == (0, 0), (done.err, plain.err)
    ((_, fields, block),) = [each for each in records(done.directory) if each[0] == "resource"]
    assert (fields["WARC-Target-URI"], fields["Content-Type"]) == ("dns:localhost", "text/dns")
    moment, *lines = block.decode().splitlines()
    assert re.fullmatch(r"\d{14}", moment) and "localhost.\tIN\tA\t127.0.0.1" in lines
    assert {kind for kind, *_ in records(plain.directory)} == {"warcinfo", "response", "revisit"}
    foreign_check(done.directory / "warc")
    assert verified(done.directory) == verified(plain.directory) == ""


def test_a_look_up_is_archived_with_the_first_answer_that_comes(tmp_path):
    with server(silent=2) as (port, _):
        options = ("--set", "fetch.retry_wait=0.01", "--set", "politeness.backoff=0.01", "--parsers", "1")
        done = crawl(tmp_path / "c", f"http://localhost:{port}/", *options)
    assert done.status == 0, done.err
    kinds = [kind for kind, *_ in records(done.directory)]
    assert kinds[:4] == ["warcinfo", "resource", "request", "response"] and kinds.count("resource") == 1


@pytest.mark.slow
def test_each_look_up_is_archived(tmp_path):
    """Those without a request after them are not: a host may be looked up again before its turn comes."""
    with server() as (port, _):
        options = ("fetch.dns_ttl=1", "politeness.delay=0.6")
        sets = (part for each in options for part in ("--set", each))
        url = f"http://localhost:{port}/"
        done = run("crawl", url, "-d", tmp_path / "c", "--parsers", "1", "--progress", "none", *sets, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    found = records(tmp_path / "c")
    after = [kind for (before, *_), (kind, *_) in pairwise(found) if before == "resource"]
    assert len(after) > 1 and set(after) == {"request"}


@pytest.mark.slow
def test_an_archive_of_an_earlier_version_goes_on(tmp_path, capsys):
    """Its names, without requests and ids of the first record: it is read, verified, resumed and exported."""
    directory = tmp_path / "c"
    with server() as (port, _):
        url = f"http://127.0.0.1:{port}/"
        earlier = ("--set", "archive.requests=no", "--set", "archive.dns=no", "--parsers", "1", "--max-pages", "1")
        assert crawl(directory, url, *earlier).status == 3
        (path,) = (directory / "warc").iterdir()
        old = "ttcrawl-0-00000.warc.gz"
        path.rename(path.with_name(old))
        _rename(directory, path.name, old)
        assert verified(directory) == ""
        options = ("--max-pages", "0", "--set", "archive.requests=yes", "--progress", "none")
        assert run("resume", directory, *options).returncode == 0
    assert verified(directory) == ""
    names = sorted(each.name for each in (directory / "warc").iterdir())
    assert len(names) == 2 and old in names and any(re.match(r"c-\d{14}-0-00001-", name) for name in names)
    assert {file for (file,) in query(directory, "SELECT file FROM page")} == {*names}
    for form in ("cdxj", "wacz", "wet"):
        assert main(["export", str(directory), "--format", form, "-o", str(tmp_path / f"x.{form}")]) == 0
    assert main(["page", str(directory), url, "--body"]) == 0
    capsys.readouterr()


def _rename(directory: Path, before: str, after: str) -> None:
    with closing(sqlite3.connect(directory / "crawl.db")) as db:
        for table in ("archive", "page"):
            db.execute(f"UPDATE {table} SET file = ? WHERE file = ?", (after, before))
        db.commit()


@pytest.mark.slow
@pytest.mark.parametrize("lost", ["response", "request"])
def test_a_request_without_its_response_is_found_and_removed(lost, tmp_path, capsys):
    """The bytes of a member are destroyed: its length stays, so that only this record is lost."""
    with server() as (port, _):
        directory = tmp_path / "c"
        assert crawl(directory, f"http://127.0.0.1:{port}/", "--parsers", "1").status == 0
        (path,) = (directory / "warc").iterdir()
        offset, size = query(directory, "SELECT offset, size FROM page WHERE status = 301")[0]
        data = path.read_bytes()
        before = _member_before(data, offset)
        start, end = (offset, offset + size) if lost == "response" else (before, offset)
        path.write_bytes(data[: start + 20] + bytes(end - start - 20) + data[end:])
        assert main(["verify", str(directory), "--repair"]) == 1
        said = capsys.readouterr().out
        assert "repaired: archive: a damaged record" in said
        assert ("archive: a request without its response: 1" in said) == (lost == "response")
        assert verified(directory) == ""
        assert run("resume", directory, "--progress", "none").returncode == 0
    assert verified(directory) == ""
    (aside,) = (directory / "warc").glob("*.unknown")
    aside.unlink()
    foreign_check(directory / "warc")
    assert query(directory, "SELECT count(*) FROM url WHERE state = 'moved'") == [(1,)]


def _member_before(data: bytes, offset: int) -> int:
    """Where the member begins that ends at `offset`."""
    position = 0
    while True:
        _, end = member(io.BytesIO(data), position, len(data))
        if end == offset:
            return position
        position = end
