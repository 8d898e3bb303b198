"""Two clocks and a share: whose turn it is when hosts have addresses and domains in common."""

import heapq
import random
from collections import Counter
from itertools import pairwise

import pytest

from tests.frontier.builder import frontier
from ttcrawl.config import Frontier as FrontierSettings
from ttcrawl.frontier.backoff import Exchange
from ttcrawl.frontier.host_queue import Queued
from ttcrawl.ring.messages import PAGE, RESOLVE


class Bench:
    """A frontier whose hosts stand at `addresses`, with `pages` queued for each."""

    def __init__(
        self,
        addresses,
        pages=1,
        most_turns=16,
        hosts=10_000,
        **politeness,
    ):
        self.addresses = addresses
        self.forgotten = []
        self.frontier = frontier(
            FrontierSettings(hosts=hosts),
            forget=self.forgotten.append,
            addresses=lambda name: (addresses[name],) if addresses[name] else None,
            most_turns=most_turns,
            **politeness,
        )
        self.ids = iter(range(1, 1_000_000))
        for name in addresses:
            host = self.frontier.new_host(next(self.ids), name)
            self.frontier.robots_read(host, None)
            for _ in range(pages):
                self.push(host)

    def push(self, host):
        number = next(self.ids)
        self.frontier.push(host, Queued(id=number, url=f"http://{host.name}/{number}", depth=0, priority=0))

    def all_now(self, now=0.0):
        """Turns that may be taken at a moment."""
        return list(iter(lambda: self.frontier.take(now), None))

    def run(self, lasts, until=float("inf")):
        """(host, taken at, ended at) of all exchanges, each of which takes `lasts()` seconds."""
        now, ending, done, serial = 0.0, [], [], iter(range(1_000_000))
        while now < until:
            for turn in self.all_now(now):
                heapq.heappush(ending, (now + lasts(), next(serial), turn, now))
            moment = self.frontier.next_moment()
            if not ending and moment == float("inf"):
                break
            if ending and ending[0][0] <= moment:
                now, _, turn, began = heapq.heappop(ending)
                done.append((turn.host.name, began, now))
                self.frontier.settled(turn.host, turn.queued)
                self.frontier.release(turn, now, now - began)
            else:
                now = max(now, moment)
        return done


def gaps(exchanges):
    ordered = sorted(exchanges, key=lambda each: each[1])
    return [later[1] - earlier[2] for earlier, later in pairwise(ordered)]


@pytest.mark.parametrize("seed", range(20))
def test_neither_clock_is_ever_broken(seed):
    """Random hosts on random addresses, exchanges of random length: every URL has its turn, and none too early."""
    rng = random.Random(seed)
    delay, address_delay = rng.choice([0.5, 1.0, 3.0]), rng.choice([0.1, 0.2, 5.0])
    addresses = {f"h{n}.d{n % 4}.test": f"192.0.2.{rng.randrange(6)}" for n in range(25)}
    bench = Bench(
        addresses,
        4,
        most_turns=rng.choice([2, 8, 64]),
        delay=delay,
        address_delay=address_delay,
    )
    done = bench.run(lambda: rng.choice([0.0, 0.01, 0.7]))
    assert Counter(name for name, _, _ in done) == dict.fromkeys(addresses, 4)
    for name in addresses:
        assert min(gaps([each for each in done if each[0] == name])) >= delay - 1e-9
    for address in set(addresses.values()):
        there = gaps([each for each in done if addresses[each[0]] == address])
        assert min(there, default=9.0) >= min(address_delay, delay) - 1e-9


def test_an_address_is_asked_as_often_as_its_clock_allows():
    """A hundred hosts on one address, and one alone: neither waits longer than it must."""
    addresses = {f"h{n}.test": "192.0.2.1" for n in range(100)} | {"alone.test": "192.0.2.2"}
    done = Bench(addresses, 3, delay=1.0, address_delay=0.25).run(lambda: 0.0)
    shared = [each for each in done if each[0] != "alone.test"]
    assert max(began for _, began, _ in shared) == pytest.approx(299 * 0.25)
    assert [began for name, began, _ in done if name == "alone.test"] == [0.0, 1.0, 2.0]
    assert max(Counter(name for name, _, _ in shared[:100]).values()) == 1  # in turn


