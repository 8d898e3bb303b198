"""What rings send to each other, in the transaction of the crawl."""

import random

import pytest

from ttcrawl.store.mailbox import CLUSTER, to_change
from ttcrawl.store.sqlite import Store


@pytest.fixture
def store(tmp_path):
    with_tables = Store(tmp_path / "crawl.db", create=True)
    yield with_tables
    with_tables.abandon()


def test_batches_are_numbered_for_each_receiver(store):
    mailbox = store.mailbox()
    assert [mailbox.post(ring, b"x%d" % ring) for ring in (2, 3, 2, 2)] == [1, 1, 2, 3]
    assert mailbox.unacknowledged() == [(2, 1, 2), (2, 2, 2), (2, 3, 2), (3, 1, 2)]
    assert mailbox.batch(3, 1) == b"x3"


def test_an_acknowledged_batch_leaves_and_its_number_is_not_used_again(store):
    mailbox = store.mailbox()
    mailbox.post(2, b"x")
    mailbox.acknowledge(2, 1)
    mailbox.acknowledge(2, 1)
    assert mailbox.unacknowledged() == []
    assert mailbox.post(2, b"y") == 2


@pytest.mark.parametrize("seed", range(5))
def test_each_batch_is_new_once_in_any_order(store, seed):
    mailbox, chance = store.mailbox(), random.Random(seed)
    arrivals = [(sender, number) for sender in "ab" for number in range(1, 30)] * 3
    chance.shuffle(arrivals)
    new = [each for each in arrivals if mailbox.receive(*each)]
    assert sorted(new) == sorted(set(arrivals))


def test_batches_that_came_in_order_take_one_row(store, tmp_path):
    mailbox = store.mailbox()
    for number in (1, 2, 4, 3, 7):
        assert mailbox.receive("a", number)
    store.commit()
    assert [mailbox.receive("a", number) for number in (1, 4, 7, 5)] == [False, False, False, True]
    assert [mailbox.receive("a", number) for number in (5, 6, 7, 8)] == [False, True, False, True]


def test_what_is_not_committed_is_undone(store):
    mailbox = store.mailbox()
    store.commit()
    mailbox.post(2, b"x")
    mailbox.receive("a", 1)
    store.rollback()
    mailbox = store.mailbox()
    assert mailbox.unacknowledged() == []
    assert mailbox.receive("a", 1)
    assert mailbox.post(2, b"x") == 1


def test_a_ring_with_another_directory_is_new(store):
    mailbox = store.mailbox()
    assert [mailbox.peer(2, each) for each in ("a", "a", "b", "b", "a")] == ["", "a", "a", "b", "b"]
    assert mailbox.peer(3, "a") == ""


def test_urls_that_others_have_processed_are_known_until_those_are_lost(store):
    mailbox = store.mailbox()
    for url, ring in ((5, 2), (6, 3), (7, 2)):
        mailbox.hold(url, ring)
    assert [mailbox.holder(url) for url in (4, 5, 6, 7)] == [0, 2, 3, 2]
    assert mailbox.release(2) == [5, 7]
    assert [mailbox.holder(url) for url in (5, 6, 7)] == [0, 3, 0]


def test_adoptions_of_a_ring_are_kept_until_they_are_complete(store):
    mailbox = store.mailbox()
    mailbox.wait_for([2, 3])
    assert [mailbox.add_adoption(2, b"a"), mailbox.add_adoption(3, b"b"), mailbox.add_adoption(2, b"c")] == [1, 1, 2]
    assert mailbox.awaited() == {2, 3}
    assert mailbox.next_adoptions(2, 1) in ([b"a"], [b"c"])
    assert mailbox.awaited() == {2, 3}
    assert len(mailbox.next_adoptions(2, 2)) == 1
    assert mailbox.awaited() == {3}
    assert mailbox.next_adoptions(3, 5) == [b"b"]


@pytest.mark.parametrize(("directory", "whole"), [("news/joined", "news"), ("joined", "joined"), ("one", "one")])
def test_commands_that_change_take_the_cluster_and_not_where_its_rings_are_joined(tmp_path, directory, whole):
    for name in ("news/joined", "joined", "one"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "news" / CLUSTER).touch()
    assert to_change(tmp_path / directory) == tmp_path / whole
