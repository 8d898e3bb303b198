"""What the crawl process tells a fetch process about a page, and what it learns from the outcome."""

from types import SimpleNamespace

import pytest

from tests.support.crawls.any_messages import sample
from ttcrawl.browser.templates import FIRST_GAP, SAMPLES
from ttcrawl.config import Config
from ttcrawl.engine.recrawl.browsing import SIGNATURES, Browsing
from ttcrawl.engine.shared import Shared
from ttcrawl.ring.browsing import NO_SCRIPTS, RENDERED, SAMPLE, STATIC, TEMPLATE, Choice, Gain
from ttcrawl.ring.columns import Headers
from ttcrawl.ring.messages import PAGE, Archived, Failed, Page, Same
from ttcrawl.store.sqlite import Store

SAME = Same(token=1, archived=Archived(file="", offset=0, length=0), original=1, headers=Headers())


class Crawl:
    """Pages of one host whose outcomes are made up."""

    def __init__(self, directory):
        self.store = Store(directory / "crawl.db", create=True)
        self.host = SimpleNamespace(site=self.store.sites.add("a.test", "a.test"))
        self.urls = 0
        self.start()

    def start(self):
        """As a process that knows only the store."""
        config = Config().changed({"browser.use": "auto"})
        others = dict.fromkeys(("seen", "ledger", "frontier", "counters"))
        self.browsing = Browsing(Shared(config=config, store=self.store, clock=lambda: 0.0, **others), None, None)

    def send(self, path="/news/x"):
        """A page in flight."""
        self.urls += 1
        queued = SimpleNamespace(id=self.urls, visit=None)
        turn = SimpleNamespace(kind=PAGE, host=self.host, url=f"http://a.test{path}", queued=queued)
        plan = self.browsing.plan(turn)
        return SimpleNamespace(turn=turn, request=SimpleNamespace(plan=plan), fetched=None)

    def answer(self, flight, choice, outcome=SAME):
        flight.fetched = SimpleNamespace(choice=choice, rendered=0)
        self.browsing.answered(flight.turn.queued, flight, outcome, stored=True)

    def rendered(self, flight, gain, signature=7):
        """The outcome of a page in the browser, as far as it is learnt from."""
        page = sample(Page, gain=Gain(links=0, words=0, digest=gain))
        self.answer(flight, Choice(reason=SAMPLE, signature=signature, templated=True), page)


def read(flight):
    """Signature -> how the page in flight is read."""
    return {each.signature: each.read for each in flight.request.plan.templates}


@pytest.fixture
def crawl(tmp_path):
    made = Crawl(tmp_path)
    yield made
    made.store.abandon()


def static(crawl, pages):
    for _ in range(pages):
        crawl.answer(crawl.send(), Choice(reason=TEMPLATE, signature=7, templated=True))


def test_what_was_learnt_is_in_the_store(crawl):
    assert read(crawl.send()) == {}
    for _ in range(SAMPLES):
        assert set(read(crawl.send()).values()) <= {SAMPLE}
        crawl.rendered(crawl.send(), b"")
    assert read(crawl.send()) == {7: STATIC} and read(crawl.send("/other/x")) == {}
    crawl.start()
    assert read(crawl.send()) == {7: STATIC}


def test_one_page_that_differs_sends_the_others_to_the_browser(crawl):
    for gain in (b"", b"a"):
        crawl.rendered(crawl.send(), gain)
    crawl.start()
    assert read(crawl.send()) == {7: RENDERED}


@pytest.mark.parametrize("outcome", ["a look", "no scripts", "a failure"])
def test_of_pages_in_flight_one_is_a_look(crawl, outcome):
    for _ in range(SAMPLES):
        crawl.rendered(crawl.send(), b"")
    static(crawl, FIRST_GAP)
    look, other = crawl.send(), crawl.send()
    assert (read(look), read(other)) == ({7: SAMPLE}, {7: STATIC})
    if outcome == "a look":
        crawl.rendered(look, b"")
    elif outcome == "no scripts":
        crawl.answer(look, Choice(reason=NO_SCRIPTS))
    else:
        crawl.browsing.answered(look.turn.queued, look, Failed(token=1, reason="dns", detail=""), stored=True)
    assert read(crawl.send()) == {7: STATIC if outcome == "a look" else SAMPLE}


def test_signatures_beyond_a_limit_are_one_template(crawl):
    for signature in range(1, SIGNATURES + 3):
        crawl.rendered(crawl.send(), b"", signature)
    flight = crawl.send()
    assert len(read(flight)) == SIGNATURES + 1 and 0 in read(flight) and flight.request.plan.full


def test_static_pages_in_flight_have_passed(crawl):
    for _ in range(SAMPLES):
        crawl.rendered(crawl.send(), b"")
    burst = [crawl.send() for _ in range(FIRST_GAP + 2)]
    assert [read(flight)[7] for flight in burst] == [*[STATIC] * FIRST_GAP, SAMPLE, STATIC]
    for flight in burst[:FIRST_GAP] + burst[-1:]:
        crawl.answer(flight, Choice(reason=TEMPLATE, signature=7, templated=True))
    crawl.rendered(burst[FIRST_GAP], b"reply")
    assert read(crawl.send()) == {7: RENDERED}
