"""What must be true of rings whose hosts move: they find what one ring finds, fetch it once, and keep the delays."""

from collections import Counter

from tests.cluster.rings import RELIABLE, TOLERANCE, Carrier, Cluster, gaps, random_web, seeded
from ttcrawl.cluster.moves import Portions

#: Hosts move in many turns, and in many batches.
FEW_ROWS = Portions(rows=5, hosts=2, urls=3, adoptions=1)

CARRIERS = {"reorders": RELIABLE, "all": Carrier(lost=0.3, doubled=0.4)}


def cluster_of(directory, seed, rings, carrier=RELIABLE, hosts=12, names=(), **options):
    web = random_web(seeded(seed), hosts=hosts, names=names)
    seeds = [f"http://{name}/0" for name in list(web.sites)[:2]]
    return Cluster(directory, web, seeded(seed + rings), rings=rings, seeds=seeds, carrier=carrier, **options)


def alone(directory, seed, **options):
    cluster = cluster_of(directory, seed, 1, **options)
    cluster.run()
    return cluster


def requests(cluster):
    return Counter(exchange.url for exchange, _ in cluster.log())


def run_until(cluster, pages):
    cluster.run(until=lambda: len(cluster.log()) > pages)


def change_in_turn(cluster, changes):
    """Run to the end, with a few pages after each change."""
    for change in changes:
        assert not cluster.finished
        change()
        cluster.run(until=lambda: cluster.settled)
        run_until(cluster, len(cluster.log()) + 3)
    cluster.run()


def assert_alike(cluster, one):
    """The cluster has found what one ring finds, requested all once, robots.txt too, and kept to the delays."""
    assert cluster.settled
    assert cluster.outcomes() == one.outcomes()
    assert requests(cluster) == requests(one)
    assert set(requests(cluster).values()) == {1}
    assert_polite(cluster)


def assert_polite(cluster):
    politeness = cluster.config.politeness
    assert min(gap for gap, _, _ in gaps(cluster, "host")) >= politeness.delay - TOLERANCE
    assert min(gap for gap, _, _ in gaps(cluster)) >= politeness.address_delay - TOLERANCE


def counted(turns):
    """Whether so many turns have passed."""
    remaining = iter(range(turns))
    return lambda: next(remaining, None) is None


def assert_kills_change_nothing(cluster, one):
    """While a change goes on, rings are killed twelve times; then the cluster is settled, and has found the same."""
    for _ in range(12):
        cluster.run(until=counted(15))
        cluster.chance.choice([each for each in cluster.rings.values() if not each.ended]).kill()
    cluster.run()
    assert cluster.settled
    assert cluster.outcomes() == one.outcomes()
    assert requests(cluster).keys() == requests(one).keys()
    assert_polite(cluster)
