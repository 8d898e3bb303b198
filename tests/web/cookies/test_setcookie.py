"""The value of Set-Cookie: RFC 6265 sections 5.1.1 and 5.2."""

import pytest

from ttcrawl.web.cookies.setcookie import date, parse

NOW = 1_000_000_000.0
AT = 1623233894.0  # Wed, 09 Jun 2021 10:18:14 GMT


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("Wed, 09 Jun 2021 10:18:14 GMT", AT),  # RFC 6265 section 3.1
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784111777),  # RFC 9110 section 5.6.7, all three
        ("Sunday, 06-Nov-94 08:49:37 GMT", 784111777),
        ("Sun Nov  6 08:49:37 1994", 784111777),
        ("Thu, 01-Jan-1970 00:00:00 GMT", 0),
        ("Thu, 01 Jan 1601 00:00:00 GMT", 0),  # long ago is ago
        ("09 jUnE 2021 10:18:14 +0200", AT),  # zones do not count
        ("2021 09 Jun 10:18:14", AT),
        ("10:18:14 9 Jun 21", AT),
        ("9 Jun 70 0:0:0", 13737600),
        ("9 Jun 69 0:0:0", 3137961600),
        ("09th Jun 2021th 10:18:14.5", AT),
        ("Wed, 09 Jun 2021 10:18:14 11:11:11 1 Jan 1999", AT),  # the first of each
        ("31 Dec 9999 23:59:59", 253402300799),
        ("", None),
        ("Wed, 09 Jun 2021", None),
        ("Wed, Jun 2021 10:18:14", None),
        ("09 2021 10:18:14", None),
        ("09 Jun 10:18:14", None),
        ("29 Feb 2021 10:18:14", None),
        ("31 Apr 2021 10:18:14", None),
        ("00 Jun 2021 10:18:14", None),
        ("32 Jun 2021 10:18:14", None),
        ("09 Jun 1600 10:18:14", None),
        ("09 Jun 20211 10:18:14", None),
        ("009 Jun 2021 10:18:14", None),
        ("09 Jun 2021 24:18:14", None),
        ("09 Jun 2021 10:60:14", None),
        ("09 Jun 2021 10:18:60", None),
        ("09 Jun 2021 10:18:145", None),
        ("09 Jun 2021 10:18", None),
        ("٠٩ Jun 2021 10:18:14", None),
    ],
)
def test_dates(text, at):
    assert date(text) == at


def read(text):
    found = parse(text, NOW)
    return found and (found.name, found.value)


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("SID=31d4d96e407aad42", ("SID", "31d4d96e407aad42")),
        (" \t a = b c \t; Path=/", ("a", "b c")),
        ('a="b; c"', ("a", '"b')),  # quotes mean nothing
        ('a="b"', ("a", '"b"')),
        ("a=b=c==", ("a", "b=c==")),
        ("a=", ("a", "")),
        ("a=b,c=d", ("a", "b,c=d")),
        ("a[0]=%20", ("a[0]", "%20")),
        ("=b", None),
        ("b", None),
        ("", None),
        (";a=b", None),
        ("a=b\r\nX: y", None),
        ("a=b; Path=/\n", None),
        ("a=\0", None),
        ("a=\x7f", None),
        ("a=b\tc", None),  # the RFC would keep it; it is not printable
        ("a=\xe9", ("a", "\xe9")),
        ("a=\u0141", None),  # no byte
        ("a=\u202e", None),
        ("\xe9=a", ("\xe9", "a")),
        ("a=" + "x" * 4095, ("a", "x" * 4095)),
        ("a=" + "x" * 4096, None),
    ],
)
def test_pairs(text, pair):
    assert read(text) == pair


@pytest.mark.parametrize(
    ("attributes", "field", "value"),
    [
        ("", "path", ""),
        ("Path=/x", "path", "/x"),
        ("pAtH = /x ", "path", "/x"),
        ("Path=x", "path", ""),
        ("Path=/x; Path", "path", ""),  # the last one counts
        ("Path=/x; Path=/y", "path", "/y"),
        ("Path=/" + "x" * 1024, "path", ""),
        ("Domain=.A.Test", "domain", "a.test"),
        ("Domain=..a.test", "domain", ".a.test"),
        ("Domain=a.test; Domain=", "domain", "a.test"),  # an empty one is not there
        ("Domain=a.test; Domain=b.test", "domain", "b.test"),
        ("Secure", "secure", True),
        ("SECURE=no", "secure", True),
        ("HttpOnly; SameSite=None", "secure", False),
        ("Expires=Wed, 09 Jun 2021 10:18:14 GMT", "expires", AT),
        ("Expires=soon", "expires", None),
        ("Expires=Wed, 09 Jun 2021 10:18:14 GMT; Expires=soon", "expires", AT),
        ("Max-Age=60", "expires", NOW + 60),
        ("Max-Age=60; Expires=Wed, 09 Jun 2021 10:18:14 GMT", "expires", NOW + 60),
        ("Max-Age=60; Max-Age=120", "expires", NOW + 120),
        ("Max-Age=0", "expires", 0),
        ("Max-Age=-1", "expires", 0),
        ("Max-Age=+1", "expires", None),
        ("Max-Age=1.5", "expires", None),
        ('Max-Age="60"', "expires", None),
        ("Max-Age=", "expires", None),
        ("Max-Age=-", "expires", None),
        ("Max-Age=٣", "expires", None),
        ("Max-Age=" + "9" * 1000, "expires", NOW + 999_999_999_999),
    ],
)
def test_attributes(attributes, field, value):
    assert getattr(parse(f"a=b; {attributes}", NOW), field) == value
