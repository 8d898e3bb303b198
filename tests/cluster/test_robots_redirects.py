"""A robots.txt that redirects to a host of another ring: its rules hold, and that host keeps its delay, by its log."""

from itertools import pairwise

import pytest

from tests.cluster.real_rings import BUCKETS, RealCluster
from tests.support.crawls.crawling import query
from tests.support.web.site import Answer, Web, at, moved, page, robots
from ttcrawl.cluster.route import table
from ttcrawl.frontier.host import Host
from ttcrawl.frontier.robots_relay import AGAIN, RobotsAnswer, RobotsRelay

OWNER = table(range(1, 4), buckets=BUCKETS).ring_of
NAMES = [f"www.site{number}.test" for number in range(60)]

#: Two hosts of ring 1, and hosts of the rings 2 and 3.
ASKERS = [name for name in NAMES if OWNER(name) == 1][:2]
SECOND, THIRD = (next(name for name in NAMES if OWNER(name) == ring) for ring in (2, 3))
DELAY = 0.3
POLITE = {"politeness.obey_delay": "yes", "politeness.delay": DELAY, "politeness.address_delay": 0}
RULES = robots("User-agent: *", "Disallow: /private")


def pages(name, *more):
    links = [f"/{number}" for number in range(6)]
    return {(name, "/"): Answer(body=page(*links, "/private", *more)), **{(name, each): Answer() for each in links}}


#: What the robots.txt of each asker leads to -> whether its rules hold for them.
CASES = {
    "to another ring": ({(SECOND, "/robots.txt"): RULES}, SECOND, True),
    "over two rings": (
        {(SECOND, "/robots.txt"): moved(at(THIRD, "/robots.txt")), (THIRD, "/robots.txt"): RULES},
        SECOND,
        True,
    ),
    "without end": (
        {
            (SECOND, "/robots.txt"): moved(at(THIRD, "/robots.txt")),
            (THIRD, "/robots.txt"): moved(at(SECOND, "/robots.txt")),
        },
        SECOND,
        False,
    ),
    "where none is": ({}, THIRD, False),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_a_robots_txt_elsewhere(tmp_path, case):
    answers, target, ruled = CASES[case]
    web_pages = {}
    for name in (*ASKERS, SECOND, THIRD):
        web_pages |= pages(name, *(at(each, "/") for each in (*ASKERS, SECOND, THIRD)))
    web_pages |= {(name, "/robots.txt"): moved(at(target, "/robots.txt")) for name in ASKERS} | answers
    with Web(web_pages) as web:
        RealCluster(tmp_path / "c", web, [web.url(ASKERS[0], "/")], rings=3, settings=POLITE).run()
        log = web.log()
    for name in (*ASKERS, SECOND, THIRD):
        hits = [hit for hit in log if hit.host == name]
        assert sum(hit.path.strip("/").isdigit() for hit in hits) == 6
        assert min(after.arrived - before.answered for before, after in pairwise(hits)) >= DELAY - 0.001, name
    private = {hit.host for hit in log if hit.path == "/private"}
    assert private & set(ASKERS) == (set() if ruled else set(ASKERS))
    assert query(tmp_path / "c" / "ring-1", "SELECT count(*) FROM url WHERE state = 'queued'") == [(0,)]


class Recorder:
    """A settler that notes what it is called with."""

    def __init__(self):
        self.calls = []

    def robots_wanted(self, asker, url, source):
        self.calls.append((asker, url, source))

    def robots_answered(self, asker, answer):
        self.calls.append((asker.name, answer.text))


def test_a_question_is_repeated_until_it_is_answered_and_an_answer_counts_once():
    asked, now = [], [0.0]
    settler = Recorder()
    relay = RobotsRelay(
        lambda name: True, lambda *each: asked.append(each), lambda *each: None, lambda: now[0], settler
    )
    relay.follow(
        Host(name="a.test", domain="a.test", site=1, delay=1.0, delay_from="default"),
        "http://b.test/robots.txt",
        "http://a.test/robots.txt",
    )
    for now[0] in (0.0, 1.0, AGAIN, AGAIN + 1):
        relay.turn()
    assert asked == [("a.test", "http://b.test/robots.txt", "http://a.test/robots.txt")] * 2
    other = RobotsAnswer(url="http://b.test/robots.txt", text="other")
    answer = RobotsAnswer(url="http://b.test/robots.txt", text="rules")
    assert not relay.answered("a.test", "http://c.test/robots.txt", other)
    assert relay.answered("a.test", "http://b.test/robots.txt", answer)
    assert not relay.answered("a.test", "http://b.test/robots.txt", answer)
    now[0] += 2 * AGAIN
    relay.turn()
    assert len(asked) == 2 and settler.calls == [("a.test", "rules")]


def test_a_question_that_comes_twice_is_one_request():
    sent = []
    settler = Recorder()
    relay = RobotsRelay(lambda name: False, lambda *each: None, lambda *each: sent.append(each), lambda: 0.0, settler)
    asker = Host(name="a.test", domain="a.test", site=1, delay=1.0, delay_from="default")
    question = ("a.test", "http://b.test/robots.txt", "http://a.test/robots.txt")
    answer = RobotsAnswer(url=question[1], text="rules")
    assert not relay.answer(asker, answer)
    relay.wanted(3, *question)
    relay.wanted(3, *question)
    assert settler.calls == [question]
    assert relay.answer(asker, answer) and not relay.answer(asker, answer)
    assert sent == [(3, *question[:2], answer)]
