"""The query of a URL in the encoding of its document: the one part of a URL that is not always UTF-8."""

from __future__ import annotations

import re
from urllib.parse import quote_plus

from ttcrawl.web.charset.detect import UTF8
from ttcrawl.web.charset.encoding import encode, output_encoding
from ttcrawl.web.url import DROPPED

#: A character that the encoding lacks. Its & and its # are data.
_LACKED = re.compile(rb"&#([0-9]+);")
#: The URL parser encodes all other bytes itself. In ISO-2022-JP a # is part of characters.
_ENCODED = re.compile(rb"[#\x80-\xff]")


def with_query(href: str, charset: str) -> str:
    """An href whose query has ASCII only, as in the query state of the URL standard with an encoding.

    >>> with_query("/\xfc?q=\xfc\u6f22#\xfc", "windows-1252")
    '/\xfc?q=%FC%26%2328450%3B#\xfc'
    """
    if charset == UTF8 or href.isascii():
        return href
    address, hash, fragment = href.partition("#")
    path, mark, query = address.partition("?")
    if query.isascii():
        return href
    data = encode(query.translate(DROPPED), output_encoding(charset))
    data = _ENCODED.sub(lambda byte: b"%%%02X" % ord(byte[0]), _LACKED.sub(rb"%26%23\1%3B", data))
    return f"{path}{mark}{data.decode()}{hash}{fragment}"


def of_form(text: str, charset: str) -> str:
    """A name or value by the application/x-www-form-urlencoded percent-encode set of the URL standard.

    >>> of_form("\xfc \u6f22", "windows-1252")
    '%FC+%26%2328450%3B'
    """
    return quote_plus(encode(text, charset), safe="*").replace("~", "%7E")
