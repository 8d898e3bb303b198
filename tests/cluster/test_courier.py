"""Letters between two processes: all arrive in order, none waits, and a stranger's end the connection."""

import socket

import pytest

from ttcrawl.cluster.courier import Courier, pair
from ttcrawl.cluster.frames import SHORTEST, UntrustedError
from ttcrawl.cluster.messages import Batches, Letter, Poll

SECRET = b"s" * SHORTEST


def both(secret=SECRET):
    ours, theirs = pair(SECRET)
    return ours, Courier(theirs, secret, first=False)


def carried(sender, receiver):
    """What arrives while both sides do what they can."""
    letters = []
    for _ in range(200):
        sender.receive()
        sender.flush()
        letters += receiver.receive()
    return letters


def test_letters_arrive_in_order_also_those_from_before_the_connection_is_ready():
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
    ours, theirs = Courier(ours, SECRET, first=True, most=1 << 20), Courier(theirs, SECRET, first=False)
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


def test_who_does_not_know_the_secret_is_not_heard():
    ours, theirs = both(b"t" * SHORTEST)
    theirs.send(0, Poll(wave=1))
    with pytest.raises(UntrustedError):
        carried(theirs, ours)
