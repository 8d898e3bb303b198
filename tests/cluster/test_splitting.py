"""Rings that share the hosts of a registrable domain find what one ring finds, and fetch it once."""

import pytest

from tests.cluster.judged import (
    CARRIERS,
    FEW_ROWS,
    alone,
    assert_alike,
    assert_polite,
    cluster_of,
    counted,
    requests,
    run_until,
)
from tests.support.long_tables import few

#: Most hosts are of one domain.
NAMES = [*(f"h{number}.uni.test" for number in range(10)), "www.site1.test", "www.site2.test"]


def all_alone(directory, seed, **options):
    return alone(directory, seed, names=NAMES, **options)


def several(directory, seed, carrier, **options):
    return cluster_of(directory, seed, 3, CARRIERS[carrier], names=NAMES, **options)


def requesters(cluster, since=0):
    """The rings that have requested hosts of the domain."""
    return {ring for exchange, ring in cluster.log()[since:] if exchange.host.endswith(".uni.test")}


@pytest.mark.slow
@pytest.mark.parametrize(("carrier", "max_depth"), [("reorders", -1), ("all", 4)])
@pytest.mark.parametrize(("seed", "pages"), few(1, [(0, 10), (1, 40)]))
def test_all_rings_crawl_a_domain_that_is_split(tmp_path, seed, pages, carrier, max_depth):
    one = all_alone(tmp_path / "one", seed, max_depth=max_depth)
    cluster = several(tmp_path / "many", seed, carrier, max_depth=max_depth)
    run_until(cluster, pages)
    assert len(requesters(cluster)) == 1
    cluster.split("uni.test")
    cluster.run()
    assert_alike(cluster, one)
    assert len(requesters(cluster)) == 3


@pytest.mark.slow
@pytest.mark.parametrize("seed", few(2, range(4)))
def test_rings_that_are_killed_while_a_domain_is_split_find_the_same(tmp_path, seed):
    one = all_alone(tmp_path / "one", seed)
    cluster = several(tmp_path / "many", seed, "all", portions=FEW_ROWS)
    run_until(cluster, 20)
    cluster.split("uni.test")
    for _ in range(12):
        cluster.run(until=counted(15))
        cluster.chance.choice([each for each in cluster.rings.values() if not each.ended]).kill()
    cluster.run()
    assert cluster.settled
    assert cluster.outcomes() == one.outcomes()
    assert requests(cluster).keys() == requests(one).keys()
    assert_polite(cluster)


@pytest.mark.slow
@pytest.mark.parametrize("seed", few(1, range(3)))
def test_rings_join_and_leave_after_a_split(tmp_path, seed):
    one = all_alone(tmp_path / "one", seed)
    cluster = several(tmp_path / "many", seed, "reorders", portions=FEW_ROWS)
    run_until(cluster, 10)
    split = lambda: cluster.split("uni.test")  # noqa: E731
    for change in (cluster.join, split, cluster.join, lambda: cluster.leave(1)):
        assert not cluster.finished
        change()
        cluster.run(until=lambda: cluster.settled)
        run_until(cluster, len(cluster.log()) + 3)
    cluster.run()
    assert_alike(cluster, one)


@pytest.mark.slow
@pytest.mark.parametrize("seed", few(1, range(2)))
def test_a_disk_that_is_lost_after_a_split_is_filled_by_the_others(tmp_path, seed):
    one = all_alone(tmp_path / "one", seed)
    cluster = several(tmp_path / "many", seed, "all")
    run_until(cluster, 20)
    (before,) = requesters(cluster)
    cluster.split("uni.test")
    cluster.run(until=lambda: cluster.settled)
    run_until(cluster, len(cluster.log()) + 20)
    cluster.rings[before].lose_disk()
    cluster.run()
    found, expected = ({url: outcome[:2] for url, outcome in each.outcomes().items()} for each in (cluster, one))
    assert found == expected  # depths may be greater: paths that the ring alone knew are lost
    assert max(requests(cluster).values()) == 2
