"""The pools of persistent connections, and which thread has one."""

import time

import pytest

from ttcrawl.config import read
from ttcrawl.fetch.addresses import AddressBook, look_up
from ttcrawl.fetch.urllib3.in_flight import Requests
from ttcrawl.fetch.urllib3.pools import Pools

ORIGIN, ADDRESS = "http://a.test", "127.0.0.1"


@pytest.fixture
def pools():
    config = read(None, [])
    book = AddressBook.of(config, frozenset(), look_up)
    return Pools(book, Requests(time.time), threads=2, verify_tls=True)


def test_no_other_thread_uses_the_pool_of_a_repeated_request(pools):
    """A thread that is faster would leave it a connection that the server closes: the request fails twice."""
    first = pools.of(ORIGIN, ADDRESS)
    assert pools.of(ORIGIN, ADDRESS) is first
    with pools.renewed(ORIGIN, ADDRESS) as renewed:
        others = pools.of(ORIGIN, ADDRESS)
        assert others not in (renewed, first)
    assert pools.of(ORIGIN, ADDRESS) is renewed


def test_a_pool_whose_request_fails_is_not_kept(pools):
    with pytest.raises(OSError), pools.renewed(ORIGIN, ADDRESS) as renewed:
        raise OSError
    assert pools.of(ORIGIN, ADDRESS) is not renewed
