"""Status lines as servers write them."""

import pytest

from ttcrawl.web.status_line import status_line

#: A line -> version, status and phrase; None: it is no status line.
LINES = {
    b"HTTP/1.1 200 OK": ("HTTP/1.1", 200, "OK"),
    b"HTTP/1.0 404": ("HTTP/1.0", 404, ""),
    b"HTTP/1.1 200 ": ("HTTP/1.1", 200, ""),
    b"HTTP/1.1 200 a: b  c": ("HTTP/1.1", 200, "a: b  c"),
    b"HTTP/1.1 200 Gr\xfc\xdfe": ("HTTP/1.1", 200, "Gr\xfc\xdfe"),
    # RFC 9112 section 4: any form of white space, preceding and trailing white space
    b"HTTP/1.1  200  OK ": ("HTTP/1.1", 200, "OK"),
    b"HTTP/1.1\t200\tOK\t": ("HTTP/1.1", 200, "OK"),
    b"HTTP/1.1\v200\fOK": ("HTTP/1.1", 200, "OK"),
    b"HTTP/1.1 200\r OK\r": ("HTTP/1.1", 200, "OK"),
    b" \r HTTP/1.1 200 OK": ("HTTP/1.1", 200, "OK"),
    # other names and versions
    b"http/1.1 200 ok": ("HTTP/1.1", 200, "ok"),
    b"HTTP/0.9 200 OK": ("HTTP/1.0", 200, "OK"),
    b"HTTP/1 200 OK": ("HTTP/1.0", 200, "OK"),
    b"HTTP/1.12 200 OK": ("HTTP/1.1", 200, "OK"),
    b"HTTP/2 200": ("HTTP/1.1", 200, ""),
    b"HTTP/2.0 200 OK": ("HTTP/1.1", 200, "OK"),
    b"ICY 200 OK": ("HTTP/1.0", 200, "OK"),
    # other numbers
    b"HTTP/1.1 200OK": ("HTTP/1.1", 200, "OK"),
    b"HTTP/1.1 999 No": ("HTTP/1.1", 999, "No"),
    **dict.fromkeys((b"", b"HTTP/1.1", b"HTTP/1.1 ", b"HTTP/1.1200 OK", b"HTTP/ 200 OK", b"HTTP/x 200 OK"), None),
    **dict.fromkeys((b"HTTP 200 OK", b"HTTPS/1.1 200 OK", b"SSH-2.0-x", b"ICYL 200", b"<html>"), None),
    **dict.fromkeys(
        (b"HTTP/1.1 2000 OK", b"HTTP/1.1 20 OK", b"HTTP/1.1 099 x", b"HTTP/1.1 -200 x", b"HTTP/1.1 0200 x"), None
    ),
    **dict.fromkeys(("HTTP/1.1 \u0662\u0660\u0660 OK".encode(), b"HTTP/1.1 20\xb2 OK", b"HTTP/1.1 2_00"), None),
}


@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n"])
@pytest.mark.parametrize(("line", "parts"), LINES.items(), ids=map(repr, LINES))
def test_lines(line, end, parts):
    read = status_line(line + end)
    assert (None if read is None else (read.version, read.status, read.phrase)) == parts


@pytest.mark.parametrize(
    ("line", "sound"),
    [
        (b"HTTP/1.1 200 OK", True),
        (b"HTTP/1.0 404 ", True),
        (b"HTTP/1.1 200", True),
        (b"HTTP/1.1 200 Gr\xfc\xdfe", True),
        (b"HTTP/1.1  200 OK", False),
        (b"HTTP/1.1 200\tOK", False),
        (b"HTTP/1.1 200 O\rK", False),
        (b"HTTP/1.1 0200 OK", False),
        (b"http/1.1 200 OK", False),
        (b"HTTP/2 200 OK", False),
    ],
)
def test_what_every_reader_reads_alike_is_archived_as_it_came(line, sound):
    read, in_part = status_line(line + b"\r\n"), status_line(line + b"\n")
    assert (read is not None and read.sound) is sound
    assert in_part is None or not in_part.sound


@pytest.mark.parametrize(
    ("line", "interim"),
    [(b"HTTP/1.1 100", True), (b"HTTP/1.1  103\tx", True), (b"HTTP/1.1 101 x", False), (b"HTTP/1.1 200", False)],
)
def test_interim(line, interim):
    assert status_line(line).interim is interim