def test_a_host_with_a_shorter_delay_is_asked_as_often_as_that_says():
    done = Bench({"a.test": "192.0.2.1"}, 3, delay=0.05, address_delay=0.2).run(lambda: 0.0)
    assert gaps(done) == pytest.approx([0.05, 0.05])


@pytest.mark.parametrize("off", [{"address_delay": 0.0}, {"obey_delay": False}])
def test_without_a_clock_addresses_do_not_wait(off):
    bench = Bench({f"h{n}.d{n}.test": "192.0.2.1" for n in range(9)}, **off)
    assert len(bench.all_now()) == 9


def test_a_thousand_hosts_on_an_address_cost_what_one_costs(monkeypatch):
    """No look at all of them each turn: the steps in the heaps grow like the turns."""
    bench = Bench({f"h{n}.test": "192.0.2.1" for n in range(1000)}, 2, delay=0.5, address_delay=0.5)
    pushes, push = [], heapq.heappush
    monkeypatch.setattr(heapq, "heappush", lambda *each: (pushes.append(1), push(*each))[1])
    assert len(bench.run(lambda: 0.0)) == 2000 and len(pushes) < 12_000


def test_a_domain_has_its_share_while_others_wait():
    flood = {f"h{n}.flood.test": f"192.0.2.{n}" for n in range(50)}
    others = {f"{name}.test": f"198.51.100.{n}" for n, name in enumerate("abcdef")}
    bench = Bench(flood | others, most_turns=16, domain_share=0.25)
    first = [bench.frontier.take(0.0).host.name for _ in range(10)]
    assert sum("flood" in name for name in first) == 4 and set(first) >= set(others)
    rest = [bench.frontier.take(0.0).host.name for _ in range(6)]
    assert all("flood" in name for name in rest)  # nobody else waits


def test_a_flood_delays_nobody():
    """A domain with 300 hosts keeps all turns busy; the hosts of others are asked at their own pace all the same."""
    flood = {f"h{n}.flood.test": f"192.0.{n // 200}.{n % 200}" for n in range(300)}
    others = {f"{name}.test": f"198.51.100.{n}" for n, name in enumerate("abc")}
    bench = Bench(
        flood | others,
        20,
        most_turns=16,
        delay=1.0,
        domain_share=0.25,
    )
    done = bench.run(lambda: 0.5)
    for name in others:
        # the last of twenty turns cannot be before 19 pauses of 1 s and 19 exchanges of 0.5 s
        assert max(began for host, began, _ in done if host == name) <= 28.5 * 1.05
    assert sum("flood" in name for name, _, _ in done) == 6000


def test_a_domain_does_not_fill_the_memory_for_hosts():
    """It may have its share while others wait, and all but such a share when nobody does."""
    bench = Bench({f"h{n}.flood.test": f"192.0.2.{n}" for n in range(5)}, hosts=20, domain_share=0.25)
    hosts = bench.frontier.hosts
    assert hosts.crowded("h99.flood.test") and not hosts.crowded("a.test")
    assert not hosts.crowded("h99.flood.test", alone=True)
    hosts.crowded("h99.flood.test")
    for turn in bench.all_now():
        bench.frontier.settled(turn.host, turn.queued)
        bench.frontier.release(turn, 1.0)
    assert not hosts.crowded("h99.flood.test") and hosts.relieved == 5


# -- addresses that have to be looked up ------------------------------------------------------------------------------


def test_a_host_is_looked_up_before_it_is_asked():
    bench = Bench({"a.test": "", "b.test": "192.0.2.7"}, delay=1.0, address_delay=0.5)
    frontier = bench.frontier
    turns = {turn.host.name: turn for turn in bench.all_now()}
    assert {name: turn.kind for name, turn in turns.items()} == {"a.test": RESOLVE, "b.test": PAGE}
    assert turns["a.test"].url == "dns:a.test"
    frontier.release(turns["b.test"], 0.0)
    host = turns["a.test"].host
    frontier.resolved(host, ("192.0.2.7", "192.0.2.8"), 100.0)
    frontier.end_look_up(host)
    assert frontier.take(0.49) is None  # b.test was asked at the same address
    turn = frontier.take(0.5)
    assert (turn.kind, turn.host.name, turn.host.address) == (PAGE, "a.test", "192.0.2.7")
    frontier.release(turn, 0.6)
    bench.push(host)
    assert frontier.take(101.0).kind == RESOLVE  # not believed any longer


