"""Whose a 429 or 503 is: crawls on a clock of their own."""

import random
from dataclasses import replace
from itertools import pairwise

import pytest

from tests.support.cases import some_fast
from tests.support.faults.simulation import BEGIN, KilledError, ModelWeb, RobotsTxt, Simulation, Site, probed
from tests.support.long_tables import few
from ttcrawl import config
from ttcrawl.frontier.backoff import DAY, NEVER, Exchange
from ttcrawl.frontier.health import Health
from ttcrawl.ring.messages import CHECK, PAGE, PROBE, ROBOTS

PAGES, BUSY = 1000, 5
MINUTE = 60.0

#: What 1,000 pages take with a delay of 1 s and 0.05 s an exchange, and three minutes more.
ALL = PAGES * 1.05 + 3 * MINUTE

#: One process of 16 threads.
CRAWL = config.Crawl(fetchers=1, threads=16, parsers=1)
CONFIG = config.Config(crawl=CRAWL, duplicates=config.Duplicates(soft_404=0))


def web_of(names=("a.test",), *, first=0, busy=BUSY, pages=PAGES, status=503, **more):
    """Hosts at one address, with a start page that lists all others, of which some are always busy."""
    urls = {name: [f"http://{name}/{number}" for number in range(1, pages)] for name in names}
    return ModelWeb(
        sites={name: Site(addresses=("192.0.2.1",)) for name in names},
        pages=pages,
        linked=False,
        listed={f"http://{name}/0": tuple(urls[name]) for name in names},
        busy={url: status for name in names for url in urls[name][first : first + busy]},
        **more,
    )


def crawled(directory, web, settings=CONFIG, kills=()):
    """The simulation when it is over, and the states of the URLs."""
    simulation = Simulation(directory, web, settings, most=200_000)
    for kill in (*kills, 0):
        if kill:
            simulation.ring.kill_after(kill)
        with simulation.life() as (crawl, _):
            try:
                simulation.run(crawl)
            except KilledError:
                simulation.ring.restart()
                continue
            rows = simulation.query("SELECT url, state, reason, attempts FROM url")
    return simulation, {url: tuple(told) for url, *told in rows}


def lasted(simulation):
    return simulation.ring.now - BEGIN


def requests(simulation, url):
    return sum(each.url == url for each in simulation.ring.log)


def waits(simulation, least=2.0):
    """Seconds from one request to the next, where they are many."""
    starts = [each.start for each in simulation.ring.log]
    return [later - earlier for earlier, later in pairwise(starts) if later - earlier > least]


# -- a few URLs -------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("status", few(1, [503, 429]))
@pytest.mark.parametrize("first", [0, 500, PAGES - 1 - BUSY])
def test_a_few_urls_that_are_always_busy_do_not_stop_their_host(tmp_path, first, status):
    web = web_of(first=first, status=status)
    simulation, states = crawled(tmp_path, web)
    # each has had its retries, and nothing else was requested twice but to see whether the host is well
    assert len(states) == PAGES
    assert set(states.values()) == {("fetched", "http 200", 1), ("fetched", f"http {status}", 3)}
    assert all(requests(simulation, url) == 3 for url in web.busy)
    assert len(simulation.ring.log) <= 1 + PAGES + 3 * BUSY
    assert lasted(simulation) < ALL
    # the first one was taken for the host, and after that not it was requested but a page that had been well
    assert len(waits(simulation, least=MINUTE)) == 1
    urls = [each.url for each in simulation.ring.log]
    refused = next(place for place, url in enumerate(urls) if url in web.busy)
    assert urls[refused + 1] in urls[:refused] and urls[refused + 1] not in web.busy


@pytest.mark.slow
def test_two_hosts_at_one_address(tmp_path):
    web = web_of(("a.test", "b.test"))
    simulation, states = crawled(tmp_path, web)
    assert len(states) == 2 * PAGES and all(requests(simulation, url) == 3 for url in web.busy)
    assert lasted(simulation) < 1.2 * ALL


