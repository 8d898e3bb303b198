"""The header lines of a response made fit for http.client, which ends the head at the first line it does not know.

What is wrong with a line is mended as the standard says; a line that is no field is left out, as browsers leave it out.
"""

from __future__ import annotations

import re

#: Lines of which none needs mending: a name without spaces, a value of one line. What follows ends the head.
SOUND = re.compile(rb"(?:[!-9;-~]+:[^\r\n\0]*\r?\n)*\r?\n")

#: RFC 9112 section 5.2: a value may go on in the next line. It is to be read as one line, with spaces between.
FOLD = re.compile(rb"\r*\n(?=[ \t])")

#: RFC 9110 section 5.5 and RFC 9112 section 2.2: invalid in a field, or to be read as a space. As obs-fold is.
NO_PART = re.compile(rb"[\r\0]")

#: RFC 9112 section 5.1: no whitespace between name and colon; where a server sends some, proxies take it away.
FIELD = re.compile(rb"([!-9;-~]+)[ \t]*(:.*)", re.DOTALL)


def mended(lines: bytes) -> bytes:
    r"""The header lines up to the empty one that ends the head, each a field on one line.

    >>> mended(b"Server: one\n \n two\r\nnonsense\r\nDate : now\r\n\r\n")
    b'Server: one    two\r\nDate: now\r\n\r\n'
    """
    if SOUND.fullmatch(lines):
        return lines
    fields = (FIELD.fullmatch(NO_PART.sub(b" ", line)) for line in FOLD.sub(b" ", lines).split(b"\n"))
    # a line that begins with a space and follows no field matches nothing, so it is left out (section 2.2)
    return b"".join(b"%b%b\r\n" % (field[1], field[2].rstrip(b" \t")) for field in fields if field) + b"\r\n"
