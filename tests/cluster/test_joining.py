"""Rings that join and leave while the crawl goes on find what one ring finds, and fetch it once."""

from collections import Counter

import pytest

from tests.cluster.judged import (
    CARRIERS,
    FEW_ROWS,
    alone,
    assert_alike,
    assert_kills_change_nothing,
    change_in_turn,
    cluster_of,
    requests,
    run_until,
)
from tests.cluster.rings import RELIABLE, Carrier
from tests.support.long_tables import few
from ttcrawl.cluster.members import founding, left
from ttcrawl.cluster.route import table
from ttcrawl.web.url import host


@pytest.mark.slow
@pytest.mark.parametrize(("carrier", "max_depth"), [("reorders", -1), ("all", -1), ("all", 4)])
@pytest.mark.parametrize(("seed", "pages"), few(1, [(0, 10), (1, 50)]))
def test_a_ring_that_joins_takes_its_hosts_over(tmp_path, seed, pages, carrier, max_depth):
    one = alone(tmp_path / "one", seed, max_depth=max_depth)
    cluster = cluster_of(tmp_path / "many", seed, 2, CARRIERS[carrier], max_depth=max_depth)
    run_until(cluster, pages)
    new = cluster.join()
    cluster.run()
    assert_alike(cluster, one)
    assert cluster.rings[new].model.log


@pytest.mark.slow
@pytest.mark.parametrize("seed", few(1, range(3)))
def test_hosts_that_stay_go_on_while_others_move(tmp_path, seed):
    cluster = cluster_of(tmp_path / "many", seed, 2, hosts=36, portions=FEW_ROWS)
    run_until(cluster, 30)
    before, owners = requests(cluster), cluster.table
    crawls = {number: ring.crawl for number, ring in cluster.rings.items()}
    cluster.join()
    staying = {name for name in cluster.web.sites if owners.ring_of(name) == cluster.table.ring_of(name)}
    cluster.run(until=lambda: cluster.settled)
    during = Counter(host(url) for url in (requests(cluster) - before).elements())
    assert len(staying & during.keys()) > len(staying) / 2
    assert all(cluster.rings[number].crawl is crawl for number, crawl in crawls.items())


@pytest.mark.slow
@pytest.mark.parametrize("seed", few(2, range(4)))
def test_rings_that_are_killed_while_one_joins_find_the_same(tmp_path, seed):
    one = alone(tmp_path / "one", seed)
    cluster = cluster_of(tmp_path / "many", seed, 2, CARRIERS["all"], portions=FEW_ROWS)
    run_until(cluster, 30)
    cluster.join()
    assert_kills_change_nothing(cluster, one)


@pytest.mark.slow
@pytest.mark.parametrize("carrier", CARRIERS)
@pytest.mark.parametrize(("seed", "pages"), few(1, [(0, 10), (1, 50)]))
def test_a_ring_that_leaves_gives_its_hosts_away(tmp_path, seed, carrier, pages):
    one = alone(tmp_path / "one", seed)
    cluster = cluster_of(tmp_path / "many", seed, 3, CARRIERS[carrier])
    run_until(cluster, pages)
    leaver = max(cluster.rings.values(), key=lambda ring: ring.crawl.frontier.queued)
    cluster.leave(leaver.number)
    cluster.run(until=lambda: cluster.settled)
    before = len(leaver.model.log)
    cluster.run()
    assert len(leaver.model.log) == before
    assert_alike(cluster, one)


@pytest.mark.slow
@pytest.mark.parametrize("carrier", [RELIABLE, Carrier(lost=0.1, doubled=0.4)], ids=["reorders", "loses"])
@pytest.mark.parametrize("seed", few(1, range(3)))
def test_hosts_move_more_than_once(tmp_path, seed, carrier):
    """A URL that one ring has processed is requested by no later owner of its host, and comes nearer where it is."""
    one = alone(tmp_path / "one", seed, hosts=36)
    cluster = cluster_of(tmp_path / "many", seed, 2, carrier, hosts=36, portions=FEW_ROWS)
    run_until(cluster, 10)
    changes = (cluster.join, cluster.join, lambda: cluster.leave(3), cluster.join, lambda: cluster.leave(1))
    change_in_turn(cluster, changes)
    assert_alike(cluster, one)


@pytest.mark.slow
@pytest.mark.parametrize("loser", [1, 3], ids=["the old owner", "the new one"])
@pytest.mark.parametrize("seed", few(1, range(2)))
def test_a_disk_that_is_lost_after_hosts_moved_is_filled_by_the_others(tmp_path, seed, loser):
    one = alone(tmp_path / "one", seed)
    cluster = cluster_of(tmp_path / "many", seed, 2, CARRIERS["all"])
    run_until(cluster, 30)
    cluster.join()
    cluster.run(until=lambda: cluster.settled)
    run_until(cluster, len(cluster.log()) + 20)
    cluster.rings[loser].lose_disk()
    cluster.run()
    found, expected = ({url: outcome[:2] for url, outcome in each.outcomes().items()} for each in (cluster, one))
    assert found == expected  # depths may be greater: paths that the ring alone knew are lost
    assert max(requests(cluster).values()) == 2


def test_the_last_ring_cannot_leave():
    with pytest.raises(ValueError, match="last ring"):
        left(founding(table([1], buckets=64)), 1)
