"""Which ring owns a host."""

from collections import Counter

import pytest

from ttcrawl.cluster.route import BUCKETS, bucket_of, owners, table

FEW = 8_192


@pytest.mark.parametrize("count", [1, 2, 3, 10, 30])
def test_a_new_ring_takes_its_share_from_all_others_alike(count):
    before, after = table(range(count), buckets=FEW), table(range(count + 1), epoch=1, buckets=FEW)
    moved = before.moved(after)
    assert {new for _, new in moved.values()} == {count}
    share = FEW / (count + 1)
    assert abs(len(moved) - share) < 6 * share**0.5
    each = Counter(old for old, _ in moved.values())
    assert set(each) == set(range(count))
    assert max(each.values()) < 2.5 * share / count + 10


def test_a_ring_that_leaves_gives_away_its_own_buckets_alone():
    before, after = table([1, 2, 3, 4], buckets=FEW), table([1, 2, 4], epoch=1, buckets=FEW)
    moved = before.moved(after)
    assert {old for old, _ in moved.values()} == {3}
    assert len(moved) == Counter(before.owner_of)[3]


@pytest.mark.parametrize("count", [2, 3, 10, 30])
def test_rings_have_about_the_same_number_of_buckets(count):
    sizes = Counter(owners(tuple(range(count)), 32_768)).values()
    assert len(sizes) == count
    assert max(sizes) < 1.15 * 32_768 / count


def test_the_order_of_rings_counts_for_nothing():
    assert table([3, 1, 2, 1], buckets=64) == table([1, 2, 3], buckets=64)


def test_hosts_of_a_domain_have_one_owner():
    rings = table(range(7), buckets=FEW)
    names = ("example.co.uk", "www.example.co.uk", "shop.example.co.uk:8080")
    assert len({rings.ring_of(name) for name in names}) == 1
    many = {rings.ring_of(f"site{number}.test") for number in range(200)}
    assert many == set(range(7))


def test_hosts_of_a_split_domain_have_owners_of_their_own():
    whole, split = (table(range(7), buckets=FEW, split=frozenset(each)) for each in ((), ("example.co.uk",)))
    assert split.ring_of("example.co.uk") == whole.ring_of("example.co.uk")
    assert split.ring_of("www.example.co.uk:8080") == split.ring_of("www.example.co.uk")
    assert {split.ring_of(f"host{number}.example.co.uk") for number in range(200)} == set(range(7))
    others = [f"www.site{number}.test" for number in range(50)]
    assert [split.ring_of(name) for name in others] == [whole.ring_of(name) for name in others]


@pytest.mark.parametrize("host", ["192.0.2.7", "[2001:db8::1]:8080", "localhost", "xn--bcher-kva.example"])
def test_any_host_has_an_owner(host):
    assert table([4, 5], buckets=FEW).ring_of(host) in (4, 5)


def test_a_bucket_is_the_same_in_every_process_and_version():
    """A crawl that continues would else have URLs whose owner has no row for them."""
    assert [bucket_of(name) for name in ("example.org", "example.com", "bücher.example")] == [48965, 47987, 19193]
    assert Counter(owners((1, 2, 3), 1_000)) == {1: 330, 2: 352, 3: 318}


def test_one_ring_owns_everything():
    assert set(owners((5,), BUCKETS)) == {5}


def test_no_ring_owns_nothing():
    with pytest.raises(ValueError, match="needs a ring"):
        owners(())