@pytest.mark.slow
@pytest.mark.parametrize("kills", [(40,), (100, 100, 100), (3000,)])
def test_after_a_kill(tmp_path, kills):
    """A new run knows of no page that was well: until it has one, other URLs are asked, which may be busy as well.

    At the worst moment, after kill 30 for one, all that are busy come first, and cost half an hour.
    """
    web = web_of()
    simulation, states = crawled(tmp_path, web, kills=kills)
    assert set(states.values()) == {("fetched", "http 200", 1), ("fetched", "http 503", 3)}
    assert all(3 <= requests(simulation, url) <= 3 + len(kills) for url in web.busy)
    assert lasted(simulation) < ALL + len(kills) * 8 * MINUTE


@pytest.mark.slow
def test_probes_that_are_always_busy(tmp_path):
    simulation = Simulation(tmp_path, web_of(busy=0), replace(CONFIG, duplicates=config.Duplicates(soft_404=10)))

    def answer(request, name):
        return 503 if "soft-404" in request.url else 200, probed(request), None

    simulation.ring.answers |= dict.fromkeys((PROBE, CHECK), answer)
    with simulation.life() as (crawl, _):
        simulation.run(crawl)
        probes = simulation.query("SELECT reason, attempts FROM probe")
        kinds = dict(simulation.query("SELECT kind, count(*) FROM visit GROUP BY kind"))
    assert probes == [("http 503", 2)] * 3 and kinds["page"] == PAGES
    assert kinds["check"] == 3 and lasted(simulation) < ALL + 2 * MINUTE


@pytest.mark.slow
def test_a_robots_txt_of_others_that_is_always_busy(tmp_path):
    """Twenty hosts say that theirs lies on a host, which has it not: its own pages are fetched meanwhile."""
    web = web_of(busy=0, pages=200)
    moved = RobotsTxt(elsewhere="a.test")
    others = {f"h{n}.a.test": Site(addresses=(f"192.0.2.{n + 2}",), robots=moved) for n in range(20)}
    web = replace(web, sites=web.sites | others, busy={f"http://a.test/{hop}": 503 for hop in range(1, 5)})
    web = replace(web, listed={"http://a.test/0": tuple(f"http://a.test/{n}" for n in range(10, 200))})
    simulation, states = crawled(tmp_path, web, replace(CONFIG, politeness=config.Politeness(robots_patience=600.0)))
    assert sum(told == ("fetched", "http 200", 1) for told in states.values()) == 191
    last = max(each.end for each in simulation.ring.log if each.host == "a.test" and each.url.count("/") == 3)
    assert last - BEGIN < 40 * MINUTE


# -- Retry-After ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_retry_after_is_obeyed_once_for_the_host_and_then_for_the_url(tmp_path):
    web = web_of(busy=1, retry_after=DAY)
    simulation, states = crawled(tmp_path, web)
    (url,) = web.busy
    assert states[url] == ("fetched", "http 503", 3)
    moments = [each.start for each in simulation.ring.log if each.url == url]
    assert len(moments) == 3 and all(later - earlier > DAY for earlier, later in pairwise(moments))
    # a day for all, and one at the end, when only this one is left
    assert len(waits(simulation, least=MINUTE)) == 2
    assert [line.partition(": ")[2] for line in simulation.told] == [
        "a.test is backed off (Retry-After)",
        f"{url} will be retried then",
    ]
    late = [each.url for each in simulation.ring.log if each.start > moments[0] + DAY + ALL]
    assert late == ["http://a.test/robots.txt", url]


@pytest.mark.slow
def test_every_url_is_believed_the_first_time(tmp_path):
    """Five of them: nobody knows that the second one does not mean the host."""
    simulation, _ = crawled(tmp_path, web_of(retry_after=120.0))
    assert [wait for wait in waits(simulation, least=MINUTE) if wait < 120] == []
    assert 5 * 120 < lasted(simulation) < ALL + 6 * 120


