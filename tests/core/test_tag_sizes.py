"""Whether a page may have too many tags, or too long ones, is the same by the compiled core and by Python."""

import random

import pytest

from ttcrawl import core
from ttcrawl.parse.links import weight

pytestmark = pytest.mark.skipif(core.native is None, reason="no compiled core")

PIECES = (
    b"<",
    b">",
    b'"',
    b"'",
    b"=",
    b'="',
    b"='",
    b" ",
    b"\r\n",
    b"\t\f",
    b"a",
    b"<a b=c>",
    b'="x">',
    b"\xff",
    b"\v",
)


def pages():
    chance = random.Random(40)
    for _ in range(3000):
        pieces = chance.choices(PIECES, k=chance.randrange(40))
        yield b"".join(each * chance.choice([1, 1, 1, 3, 130, 900, 2001]) for each in pieces)


def test_pages_as_python_has_them(monkeypatch):
    every = [*pages(), b"", b"=", b'="', b"<" * 2000, b"<" + b"a " * 1000, b"<" + b"a " * 999 + b">"]
    found = [(weight.has_tags(each, 200), weight.may_have_many(each)) for each in every]
    with monkeypatch.context() as patch:
        patch.setattr(core, "native", None)
        assert [(weight.has_tags(each, 200), weight.may_have_many(each)) for each in every] == found
    assert len({*found}) == 4


def test_other_arguments_are_refused():
    with pytest.raises(ValueError, match="a tag has a byte or more"):
        core.native.may_have_long_tag(b"", 0)
