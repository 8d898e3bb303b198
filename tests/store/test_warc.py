"""The archive, checked by other people's programs; any page's exact bytes come back."""

import io
import random
import resource
import zlib
from gzip import GzipFile
from pathlib import Path

import pytest
from fastwarc.warc import ArchiveIterator, WarcRecordType
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from tests.support.crawls.other_readers import foreign_check
from ttcrawl.inspect.verify import archive as verify
from ttcrawl.ring.messages import Head, LookUp
from ttcrawl.ring.position import Position, Run
from ttcrawl.store.warc import Archive, read

HEAD = Head(
    status=200,
    phrase="OK",
    version="HTTP/1.1",
    headers=(("Content-Type", "text/html"), ("Transfer-Encoding", "chunked"), ("X-Odd", "caf\xe9")),
    address="127.0.0.1",
)


def bodies(count=40):
    rng = random.Random(count)
    return [b"", b"\r\n\r\n", b"WARC/1.1\r\n", *(rng.randbytes(rng.randrange(50_000)) for _ in range(count))]


def test_exact_bytes_come_back(tmp_path):
    archive = Archive(tmp_path, Position(series=3), 1 << 30)
    kept = [(archive.append(f"http://a.test/{n}", HEAD, body, 1e9 + n), body) for n, body in enumerate(bodies())]
    archive.close()
    for archived, body in reversed(kept):
        assert read(tmp_path, archived) == body
    foreign_check(tmp_path)


def test_positions_are_right_behind_what_a_full_disk_took(tmp_path):
    archive = Archive(tmp_path, Position(series=0), 1 << 30)
    first = archive.append("http://a.test/", HEAD, b"one", 1e9)
    (path,) = tmp_path.iterdir()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 100, hard))
    try:
        with pytest.raises(OSError) as caught:
            archive.append("http://a.test/", HEAD, b"torn", 1e9)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert caught.value.filename == str(path)
    assert path.stat().st_size == first.offset + first.length + 100
    assert read(tmp_path, archive.append("http://a.test/", HEAD, b"two", 1e9)) == b"two"


def test_the_records_say_where_when_and_what(tmp_path):
    archive = Archive(tmp_path, Position(series=0), 1 << 30)
    archive.append("http://a.test/x?y=1", HEAD, b"page", 1_000_000_000.25)
    archive.append("http://a.test/large", HEAD, b"", 1_000_000_001, truncated="length")
    archive.close()
    (path,) = tmp_path.iterdir()
    information, page, large = ArchiveIterator(io.BytesIO(path.read_bytes()))
    assert information.record_type == WarcRecordType.warcinfo
    assert page.headers["WARC-Target-URI"] == "http://a.test/x?y=1"
    assert page.headers["WARC-Date"] == "2001-09-09T01:46:40.250000Z"
    assert page.headers["WARC-IP-Address"] == "127.0.0.1"
    assert large.headers["WARC-Truncated"] == "length"


def test_heads_that_are_not_ascii(tmp_path):
    head = Head(
        status=404,
        phrase="P\xe1gina n\xe3o \x80",
        version="HTTP/1.1",
        headers=(("X-A", "caf\xe9=\xe9;q=\xff"), ("Link", "<\xe9>; title=\xe9")),
        address="",
    )
    archive = Archive(tmp_path, Position(series=0), 1 << 30)
    kept = archive.append("http://a.test/", head, b"body", 1e9)
    archive.close()
    assert read(tmp_path, kept) == b"body"
    foreign_check(tmp_path)


#: Values and names that end a line, or a head, for one reader or another.
BREAKS = (
    "\n",
    "\r",
    "\r\n",
    "\n \n",
    "\r\n\r\n",
    "\0",
    "\x0b",
    "\x1c",
    "\x85",
    "\u2028",
    "\t",
    " ",
    ":",
    "",
    "a",
    "WARC/1.1",
)
TEXTS = st.lists(st.one_of(st.sampled_from(BREAKS), st.characters(), st.characters(categories=["Cs"])), max_size=6)
TEXTS = TEXTS.map("".join)


