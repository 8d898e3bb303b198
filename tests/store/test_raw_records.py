"""Records as fields and a block: what is none, and fields that other programs have written."""

import pytest

from ttcrawl.store.raw_records import raw_record


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n\n",
        b"\r\n\r\n",
        b"WARC/1.1\r\n\r\n",
        "WARC/1.1\r\nContent-Length: ²\r\n\r\n".encode(),
        b"WARC/1.1\r\nContent-Length: " + b"9" * 5000 + b"\r\n\r\n",
        b"WARC/1.1\r\nContent-Length: 4\r\n\r\nabc",
    ],
    ids=["empty", "empty lines", "empty head", "no length", "no digit", "too many digits", "too short"],
)
def test_what_is_no_record(data):
    assert raw_record(data) is None


@pytest.mark.parametrize("end", ["\r\n", "\n"])
def test_characters_that_end_lines_in_python_alone_stay_in_a_field(end):
    url = "http://a.test/\x85b\u2028c\x0bd\x0ce\x1cf"
    head = end.join(("WARC/1.1", f"WARC-Target-URI: {url}", "Content-Length: 3"))
    record = raw_record(f"{head}{end}{end}abc{end}{end}".encode())
    assert record.fields == (("WARC-Target-URI", url), ("Content-Length", "3")) and record.block == b"abc"
