"""Rings over a carrier that loses, doubles and reorders find what one ring finds, and fetch it once."""

import sqlite3
from collections import Counter
from contextlib import closing

import pytest

from tests.cluster.rings import RELIABLE, Carrier, Cluster, random_web, seeded
from tests.support.long_tables import few
from ttcrawl.cluster.replay import Replays
from ttcrawl.store.mailbox import Mailbox

CARRIERS = {
    "reorders": RELIABLE,
    "doubles": Carrier(doubled=0.5),
    "loses": Carrier(lost=0.4),
    "all": Carrier(lost=0.3, doubled=0.4),
}


def crawled(directory, seed, rings, carrier=RELIABLE, kills=0, max_depth=-1):
    web = random_web(seeded(seed))
    seeds = [f"http://{name}/0" for name in list(web.sites)[:2]]
    chance = seeded(seed + 1000 * rings)
    cluster = Cluster(directory, web, chance, rings=rings, seeds=seeds, carrier=carrier, max_depth=max_depth)
    cluster.run(kills=kills)
    return cluster


def pages(cluster):
    return Counter(exchange.url for exchange, _ in cluster.log() if not exchange.url.endswith("/robots.txt"))


@pytest.mark.slow
@pytest.mark.parametrize("max_depth", [-1, 4])
@pytest.mark.parametrize("seed", few(1, range(2)))
@pytest.mark.parametrize("carrier", CARRIERS)
def test_rings_find_what_one_ring_finds(tmp_path, carrier, seed, max_depth):
    one = crawled(tmp_path / "one", seed, 1, max_depth=max_depth)
    three = crawled(tmp_path / "three", seed, 3, CARRIERS[carrier], max_depth=max_depth)
    assert three.outcomes() == one.outcomes()
    assert pages(three) == pages(one)
    assert set(pages(one).values()) == {1}
    owners = {exchange.host: number for exchange, number in three.log()}
    assert all(three.table.ring_of(name) == number for name, number in owners.items())
    assert len(set(owners.values())) == 3


@pytest.mark.slow
@pytest.mark.parametrize("seed", few(2, range(4)))
def test_killed_rings_find_the_same(tmp_path, seed):
    one = crawled(tmp_path / "one", seed, 1)
    three = crawled(tmp_path / "three", seed, 3, CARRIERS["all"], kills=6)
    assert three.outcomes() == one.outcomes()
    assert pages(three).keys() == pages(one).keys()


@pytest.mark.slow
@pytest.mark.parametrize("pages_before", [20, 70])
@pytest.mark.parametrize("carrier", ["reorders", "all"])
@pytest.mark.parametrize("seed", few(1, range(2)))
def test_a_lost_disk_is_filled_by_the_others(tmp_path, seed, carrier, pages_before):
    one = crawled(tmp_path / "one", seed, 1)
    web = random_web(seeded(seed))
    seeds = [f"http://{name}/0" for name in list(web.sites)[:2]]
    three = Cluster(tmp_path / "three", web, seeded(seed), rings=3, seeds=seeds, carrier=CARRIERS[carrier])
    three.run(until=lambda: len(three.log()) > pages_before)
    loser = max(three.rings.values(), key=lambda member: len(member.model.log))
    loser.lose_disk()
    three.run()
    assert three.outcomes() == one.outcomes()
    requests = Counter(exchange.url for exchange, ring in three.log() if ring != loser.number)
    assert set(requests.values()) == {1}
    assert all(count <= 2 for count in pages(three).values())


@pytest.mark.parametrize("span", [1, 7, 1_000, 10_000])
def test_urls_are_sent_again_once_and_in_parts(tmp_path, span):
    """The process that sends them is killed after each part, before or after its commit."""
    parts, posted, uncommitted, ended = [], [], [], []

    class Rows:
        """Ids 1 to 100 are those of ring 2 and ring 3 in turn."""

        def foreign(self, first, end):
            parts.append(end - first)
            return [(str(number), None) for number in range(first, min(end, 101))]

    def ring_of(url):
        return 2 + int(url) % 2

    with closing(sqlite3.connect(tmp_path / "crawl.db")) as database:
        mailbox = Mailbox(database)
        Replays(mailbox, Rows(), ring_of, len, span).begin(2, 100)
        database.commit()
        for life in range(1_000):
            replays = Replays(mailbox, Rows(), ring_of, lambda url, spelling, path: uncommitted.append(url), span)
            if 2 not in replays:
                break
            ended += replays.turn()
            if life % 3:
                posted += uncommitted
                database.commit()
            else:
                database.rollback()
                ended.clear()
            uncommitted.clear()
    assert posted == [str(number) for number in range(2, 101, 2)]
    assert ended == [2] and max(parts) <= span


@pytest.mark.slow
@pytest.mark.parametrize("carrier", ["reorders", "all"])
@pytest.mark.parametrize("seed", few(1, range(2)))
def test_a_backup_is_brought_up_to_date_by_the_others(tmp_path, seed, carrier):
    one = crawled(tmp_path / "one", seed, 1)
    web = random_web(seeded(seed))
    seeds = [f"http://{name}/0" for name in list(web.sites)[:2]]
    three = Cluster(tmp_path / "three", web, seeded(seed), rings=3, seeds=seeds, carrier=CARRIERS[carrier])
    three.run(until=lambda: len(three.log()) > 20)
    loser = max(three.rings.values(), key=lambda member: len(member.model.log))
    loser.back_up(tmp_path / "backup.db")
    three.run(until=lambda: len(three.log()) > 70)
    loser.restore(tmp_path / "backup.db")
    three.run()
    assert three.outcomes() == one.outcomes()
    assert set(Counter(exchange.url for exchange, ring in three.log() if ring != loser.number).values()) == {1}
    assert all(count <= 2 for count in pages(three).values())
