"""Messages come whole, in order and of the right type, in whatever pieces the socket brings them."""

import pickle
import random
import socket
import sys
import threading
from typing import get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.msgpack import Decoder
from msgspec.structs import astuple, fields

from tests.support.crawls.any_messages import any_made, sample
from ttcrawl.ring.channel import Channel, Inbox, Peer, encode, pair
from ttcrawl.ring.messages import HEADS, REPORTS, WORK, Head, Link, Parse, Ready, Report, Request

#: Messages by the decoder of those who get them.
SENT = [(WORK, Request), (WORK, Parse), (HEADS, Head), *((REPORTS, each) for each in get_args(Report))]


@pytest.mark.parametrize("seed", range(5))
def test_pieces_are_put_together(seed):
    rng = random.Random(seed)
    messages = [rng.randbytes(rng.choice([0, 1, 10, 1000, 100_000])) for _ in range(50)]
    stream = b"".join(map(encode, messages))
    inbox, heard = Inbox(Decoder(bytes)), []
    while stream:
        size = rng.choice([1, 3, 5000, 300_000])
        heard += inbox.feed(stream[:size])
        stream = stream[size:]
    assert heard == messages


def test_threads_share_a_channel_and_each_message_is_had_once():
    ours, theirs = socket.socketpair()
    channel = Channel(theirs, Decoder(int))
    heard, done = [], threading.Event()

    def work():
        while True:
            try:
                heard.append(channel.receive())
            except EOFError:
                done.set()
                return

    threads = [threading.Thread(target=work) for _ in range(8)]
    for each in threads:
        each.start()
    for number in range(2000):
        ours.sendall(encode(number))
    ours.close()
    for each in threads:
        each.join(10)
    assert done.is_set() and sorted(heard) == list(range(2000))


@pytest.mark.slow
@pytest.mark.parametrize(("decoder", "cls"), SENT, ids=lambda each: getattr(each, "__name__", ""))
@settings(max_examples=60, derandomize=True, deadline=None, database=None)
@given(data=st.data())
def test_every_message_with_awkward_values_comes_as_it_was_made(decoder, cls, data):
    made = data.draw(any_made(cls))
    ours, theirs = socket.socketpair()
    ours.settimeout(20)
    with ours, theirs:
        sender = threading.Thread(target=Channel(ours, decoder).send, args=(made,))  # it may not fit into the socket
        sender.start()
        came = Channel(theirs, decoder).receive()
        sender.join()
    assert type(came) is cls and came == made and hash(came) == hash(made)
    assert [type(value) for value in astuple(came)] == [type(value) for value in astuple(made)]


@pytest.mark.parametrize(("decoder", "cls"), SENT, ids=lambda each: getattr(each, "__name__", ""))
def test_what_came_stays_as_it_is(decoder, cls):
    came = decoder.decode(msgspec.msgpack.encode(sample(cls)))
    for field in fields(cls):
        with pytest.raises(AttributeError):
            setattr(came, field.name, 0)


def test_a_worker_need_not_wait_while_messages_gather():
    """24 ms of pages of the documentation sites; the usual buffer of a socket has 208 KB."""
    ours, theirs = pair()
    theirs.setblocking(False)
    pages = [encode(bytes(14_000)) for _ in range(25)]
    for each in pages:
        assert theirs.send(each) == len(each)
    assert Peer(ours, Decoder(bytes)).receive() == [bytes(14_000)] * len(pages)


class Evil:
    """What would be called if it were unpickled."""

    def __reduce__(self):
        return pytest.fail, ("unpickled",)


MALFORMED = {
    "a pickle": pickle.dumps(Evil()),
    "nothing": b"",
    "a number": msgspec.msgpack.encode(7),
    "an unknown type": msgspec.msgpack.encode(["UnknownUrl", 1]),
    "a message of the other direction": msgspec.msgpack.encode(sample(Request)),
    "a part of a message": msgspec.msgpack.encode(sample(Link)),
    "too few fields": msgspec.msgpack.encode(["Failed", 1]),
    "a text where a number should be": msgspec.msgpack.encode(["Failed", "1", "", ""]),
    "a text that is no UTF-8": b"\x92\xa6Broken\xa1\xff",
    "half of a message": msgspec.msgpack.encode(sample(Ready))[:-1],
}


@pytest.mark.parametrize("payload", MALFORMED.values(), ids=MALFORMED)
def test_what_is_no_message_is_an_error(payload):
    data = len(payload).to_bytes(4, sys.byteorder) + payload
    with pytest.raises(ValueError):
        Inbox(REPORTS).feed(encode(sample(Ready)) + data)


def test_a_worker_that_sends_what_is_no_message_counts_as_dead():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        worker = Peer(ours, REPORTS)
        assert worker.receive() == []
        theirs.sendall(encode(sample(Ready)))
        assert worker.receive() == [sample(Ready)]
        theirs.sendall(encode(["UnknownUrl"]))
        assert worker.receive() is None