def test_a_look_up_that_failed_is_made_again():
    bench = Bench({"a.test": ""})
    turn = bench.frontier.take(0.0)
    bench.frontier.look_up_again(turn.host, 5.0)
    bench.frontier.end_look_up(turn.host)
    assert bench.frontier.take(4.9) is None and bench.frontier.take(5.0).kind == RESOLVE


def test_the_next_address_is_tried_before_the_host_is_left_alone():
    bench = Bench({"a.test": ""}, 9, delay=1.0, address_delay=0.5)
    frontier = bench.frontier
    host = frontier.take(0.0).host
    frontier.resolved(host, ("192.0.2.1", "192.0.2.2"), 1e9)
    frontier.end_look_up(host)
    asked, backoffs = [], []
    for moment, reason in (
        (1.0, "connection refused"),
        (9.0, "http 200"),
        (11.0, "connection refused"),
        (13.0, "unreachable"),
    ):
        turn = frontier.take(moment)
        asked.append(turn.host.address)
        address = turn.host.address
        exchange = Exchange(reason=reason, retry_after=None, started=moment, ended=moment, address=address)
        backoffs.append(frontier.exchanged(host, exchange) is not None)
        frontier.release(turn, moment)
    assert asked == ["192.0.2.1", "192.0.2.2", "192.0.2.2", "192.0.2.1"]
    assert backoffs == [False, False, False, True]


def test_several_that_fail_at_one_address_are_one_that_is_silent():
    """The other one is tried, however many were under way."""
    bench = Bench({"a.test": ""}, 9, obey_delay=False)
    frontier = bench.frontier
    host = frontier.take(0.0).host
    frontier.resolved(host, ("192.0.2.1", "192.0.2.2"), 1e9)
    frontier.end_look_up(host)
    turns = bench.all_now()
    assert len(turns) == 9
    for turn in turns:
        down = Exchange(reason="connection refused", retry_after=None, started=0.0, ended=1.0, address="192.0.2.1")
        assert frontier.exchanged(host, down) is None
        frontier.release(turn, 1.0)
    assert host.address == "192.0.2.2"


def test_an_address_that_serves_is_kept_when_it_is_looked_up_again():
    """The first one refused us, and would again, each time."""
    bench = Bench({"a.test": ""}, 9, delay=1.0)
    frontier = bench.frontier
    host = frontier.take(0.0).host
    frontier.resolved(host, ("192.0.2.1", "192.0.2.2"), 1e9)
    down = Exchange(reason="connection refused", retry_after=None, started=0.0, ended=1.0, address="192.0.2.1")
    frontier.exchanged(host, down)
    for found, expected in ((("192.0.2.1", "192.0.2.2"), "192.0.2.2"), (("192.0.2.3", "192.0.2.1"), "192.0.2.3")):
        frontier.resolved(host, found, 1e9)
        assert host.address == expected


@pytest.mark.parametrize("reason", ["refused", "http 200"])
def test_the_clock_of_an_address_goes_on_without_its_host(reason):
    """It tries another address, or it leaves."""
    bench = Bench({"a.test": "", "b.test": ""}, delay=1.0, address_delay=0.5, hosts=1)
    frontier = bench.frontier
    a, b = (turn.host for turn in bench.all_now())
    frontier.resolved(a, ("192.0.2.1", "192.0.2.2"), 1e9)
    frontier.end_look_up(a)
    turn = frontier.take(0.0)
    frontier.exchanged(a, Exchange(reason=reason, retry_after=None, started=0.0, ended=1.0, address="192.0.2.1"))
    frontier.settled(a, turn.queued)
    frontier.release(turn, 1.0)
    if reason == "http 200":
        frontier.hosts.room(1)
    del turn, a
    frontier.resolved(b, ("192.0.2.1",), 1e9)
    frontier.end_look_up(b)
    assert frontier.take(1.49) is None and frontier.take(1.5).host is b


