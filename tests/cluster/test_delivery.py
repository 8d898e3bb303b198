"""What was on its way between rings when they stopped is delivered, and the crawl that is gathered is the same."""

import sqlite3
from contextlib import closing

import pytest

from tests.cluster.rings import Carrier, Cluster, problems, random_web, seeded
from tests.support.cases import one_in
from ttcrawl.cluster.delivery import deliver
from ttcrawl.cluster.gather import gather
from ttcrawl.cluster.members import founding
from ttcrawl.cluster.messages import packed
from ttcrawl.cluster.plan import Plan, write_plan
from ttcrawl.cluster.stopped_rings import stopped_rings
from ttcrawl.store.mailbox import Mailbox
from ttcrawl.store.rows import UrlPath

BAD = Carrier(lost=0.6, doubled=0.4)
QUEUED = "SELECT url FROM url WHERE state = 'queued'"


def stopped(directory, seed, requests):
    """A cluster of three rings that has stopped after so many requests, with letters under way."""
    web = random_web(seeded(seed))
    seeds = [f"http://{name}/0" for name in list(web.sites)[:2]]
    cluster = Cluster(directory, web, seeded(seed), rings=3, seeds=seeds, carrier=BAD)
    cluster.run(until=lambda: len(cluster.log()) > requests)
    cluster.stop()
    cluster.run()
    write_plan(directory, Plan(members=founding(cluster.table), seeds=tuple(seeds), allowed=(), finished="interrupted"))
    return cluster


def rows(cluster, sql):
    found = []
    for member in cluster.rings.values():
        with closing(sqlite3.connect(member.directory / "crawl.db")) as db:
            found += db.execute(sql).fetchall()
    return sorted(found)


def gathered(cluster, output):
    """URL -> (state, reason, depth) of the gathered crawl."""
    gather([member.directory for member in cluster.rings.values()], output, lambda *_: None, lambda _: None)
    with closing(sqlite3.connect(output / "crawl.db")) as db:
        return {url: tuple(row) for url, *row in db.execute("SELECT url, state, reason, depth FROM url")}


def found_wrong(cluster):
    return {kind for member in cluster.rings.values() for kind in problems(member.directory)}


@pytest.mark.parametrize(("seed", "requests"), one_in(2, [(5, 30), (6, 60)]))
def test_all_that_is_on_its_way_is_delivered(tmp_path, seed, requests):
    cluster = stopped(tmp_path / "c", seed, requests)
    assert rows(cluster, "SELECT ring FROM outbox")
    before, wrong = gathered(cluster, tmp_path / "before"), found_wrong(cluster)
    queued, waiting = [], set(rows(cluster, QUEUED))
    with stopped_rings(tmp_path / "c") as rings:
        deliver(rings, queued.append)
    assert rows(cluster, "SELECT ring FROM outbox") == []
    assert sorted((url,) for url in queued) == sorted(set(rows(cluster, QUEUED)) - waiting) != []
    assert gathered(cluster, tmp_path / "after") == before
    assert found_wrong(cluster) <= wrong
    with stopped_rings(tmp_path / "c") as rings:
        deliver(rings, lambda url: pytest.fail(f"{url} is queued twice"))


@pytest.mark.slow
def test_a_redirect_of_a_seed_waits_for_the_crawl(tmp_path):
    """It extends the scope."""
    cluster = stopped(tmp_path / "c", 5, 30)
    with stopped_rings(tmp_path / "c") as rings:
        deliver(rings)
        with closing(sqlite3.connect(rings.paths[1] / "crawl.db")) as db, db:
            Mailbox(db).post(2, packed([("http://www.site1.test/9", "", UrlPath(0, 1, 0, 0, 0))]))
        deliver(rings)
    assert len(rows(cluster, "SELECT ring FROM outbox")) == 1
