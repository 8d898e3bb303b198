"""Batches as bytes."""

import zlib

import msgspec
import pytest

from ttcrawl.cluster import messages
from ttcrawl.cluster.messages import AnyMessage, Batches, packed, unpacked
from ttcrawl.store.rows import UrlPath

ITEMS = [
    ("http://a.test/", "", UrlPath(2, 0, 1, -3, 0)),
    ("http://ü.test/", "http://Ü.test", UrlPath(None, 0, 0, 0, 0, 2)),
]


def test_items_come_back():
    assert unpacked(packed(ITEMS)) == ITEMS
    assert unpacked(packed([])) == []


def test_a_thousand_links_take_little():
    items = [(f"http://www.site.test/page/{each}", "", UrlPath(5, 0, 0, 0, 0)) for each in range(1_000)]
    assert len(packed(items)) < 10_000


DAMAGED = {
    "no zlib": b"x",
    "cut": packed(ITEMS)[:-3],
    "no MessagePack": zlib.compress(b"\xc1"),
    "another type": zlib.compress(msgspec.msgpack.encode([("http://a.test/", 5, None)])),
}


@pytest.mark.parametrize("damage", DAMAGED)
def test_a_damaged_batch_is_an_error(damage):
    with pytest.raises(ValueError):
        unpacked(DAMAGED[damage])


def test_a_batch_that_is_too_large_is_an_error():
    with pytest.raises(ValueError):
        unpacked(zlib.compress(bytes(messages.LARGEST + 1)))


def test_messages_are_decoded_by_type():
    batch = Batches(sender=1, incarnation="a", epoch=0, batches={2: packed(ITEMS)})
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(batch), type=AnyMessage) == batch
    with pytest.raises(msgspec.ValidationError):
        msgspec.msgpack.decode(msgspec.msgpack.encode({"type": "Batch", "sender": "x"}), type=AnyMessage)