def test_a_host_with_the_robots_txt_of_another_stays():
    """It has no URLs left, and there is no room: it would be there twice, with two clocks."""
    bench = Bench({"a.test": "192.0.2.1", "b.test": "192.0.2.2"}, hosts=1)
    frontier = bench.frontier
    for turn in bench.all_now():
        frontier.settled(turn.host, turn.queued)
        frontier.release(turn, 0.0)
    a, b = frontier.hosts.values()
    frontier.robots_moved(a, b, "http://b.test/robots.txt", "http://a.test/robots.txt")
    frontier.hosts.room(1)
    assert list(frontier.hosts.values()) == [b] and bench.forgotten == [a]


# -- a delay that follows the server ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("took", "settings", "expected"),
    [
        (0.1, {}, (1.0, "default")),
        (0.1, {"delay_factor": 5}, (1.0, "default")),
        (2.0, {"delay_factor": 5}, (10.0, "response time")),
        (99.0, {"delay_factor": 5}, (300.0, "response time")),
        (2.0, {"delay_factor": 5, "max_delay": 4}, (4.0, "response time")),
        (2.0, {"delay_factor": 5, "obey_delay": False}, (0.0, "not obeyed")),
    ],
)
def test_a_slow_server_is_asked_less_often(took, settings, expected):
    bench = Bench({"a.test": "192.0.2.1"}, 3, **settings)
    turn = bench.frontier.take(100.0)
    bench.frontier.release(turn, 100.0 + took, took)
    assert (turn.host.delay, turn.host.delay_from) == expected
    bench.frontier.hosts.rest(turn.host)
    later = bench.frontier.take(100.0 + took + expected[0])
    bench.frontier.release(later, 200.0, 0.0)
    assert later.host.delay_from in ("default", "not obeyed")  # quick again


# -- places ------------------------------------------------------------------------------------------------------------


def test_look_ups_take_no_turn_of_another_host_and_no_place_of_another_domain():
    dead = {f"h{n}.dead.test": "" for n in range(50)}
    bench = Bench(dead | {f"a.other-{n}.test": "" for n in range(200)} | {"b.test": "192.0.2.7"}, most_turns=2)
    turns = bench.all_now()
    kinds = Counter(turn.kind for turn in turns)
    assert kinds == {PAGE: 1, RESOLVE: 128}
    assert sum(turn.host.name in dead for turn in turns) == 32
    first = next(turn.host for turn in turns if turn.kind == RESOLVE and turn.host.name not in dead)
    bench.frontier.look_up_again(first, 0.0)
    bench.frontier.end_look_up(first)
    (another,) = bench.all_now()
    assert another.kind == RESOLVE and another.host is not first, "what failed comes behind what is new"


def test_hosts_that_may_be_slow_leave_a_quarter_to_others():
    names = [f"{kind}.{kind}-{n}.test" for n in range(20) for kind in ("slow", "quick")]
    bench = Bench({name: f"192.0.2.{n}" for n, name in enumerate(names)}, pages=3, most_turns=16, delay=1.0)
    slow = lambda turn: turn.host.name.startswith("slow")  # noqa: E731
    now = 0.0
    while (turns := bench.all_now(now)) and now < 100:  # each of them once
        for turn in turns:
            bench.frontier.settled(turn.host, turn.queued)
            bench.frontier.release(turn, now, 30.0 if slow(turn) else 0.1)
    held = bench.all_now(1000.0)
    assert sum(map(slow, held)) == 12
    for turn in held:
        if not slow(turn):
            bench.frontier.settled(turn.host, turn.queued)
            bench.frontier.release(turn, 1000.0, 0.1)
    assert not any(map(slow, bench.all_now(1000.0))), "twelve are under way still"
    for turn in held:
        if slow(turn):
            bench.frontier.settled(turn.host, turn.queued)
            bench.frontier.release(turn, 1000.0, 0.1)
    assert sum(map(slow, bench.all_now(1002.0))) > 0
