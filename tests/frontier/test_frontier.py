"""Who is asked now: order, delay, holding, spilling; with a queue that stands in for the database."""

import random

import pytest

from tests.frontier.queue import Queue
from ttcrawl.frontier.backoff import Exchange
from ttcrawl.frontier.host_rows import state_of


def test_robots_comes_first_and_holds_everything():
    queue = Queue(obey_delay=False)
    host = queue.frontier.new_host(1, "a.test")
    queue.push(host, 1)
    queue.push(host, 2)
    turn = queue.take(0.0)
    assert (turn.url, turn.queued, turn.asker) == ("http://a.test/robots.txt", None, host)
    assert queue.take(0.0) is None and queue.frontier.next_moment() == float("inf")
    queue.frontier.robots_read(host, None)
    queue.frontier.release(turn, 0.0)
    assert {queue.take(0.0).queued.id, queue.take(0.0).queued.id} == {1, 2}


def test_one_at_a_time_and_a_delay_from_the_end_of_the_exchange():
    queue = Queue(delay=2.0)
    host = queue.open("a.test")
    queue.push(host, 1)
    queue.push(host, 2)
    turn = queue.take(10.0)
    assert turn.queued.id == 1
    assert queue.take(100.0) is None  # held
    queue.frontier.release(turn, 13.0)
    assert queue.frontier.next_moment() == 15.0
    assert queue.take(14.999) is None
    assert queue.take(15.0).queued.id == 2


def test_crawl_delay_wins_over_the_default_and_may_be_a_fraction():
    queue = Queue(delay=2.0)
    host = queue.open("a.test", "User-agent: *\nCrawl-delay: 0.05\nDisallow:\n")
    assert host.delay == 0.05


@pytest.mark.parametrize(("obey", "at_once"), [(True, 1), (False, 3)])
def test_a_host_may_be_held_several_times_only_without_delay(obey, at_once):
    queue = Queue(obey_delay=obey, connections=3)
    host = queue.open("a.test")
    for number in range(10):
        queue.push(host, number)
    turns = []
    while turn := queue.take(0.0):
        turns.append(turn)
    assert len(turns) == at_once and queue.frontier.locked_hosts == 1


def test_what_robots_forbids_is_refused_when_its_turn_comes():
    queue = Queue(delay=0.0)
    host = queue.open("a.test", "User-agent: *\nDisallow: /no\n")
    for number, path in enumerate(["/no/1", "/yes", "/no/2"]):
        queue.push(host, number, url=f"http://a.test{path}")
    assert [number for number, _ in queue.drain()] == [1]
    assert queue.refused == [(0, "refused", "robots.txt"), (2, "refused", "robots.txt")]


def test_an_unreadable_robots_shuts_the_host():
    queue = Queue()
    host = queue.open("a.test")
    queue.push(host, 1)
    queue.frontier.robots_unreadable(host, "failed", "dns")
    assert queue.take(0.0) is None
    assert queue.refused == [(1, "failed", "dns")] and queue.frontier.queued == 0


def test_many_refusals_give_way_to_other_hosts():
    queue = Queue(delay=0.0)
    shut = queue.open("a.test", "User-agent: *\nDisallow: /\n")
    for number in range(2500):
        queue.push(shut, number)
    other = queue.open("b.test")
    queue.push(other, 9999)
    assert queue.take(0.0).queued.id == 9999
    assert 0 < len(queue.refused) < 2500


