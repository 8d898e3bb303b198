"""What a companion sees and may do, and that the main loop names none."""

import ast
import inspect
from collections import Counter
from contextlib import closing
from random import Random

import pytest
from msgspec.structs import replace

from tests.support.faults.simulation import ModelRing, ModelWeb, Site
from ttcrawl.config import Config
from ttcrawl.config import Crawl as Limits
from ttcrawl.engine import loop
from ttcrawl.engine.companion import Companion, overriding
from ttcrawl.engine.environment import Environment
from ttcrawl.engine.loop import Crawl
from ttcrawl.engine.run.seeds import seed_links
from ttcrawl.frontier.bounds import Bounds
from ttcrawl.store.sqlite import Store

HOSTS = ("a.test", "b.test")
SEEDS = [f"http://{name}/0" for name in HOSTS]

#: No page has a link to it.
EXTRA = "http://a.test/extra"


class Answers(Companion):
    """Counts the answers of each host, and asks for one more page once all others are there."""

    def __init__(self, shared):
        self._shared = shared
        self._extra = True
        self.of_hosts = Counter()
        self.calls = []

    def begin(self, step):
        self.calls.append("begin")

    def answered(self, flight, outcome):
        self.of_hosts[flight.turn.host.name] += 1
        return False

    def at_rest(self):
        if self._extra:
            self._extra = False
            links = seed_links([EXTRA], lambda url: ("", ""))
            self._shared.ledger.discover(links, None, self._shared.clock())

    def before_commit(self):
        self._shared.store.set(answers=self.of_hosts.total())

    def finish(self, step):
        self.calls.append("finish")


@pytest.fixture
def given(tmp_path):
    """A crawl of four pages on each of two hosts, on the clock of a model."""
    web = ModelWeb(sites={name: Site(addresses=(f"192.0.2.{n}",)) for n, name in enumerate(HOSTS)}, pages=4)
    model = ModelRing(web, Random(1), threads=4, most=10_000)
    with closing(Store(tmp_path / "crawl.db", create=True)) as store:
        store.set(seconds=0.0, started=0, finished="", seeds="\n".join(SEEDS))
        yield Environment(config=Config(), store=store, ring=model, clock=lambda: model.now, bounds=Bounds(), tick=0.1)


def run(given):
    crawl = Crawl(given)
    crawl.run(seed_links(SEEDS, lambda url: ("", "")))
    return crawl


def test_it_is_added_in_one_place_and_changes_a_crawl(given):
    made = []

    def answers(shared):
        made.append(Answers(shared))
        return made[0]

    crawl = run(replace(given, more=(answers,)))
    urls = Counter(each.url for each in given.ring.log if not each.url.endswith("/robots.txt"))
    assert urls[EXTRA] == 1 and crawl.stopped_by == ""
    assert made[0].of_hosts.total() == crawl.counters.fetched == 9
    assert given.store.about()["answers"] == "9"
    assert made[0].calls == ["begin", "finish"]


@pytest.mark.parametrize("method", ["turn", "wakes", "answered", "refused", "pending", "at_rest", "before_commit"])
def test_what_it_does_not_override_is_not_called(method):
    companions = [Companion(), Answers(None), Companion()]
    called = overriding(companions, getattr(Companion, method))
    assert [each.__self__ for each in called] == companions[1:2] * (method in vars(Answers))


class Waiting(Companion):
    """Something comes from elsewhere, two seconds after all is done."""

    def __init__(self, shared):
        self._shared, self._since, self._came = shared, None, False

    def pending(self):
        return not self._came

    def turn(self, course):
        now = self._shared.clock()
        if course.at_rest and self._since is None:
            self._since = now
        self._came = self._since is not None and now >= self._since + 2
        return 0


def test_a_crawl_with_nothing_queued_goes_on_while_one_waits(given):
    run(given)
    alone = given.ring.now
    crawl = run(replace(given, more=(Waiting,)))
    assert given.ring.now >= alone + 2 and crawl.stopped_by == ""


@pytest.mark.parametrize(("most", "why"), [(0, ""), (3, "max_pages")])
def test_asking_whether_it_is_over_changes_nothing(given, most, why):
    crawl = Crawl(replace(given, config=Config(crawl=Limits(max_pages=most))))
    crawl.begin(seed_links(SEEDS, lambda url: ("", "")))
    while not crawl.over():
        crawl.turn()
        before = crawl.stopped_by, crawl.frontier.queued, given.ring.now
        assert crawl.over() == crawl.over()
        assert (crawl.stopped_by, crawl.frontier.queued, given.ring.now) == before
    crawl.finish()
    assert crawl.stopped_by == why


def test_the_main_loop_names_no_feature():
    tree = ast.parse(inspect.getsource(loop))
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    features = ("recrawl", "topic", "duplicates", "peers", "probes", "cluster", "browser", "reporting", "redirected")
    assert not [name for name in imported if any(feature in name for feature in features)]
