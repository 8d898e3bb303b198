"""Politeness holds for the cluster: by the log of the servers, an address that rings share is never asked too soon."""

from collections import Counter

import pytest

from tests.cluster.rings import TOLERANCE, Carrier, Cluster, gaps, random_web, seeded
from ttcrawl import config

DELAY, ADDRESS_DELAY = 1.0, 0.3
POLITE = config.Config(politeness=config.Politeness(delay=DELAY, address_delay=ADDRESS_DELAY))


def crawled(directory, seed, carrier, kills=0):
    web = random_web(seeded(seed), pages=4)
    seeds = [f"http://{name}/0" for name in web.sites]
    cluster = Cluster(directory, web, seeded(seed), rings=3, seeds=seeds, carrier=carrier, config=POLITE)
    cluster.run(kills=kills)
    return cluster


@pytest.mark.slow
@pytest.mark.parametrize("kills", [0, 5])
@pytest.mark.parametrize("carrier", [Carrier(), Carrier(lost=0.2, doubled=0.3)], ids=["reliable", "lossy"])
@pytest.mark.parametrize("seed", range(2))
def test_no_gap_at_an_address_is_too_short(tmp_path, seed, carrier, kills):
    cluster = crawled(tmp_path / "cluster", seed, carrier, kills)
    between = [gap for gap, before, after in gaps(cluster) if before != after]
    assert len(between) >= 10
    assert min(gap for gap, _, _ in gaps(cluster, "host")) >= DELAY - TOLERANCE
    assert min(gap for gap, _, _ in gaps(cluster)) >= ADDRESS_DELAY - TOLERANCE
    assert Counter(state for state, _, _ in cluster.outcomes().values()).keys() == {"fetched"}
