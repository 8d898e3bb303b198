"""The laboratory beside real crawls of the same generated sites in other orders: order and curves agree."""

import pytest

from tests.support.crawls.crawling import crawl
from tests.support.web.mesh import mesh
from tests.support.web.site import Web
from ttcrawl.lab.bench import tried_of
from ttcrawl.lab.curves import Measure
from ttcrawl.lab.record import RecordedWeb
from ttcrawl.lab.settings import config_of
from ttcrawl.lab.trial import PAGE, Trial, Visit, trial
from ttcrawl.snapshot.snapshot import view
from ttcrawl.web.url import key

HOSTS = ["a.test", "b.test", "c.test"]

#: Politeness, so that a host has one request at a time and its order does not depend on the machine.
OPTIONS = ("--set", "politeness.delay=0.01", "--set", "politeness.address_delay=0", "--scope", "any")


@pytest.fixture(scope="module")
def crawls(tmp_path_factory):
    """Number of hosts -> policy -> the real crawl by it."""
    directory = tmp_path_factory.mktemp("agreement")
    done = {}
    for number in (1, len(HOSTS)):
        hosts = HOSTS[:number]
        with Web(mesh(hosts, 240 // number, seed=3, leaving=0.2)) as web:
            for policy, priority in (("breadth", "depth"), ("first", "first")):
                path = directory / f"{number}-{policy}"
                order = ("--set", f"frontier.priority={priority}")
                crawled = crawl(web, web.url("a.test", "/"), path, *OPTIONS, *order)
                assert crawled.status == 0, crawled.err
                done[number, policy] = crawled
    return done


def visited(crawled):
    return [url for (url,) in crawled.query("SELECT url FROM visit WHERE kind = 'page' ORDER BY ended")]


def tried(crawled, name):
    with view(crawled.directory) as crawl:
        web, policy = RecordedWeb(crawl), tried_of(name).policy
        done = trial(web, name, policy, config_of(crawl.config_path, policy.settings))
        return done, Measure(web).curves(done)


@pytest.mark.slow
@pytest.mark.parametrize("record", ["breadth", "first"])
@pytest.mark.parametrize("policy", ["breadth", "first"])
def test_on_one_host_the_order_is_the_one_of_the_real_crawl(crawls, record, policy):
    done, _ = tried(crawls[1, record], policy)
    assert [each.url for each in done.visits] == visited(crawls[1, policy])


def curves_of(crawled):
    """The curves of a real crawl, by its own visits."""
    rows = crawled.query("SELECT url, status FROM visit WHERE kind = 'page' ORDER BY ended")
    visits = [
        Visit(
            key=key(url),
            url=url,
            outcome=PAGE if status == 200 else "",
            seconds=0.0,
            requests=number,
            received=0,
            idle=0.0,
            discovered=0,
        )
        for number, (url, status) in enumerate(rows, 1)
    ]
    with view(crawled.directory) as crawl:
        return Measure(RecordedWeb(crawl)).curves(Trial(name="", seed=0, visits=visits, queued=0, stopped_by=""))


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["breadth", "first"])
def test_on_several_hosts_the_curves_are_those_of_the_real_crawl(crawls, policy):
    other = {"breadth": "first", "first": "breadth"}[policy]
    _, recorded = tried(crawls[3, other], policy)
    real = curves_of(crawls[3, policy])
    for requests in range(0, 300, 30):
        there, here = real.at(requests), recorded.at(requests)
        assert here.in_links == pytest.approx(there.in_links, abs=0.05), requests
        assert here.pages == pytest.approx(there.pages, abs=12), requests
