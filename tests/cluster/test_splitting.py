"""Rings that share the hosts of a registrable domain find what one ring finds, and fetch it once."""

import json
from collections import defaultdict
from itertools import pairwise

import pytest

from tests.cluster.clusters import Done, crawl_options, kill_ring
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
from tests.support.crawls.crawling import crawl, query, verified
from tests.support.crawls.equal_tables import everything
from tests.support.crawls.preforked import run
from tests.support.faults.killing import FAST, start, until
from tests.support.long_tables import few
from tests.support.web.mesh import mesh
from tests.support.web.site import Web
from ttcrawl.cluster.plan import read_plan

#: Which page comes first decides which of several with the same content is parsed.
TABLES = ("urls", "pages", "links", "metadata", "text", "duplicates", "hosts", "unsettled", "unread")

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
    assert_kills_change_nothing(cluster, one)


@pytest.mark.slow
@pytest.mark.parametrize("seed", few(1, range(3)))
def test_rings_join_and_leave_after_a_split(tmp_path, seed):
    one = all_alone(tmp_path / "one", seed)
    cluster = several(tmp_path / "many", seed, "reorders", portions=FEW_ROWS)
    run_until(cluster, 10)
    changes = (cluster.join, lambda: cluster.split("uni.test"), cluster.join, lambda: cluster.leave(1))
    change_in_turn(cluster, changes)
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


# -- real processes ------------------------------------------------------------------------------------------------

HOSTS = [f"h{number}.uni.test" for number in range(40)]

#: Two hosts have an address.
ADDRESSES = {name: f"127.0.0.{1 + number % 20}" for number, name in enumerate(HOSTS)}
DELAY, ADDRESS_DELAY = 0.2, 0.1
DELAYS = ("--set", f"politeness.delay={DELAY}", "--set", f"politeness.address_delay={ADDRESS_DELAY}")


def gaps_of(hits, what):
    """Seconds from an answer to the next request at a host or an address."""
    of_each = defaultdict(list)
    for hit in hits:
        of_each[what(hit.host)].append(hit)
    for each in of_each.values():
        yield from (after.arrived - (before.answered or before.arrived) for before, after in pairwise(each))


@pytest.mark.slow
def test_three_rings_crawl_one_domain_while_one_of_them_is_killed(tmp_path):
    directory, scope = tmp_path / "c", ("--scope", "domain")
    with Web(mesh(HOSTS, 40, 1), addresses=ADDRESSES) as web:
        seed = web.url(HOSTS[0], "/")
        one = crawl(web, seed, tmp_path / "one", *FAST, *scope, "--no-obey-delay", timeout=300)
        before = len(web.log())
        process = start(tmp_path, *crawl_options(web, seed, directory, 3, *scope, *DELAYS))
        until(lambda: (directory.exists() and shared(directory)) or process.poll() is not None)
        kill_ring(directory, read_plan(directory).table().ring_of("uni.test"))
        _, err = process.communicate(timeout=300)
        assert process.returncode == 0, err
        hits = web.log()[before:]
    assert "uni.test has 100% of the URLs: the rings share its hosts from now on" in err
    assert shared(directory) == ["uni.test"]
    done = Done(process.returncode, "", err, directory)
    assert done.states() == one.states()
    assert all(query(directory / f"ring-{ring}", "SELECT count(*) > 100 FROM page") == [(1,)] for ring in done.rings())
    assert min(gaps_of(hits, str)) >= DELAY
    assert min(gaps_of(hits, lambda host: ADDRESSES[host.partition(":")[0]])) >= ADDRESS_DELAY
    assert run("cluster", "gather", directory, "-o", tmp_path / "all").returncode == 0
    single, whole = everything(tmp_path / "one"), everything(tmp_path / "all")
    for table in TABLES:
        assert whole[table] == single[table], table
    assert verified(tmp_path / "all") == ""


def shared(directory):
    """The domains that are split, as the command shows them."""
    return json.loads(run("cluster", "status", directory, "--format", "json").stdout)["split"]
