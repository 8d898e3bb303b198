"""The desk of the crawl process, and the lines of fetch processes to it."""

import socket
import threading
from contextlib import closing

import pytest

from ttcrawl.ring.host_desk import Desk, DeskLine, Give, Take
from ttcrawl.ring.poll import readable


def clock():
    return 1000.0


@pytest.fixture
def desk():
    with closing(Desk()) as made:
        yield made


def requests(desk, number=1):
    """The next requests that come, after lines that were handed in."""
    come = []
    while len(come) < number:
        assert readable([desk.fileno()], 5.0)
        come += desk.requests()
    return come


def asked(line, *arguments):
    """Take a host in a thread; return what waits for the result."""
    results = []
    thread = threading.Thread(target=lambda: results.append(line.take(*arguments)))
    thread.start()

    def result():
        thread.join(5.0)
        return results[0]

    return result


@pytest.mark.parametrize(("wait", "moment"), [(0.0, 10.0), (2.5, 12.5), (1e-12, 10.001)])
def test_a_take_is_answered_with_the_moment_to_try_again_or_now(desk, wait, moment):
    """A wait that is too short for the clock is no grant."""
    result = asked(DeskLine(desk.entrance, clock), "a.test", 10.0, 0.5)
    [(line, request)] = requests(desk)
    assert request == Take(host="a.test", delay=0.5)
    desk.answer(line, wait)
    assert result() == moment


@pytest.mark.parametrize(("free_at", "wait"), [(1003.0, 3.0), (900.0, 0.0)])
def test_a_host_is_given_back_with_seconds_from_now(desk, free_at, wait):
    DeskLine(desk.entrance, clock).give("a.test", free_at)
    [(_, request), *_] = requests(desk)
    assert request == Give(host="a.test", wait=wait)


def test_lines_are_told_apart_and_end_with_their_processes(desk):
    one, other = DeskLine(desk.entrance, clock), DeskLine(desk.entrance, clock)
    one.give("a.test", 0.0)
    other.give("b.test", 0.0)
    come = {request.host: line for line, request in requests(desk, 2)}
    assert len(set(come.values())) == 2
    del one
    assert requests(desk) == [(come["a.test"], None)]
    desk.answer(come["b.test"], 0.0)
    assert not readable([desk.fileno()], 0.0)


def test_a_line_ends_with_the_crawl_process():
    desk = Desk()
    line = DeskLine(desk.entrance, clock)
    line.give("a.test", 0.0)
    requests(desk)
    desk.close()
    with pytest.raises((EOFError, OSError)):
        line.take("a.test", 10.0, 0.5)


def test_the_entrance_can_be_used_by_another_process(desk):
    with socket.socket(fileno=socket.dup(desk.entrance.fileno())) as entrance:
        line = DeskLine(entrance, clock)
    line.give("a.test", 0.0)
    assert requests(desk)
