"""URLs that robots.txt refuses in a continuous crawl: they spend nothing, and are requested once the rule has gone."""

from itertools import pairwise

import pytest

from tests.recrawl.recrawled import Clock, recrawl, served
from tests.recrawl.servers import BEGIN, DAY, Scripted, Server
from tests.support.crawls.crawling import query, verified
from ttcrawl.cli import main

CLOSED, OPEN = "User-agent: *\nDisallow: /", "User-agent: *\nDisallow: /nothing"

#: Pages of the host that closes, hosts with one page, and the visits a day.
LARGE, OTHERS, BUDGET = 30, 6, 6

HOURLY = {"politeness.robots_max_age": 3600}


def links(number):
    return "".join(f'<a href="/{each}">page</a>' for each in range(number))


def large(closed, open_again=1e6):
    """A host with many pages, which its robots.txt forbids from one day to another."""
    rules = (0, 200, OPEN), (closed, 200, CLOSED), (open_again, 200, OPEN)
    pages = {f"large.test/{number}": Server() for number in range(LARGE)}
    pages["large.test"] = Scripted(script=((0, 200, f"home</title>{links(LARGE)}"),))
    return pages | {"large.test/robots.txt": Scripted(script=rules, type="text/plain")}


def requests(directory, since=0.0):
    """URL -> moments of the requests for pages, from a day on."""
    rows = query(directory, "SELECT url, started FROM visit WHERE kind = 'page' ORDER BY started")
    urls = {url for url, _ in rows}
    begin = BEGIN + since * DAY
    return {url: [started for each, started in rows if each == url and started >= begin] for url in urls}


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["fixed", "uniform"])
def test_a_large_host_that_closes_leaves_the_budget_to_the_others(tmp_path, policy, capsys):
    clock, directory = Clock(), tmp_path / "c"
    pages = {f"{number}.test": Server() for number in range(OTHERS)} | large(closed=2)
    keys = HOURLY | {"revisit.policy": policy, "revisit.budget": BUDGET, "revisit.interval": DAY}
    with served(pages, clock) as port:
        hosts = ["large.test", *(f"{number}.test" for number in range(OTHERS))]
        recrawl(directory, hosts, port, clock, 20 * DAY, keys)
    late = requests(directory, since=8)
    assert not any(moments for url, moments in late.items() if "large" in url)
    assert sum(map(len, late.values())) >= 0.85 * BUDGET * 12
    rows = query(
        directory,
        "SELECT refused, visits, failures, (SELECT count(*) FROM visit WHERE visit.url = url.url) FROM revisit"
        " JOIN url ON url.id = revisit.url WHERE url.url LIKE '%large%'",
    )
    assert len(rows) == LARGE + 1
    for refused, visits, failures, requested in rows:
        assert (refused, failures, visits) == ("robots.txt", 0, requested - 1)
    assert main(["why", str(directory), f"http://large.test:{port}/7"]) == 0
    assert (
        "not requested at the last turn (robots.txt): The robots.txt of its host forbids it." in capsys.readouterr().out
    )
    assert verified(directory) == ""


#: [revisit] after_robots -> days in which a page is requested again whose rule goes at day 3, after its first turn.
WAITS = {DAY: (3, 4.5), 5 * DAY: (5, 6.5), 0: (30, 31.5)}


@pytest.mark.slow
@pytest.mark.parametrize(("wait", "expected"), WAITS.items())
def test_a_url_that_was_never_requested_is_requested_once_the_rule_has_gone(tmp_path, wait, expected):
    clock, directory, pages = Clock(), tmp_path / "c", large(closed=0, open_again=3)
    keys = HOURLY | {"revisit.after_robots": wait, "revisit.interval": 2 * DAY}
    with served(pages, clock) as port:
        recrawl(directory, ["large.test"], port, clock, 2.5 * DAY, keys)
        assert requests(directory) == {}
        assert query(directory, "SELECT state, reason FROM url") == [("refused", "robots.txt")]
        recrawl(directory, ["large.test"], port, clock, 33 * DAY, keys)
    assert verified(directory) == ""
    moments = requests(directory)
    assert len(moments) == LARGE + 1  # the links of the page are followed
    first = (moments[f"http://large.test:{port}/"][0] - BEGIN) / DAY
    assert expected[0] <= first <= expected[1]
    assert query(directory, "SELECT DISTINCT state, reason FROM url") == [("fetched", "http 200")]
    assert query(directory, "SELECT DISTINCT refused, changes, failures FROM revisit") == [("", 0, 0)]


def test_a_plain_crawl_plans_nothing(tmp_path):
    clock, directory, pages = Clock(), tmp_path / "c", large(closed=0)
    with served(pages, clock) as port:
        recrawl(directory, ["large.test"], port, clock, 1, continued=False)
    assert query(directory, "SELECT state, reason FROM url") == [("refused", "robots.txt")]
    assert query(directory, "SELECT * FROM revisit") == []


@pytest.mark.slow
def test_the_first_request_for_a_url_that_was_refused_decides_about_it(tmp_path):
    """It is no page of before that would stay."""
    clock, directory = Clock(), tmp_path / "c"
    pages = large(closed=0, open_again=1) | {"large.test": Scripted(script=((0, 503, "busy"),))}
    keys = HOURLY | {"revisit.after_robots": 2 * DAY, "fetch.retries": 0}
    with served(pages, clock) as port:
        recrawl(directory, ["large.test"], port, clock, 2.5 * DAY, keys)
    assert query(directory, "SELECT state, reason FROM url") == [("fetched", "http 503")]
    assert verified(directory) == ""


@pytest.mark.slow
def test_all_of_them_may_be_made_due(tmp_path, capsys):
    clock, directory, pages = Clock(), tmp_path / "c", large(closed=0, open_again=1)
    with served(pages, clock) as port:
        recrawl(directory, ["large.test"], port, clock, 1.5 * DAY, HOURLY)
        assert main(["requeue", str(directory), "--visits"]) == 0
        assert capsys.readouterr().out.startswith("1 URL is due")
        recrawl(directory, ["large.test"], port, clock, DAY, HOURLY)
    assert len(requests(directory)) == LARGE + 1


#: What a page answers from day 2 on, the key and its seconds, and the seconds between two visits after that has set in.
OUTCOMES = {
    "failure": (503, {"revisit.after_failure": 3 * DAY}, 3 * DAY),
    "failure, by default": (503, {}, DAY),
    "gone": (404, {"revisit.after_error": 4 * DAY}, 4 * DAY),
    "gone, by default": (404, {}, 7 * DAY),
    "success": (200, {"revisit.after_failure": 3 * DAY, "revisit.after_error": 4 * DAY}, DAY),
}


@pytest.mark.slow
@pytest.mark.parametrize(("status", "keys", "expected"), OUTCOMES.values(), ids=OUTCOMES)
def test_the_wait_follows_the_outcome(tmp_path, status, keys, expected):
    clock, directory = Clock(), tmp_path / "c"
    pages = {"a.test": Scripted(script=((0, 200, "page"), (2, status, "another")))}
    keys = {"revisit.longest": 7 * DAY, "fetch.retries": 0, **keys}
    with served(pages, clock) as port:
        recrawl(directory, pages, port, clock, 40 * DAY, keys)
    (moments,) = requests(directory, since=5).values()
    gaps = [after - before for before, after in pairwise(moments)]
    assert len(gaps) >= 3
    assert gaps == pytest.approx([expected] * len(gaps), rel=0.02)
    assert verified(directory) == ""
