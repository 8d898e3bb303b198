"""Records of the archive written in C++ beside those written in Python."""

import base64
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.compiled import needs_core
from ttcrawl import core
from ttcrawl.core import native
from ttcrawl.store.warc_records import record

pytestmark = needs_core

FIELDS = (("WARC-Date", "2026-11-21T10:00:00.000000Z"), ("WARC-Target-URI", "http://a.test/\u00e9"), ("Empty", ""))
#: Around a block of SHA-1, and around what is left in it for the padding.
SIZES = (0, 1, 54, 55, 56, 57, 63, 64, 65, 119, 120, 127, 128, 129, 1000, 31_000)


@given(st.binary(max_size=12))
def test_base_32_is_that_of_python(data):
    assert native.base32(data * 5) == base64.b32encode(data * 5).decode()


@pytest.mark.parametrize("size", [1, 4, 6])
def test_base_32_has_no_padding(size):
    with pytest.raises(ValueError, match="multiples of 5 bytes"):
        native.base32(bytes(size))


@pytest.mark.parametrize("size", SIZES)
def test_records_are_those_of_python(monkeypatch, size):
    if not native.has_fast_sha1():
        pytest.skip("this processor has no instructions for SHA-1")
    chance = random.Random(size)
    for head, payload, content_type in ((0, True, "text/dns"), (1, False, ""), (63, True, ""), (64, True, "a/b")):
        block = chance.randbytes(head), chance.randbytes(size)
        ours = record(FIELDS, content_type, *block, payload=payload)
        monkeypatch.setattr(core, "native", None)
        assert record(FIELDS, content_type, *block, payload=payload) == ours
        monkeypatch.setattr(core, "native", native)


def test_wrong_arguments_raise():
    for fields in ((("a",),), ((1, "b"),), ("ab",)):
        with pytest.raises((TypeError, ValueError)):
            native.warc_record(fields, "", b"", b"", False)
    with pytest.raises(UnicodeEncodeError):
        native.warc_record((("a", "\ud800"),), "", b"", b"", False)
