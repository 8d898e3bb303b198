"""What is packed anew of files that are not as their formats say."""

import gzip
import io
import json
import struct
import sys
import zipfile

import pytest
from warcio.archiveiterator import ArchiveIterator

from tests.archives.writing import HOST, three_pages
from ttcrawl.archives import streams
from ttcrawl.archives.arc import pack_arc
from ttcrawl.archives.har import pack_har
from ttcrawl.archives.header import moment
from ttcrawl.archives.packer import Packer
from ttcrawl.archives.scrapy_cache import pack_cache
from ttcrawl.archives.streams import pack_warc, zstd_pieces
from ttcrawl.archives.wacz import pack_wacz

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

DAY = "2020-01-02T03:04:05Z"


def packed(pack, path, *more, **named):
    """The records that are packed, as (type, URL, body, headers), and what is said to be wrong."""
    out, wrong = io.BytesIO(), []
    pack(path, Packer(out), lambda at, what: wrong.append((at, what)), *more, **named)
    out.seek(0)
    records = []
    for each in ArchiveIterator(out):
        header = each.rec_headers.get_header
        records.append((each.rec_type, header("WARC-Target-URI"), each.content_stream().read(), each.rec_headers))
    return records, wrong


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (DAY, 1577934245.0),
        ("2020-01-02T03:04:05.25+01:00", 1577930645.25),
        ("2020-01-02T03:04Z", 1577934240.0),  # WARC 1.1 section 5.4: any precision of W3CDTF
        ("2020-01-02", 1577923200.0),
        ("2020-01", 1577836800.0),
        ("2020", 1577836800.0),
        ("20200102030405", 1577934245.0),
        ("2020-13-02", None),
        ("20", None),
        ("٢٠٢٠", None),
    ],
)
def test_dates_of_any_precision(text, expected):
    assert moment(text) == expected


def arc(path, *records):
    path.write_bytes(b"\n".join(records))
    return packed(pack_arc, path, packed=False)


def test_the_head_of_an_arc_record_ends_at_its_first_empty_line(tmp_path):
    """Old programs ended lines with LF alone; the page may have CRLF."""
    block = b"HTTP/1.0 200 OK\nContent-Type: text/html\n\n<p>one\r\n\r\n<p>two"
    ((kind, url, body, _),), wrong = arc(
        tmp_path / "a.arc", b"%b/ 192.0.2.1 20200102030405 text/html %d" % (HOST.encode(), len(block)), block
    )
    assert (kind, url, body, wrong) == ("response", f"{HOST}/", b"<p>one\r\n\r\n<p>two", [])


@pytest.mark.parametrize(
    "line",
    [
        b"http://a.test/ 192.0.2.1 20200102030405 text/html " + b"9" * 5000,
        b"http://a.test/ 192.0.2.1 2020 text/html 10",
        b"no line of a record",
    ],
    ids=["length", "date", "text"],
)
def test_what_is_no_record_of_an_arc_file_is_told(tmp_path, line):
    assert arc(tmp_path / "a.arc", line) == ([], [(0, "bytes that are not a record")])


def entry(**changed):
    url = f"{HOST}/"
    response = {"status": 200, "headers": [], "content": {"text": "words", "mimeType": "text/html"}}
    response |= changed.pop("response", {})
    return {"startedDateTime": DAY, "request": {"url": url}, "response": response} | changed


HARS = {
    "entries are null": ({"entries": None}, [], [(0, "no HAR file")]),
    "the creator is a text": ({"creator": "x", "entries": [entry()]}, ["warcinfo", "request", "response"], []),
    "a status without end": (
        {"entries": [entry(response={"status": float("inf")}), entry()]},
        ["warcinfo", "request", "response"],
        [(0, "no answer in an entry")],
    ),
    "a date without end": (
        {"entries": [entry(startedDateTime="9999-12-31T23:59:59-12:00")]},
        ["warcinfo"],
        [(0, "no answer in an entry")],
    ),
}


@pytest.mark.parametrize("name", HARS)
def test_a_har_file_of_other_types_and_numbers(tmp_path, name):
    log, kinds, expected = HARS[name]
    (tmp_path / "a.har").write_text(json.dumps({"log": log}))
    records, wrong = packed(pack_har, tmp_path / "a.har")
    assert ([kind for kind, *_ in records], wrong) == (kinds, expected)


