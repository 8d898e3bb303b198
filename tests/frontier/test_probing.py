"""When URLs that cannot exist are asked for: a turn as any other, if robots.txt allows it."""

import pytest

from tests.frontier.queue import Queue
from ttcrawl.frontier.host import Probe, RobotsGate
from ttcrawl.ring.messages import PAGE, PROBE, ROBOTS


@pytest.fixture
def queue():
    return Queue(delay=1.0)


def probes(*ids, path="x"):
    return [Probe(id=each, url=f"http://a.test/{path}-{each}") for each in ids]


def test_they_wait_for_the_delay_and_come_before_pages(queue):
    frontier, host = queue.frontier, queue.open("a.test")
    queue.push(host, 7)
    frontier.probe(host, probes(1, 2))
    turns, now = [], 0.0
    while (moment := frontier.next_moment()) < float("inf"):
        now = max(now, moment)
        turn = queue.take(now)
        assert queue.take(now) is None  # one at a time
        turns.append((turn.kind, turn.url, now))
        if turn.queued:
            queue.settle(host, turn.queued)
        frontier.release(turn, now + 0.5)
    assert turns == [
        (PROBE, "http://a.test/x-1", 0.0),
        (PROBE, "http://a.test/x-2", 1.5),
        (PAGE, "http://a.test/7", 3.0),
    ]
    assert host.requested == 1  # URLs, no probes


@pytest.mark.parametrize("read", [False, True])
def test_robots_txt_is_read_first_and_decides(queue, read):
    frontier, host = queue.frontier, queue.open("a.test")
    if read:
        host.robots.until = 5.0  # it has been used, and is too old by then
    else:
        host.gate = RobotsGate.UNREAD
    frontier.probe(host, [*probes(1, path="no"), *probes(2)])
    turn = queue.take(10.0)
    assert (turn.kind, turn.url, queue.refused) == (ROBOTS, "http://a.test/robots.txt", [])
    frontier.robots_read(host, "User-agent: *\nDisallow: /no")
    frontier.release(turn, 10.5)
    turn = queue.take(11.5)
    assert (turn.kind, turn.probe.id, queue.refused) == (PROBE, 2, [(1, "refused", "robots.txt")])
    assert frontier.probing.remaining == 1


def test_a_host_of_which_nothing_may_be_asked_drops_them_at_once(queue):
    frontier, host = queue.frontier, queue.open("a.test")
    host.ended = 100.0
    frontier.robots_unreadable(host, "failed", "reset")
    frontier.probe(host, probes(1, 2))
    assert queue.take(100.0) is None
    assert queue.refused == [(1, "failed", "reset"), (2, "failed", "reset")]
    assert frontier.probing.remaining == 0 and frontier.next_moment() == float("inf")


def test_one_that_is_tried_again_comes_last_and_not_before_its_moment(queue):
    frontier, host = queue.frontier, queue.open("a.test")
    frontier.probe(host, probes(1, 2))
    turn = queue.take(0.0)
    frontier.probing.again(host, turn.probe, 9.0)
    frontier.release(turn, 0.0)
    assert queue.take(8.9) is None
    turn = queue.take(9.0)
    frontier.release(turn, 9.0)
    assert turn.probe.id == 2 and queue.take(10.0).probe.id == 1
    assert frontier.probing.remaining == 2


def test_a_host_that_has_them_stays_in_memory(queue):
    frontier, host = queue.frontier, queue.open("a.test")
    most = 1 << 30  # more than there is room for: all that are idle leave
    frontier.probe(host, probes(1))
    frontier.hosts.rest(host)
    frontier.hosts.room(most)
    assert host.name in frontier.hosts
    turn = queue.take(0.0)
    frontier.release(turn, 0.0)
    frontier.hosts.room(most)
    assert host.name not in frontier.hosts