# -- the host ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", some_fast([0, 1], 1))
def test_a_host_that_is_busy_is_left_alone_ever_longer(tmp_path, first):
    """All of it, or all but its start page and that from some moment on."""
    web = web_of(pages=20)
    simulation = Simulation(tmp_path, web, CONFIG)
    ring = simulation.ring

    def answer(of):
        return lambda request, name: (503, *of(request, name)[1:]) if len(ring.log) > 1 + first else of(request, name)

    ring.answers |= {kind: answer(ring.answers[kind]) for kind in (PAGE, PROBE, CHECK)}
    ring.kill_after(400)
    with simulation.life() as (crawl, _), pytest.raises(KilledError):
        simulation.run(crawl)
    gaps = waits(simulation)
    assert all(later > 1.8 * earlier or later >= DAY for earlier, later in pairwise(gaps)) and len(gaps) > 10
    # the first two are the page that was well and one that was not; robots.txt is read again when it is a day old
    log = [each for each in ring.log if not each.url.endswith("robots.txt")]
    assert len(log) <= 2 + len(gaps)
    assert sum(each.start < BEGIN + DAY for each in log) <= 2 + 11


@pytest.mark.slow
def test_a_host_that_is_busy_for_a_while(tmp_path):
    """For half an hour all is 503, then all is well: nothing is lost, and hardly anything is asked meanwhile."""
    simulation = Simulation(tmp_path, web_of(busy=0, pages=300), CONFIG)
    ring = simulation.ring

    def answer(of):
        def given(request, name):
            busy = BEGIN + 100 < ring.now < BEGIN + 1900
            return (503 if busy else of(request, name)[0], *of(request, name)[1:])

        return given

    ring.answers |= {kind: answer(ring.answers[kind]) for kind in (PAGE, PROBE, CHECK)}
    with simulation.life() as (crawl, _):
        simulation.run(crawl)
        states = simulation.query("SELECT state, reason, count(*) FROM url GROUP BY state, reason")
    assert states == [("fetched", "http 200", 300)]
    assert sum(BEGIN + 100 < each.start < BEGIN + 1900 for each in ring.log) <= 6


def test_a_host_of_nothing_but_busy_urls_ends(tmp_path):
    """As it did: each has its retries."""
    web = web_of(pages=3, busy=2)
    web = replace(web, busy=web.busy | {"http://a.test/0": 503})
    simulation, states = crawled(tmp_path, web)
    assert states == {"http://a.test/0": ("fetched", "http 503", 3)}
    assert len(simulation.ring.log) == 4


# -- the rate ----------------------------------------------------------------------------------------------------------


def limited(simulation, seconds):
    """Refuse what comes earlier than so many seconds after a request that passed, as nginx does with limit_req."""
    ring, passed = simulation.ring, 0.0

    def answer(of):
        def given(request, name):
            nonlocal passed
            start = ring.log[-1].start
            if start < passed + seconds:
                return 429, *of(request, name)[1:]
            passed = start
            return of(request, name)

        return given

    ring.answers |= {kind: answer(ring.answers[kind]) for kind in (PAGE, PROBE, CHECK)}


@pytest.mark.parametrize("seconds", some_fast([1.5, 3.0, 10.0], 3.0))
def test_a_limiter_of_the_rate_loses_no_page(tmp_path, seconds):
    """What came a delay after another request was refused, also after the check: a third of the pages was lost."""
    simulation = Simulation(tmp_path, web_of(busy=0, pages=300), CONFIG)
    limited(simulation, seconds)
    with simulation.life() as (crawl, _):
        simulation.run(crawl)
        states = simulation.query("SELECT state, reason, count(*) FROM url GROUP BY state, reason")
        origins = dict(simulation.query("SELECT delay_from, count(*) FROM visit GROUP BY delay_from"))
    assert states == [("fetched", "http 200", 300)] and origins["rate limit"] > 100
    assert len(simulation.ring.log) < 320 and lasted(simulation) < 300 * 2 * seconds + 15 * MINUTE


