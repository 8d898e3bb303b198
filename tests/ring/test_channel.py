"""Messages come whole and in order, in whatever pieces the socket brings them."""

import random
import socket
import threading

import pytest

from ttcrawl.ring.channel import Channel, Inbox, encode


@pytest.mark.parametrize("seed", range(5))
def test_pieces_are_put_together(seed):
    rng = random.Random(seed)
    messages = [rng.randbytes(rng.choice([0, 1, 10, 1000, 100_000])) for _ in range(50)]
    stream = b"".join(map(encode, messages))
    inbox, heard = Inbox(), []
    while stream:
        size = rng.choice([1, 3, 5000, 300_000])
        heard += inbox.feed(stream[:size])
        stream = stream[size:]
    assert heard == messages


def test_threads_share_a_channel_and_each_message_is_had_once():
    ours, theirs = socket.socketpair()
    channel = Channel(theirs)
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
