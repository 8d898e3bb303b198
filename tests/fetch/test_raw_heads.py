"""The head of a response is archived byte for byte, over each transport, unless a reader could not read it."""

import fastwarc.warc as fastwarc
import pytest
from warcio.archiveiterator import ArchiveIterator

import ttcrawl
from tests.fetch.transports import chosen
from tests.support.cases import one_in
from tests.support.crawls.crawling import crawl, verified
from tests.support.web.site import Answer, Web, page

pytestmark = pytest.mark.usefixtures("transports")

START = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
LENGTH = b"Content-Length: 4\r\n"

#: What is sent -> what is archived; None: the same.
HEADS = {
    "letter case and order": (START + LENGTH + b"set-cookie: a=1\r\nX-A: 1\r\nSET-COOKIE: b=2\r\n\r\n", None),
    "spaces": (START + LENGTH + b"X-A:1\r\nX-B:   2  \r\nX-C:\r\n\r\n", None),
    "UTF-8 and Latin-1": (START + LENGTH + "X-A: Grüße 100%C3%BC\r\n".encode() + b"X-B: Gr\xfc\xdfe\r\n\r\n", None),
    "a control character": (START + LENGTH + b"X-A: a\x01b\r\n\r\n", None),
    "no phrase": (b"HTTP/1.1 200\r\nContent-Type: text/html\r\n" + LENGTH + b"\r\n", None),
    "an odd phrase": (b"HTTP/1.0 200 Fine \xe9\r\nContent-Type: text/html\r\n" + LENGTH + b"\r\n", None),
    "chunks": (
        START + b"transfer-encoding: Chunked\r\nX-A: transfer-encoding: chunked\r\n\r\n",
        START + b"X-Archive-Orig-transfer-encoding: Chunked\r\nX-A: transfer-encoding: chunked\r\n\r\n",
    ),
    "a line that is no field": (START + LENGTH + b"nonsense\r\nX-A: 1\r\n\r\n", START + LENGTH + b"X-A: 1\r\n\r\n"),
    "LF alone": (START + LENGTH + b"X-A: 1\n\r\n", START + LENGTH + b"X-A: 1\r\n\r\n"),
}


@pytest.mark.parametrize(("sent", "kept"), one_in(2, HEADS.values()), ids=HEADS)
def test_a_head_as_it_came(tmp_path, sent, kept):
    body = b"4\r\nbody\r\n0\r\n\r\n" if b"hunked\r\n" in sent else b"body"
    with Web({("a.test", "/"): Answer(fate="raw", body=sent + body)}) as web:
        url = web.url("a.test", "/")
        done = crawl(web, url, tmp_path / "crawl", chosen())
    assert done.status == 0, done.err
    (file,) = (done.directory / "warc").iterdir()
    with file.open("rb") as archive:
        blocks = [
            record.raw_stream.read()
            for record in ArchiveIterator(archive, no_record_parse=True)
            if record.rec_type == "response" and record.rec_headers.get_header("WARC-Target-URI") == url
        ]
    assert blocks == [(kept or sent) + b"body"]
    assert verified(done.directory) == ""


#: First lines that not every reader of archives reads.
ODD = (
    *(b"HTTP/1.1  200 OK", b"HTTP/1.1 200\tOK", b"HTTP/1.1\t200 OK", b"HTTP/1.1 200\r OK", b"http/1.1 200 OK"),
    *(b"HTTP/1.7 200 OK", b"HTTP/2 200 OK", b"HTTP/1.1 200OK", b"\r\nHTTP/1.1 200 OK", b" HTTP/1.1 200 OK"),
    b"HTTP/1.1  103 Early\r\n\r\nHTTP/1.1\t200 OK",
)


def test_an_odd_status_line_is_archived_as_all_read_it(tmp_path):
    rest, body = b"\r\n" + START.partition(b"\r\n")[2] + b"Connection: close\r\nX-A: \xe9\r\n", b"<p>%d</p>"
    pages = {
        ("a.test", f"/{n}"): Answer(fate="raw", body=line + rest + b"Content-Length: 9\r\n\r\n" + body % n)
        for n, line in enumerate(ODD, 10)
    }
    pages["a.test", "/"] = Answer(body=page(*(path for _, path in pages)))
    with Web(pages) as web:
        urls = {web.url("a.test", f"/{n}"): body % n for n in range(10, 10 + len(ODD))}
        done = crawl(web, web.url("a.test", "/"), tmp_path / "crawl", chosen(), "--no-obey-delay")
    assert done.status == 0, done.err
    assert verified(done.directory) == ""
    crawled = ttcrawl.open(done.directory)
    assert {url: crawled.response(url).body for url in urls} == urls
    for iterator, status in ((ArchiveIterator, by_warcio), (fastwarc.ArchiveIterator, by_fastwarc)):
        read = {}
        for file in (done.directory / "warc").iterdir():
            with file.open("rb") as archive:
                read |= dict(filter(None, map(status, iterator(archive))))
        assert {url: read[url] for url in urls} == {url: (200, body) for url, body in urls.items()}


def by_warcio(record):
    if record.rec_type != "response":
        return None
    url = record.rec_headers.get_header("WARC-Target-URI")
    return url, (int(record.http_headers.get_statuscode()), record.raw_stream.read())


def by_fastwarc(record):
    if not record.is_http or record.record_type != fastwarc.WarcRecordType.response:
        return None
    return record.headers["WARC-Target-URI"], (record.http_headers.status_code, record.reader.read())


def test_values_are_those_that_came(tmp_path):
    """They are read from the archive as they were when they came: as ISO 8859-1, whatever a value looks like."""
    head = START + LENGTH + "X-A: ü\r\n".encode() + b"X-B: \xfc\r\nX-B: 2\r\n\r\n"
    with Web({("a.test", "/"): Answer(fate="raw", body=head + b"body")}) as web:
        url = web.url("a.test", "/")
        assert crawl(web, url, tmp_path / "crawl", chosen()).status == 0
    headers = ttcrawl.open(tmp_path / "crawl").response(url).headers
    assert headers[2:] == (("X-A", "\xc3\xbc"), ("X-B", "\xfc"), ("X-B", "2"))
