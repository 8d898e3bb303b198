"""What a head states about its body."""

import pytest

from ttcrawl.parse.head import declared_length, first_values, is_nosniff
from ttcrawl.ring.messages import Head

CHUNKED = ("Transfer-Encoding", "chunked")


@pytest.mark.parametrize(
    ("headers", "length"),
    [
        ((), None),
        ((("Content-Length", "24000"),), 24000),
        ((("content-length", " 0024000 "),), 24000),
        ((("Content-Length", "0"),), 0),
        ((("Content-Length", "5, 5"),), 5),
        ((("Content-Length", "5"), ("Content-Length", "5")), 5),
        ((("Content-Length", "5"), ("Content-Length", "6")), None),
        ((("Content-Length", "-5"),), None),
        ((("Content-Length", "\xb2"),), None),
        ((("Content-Length", ""),), None),
        ((("Content-Length", "9" * 30_000),), (1 << 63) - 1),
        ((("Content-Length", str(1 << 63)),), (1 << 63) - 1),
        ((("Content-Length", "5"), CHUNKED), None),
        ((("Content-Length", "5"), ("Transfer-Encoding", "identity")), 5),
    ],
)
def test_declared_length(headers, length):
    head = Head(status=200, phrase="OK", version="HTTP/1.1", headers=headers, address="")
    assert declared_length(head) == length


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["nosniff"], True),
        ([" NoSniff "], True),
        (["nosniff, nosniff"], True),
        (["nosniff", "x"], True),
        (["x, nosniff"], False),
        ([], False),
    ],
)
def test_nosniff_is_the_first_value(lines, expected):
    head = Head(
        status=200, phrase="", version="", headers=tuple(("X-Content-Type-Options", each) for each in lines), address=""
    )
    assert is_nosniff(first_values(head)) is expected