@pytest.mark.parametrize("seconds", some_fast([0.02, 0.3, 3.0], 3.0))
def test_a_limiter_that_is_met_without_a_delay_loses_no_page(tmp_path, seconds):
    """Sixteen connections at once were refused again and again, until the retries of nearly all pages were used up."""
    settings = replace(CONFIG, politeness=config.Politeness(obey_delay=False, connections=16))
    simulation = Simulation(tmp_path, web_of(busy=0, pages=300), settings)
    limited(simulation, seconds)
    with simulation.life() as (crawl, _):
        simulation.run(crawl)
        states = simulation.query("SELECT state, reason, count(*) FROM url GROUP BY state, reason")
        overlaps = simulation.query(
            "SELECT count(*) FROM visit JOIN visit AS other ON other.started < visit.started"
            " AND other.ended > visit.started WHERE visit.delay_from = 'rate limit'"
        )
    assert states == [("fetched", "http 200", 300)] and overlaps == [(0,)]
    assert len(simulation.ring.log) < 450 and lasted(simulation) < 300 * 2 * (seconds + 0.15) + 15 * MINUTE


@pytest.mark.slow
def test_a_host_that_fails_by_chance_is_hardly_slower(tmp_path):
    """One in thirty requests, however long the delay: being slower does not help."""
    simulation, chance = Simulation(tmp_path, web_of(busy=0, pages=300), CONFIG), random.Random(1)
    ring = simulation.ring

    def answer(of):
        return lambda request, name: (503 if chance.random() < 1 / 30 else of(request, name)[0], *of(request, name)[1:])

    ring.answers |= {kind: answer(ring.answers[kind]) for kind in (PAGE, PROBE, CHECK)}
    with simulation.life() as (crawl, _):
        simulation.run(crawl)
    assert lasted(simulation) < 300 * 2 + (len(ring.log) - 301) * 1.1 * MINUTE


# -- by itself --------------------------------------------------------------------------------------------------------


def told(url, status, at, kind=PAGE, before=NEVER, retry_after=None, gate=False):
    return Exchange(
        reason=f"http {status}",
        status=status,
        retry_after=retry_after,
        started=at,
        ended=at + 0.1,
        url=url,
        kind=kind,
        gate=gate,
        overloaded_at=before,
    )


WELL, ONCE = told("w", 200, 1), told("u", 503, 2)
AGAIN = told("u", 503, 4, before=2.1)


@pytest.mark.parametrize(
    ("before", "last", "is_the_host"),
    [
        ([], ONCE, True),
        ([WELL], ONCE, True),
        ([WELL, ONCE], told("w", 503, 3, CHECK), True),
        ([WELL, ONCE], AGAIN, True),  # nothing was well in between
        ([WELL, ONCE, told("w", 200, 3, CHECK)], AGAIN, False),
        ([WELL, ONCE, told("x", 404, 3, PROBE)], AGAIN, False),
        ([WELL, ONCE, told("x", 500, 3)], AGAIN, True),
        ([WELL, ONCE, told("x", 0, 3)], AGAIN, True),
        ([WELL, ONCE, told("r", 200, 3, ROBOTS)], AGAIN, True),
        # a robots.txt of its own comes before all else
        ([WELL], told("r", 503, 2, ROBOTS, gate=True), True),
        ([WELL, ONCE, told("x", 200, 3), AGAIN], told("r", 503, 5, ROBOTS, gate=True), True),
        # it was under way when the other one failed
        ([WELL, ONCE, told("x", 200, 2.05)], AGAIN, True),
        # such a host is checked first, unless it says how long
        ([WELL, ONCE, told("x", 200, 3), AGAIN], told("v", 503, 5), False),
        ([WELL, ONCE, told("x", 200, 3), AGAIN], told("v", 503, 5, retry_after=9.0), True),
        ([WELL, ONCE, told("x", 200, 3), AGAIN], told("x", 503, 5, CHECK), True),
        ([WELL, ONCE, told("x", 200, 3), AGAIN, told("x", 503, 5, CHECK)], told("v", 503, 6), True),
        # what was overloaded and is well was no cause of it
        ([WELL, ONCE, told("x", 200, 3), AGAIN, told("u", 200, 5, before=4.1)], told("v", 503, 6), True),
        # sent before it was requested slower: no evidence, but a Retry-After is obeyed the first time
        ([WELL, ONCE, told("x", 200, 3), AGAIN], told("v", 503, 4.05), False),
        ([WELL, ONCE, told("x", 200, 3), AGAIN], told("v", 503, 4.05, retry_after=9.0), True),
        ([WELL, ONCE, told("x", 200, 3), AGAIN], told("v", 503, 4.05, before=2.2, retry_after=9.0), False),
        ([WELL, ONCE, told("x", 200, 3), AGAIN], told("", 503, 4.05, ROBOTS, gate=True), True),
    ],
)
def test_whose_it_is(before, last, is_the_host):
    health = Health()
    for each in before:
        health.overloaded(each)
    assert health.overloaded(last) == is_the_host