@pytest.mark.parametrize("bound", [2, 3, 10, 1000])
def test_order_is_kept_however_little_is_in_memory(bound):
    rng = random.Random(bound)
    queue = Queue(delay=0.0, bound=bound)
    host = queue.open("a.test")
    numbers = list(range(200))
    rng.shuffle(numbers)
    for number in numbers:
        queue.push(host, number, priority=number // 10)
        assert len(host.queue.heap) <= bound
    assert [number for number, _ in queue.drain()] == sorted(numbers)
    assert (queue.loads > 0) == (bound < 200)


def test_few_hosts_share_the_memory_of_more():
    """While others come, a host keeps fewer URLs; none is lost, and each host keeps its order."""
    queue = Queue(delay=0.0, bound=4, hosts=6)
    shares, number = [], 0
    for name in "abcdefgh":
        host = queue.open(f"{name}.test")
        for priority in range(40, 0, -1):
            queue.push(host, number := number + 1, priority=priority)
        shares.append(queue.frontier.hosts.urls_each)
        assert len(host.queue.heap) <= shares[-1]
    assert shares == [24, 12, 8, 6, 4, 4, 4, 4]
    first = queue.frontier.hosts["a.test"]
    queue.push(first, number := number + 1, priority=0)
    assert len(first.queue.heap) <= 4
    order = [each for each, _ in queue.drain()]
    assert sorted(order) == list(range(1, number + 1))
    assert [each for each in order if each > 40 * 7 and each < number] == list(range(number - 1, 40 * 7, -1))


def test_order_is_kept_when_urls_come_while_others_are_taken():
    rng = random.Random(1)
    queue = Queue(delay=0.0, bound=8)
    host = queue.open("a.test")
    taken, number = [], 0
    for _ in range(300):
        for _ in range(rng.randrange(4)):
            queue.push(host, number, priority=rng.randrange(50))
            number += 1
        turn = queue.take(0.0)
        if turn:
            best = min((q.priority, q.id) for _, q in queue.rows.values())
            assert (turn.queued.priority, turn.queued.id) == best
            taken.append(turn.queued.id)
            queue.settle(host, turn.queued)
            queue.frontier.release(turn, 0.0)
    taken += [number for number, _ in queue.drain()]
    assert sorted(taken) == list(range(number))


def test_a_url_that_is_put_off_comes_again_and_the_others_go_on():
    queue = Queue(delay=0.0, bound=4)
    host = queue.open("a.test")
    for number in range(10):
        queue.push(host, number)
    turn = queue.take(0.0)
    queue.frontier.put_off(host, turn.queued, 5.0)
    queue.frontier.release(turn, 0.0)
    taken = queue.drain()
    assert taken[-1] == (0, 5.0) and [number for number, _ in taken[:-1]] == list(range(1, 10))


def test_hosts_are_served_by_their_moments():
    queue = Queue(delay=1.0)
    hosts = [queue.open(f"{n}.test") for n in range(50)]
    for n, host in enumerate(hosts):
        for k in range(4):
            queue.push(host, n * 4 + k)
    moments = {}
    for number, now in queue.drain():
        moments.setdefault(number // 4, []).append(now)
    assert all(times == [0.0, 1.0, 2.0, 3.0] for times in moments.values())


def test_robots_on_another_host_is_an_errand_there():
    queue = Queue(delay=1.0)
    asker, other = queue.frontier.new_host(1, "a.test"), queue.frontier.new_host(2, "b.test")
    queue.push(asker, 1)
    turn = queue.take(0.0)
    queue.frontier.robots_moved(asker, other, "http://b.test/robots.txt", turn.url)
    queue.frontier.release(turn, 0.0)
    turn = queue.take(0.0)
    assert (turn.host, turn.asker, turn.url) == (other, asker, "http://b.test/robots.txt")
    queue.frontier.robots_read(asker, None)
    queue.frontier.release(turn, 0.5)
    assert queue.frontier.next_moment() == 1.0  # the asker's own clock; the other wants nothing more
    assert queue.take(1.0).queued.id == 1


def test_a_host_that_lets_nobody_in_is_given_up():
    """After so many incidents in a row without a connection; one answer in between, and counting begins anew."""
    queue = Queue(delay=1.0, backoff=60.0, give_up=3)
    host = queue.open("a.test")
    for number in range(20):
        queue.push(host, number)
    now = 0.0
    for asked, reason in enumerate(
        (
            "connection refused",
            "connection refused",
            "http 200",
            "connection refused",
            "timeout: connect",
            "unreachable",
        )
    ):
        now = max(now, queue.frontier.next_moment())
        turn = queue.take(now)
        exchange = Exchange(reason=reason, retry_after=None, started=now, ended=now + 1)
        backoff = queue.frontier.exchanged(host, exchange)
        assert (backoff is not None) == (reason != "http 200" and asked < 5)
        queue.settle(host, turn.queued)
        queue.frontier.release(turn, now + 1)
        now += 1
    assert queue.take(now + 5) is None and queue.frontier.queued == 0
    assert {(state, why) for _, state, why in queue.refused} == {("failed", "unreachable")} and len(queue.refused) == 14


def test_the_clock_of_a_host_moves_when_its_request_ends():
    """Not only when its page has been parsed: a commit in between stores the request and its end, or neither."""
    queue = Queue(delay=2.0)
    host = queue.open("a.test")
    queue.push(host, 1)
    turn = queue.take(10.0)
    queue.frontier.exchanged(host, Exchange(reason="http 200", retry_after=None, started=10.0, ended=13.0))
    assert state_of(host)["next_at"] == 15.0
    queue.frontier.release(turn, 13.0)
    assert state_of(host)["next_at"] == 15.0
