"""Of equal bytes one answer is read at a time, whatever comes of it; all are read in the end."""

import random

import pytest

from ttcrawl.engine.settle import ParseQueue
from ttcrawl.ring.messages import Fetched, IdenticalBody

IDENTICAL = IdenticalBody(id=1, payload=1, url="http://a.test/", moment=1.0, same=True)


def fetched(token, digest):
    return Fetched(
        token=token,
        status=200,
        address="",
        started=0.0,
        ended=1.0,
        head_size=1,
        body_size=1,
        refused="",
        digest=digest,
    )


class Parsers:
    """What is given to be read, and the digests of what has been."""

    def __init__(self, *, exact=True):
        self.given, self.settled = [], set()
        self.reading = ParseQueue(
            lambda each: IDENTICAL if each.digest in self.settled else None,
            lambda token, identical: self.given.append((token, identical)),
            exact=exact,
        )


def test_what_cannot_be_the_same_waits_for_nothing():
    parsers = Parsers()
    for token, digest in enumerate((b"", b"", b"a", b"b", b"")):
        parsers.reading.add(fetched(token, digest))
    assert parsers.given == [(token, None) for token in range(5)]


def test_nothing_waits_where_nobody_asks():
    parsers = Parsers(exact=False)
    parsers.settled.add(b"a")
    for token in range(3):
        parsers.reading.add(fetched(token, b"a"))
    assert parsers.given == [(0, None), (1, None), (2, None)]


def test_the_second_waits_for_the_first_and_has_it_as_a_twin():
    parsers = Parsers()
    for token in range(3):
        parsers.reading.add(fetched(token, b"a"))
    assert parsers.given == [(0, None)]
    parsers.settled.add(b"a")
    parsers.reading.ended(0)
    assert parsers.given == [(0, None), (1, IDENTICAL), (2, IDENTICAL)]
    parsers.reading.add(fetched(3, b"a"))
    parsers.reading.ended(1)
    assert parsers.given[3:] == [(3, IDENTICAL)]


def test_when_the_first_comes_to_nothing_the_next_is_read():
    parsers = Parsers()
    for token in range(3):
        parsers.reading.add(fetched(token, b"a"))
    parsers.reading.ended(0)
    assert parsers.given == [(0, None), (1, None)]
    parsers.settled.add(b"a")
    parsers.reading.ended(1)
    assert parsers.given[2:] == [(2, IDENTICAL)]


@pytest.mark.parametrize("seed", range(20))
def test_in_any_order_each_is_read_once_and_no_two_without_a_twin_at_once(seed):
    chance, parsers = random.Random(seed), Parsers()
    digests = {token: chance.choice((b"a", b"b", b"c", b"")) for token in range(60)}
    to_come, ended = list(digests), 0
    while to_come or ended < len(parsers.given):
        if to_come and chance.random() < 0.5:
            token = to_come.pop()
            parsers.reading.add(fetched(token, digests[token]))
        elif ended < len(parsers.given):
            token, _ = parsers.given[ended]
            ended += 1
            if chance.random() < 0.7:  # else it fails
                parsers.settled.add(digests[token])
            parsers.reading.ended(token)
        alone = [digests[token] for token, identical in parsers.given[ended:] if identical is None and digests[token]]
        assert len(alone) == len(set(alone))
    assert sorted(token for token, _ in parsers.given) == sorted(digests)
