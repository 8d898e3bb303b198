"""Records are, byte for byte, those of warcio's own writer but for their random id; warcio and fastwarc read them."""

import io
import itertools
import re
import uuid
from datetime import UTC, datetime

import pytest
from fastwarc.warc import ArchiveIterator as FastIterator
from hypothesis import given, settings
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from ttcrawl.ring.messages import Head, IdenticalBody
from ttcrawl.store.warc_records import date, exchange, information, labelled_sha1, new_id, request, response, revisit

URL, MOMENT, DATE = "http://a.test/x?y=1", 1_000_000_000.25, "2001-09-09T01:46:40.250000Z"
BODIES = (b"", b"page", b"\r\n\r\n", b"WARC/1.1\r\n", b"\0\xff" * 40_000)
INFORMATION_ID = "<urn:uuid:3b1c4ae1-9d2b-4c9c-8a53-000000000000>"
SENT = b"GET /x?y=1 HTTP/1.1\r\nHost: a.test\r\n\r\n"
IDENTICAL = IdenticalBody(id=1, payload=1, url="http://a.test/first", moment=MOMENT - 60, same=False)


def head(*headers, status=200, phrase="OK", version="HTTP/1.1", address="127.0.0.1", **tls):
    return Head(status=status, phrase=phrase, version=version, headers=headers, address=address, **tls)


#: Heads, and their lines in the archive.
HEADS = {
    "usual": (
        head(("Content-Type", "text/html"), ("Server", "x")),
        "HTTP/1.1 200 OK|Content-Type: text/html|Server: x",
    ),
    "nothing": (head(), "HTTP/1.1 200 OK"),
    "no phrase": (head(phrase="", version="HTTP/1.0"), "HTTP/1.0 200 "),
    "no address": (head(("A", "b"), address=""), "HTTP/1.1 200 OK|A: b"),
    "TLS": (head(tls="tls/1.3", cipher="TLS_AES_256_GCM_SHA384"), "HTTP/1.1 200 OK"),
    "IPv6": (head(address="2001:db8::1"), "HTTP/1.1 200 OK"),
    "framing": (
        head(("TRANSFER-Encoding", "chunked"), ("X", "y")),
        "HTTP/1.1 200 OK|X-Archive-Orig-TRANSFER-Encoding: chunked|X: y",
    ),
    "same twice": (head(("Set-Cookie", "a"), ("Set-Cookie", "b")), "HTTP/1.1 200 OK|Set-Cookie: a|Set-Cookie: b"),
    "empty value": (head(("X", "")), "HTTP/1.1 200 OK|X: "),
    "empty name": (head(("", "x")), "HTTP/1.1 200 OK|%: x"),
    "odd name": (head(("a b:c\n", "x")), "HTTP/1.1 200 OK|a%20b%3Ac%0A: x"),
    "token": (head(("!#$&'*+-.^_`|~", "x")), "HTTP/1.1 200 OK|!#$&'*+-.^_`|~: x"),
    "latin-1": (
        head(("X", "caf\xe9=\xe9;q=\xff"), status=404, phrase="P\xe1gina \x80"),
        "HTTP/1.1 404 P%E1gina %80|X: caf%E9=%E9;q=%FF",
    ),
    "line ends": (head(("X", "a\r\n b\n\1c\td")), "HTTP/1.1 200 OK|X: a%0D%0A b%0A%01c\td"),
    "percent": (head(("X", "100%\x7f")), "HTTP/1.1 200 OK|X: 100%%7F"),
    "fields of the record": (
        head(("WARC-Type", "x"), ("Content-Length", "9")),
        "HTTP/1.1 200 OK|WARC-Type: x|Content-Length: 9",
    ),
}


def lines(text):
    """A head as warcio's writer takes it."""
    status, *fields = text.split("|") if "^_`|~" not in text else (text.split("|", 1)[0], text.split("|", 1)[1])
    version, status = status.split(" ", 1)
    return StatusAndHeaders(status, [tuple(field.split(": ", 1)) for field in fields], protocol=version)


def without_id(record):
    record, found = re.subn(rb"(?m)^WARC-Record-ID: <urn:uuid:[0-9a-f-]{36}>\r$", b"", record, count=1)
    assert found == 1
    return record


def by_warcio(kind, url, answer, text, body, truncated=""):
    out = io.BytesIO()
    writer = WARCWriter(out, gzip=False, warc_version="1.1")
    about = {"WARC-Date": DATE} | ({"WARC-IP-Address": answer.address} if answer.address else {})
    about |= {"WARC-Protocol": answer.tls, "WARC-Cipher-Suite": answer.cipher} if answer.tls else {}
    about |= {"WARC-Warcinfo-ID": INFORMATION_ID}
    about |= {"WARC-Truncated": truncated} if truncated else {}
    if kind == "response":
        payload = {"payload": io.BytesIO(body), "length": len(body)}
        record = writer.create_warc_record(url, kind, warc_headers_dict=about, http_headers=lines(text), **payload)
    else:
        record = writer.create_revisit_record(
            *(url, labelled_sha1(body), IDENTICAL.url, "2001-09-09T01:45:40.250000Z"),
            http_headers=lines(text),
            warc_headers_dict=about,
        )
    writer.write_record(record)
    return out.getvalue()


