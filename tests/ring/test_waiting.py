"""Which domain is the next to have a page read."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.crawls.memory import kept
from ttcrawl.ring.waiting import FORGET, SLOW, TICK, Waiting


def taken(queue, costs, turns):
    """The domains of so many turns, each of which costs what its domain does."""
    order = []
    for _ in range(turns):
        domain = queue.take(slow=False) or queue.take(slow=True)
        queue.spent(domain, costs[domain])
        order.append(domain)
    return order


def filled(counts):
    queue = Waiting()
    for domain, count in counts.items():
        for _ in range(count):
            queue.put(domain, domain)
    return queue


def test_domains_take_turns_and_pages_of_one_stay_in_order():
    queue = Waiting()
    for token in (1, 2, 3):
        queue.put("a", token)
    queue.put("b", 4)
    queue.put("b", 0, first=True)
    assert [queue.take(slow=False) for _ in range(6)] == [1, 0, 2, 4, 3, None] and not queue


def test_long_pages_are_slow_ones_whatever_their_domain():
    queue = Waiting()
    queue.put("a", 1, long=True)
    queue.put("a", 2)
    assert queue.has(slow=True) and queue.take(slow=False) == 2 and queue.take(slow=False) is None
    assert queue.take(slow=True) == 1 and not queue and not queue.has(slow=True)


def test_the_time_of_a_long_page_is_not_expected_of_others():
    queue = filled({"a": 3})
    queue.spent("a", 0.4, long=True)
    assert not queue.slow("a")
    queue.spent("a", 0.4)
    assert queue.slow("a")
    queue.spent("a", 0.001, long=True)  # nor does a quick one make it quick
    assert queue.slow("a")


def test_a_domain_has_its_share_of_the_time():
    """Whatever its pages cost, while others wait; not of the pages."""
    costs = {"slow": 1.0, "one": 0.01, "other": 0.01}
    order = taken(filled({"slow": 9, "one": 150, "other": 150}), costs, 203)
    counts = Counter(order)
    assert counts["slow"] <= 3 and abs(counts["one"] - counts["other"]) <= 1


def test_a_newcomer_does_not_wait_for_what_others_have_had():
    queue = filled({"old": 100})
    taken(queue, {"old": 5.0}, 50)
    queue.put("new", "new")
    assert "new" in taken(queue, {"old": 5.0, "new": 0.0}, 2)


def test_waiting_for_nothing_saves_nothing_up():
    queue = filled({"early": 1, "other": 30})
    taken(queue, {"early": 0.1, "other": 0.1}, 25)
    for _ in range(10):
        queue.put("early", "early")
    assert Counter(taken(queue, {"early": 0.1, "other": 0.1}, 8)) == {"early": 4, "other": 4}


def test_slow_domains_are_known_and_in_time_forgotten():
    queue = filled({"a": 2, "b": 1})
    queue.spent("a", 2.0)
    assert queue.slow("a") and not queue.slow("b")
    assert [queue.take(slow=False), queue.take(slow=False)] == ["b", None]
    for _ in range(30):
        queue.spent("a", 0.001)
    assert not queue.slow("a") and queue.take(slow=False) == "a"


@pytest.mark.slow
def test_few_domains_are_remembered():
    queue = Waiting(max_domains=100)

    def come(domains):
        for n in domains:
            queue.put(f"{n}", n)
            queue.take(slow=False)
            queue.spent(f"{n}", 1.0 if n % 2 else 0.0)

    come(range(1000))
    assert sum(queue.slow(f"{n}") for n in range(1000)) <= 101
    assert kept(lambda: come(range(1000, 11_000))) < 100_000  # bytes: less than ten for each of them


class Searched:
    """The same by a search of all queues at each turn."""

    def __init__(self):
        self.queues, self.used, self.expected, self.least = {}, {}, {}, 0.0

    def put(self, domain, token, *, long):
        if (domain, long) not in self.queues:
            self.used[domain] = max(self.used.get(domain, 0.0), self.least)
        self.queues.setdefault((domain, long), []).append(token)

    def take(self, *, slow):
        keys = [key for key in self.queues if (key[1] or key[0] in self.expected) == slow]
        if not keys:
            return None
        key = min(keys, key=lambda each: self.used[each[0]])
        token = self.queues[key].pop(0)
        if not self.queues[key]:
            del self.queues[key]
        self.least = max(self.least, self.used[key[0]])
        self.used[key[0]] += TICK
        return token

    def spent(self, domain, seconds, *, long):
        self.used[domain] = self.used.get(domain, self.least) + seconds
        if not long and (seconds >= SLOW or domain in self.expected):
            expected = max(seconds, FORGET * self.expected.pop(domain, 0.0))
            self.expected |= {domain: expected} if expected >= SLOW else {}


DOMAINS, FLAGS = st.sampled_from("abcd"), st.booleans()
STEPS = st.one_of(
    st.tuples(st.just("put"), DOMAINS, FLAGS),
    st.tuples(st.just("take"), FLAGS),
    st.tuples(st.just("spent"), DOMAINS, st.sampled_from([0.0, 0.01, 0.24, SLOW, 0.3, 2.0]), FLAGS),
)


@given(st.lists(STEPS, max_size=60))
def test_the_order_is_that_of_a_search_of_all_queues(steps):
    queue, searched = Waiting(), Searched()
    for token, (name, *values) in enumerate(steps):
        if name == "put":
            domain, long = values
            for each in (queue, searched):
                each.put(domain, token, long=long)
        elif name == "take":
            assert queue.take(slow=values[0]) == searched.take(slow=values[0])
        else:
            domain, seconds, long = values
            for each in (queue, searched):
                each.spent(domain, seconds, long=long)
        kinds = {key[1] or key[0] in searched.expected for key in searched.queues}
        assert [queue.has(slow=slow) for slow in (False, True)] == [slow in kinds for slow in (False, True)]
        assert bool(queue) == bool(kinds)
