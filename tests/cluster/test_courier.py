"""Letters between two processes: all arrive in order, none waits, and nothing else is read."""

import contextlib
import os
import random
import socket
import sys

import msgspec
import pytest

from ttcrawl.cluster.courier import LARGEST, Courier, UnknownLetterError
from ttcrawl.cluster.messages import Batches, Letter, Poll


def both():
    ours, theirs = socket.socketpair()
    return Courier(ours), Courier(theirs)


def carried(sender, receiver):
    """What arrives while both sides do what they can."""
    letters = []
    for _ in range(200):
        sender.receive()
        sender.flush()
        letters += receiver.receive()
    return letters


def test_letters_arrive_in_order():
    ours, theirs = both()
    sent = [Letter(to=number % 3, message=Poll(wave=number)) for number in range(100)]
    for letter in sent:
        ours.send(letter.to, letter.message)
    assert carried(ours, theirs) == sent
    theirs.send(0, Poll(wave=7))
    assert carried(theirs, ours) == [Letter(to=0, message=Poll(wave=7))]


def test_more_than_the_connection_takes_at_once():
    ours, theirs = both()
    carried(ours, theirs)
    batch = Batches(sender=1, incarnation="a", epoch=0, batches={1: bytes(1 << 20)})
    for _ in range(5):
        ours.send(1, batch)
        ours.flush()
    assert carried(ours, theirs) == [Letter(to=1, message=batch)] * 5


def test_a_process_that_reads_nothing_fills_no_memory():
    ours, theirs = socket.socketpair()
    ours, theirs = Courier(ours, most=1 << 20), Courier(theirs)
    carried(ours, theirs)
    batch = Batches(sender=1, incarnation="a", epoch=0, batches={1: bytes(1 << 19)})
    for _ in range(10):
        ours.send(1, batch)
    ours.send(1, Poll(wave=1))
    assert carried(ours, theirs) == [Letter(to=1, message=batch)] * 2
    ours.send(1, Poll(wave=2))
    assert carried(ours, theirs) == [Letter(to=1, message=Poll(wave=2))]


def test_the_last_letters_arrive_and_then_the_end():
    ours, theirs = both()
    theirs.send(0, Poll(wave=1))
    theirs.close()
    assert [letter.message for letter in ours.receive()] == [Poll(wave=1)]
    assert ours.closed
    ours.send(1, Poll(wave=2))
    ours.flush()
    ours.close()


LETTER = Letter(to=2, message=Batches(sender=1, incarnation="ü", epoch=0, batches={1: bytes(100_000)}))


@pytest.mark.parametrize("seed", range(5))
def test_letters_arrive_in_whatever_pieces(seed):
    chance, (ours, theirs), (out, into) = random.Random(seed), both(), socket.socketpair()
    for each in (LETTER, LETTER, LETTER):
        ours.send(each.to, each.message)
    data, letters, receiver = bytearray(), [], Courier(into)
    while len(data) < 3 * 100_000:
        ours.flush()
        data += os.read(theirs.fileno(), 1 << 20)
    while data:
        size = chance.choice([1, 3, 50, 70_000])
        out.sendall(data[:size])
        letters += receiver.receive()
        del data[:size]
    assert letters == [LETTER] * 3
    for each in (ours, theirs, receiver):
        each.close()
    out.close()


class Later(msgspec.Struct, tag=True):
    """A message of a later version."""


UNKNOWN = {
    "too large": (LARGEST + 1).to_bytes(4, sys.byteorder),
    "no letter": (4).to_bytes(4, sys.byteorder) + b"abcd",
    "another version": (lambda data: len(data).to_bytes(4, sys.byteorder) + data)(
        msgspec.msgpack.encode({"to": 1, "message": Later()})
    ),
}


@pytest.mark.parametrize("data", UNKNOWN.values(), ids=list(UNKNOWN))
def test_what_is_no_letter_is_an_error(data):
    ours, into = socket.socketpair()
    with ours, contextlib.closing(Courier(into)) as receiver:
        ours.sendall(data)
        with pytest.raises(UnknownLetterError):
            receiver.receive()
