"""A cluster on the clock of a model is gathered after losses, kills and a stop, and may go on as one crawl."""

import sqlite3
from contextlib import closing

import pytest

from tests.cluster.rings import RELIABLE, Carrier, Cluster, problems, random_web, seeded
from tests.support.faults.simulation import ModelRing
from ttcrawl.cluster.gather import gather
from ttcrawl.config import Config
from ttcrawl.engine.environment import Environment
from ttcrawl.engine.loop import Crawl
from ttcrawl.frontier.bounds import Bounds
from ttcrawl.store.sqlite import Store

BAD = Carrier(lost=0.3, doubled=0.4)


def cluster(directory, seed, rings, carrier=RELIABLE, max_depth=-1):
    web = random_web(seeded(seed))
    seeds = [f"http://{name}/0" for name in list(web.sites)[:2]]
    chance = seeded(seed + 1000 * rings)
    config = Config().changed({"crawl.max_depth": max_depth})
    return Cluster(
        directory, web, chance, rings=rings, seeds=seeds, carrier=carrier, max_depth=max_depth, config=config
    )


def silent(*words):
    """Neither progress nor remarks."""


def gathered(made, output):
    gather([member.directory for member in made.rings.values()], output, silent, silent)
    return output


def outcomes(directory):
    """URL -> (state, reason, depth)."""
    with closing(sqlite3.connect(directory / "crawl.db")) as database:
        return {url: tuple(row) for url, *row in database.execute("SELECT url, state, reason, depth FROM url")}


@pytest.mark.slow
@pytest.mark.parametrize(("carrier", "kills", "max_depth"), [(RELIABLE, 0, -1), (BAD, 0, 4), (BAD, 6, -1)])
def test_each_url_has_the_outcome_that_its_owner_has(tmp_path, carrier, kills, max_depth):
    one = cluster(tmp_path / "one", 3, 1, max_depth=max_depth)
    three = cluster(tmp_path / "three", 3, 3, carrier, max_depth)
    one.run()
    three.run(kills=kills)
    whole = gathered(three, tmp_path / "all")
    assert outcomes(whole) == three.outcomes() == one.outcomes()
    assert problems(whole).keys() <= problems(one.rings[1].directory).keys()


@pytest.mark.slow
def test_after_a_lost_disk(tmp_path):
    one, three = cluster(tmp_path / "one", 1, 1), cluster(tmp_path / "three", 1, 3, BAD)
    one.run()
    three.run(until=lambda: len(three.log()) > 40)
    three.rings[2].lose_disk()
    three.run()
    assert outcomes(gathered(three, tmp_path / "all")) == one.outcomes()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "requests", "why", "max_depth"),
    [
        *((5, requests, "interrupted", -1) for requests in (10, 40, 80)),
        *((seed, 40, "max_pages", 3) for seed in range(5, 8)),
    ],
)
def test_what_was_on_its_way_is_queued_and_one_crawl_fetches_it(tmp_path, seed, requests, why, max_depth):
    one = cluster(tmp_path / "one", seed, 1, max_depth=max_depth)
    three = cluster(tmp_path / "three", seed, 3, BAD, max_depth)
    one.run()
    three.run(until=lambda: len(three.log()) > requests)
    three.stop(why)
    three.run()
    whole = gathered(three, tmp_path / "all")
    urls = {url for member in three.rings.values() for url, *_ in member.rows()}
    states = outcomes(whole)
    assert states.keys() == urls
    assert "foreign" not in {reason for _, reason, _ in states.values()}
    assert problems(whole).keys() <= problems(one.rings[1].directory).keys()
    with closing(Store(whole / "crawl.db")) as store:
        assert store.about()["finished"] == why
        model = ModelRing(three.web, seeded(1), threads=4, most=10**6)
        model.now = max(member.model.now for member in three.rings.values())
        given = {"config": three.config, "store": store, "ring": model, "clock": lambda: model.now}
        crawl = Crawl(Environment(**given, bounds=Bounds(max_depth=max_depth), tick=0.1))
        crawl.run([])
    assert outcomes(whole) == one.outcomes()
    again = {exchange.url for exchange in model.log} & {exchange.url for exchange, _ in three.log()}
    assert all(url.endswith("/robots.txt") for url in again)
