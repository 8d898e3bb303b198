"""The URLs of one host in memory, beside a queue that has them all."""

import random
from collections import Counter

import pytest

from ttcrawl.frontier.host_queue import HostQueue, Queued


class Twin:
    """A queue with little memory, and the rows behind it: each URL that is taken is the first one of all that wait."""

    def __init__(self, rng, bound):
        self.rng, self.bound, self.queue = rng, bound, HostQueue()
        self.rows, self.flying, self.last = {}, {}, 0  # id -> [priority, attempts]; id -> Queued

    def fill(self):
        if not self.queue.heap and self.queue.more:
            limit = self.bound // 2 + len(self.queue.known)
            rows = sorted((priority, id) for id, (priority, _) in self.rows.items())[:limit]
            self.queue.refill([self.queued(id) for _, id in rows], limit)

    def queued(self, id):
        priority, attempts = self.rows[id]
        return Queued(id=id, url="", depth=0, priority=priority, attempts=attempts)

    def waiting(self, untried=False):
        """What may be taken, of the URLs in memory only those that were not requested yet."""
        here = self.queue.known
        return [
            (priority, id)
            for id, (priority, attempts) in self.rows.items()
            if id not in self.flying and not (untried and (attempts or id not in here))
        ]

    def add(self):
        self.last += 1
        self.rows[self.last] = [self.rng.randrange(30), self.rng.randrange(2)]
        self.queue.add(self.queued(self.last), self.bound)

    def promote(self):
        id = self.rng.choice([*self.rows, None])
        if id is None:
            return
        self.rows[id][0] = min(self.rows[id][0], self.rng.randrange(30))
        known = self.queue.known.get(id)
        if known is not None:
            self.queue.promote(known, self.rows[id][0])
        else:
            self.queue.add(self.queued(id), self.bound)

    def take(self):
        self.fill()
        assert bool(self.queue.heap) == bool(self.waiting())
        if self.queue.heap:
            untried = self.rng.random() < 0.3
            first = min(self.waiting(untried) or self.waiting())
            queued = self.queue.pop(untried=untried)
            assert (queued.priority, queued.id) == first
            self.flying[queued.id] = queued

    def back(self):
        """A URL behind the horizon, which was taken before it was there, would come before others."""
        queue = self.queue
        near = [id for id in self.flying if not queue.more or (self.rows[id][0], id) <= queue.horizon]
        if near:
            queue.back(self.flying.pop(self.rng.choice(near)))

    def settle(self):
        if self.flying:
            queued = self.flying.pop(self.rng.choice([*self.flying]))
            del self.rows[queued.id], self.queue.known[queued.id]


@pytest.mark.parametrize("bound", [2, 5, 40, 1000])
def test_the_first_of_all_that_wait_is_taken(bound):
    rng = random.Random(bound)
    twin = Twin(rng, bound)
    done = Counter()
    for step in rng.choices(
        (twin.add, twin.promote, twin.take, twin.back, twin.settle), weights=(30, 40, 25, 5, 20), k=3000
    ):
        step()
        done[step.__name__] += 1
        assert len(twin.queue.heap) <= max(twin.bound, 2 * len(twin.queue.known)) + 1
    while twin.waiting():
        twin.take()
    assert len(twin.flying) == len(twin.rows) and done["take"] > 500


def test_a_queue_of_visits_leaves_the_others_to_the_database():
    """A promoted URL has two entries, and leaves memory once."""
    queue = HostQueue()
    rows = [Queued(id=id, url="", depth=0, priority=9) for id in range(3)]
    for each in rows:
        queue.add(each, 10)
    queue.promote(rows[2], 1)
    assert queue.pop() is rows[2]
    queue.only_visits()
    assert not queue.heap and list(queue.known) == [2] and not queue.more
