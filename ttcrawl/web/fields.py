"""Header lines of a response, and their repair for http.client, which ends the head at the first that it cannot parse.

Lines are repaired as the standard requires; a line that is not a field is dropped, as browsers do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

#: Lines that need no repair: a name without spaces, a value on one line. The bytes after them end the head.
SOUND = re.compile(rb"(?:[!-9;-~]+:[^\r\n\0]*\r?\n)*\r?\n")

#: One of them, with its name and value; its end is that of the standard.
SOUND_LINE = re.compile("^([!-9;-~]++):[ \t]*+([^\r\n\0]*+)\r\n", re.MULTILINE)

#: RFC 9112 section 5.2: a value may continue on the next line. It is read as one line, with spaces between.
FOLD = re.compile(rb"\r*\n(?=[ \t])")

#: RFC 9110 section 5.5 and RFC 9112 section 2.2: invalid in a field, or to be read as a space, like obs-fold.
INVALID_BYTES = re.compile(rb"[\r\0]")

#: RFC 9112 section 5.1: no whitespace between name and colon; proxies remove it from responses.
FIELD = re.compile(rb"([!-9;-~]+)[ \t]*(:.*)", re.DOTALL)

#: A byte that is not ASCII, in a value of ISO 8859-1.
NOT_ASCII = re.compile("[\x80-\xff]")

#: Name and value of a field that needs no repair.
MENDED = re.compile(r"([^:\r\n]+):[ \t]*([^\r\n]*)")


def mended(lines: bytes) -> bytes:
    r"""The header lines up to the empty line that ends the head, each field on one line.

    >>> mended(b"Server: one\n \n two\r\nnonsense\r\nDate : now\r\n\r\n")
    b'Server: one    two\r\nDate: now\r\n\r\n'
    """
    if SOUND.fullmatch(lines):
        return lines
    fields = (FIELD.fullmatch(INVALID_BYTES.sub(b" ", line)) for line in FOLD.sub(b" ", lines).split(b"\n"))
    # a line that starts with a space and follows no field does not match, so it is dropped (section 2.2)
    return b"".join(b"%b%b\r\n" % (field[1], field[2].rstrip(b" \t")) for field in fields if field) + b"\r\n"


def sound_fields(lines: bytes) -> list[tuple[str, str]] | None:
    r"""Names and values (ISO 8859-1) of header lines that every reader reads alike, up to the empty line that ends the
    head; None: one needs repair, or does not end with CR LF.

    >>> sound_fields(b"A: b\r\n\r\n"), sound_fields(b"A: b\n\n"), sound_fields(b"A : b\r\n\r\n")
    ([('A', 'b')], None, None)
    """
    fields: list[tuple[str, str]] = SOUND_LINE.findall(lines.decode("iso-8859-1"))
    complete = lines.endswith(b"\r\n\r\n") or lines == b"\r\n"
    return fields if complete and lines.count(b"\n") == len(fields) + 1 else None


def fields_of(lines: bytes) -> list[tuple[str, str]]:
    """Names and values (ISO 8859-1) of header lines that need no repair, up to the empty line that ends the head."""
    return MENDED.findall(lines.decode("iso-8859-1"))


def text_of(value: str) -> str:
    """A value of ISO 8859-1 for people: many servers send UTF-8."""
    try:
        return value.encode("iso-8859-1").decode()
    except UnicodeError:
        return value


def reference(value: str) -> str:
    """A value of ISO 8859-1 as a reference to a URL. Bytes that are not UTF-8 are escaped, as browsers do, so that they
    are requested as they came.

    >>> reference("/jos\xe9"), reference("/jos\xc3\xa9")
    ('/jos%E9', '/jos\xe9')
    """
    try:
        return value.encode("iso-8859-1").decode()
    except UnicodeError:
        return NOT_ASCII.sub(lambda byte: f"%{ord(byte[0]):02X}", value)


#: RFC 9112 section 7: the transfer codings. Another name changes nothing: RFC 2616 had identity for none, and servers
#: write binary, none or a charset.
TRANSFER_CODINGS = frozenset({"chunked", "compress", "deflate", "gzip", "x-compress", "x-gzip"})


def transfer_codings(transfer_encoding: Iterable[str]) -> list[str]:
    """The codings in the values of Transfer-Encoding, in lower case; the last one is on the wire.

    >>> transfer_codings(["gzip, Chunked"]), transfer_codings(["identity"])
    (['gzip', 'chunked'], [])
    """
    names = (name.partition(";")[0].strip().lower() for name in ",".join(transfer_encoding).split(","))
    return [name for name in names if name in TRANSFER_CODINGS]


def is_chunked(transfer_encoding: Iterable[str]) -> bool:
    """Whether the body comes in chunks: they are the last coding (RFC 9112 section 6.3).

    >>> is_chunked(["gzip, Chunked"]), is_chunked(["chunked, gzip"]), is_chunked([])
    (True, False, False)
    """
    return transfer_codings(transfer_encoding)[-1:] == ["chunked"]


def content_length(field: str) -> int | None:
    """The number in the values of Content-Length, joined by commas; None: none, or different ones (RFC 9112 section
    6.3). Of a long number the first 19 digits.

    >>> content_length("0042, 0042"), content_length("4, 5"), content_length("")
    (42, None, None)
    """
    if len(field) <= 18 and field.isascii() and field.isdigit():  # as most are
        return int(field)
    first, *others = (each.strip() for each in field.split(","))
    if not (first.isascii() and first.isdigit()) or set(others) - {first}:
        return None
    return int(first.lstrip("0")[:19] or "0")