def well(count, at=5):
    """Good answers, one after the other."""
    return [told(f"w{number}", 200, at + 0.11 * number) for number in range(count)]


TRIAL = [WELL, ONCE, told("w", 200, 3, CHECK), AGAIN]
LIMITED = [*TRIAL, told("u", 200, 5, before=4.1)]
HALVED = [*LIMITED, *well(9, at=6)]
REFUSED = told("v", 503, 8)
SLOW = [*HALVED, REFUSED]
SLOWEST = [*SLOW, told("v", 503, 10)]
IN_VAIN = [*SLOWEST, told("v", 503, 12)]
ALONE = [WELL, ONCE, told("u", 200, 4, before=2.1)]


@pytest.mark.parametrize(
    ("answers", "slower"),
    [
        ([WELL, ONCE, told("w", 200, 3, CHECK)], 1),
        # a trial, whether the refused URL is well when less is asked for: it is not, or it does not get its turn
        (TRIAL, 16),
        ([*TRIAL, told("u", 503, 6, before=4.1)], 1),
        ([*TRIAL, told("u", 503, 6, before=4.1), told("w", 200, 7), told("u", 503, 8, before=6.1)], 1),
        ([*TRIAL, *well(1)], 16),
        ([*TRIAL, *well(2)], 8),
        ([*TRIAL, *well(8)], 1),
        ([*TRIAL, *well(20), told("u", 503, 6, before=4.1)], 1),
        # it is: the rate is limited
        (LIMITED, 16),
        ([*LIMITED, *well(8, at=6)], 16),
        (HALVED, 8),
        # that was too fast if another refusal comes soon, and more patience is needed
        ([*HALVED, *well(5, at=7), REFUSED], 8),
        ([*HALVED, *well(4, at=7), REFUSED], 16),
        ([*HALVED, told("v", 503, 6.1)], 8),  # it began before
        ([*SLOW, *well(19, at=9)], 16),
        ([*SLOW, *well(20, at=9)], 8),
        # the rate is not the cause, and is no suspect again
        (SLOWEST, 32),
        (IN_VAIN, 1),
        ([*IN_VAIN, told("v", 503, 14)], 1),
        ([*IN_VAIN, told("w", 200, 14), told("v", 503, 16, before=12.1)], 1),
        ([*IN_VAIN, told("v", 200, 14, before=12.1)], 1),
        # no URL is refused twice
        (ALONE, 2),
        ([*well(5, at=1), ONCE, told("u", 200, 4, before=2.1)], 1),
        ([*ALONE, *well(20), told("x", 200, 8, before=2.5)], 1),
    ],
)
def test_how_much_slower_a_host_is_requested(answers, slower):
    health = Health()
    for each in answers:
        health.overloaded(each)
    assert health.slower == slower


@pytest.mark.parametrize(
    "last", [told("x", 404, 3), told("x", 302, 3), told("x", 200, 3, PROBE), told("x", 200, 3, CHECK), ONCE]
)
def test_the_page_that_is_checked(last):
    """It is the last page that was well."""
    health = Health()
    for each in (WELL, last):
        health.overloaded(each)
    assert health.page == WELL.url