@pytest.mark.parametrize(
    ("address", "field"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("[2001:db8::1]", "2001:db8::1"),
        ("192.0.2.1\r\nWARC-Type: request", None),
        ("fe80::1%x\r\nWARC-Type: request", None),
        ("a.test", None),
    ],
)
def test_an_address_is_one_or_left_out(tmp_path, address, field):
    (tmp_path / "a.har").write_text(json.dumps({"log": {"entries": [entry(serverIPAddress=address)]}}))
    records, _ = packed(pack_har, tmp_path / "a.har")
    headers = records[-1][3]
    assert headers.get_header("WARC-IP-Address") == field
    assert [value for name, value in headers.headers if name == "WARC-Type"] == ["response"]


def test_a_number_without_end_in_the_cache_of_scrapy(tmp_path):
    files = {"meta": b"{'response_url': 'http://a.test/', 'status': 1e999, 'timestamp': 1.0}", "pickled_meta": b""}
    for name, data in (files | dict.fromkeys(("response_headers", "response_body"), b"")).items():
        (tmp_path / name).write_bytes(data)
    assert packed(pack_cache, tmp_path) == ([], [(0, "no metadata of a response")])


def zipped(path, *names):
    """A WACZ file with the same archive under these names; `!` before one: it is marked as encrypted."""
    with zipfile.ZipFile(path, "w") as file:
        for name in names:
            file.writestr(f"archive/{name.strip('!')}", three_pages(path).bytes())
    data = bytearray(path.read_bytes())
    for name in (name.strip("!").encode() for name in names if name.startswith("!")):
        local, central = data.find(b"archive/" + name), data.rfind(b"archive/" + name)
        data[local - 24] |= 1
        data[central - 38] |= 1
    path.write_bytes(data)


@pytest.mark.parametrize("names", [("!a.warc.gz", "b.warc.gz"), ("b.warc.gz", "!a.warc.gz")])
def test_an_archive_that_cannot_be_opened_is_told_and_no_other_is_read_for_it(tmp_path, names):
    zipped(tmp_path / "a.wacz", *names)
    records, wrong = packed(pack_wacz, tmp_path / "a.wacz")
    assert len(records) == 6 and len(wrong) == 1
    assert wrong[0][1].startswith("archive/a.warc.gz: ") and "encrypted" in wrong[0][1]


def test_a_name_that_is_no_text(tmp_path):
    zipped(tmp_path / "a.wacz", "é.warc.gz")
    data = (tmp_path / "a.wacz").read_bytes()
    (tmp_path / "a.wacz").write_bytes(data.replace("é".encode(), b"\xc3\x28"))
    records, ((position, what),) = packed(pack_wacz, tmp_path / "a.wacz")
    assert (records, position) == ([], 0) and "utf-8" in what


def skippable(data):
    return streams.SKIPPABLE + struct.pack("<I", len(data)) + data


def test_a_dictionary_that_is_none(tmp_path):
    (tmp_path / "a.warc.zst").write_bytes(skippable(b"") + zstd.compress(b"WARC/1.0\r\n"))
    records, ((_, what),) = packed(pack_warc, tmp_path / "a.warc.zst", zstd_pieces)
    assert records == [] and what.startswith("the rest cannot be unpacked: ")


def test_a_dictionary_is_unpacked_up_to_a_limit(tmp_path):
    """What is behind the limit is not in memory: the records are packed with what is before it."""
    small = zstd.train_dict([b"a record of the page %d " % number * 3 for number in range(999)], 2_000).dict_content
    warc = gzip.decompress(three_pages(tmp_path / "a.warc.gz").bytes())
    content = small.ljust(streams.DICTIONARY - len(warc), b"\0") + warc
    frame = zstd.compress(warc, zstd_dict=zstd.ZstdDict(content))
    (tmp_path / "a.warc.zst").write_bytes(skippable(zstd.compress(content + bytes(1 << 20))) + frame)
    records, wrong = packed(pack_warc, tmp_path / "a.warc.zst", zstd_pieces)
    assert (len(records), wrong) == (6, [])