def test_ids_are_random_uuids():
    ids = {new_id() for _ in range(100)}
    assert len(ids) == 100
    for id in ids:
        number = uuid.UUID(id.removeprefix("<urn:uuid:").removesuffix(">"))
        assert f"<{number.urn}>" == id and number.version == 4 and number.variant == uuid.RFC_4122


def test_digests_are_the_same_in_both_readers(reader):
    assert labelled_sha1(b"abc") == "sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5"


@pytest.mark.parametrize("name", HEADS)
def test_the_bytes_are_those_of_warcio(name, reader):
    answer, text = HEADS[name]
    about = exchange(answer, MOMENT, INFORMATION_ID)
    for body, truncated in itertools.product(BODIES, ("", "length", "time")):
        ours = response(URL, answer, body, about, new_id(), truncated)
        assert without_id(ours) == without_id(by_warcio("response", URL, answer, text, body, truncated))
    for body in BODIES:
        ours = revisit(URL, answer, body, about, new_id(), IDENTICAL)
        assert without_id(ours) == without_id(by_warcio("revisit", URL, answer, text, body, "length"))


def test_the_information_is_that_of_warcio():
    about = {"software": "ttcrawl/1", "format": "WARC File Format 1.1", "isPartOf": "run"}
    out = io.BytesIO()
    writer = WARCWriter(out, gzip=False, warc_version="1.1")
    writer.write_record(writer.create_warcinfo_record("x.warc.gz", about))
    theirs = re.sub(rb"WARC-Date: [^\r]+", b"WARC-Date: " + DATE.encode(), out.getvalue())
    assert without_id(information("x.warc.gz", MOMENT, new_id(), about.items())) == without_id(theirs)


def test_a_request_is_that_of_warcio():
    """But for WARC-Payload-Digest: a GET has no payload."""
    answer, id = head(), new_id()
    about = {"WARC-Date": DATE, "WARC-IP-Address": answer.address, "WARC-Warcinfo-ID": INFORMATION_ID}
    out, lines = io.BytesIO(), StatusAndHeaders("GET /x?y=1 HTTP/1.1", [("Host", "a.test")], is_http_request=True)
    writer = WARCWriter(out, gzip=False, warc_version="1.1")
    about["WARC-Concurrent-To"] = id
    writer.write_record(writer.create_warc_record(URL, "request", warc_headers_dict=about, http_headers=lines))
    theirs = re.sub(rb"WARC-Payload-Digest: [^\r]+\r\n", b"", out.getvalue())
    ours = request(URL, SENT, exchange(answer, MOMENT, INFORMATION_ID), new_id(), id)
    assert without_id(ours) == without_id(theirs)


def test_every_id_differs():
    assert len({new_id() for _ in range(100)}) == 100


@pytest.mark.slow
@settings(max_examples=200, derandomize=True, deadline=None)
@given(
    headers=st.lists(st.tuples(st.text(max_size=20), st.text(max_size=20)), max_size=4),
    phrase=st.text(max_size=10),
    body=st.binary(max_size=100),
)
def test_others_read_whatever_is_in_a_head(headers, phrase, body):
    answer = head(*headers, phrase=phrase)
    record = response(URL, answer, body, exchange(answer, MOMENT), new_id())
    (theirs,) = FastIterator(io.BytesIO(record), verify_digests=True)
    assert theirs.reader.read() == body and len(list(theirs.http_headers)) == len(headers)
    names = [f"X-Archive-Orig-{name}" if name.lower() == "transfer-encoding" else name for name, _ in headers]
    plain = [name for name in names if re.fullmatch("[A-Za-z0-9-]+", name)]
    for read in ArchiveIterator(io.BytesIO(record), check_digests="raise"):
        assert read.rec_headers.get_header("WARC-Target-URI") == URL
        assert [name for name, _ in read.http_headers.headers if name in plain] == plain
        assert read.raw_stream.read() == body


@pytest.mark.parametrize(
    "at", [0.0, 0.9999996, 1.5e-6, 2.5e-6, 1764437612.0, 1764437612.1234565, 1764437612.9999999, -0.25, 4e9 + 0.5]
)
def test_dates_have_microseconds(at):
    assert date(at) == f"{datetime.fromtimestamp(at, UTC).replace(tzinfo=None).isoformat(timespec='microseconds')}Z"
