"""Priors of hosts: what is expected of a page with few visits follows the other pages of its host."""

import pytest
from msgspec.structs import replace

from tests.recrawl.visits import NEVER
from ttcrawl.config import Config
from ttcrawl.engine.recrawl.pace import Pace
from ttcrawl.engine.recrawl.priors import HOSTS, LEAST, PAGES, Priors
from ttcrawl.recrawl.json_text import evidence_of, text_of
from ttcrawl.recrawl.prior import BROAD
from ttcrawl.recrawl.rate import NOTHING, changed, unchanged
from ttcrawl.store.rows import NewUrl
from ttcrawl.store.sqlite import Store
from ttcrawl.vocabulary.state import FETCHED

DAY, HOUR = 86400.0, 3600.0
BUSY, QUIET = changed(changed(NOTHING, HOUR), HOUR), unchanged(NOTHING, 200 * DAY)


@pytest.fixture
def stored(tmp_path):
    """A function that stores pages, (host, evidence), and returns ids of hosts; and the path of the database."""
    path = tmp_path / "crawl.db"

    def store_pages(pages):
        store = Store(path, create=True)
        sites = {host: store.sites.add(f"{host}.test", "test") for host in dict.fromkeys(host for host, _ in pages)}
        urls = [
            NewUrl(id=id_, key=id_, url=f"http://{host}.test/{id_}", site=sites[host], state=FETCHED, discovered=0.0)
            for id_, (host, _) in enumerate(pages, 1)
        ]
        store.urls.add(urls)
        for id_, (_, evidence) in enumerate(pages, 1):
            store.recrawls.save(replace(NEVER, url=id_, next=9e9, visited=1e9, evidence=text_of(evidence)))
        store.commit()
        store.close()
        return sites

    return store_pages, path


def learned(path):
    store, priors = Store(path), Priors()
    seen = (evidence_of(row.evidence) for row in store.recrawls.sample(1000, 0)[0])
    priors.learn(store.recrawls, [each for each in seen if each != NOTHING])
    store.close()
    return priors


def test_a_host_has_the_prior_of_its_pages(stored):
    store_pages, path = stored
    sites = store_pages([("busy", BUSY)] * 20 + [("quiet", QUIET)] * 20 + [("few", BUSY)] * (LEAST - 1))
    priors = learned(path)
    busy, quiet, few, every = (priors.of(each) for each in (sites["busy"], sites["quiet"], sites["few"], None))
    assert busy.mean > every.mean > quiet.mean and busy.mean > 20 * quiet.mean
    assert few == every != BROAD  # too few pages to be told from one page of theirs


def test_a_page_with_few_visits_follows_its_host(stored):
    store_pages, path = stored
    sites = store_pages([("busy", BUSY)] * 20 + [("quiet", QUIET)] * 20)
    keys = {"policy": "proportional", "budget": 100, "shortest": 1, "longest": 1e9}
    config, intervals = Config().changed({f"revisit.{name}": value for name, value in keys.items()}).revisit, []
    for _ in range(2):  # the same after a restart
        store = Store(path)
        pace = Pace(config, store.recrawls)
        pace.plan(1e9)
        intervals.append([pace.interval(unchanged(NOTHING, HOUR), 1, site) for site in sites.values()])
        store.close()
    (busy, quiet), again = intervals
    assert quiet > 5 * busy and again == [busy, quiet]


def test_memory_has_a_limit(stored):
    store_pages, path = stored
    pages = [(f"h{number}", QUIET) for number in range(HOSTS + 50) for _ in range(2)] + [("big", BUSY)] * (3 * PAGES)
    sites = store_pages(pages)
    store = Store(path)
    samples = store.recrawls.samples(HOSTS, PAGES)
    store.close()
    assert len(samples) == HOSTS and len(samples[sites["big"]]) == PAGES
    assert max(map(len, samples.values())) == PAGES
