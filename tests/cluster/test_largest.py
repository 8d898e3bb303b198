"""The largest registrable domains: counted by rings, and split by the conductor."""

import random
from collections import Counter
from contextlib import closing

import pytest

from tests.support.crawls.crawl_db import crawl_of
from ttcrawl.cluster.largest import LEAST, MOST, Largest, Summary, added, split_share, to_split
from ttcrawl.cluster.members import divided, founding, joined
from ttcrawl.cluster.messages import Status, UrlCount
from ttcrawl.cluster.route import table
from ttcrawl.config import Config, Fetch, Frontier
from ttcrawl.store.sqlite import Store


def counted(names, size):
    """A summary of URLs, in batches."""
    summary = Summary(epoch=0)
    for first in range(0, len(names), size):
        batch = Counter(names[first : first + size])
        summary = added(summary, [(name, f"a.{name}", f"b.{name}", urls) for name, urls in batch.items()], first + size)
    return summary


@pytest.mark.parametrize("size", [1, 7, 1_000])
@pytest.mark.parametrize("exponent", [0.0, 1.0, 2.0])
def test_no_domain_counts_for_more_and_none_for_much_less(size, exponent):
    chance = random.Random(size)
    weights = [(rank + 1) ** -exponent for rank in range(3 * MOST)]
    names = chance.choices([f"site{rank}.test" for rank in range(3 * MOST)], weights, k=20_000)
    summary, true = counted(names, size), Counter(names)
    assert summary.urls == len(names) and len(summary.domains) <= MOST
    for name, urls in true.items():
        found = summary.domains[name].urls if name in summary.domains else 0
        assert urls - len(names) / MOST <= found <= urls


@pytest.mark.parametrize(
    ("batches", "several"),
    [
        ([("h.test", "h.test")], False),
        ([("h.test", "h.test:8080")], False),
        ([("h.test", "www.h.test")], True),
        ([("h.test", "h.test"), ("h.test", "h.test")], False),
        ([("h.test", "h.test"), ("www.h.test", "www.h.test")], True),
        ([("h.test", "www.h.test"), ("h.test", "h.test")], True),
    ],
)
def test_a_domain_has_several_hosts_or_one(batches, several):
    summary = Summary(epoch=0)
    for first, last in batches:
        summary = added(summary, [("h.test", first, last, 1)], 1)
    assert summary.domains["h.test"].several is several


def test_urls_are_counted_once_also_after_a_kill(tmp_path):
    urls = {f"http://h{number % 4}.uni.test/{number}": [] for number in range(12)} | {"http://b.test/": []}
    directory = crawl_of(tmp_path / "c", urls)
    store = Store(directory / "crawl.db")
    assert count_all(store) == UrlCount(urls=13, domains={"uni.test": 12})
    store.rollback()  # the process is killed before the commit
    store.abandon()
    with closing(Store(directory / "crawl.db")) as store:
        assert counter(store).report() is None
        assert count_all(store) == UrlCount(urls=13, domains={"uni.test": 12})
        store.commit()
    with closing(Store(directory / "crawl.db")) as store:
        again = counter(store)
        assert again.turn(0, 13) == 0 and again.report().urls == 13
        assert again.turn(1, 13) == 1 and again.report() is None  # of another epoch


def counter(store):
    return Largest(store, 0.5, few=3, span=5)


def count_all(store):
    count = counter(store)
    while count.turn(0, 13):
        pass
    return count.report()


MEMBERS = founding(table([1, 2], buckets=64))


def status(ring, urls, epoch=0, **domains):
    count = UrlCount(urls=urls, domains={f"{name}.test": number for name, number in domains.items()}) if urls else None
    about = {"wave": 1, "idle": False, "life": "a", "activity": 1, "fetched": 1, "bytes": 1}
    return Status(ring=ring, epoch=epoch, count=count, **about)


@pytest.mark.parametrize(
    ("statuses", "members", "share", "expected"),
    [
        ([status(1, 4000, uni=3000), status(2, 2000)], MEMBERS, 0.25, {"uni.test": 0.5}),
        ([status(1, 4000, uni=3000), status(2, 2000)], MEMBERS, 0.5, {}),  # not above it
        ([status(1, 4000, uni=3000), status(2, 2000)], MEMBERS, 0.0, {}),
        ([status(1, 2 * LEAST, uni=LEAST - 1), status(2, 1)], MEMBERS, 0.1, {}),
        ([status(1, 2000, uni=1000), status(2, 2000, uni=2000)], MEMBERS, 0.5, {"uni.test": 0.75}),
        ([status(1, 9000, uni=9000)], MEMBERS, 0.25, {}),  # the other one has not answered
        ([status(1, 9000, uni=9000), status(2, 0)], MEMBERS, 0.25, {}),  # or not counted
        ([status(1, 9000, uni=9000), status(2, 1, epoch=1)], MEMBERS, 0.25, {}),
        ([status(1, 9000, uni=9000)], founding(table([1], buckets=64)), 0.25, {}),
        ([status(ring, 9000, 1, uni=9000) for ring in (1, 2)], divided(MEMBERS, ["uni.test"]), 0.25, {}),
        (
            [status(ring, 5000, 1, a=2000, b=2000) for ring in (1, 2, 3)],
            joined(MEMBERS, 3),
            0.3,
            {"a.test": 0.4, "b.test": 0.4},
        ),
    ],
)
def test_domains_above_a_share_are_split(statuses, members, share, expected):
    assert to_split({each.ring: each for each in statuses}, members, share) == expected


def test_domains_stay_whole_where_their_hosts_have_something_in_common():
    assert split_share(Config()) == Frontier().split_share > 0
    assert split_share(Config(fetch=Fetch(cookies="kept"))) == 0
    assert split_share(Config(fetch=Fetch(cookies="host"))) > 0