@pytest.mark.slow
@settings(max_examples=100, derandomize=True, deadline=None)
@given(headers=st.lists(st.tuples(TEXTS, TEXTS), max_size=3), phrase=TEXTS)
def test_whatever_is_in_a_head_the_record_is_sound(tmp_path_factory, headers, phrase):
    """Each of its fields is one line that others read too, and behind the head comes the body."""
    head = Head(status=200, phrase=phrase, version="HTTP/1.1", headers=(*headers, ("Last", "one")), address="")
    directory = tmp_path_factory.mktemp("warc")
    archive = Archive(directory, Position(series=0), 1 << 30)
    kept = archive.append("http://a.test/", head, b"\r\nbody", 1e9)
    archive.close()
    assert read(directory, kept) == b"\r\nbody"
    data = (directory / kept.file).read_bytes()[kept.offset :]
    sound = verify.parse(zlib.decompress(data, 31))
    assert sound is not None and sound.sound and sound.status == "200"
    (record,) = ArchiveIterator(io.BytesIO(data), verify_digests=True)
    assert [name for name, _ in record.http_headers][-1] == "Last" and len(list(record.http_headers)) == len(
        headers
    ) + 1
    assert record.reader.read() == b"\r\nbody"


def test_a_new_file_when_one_is_full(tmp_path):
    archive = Archive(tmp_path, Position(series=0), 100_000)
    kept = [(archive.append("http://a.test/", HEAD, body, 1e9), body) for body in bodies()]
    archive.close()
    assert len({archived.file for archived, _ in kept}) > 2
    assert all(read(tmp_path, archived) == body for archived, body in kept)
    foreign_check(tmp_path)


def test_a_file_of_another_program_under_the_next_name_is_left_alone(tmp_path):
    first = Position(series=0, run=Run(id="urn:uuid:1"))
    (tmp_path / first.file).write_bytes(b"of another program")
    (tmp_path / first.next_file().file).symlink_to(tmp_path / "nowhere")
    archive = Archive(tmp_path, first, 1 << 30)
    kept = archive.append("http://a.test/", HEAD, b"body", 1e9)
    archive.close()
    assert kept.file == first.next_file().next_file().file and read(tmp_path, kept) == b"body"
    assert (tmp_path / first.file).read_bytes() == b"of another program" and not (tmp_path / "nowhere").exists()


def test_records_name_the_first_record_of_their_file_after_the_process_was_replaced(tmp_path):
    head = structs.replace(
        HEAD, request=b"GET / HTTP/1.1\r\nHost: a.test\r\n\r\n", tls="tls/1.3", cipher="TLS_AES_128_GCM_SHA256"
    )
    look_up = LookUp(host="a.test", addresses=("192.0.2.1", "2001:db8::1"), moment=1e9)
    position = Position(series=0, run=Run(id="urn:uuid:1", information=tuple(("seed", "x" * 500) for _ in range(1000))))
    for number in range(3):
        archive = Archive(tmp_path, position, 1 << 30)
        kept = archive.append("http://a.test/", head, b"body", 1e9 + number, look_up=look_up)
        archive.close()  # as a kill after the outcome was received does
        position = position.after(kept)
    (path,) = tmp_path.iterdir()
    first, *others = ArchiveIterator(io.BytesIO(path.read_bytes()))
    kinds = [WarcRecordType.resource, WarcRecordType.request, WarcRecordType.response]
    assert [each.record_type for each in others] == kinds * 3
    assert {each.headers["WARC-Warcinfo-ID"] for each in others} == {first.headers["WARC-Record-ID"]}
    assert others[1].headers["WARC-Concurrent-To"] == others[2].headers["WARC-Record-ID"]
    assert {(each.headers.get("WARC-Protocol"), each.headers.get("WARC-Cipher-Suite")) for each in others} == {
        (None, None),
        ("tls/1.3", "TLS_AES_128_GCM_SHA256"),
    }
    with GzipFile(path) as file:
        assert b"20010909014640\na.test.\tIN\tA\t192.0.2.1\na.test.\tIN\tAAAA\t2001:db8::1\n\r\n\r\n" in file.read()
    foreign_check(tmp_path)


@pytest.mark.parametrize("torn", [1, 100, 5000])
def test_going_on_cuts_what_is_not_known(tmp_path, torn):
    archive = Archive(tmp_path, Position(series=0), 1 << 30)
    known = archive.append("http://a.test/known", HEAD, b"known" * 1000, 1e9)
    archive.close()
    path = tmp_path / known.file
    with open(path, "ab") as file:
        file.write(random.Random(torn).randbytes(torn))
    archive = Archive(tmp_path, Position(series=0, end=known.offset + known.length), 1 << 30)
    more = archive.append("http://a.test/more", HEAD, b"more", 1e9)
    archive.close()
    assert read(tmp_path, known) == b"known" * 1000 and read(tmp_path, more) == b"more"
    foreign_check(Path(tmp_path))
