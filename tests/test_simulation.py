"""Random crawls on a clock of their own, then what must hold after any crawl; and cases that once went wrong."""

import random
from collections import Counter, defaultdict
from dataclasses import replace
from itertools import groupby, pairwise
from operator import attrgetter, itemgetter

import pytest

from tests.support.cases import some_fast
from tests.support.faults.simulation import BEGIN, Faults, KilledError, ModelWeb, RobotsTxt, Simulation, Site
from tests.support.long_tables import few
from ttcrawl import config
from ttcrawl.frontier.host import RobotsGate
from ttcrawl.report.gaps import BY_ADDRESS, COLUMNS, ORDER, TOLERANCE, gaps
from ttcrawl.web.url import registrable_domain

#: One process of 16 threads.
CRAWL = config.Crawl(fetchers=1, threads=16, parsers=1)


# -- random webs ------------------------------------------------------------------------------------------------------


def addresses(number):
    return [f"192.0.2.{each}" for each in range(number)]


def random_web(chance):
    names = [f"h{each}.d{each % 5}.test" for each in range(30)]
    return ModelWeb(
        sites={name: random_site(chance, names) for name in names},
        pages=6,
        dead=frozenset(chance.sample(addresses(8), 1)),
        faults=Faults(fetch_dies=chance.choice([0.0, 0.02]), parse_dies=0.04, errors=0.04, moved=0.04),
        seconds=(0.0005, 0.01, 0.3, 2.0),
        bodies=chance.choice([0, 9]),
    )


def random_site(chance, names):
    lookups = {"": 0.9, "dns": 0.025, "dns: temporary": 0.025, "flapping": 0.025, "blocked address": 0.025}
    delay = chance.choice([0, 0.3, 3])
    robots = {
        RobotsTxt(elsewhere=chance.choice(names)): 0.3,
        RobotsTxt(errors=2): 0.1,
        RobotsTxt(text=f"User-agent: *\nCrawl-delay: {delay}\n", crawl_delay=delay): 0.1,
        RobotsTxt(text="User-agent: *\nDisallow: /2\n"): 0.1,
        RobotsTxt(refused=True): 0.05,
        RobotsTxt(): 0.35,
    }
    return Site(
        addresses=tuple(chance.sample(addresses(8), chance.choice([1, 1, 1, 2, 3]))),
        lookup=chance.choices(list(lookups), list(lookups.values()))[0],
        robots=chance.choices(list(robots), list(robots.values()))[0],
    )


def random_config(chance):
    return config.Config(
        politeness=config.Politeness(
            obey_delay=chance.random() < 0.9,
            delay=chance.choice([0.5, 1.0]),
            address_delay=chance.choice([0.1, 0.2, 0.7]),
            domain_share=chance.choice([0.1, 0.25, 1.0]),
            backoff=3.0,
            give_up=3,
            robots_max_age=chance.choice([20.0, 86400.0]),
            robots_patience=chance.choice([1.0, 100.0]),
            delay_factor=chance.choice([0.0, 0.0, 2.0]),
        ),
        frontier=config.Frontier(hosts=chance.choice([2, 5, 12, 10_000]), urls_per_host=chance.choice([2, 5, 100])),
        fetch=config.Fetch(dns_ttl=chance.choice([1.0, 5.0, 600.0]), retry_wait=0.5),
        crawl=replace(CRAWL, max_pages=chance.choice([0, 0, 7])),
        duplicates=config.Duplicates(soft_404=chance.choice([0, 1, 3])),
    )


# -- what must hold ---------------------------------------------------------------------------------------------------


def host_clocks(simulation):
    """By the model's own log: no host is asked twice at once, nor before its delay is over."""
    for name, log in by(simulation.ring.log, "host"):
        least = least_delay(simulation, name)
        for before, after in pairwise(log):
            due = least if after.due is None else after.due
            if after.start - before.end < due - TOLERANCE:
                yield f"{name}: {after.start - before.end:.6f} s after the last, due {due:g} s"


def address_clocks(simulation):
    """By the model's own log: an address is left alone after each exchange, whatever the host."""
    address_delay = simulation.config.politeness.address_delay
    for address, log in by(simulation.ring.log, "address"):
        for before, after in pairwise(log):
            due = min(address_delay, least_delay(simulation, before.host))
            if after.start - before.end < due - TOLERANCE:
                yield f"{address}: {after.start - before.end:.6f} s after {before.host}, due {due:g} s"


def least_delay(simulation, name):
    """Before robots.txt is read the default holds; when that is, the model does not know where it lies elsewhere."""
    told, default = simulation.web.crawl_delay(name), simulation.config.politeness.delay
    return default if told is None else min(default, told)


def by(log, what):
    found = defaultdict(list)
    for each in sorted(log, key=attrgetter("start", "end")):
        found[getattr(each, what)].append(each)
    found.pop("", None)
    return found.items()


def broken_gaps(simulation):
    """As `ttcrawl verify` sees table visit."""
    hosts = simulation.query(f"SELECT site, {COLUMNS} FROM visit ORDER BY site, {ORDER}")
    for site, visits in groupby(hosts, key=itemgetter(0)):
        yield from (f"site {site}: {gap}" for gap in gaps(each[1:] for each in visits) if gap.broken)
    for address, visits in groupby(simulation.query(BY_ADDRESS), key=itemgetter(0)):
        yield from (f"{address}: {gap}" for gap in gaps(each[3:] for each in visits) if gap.broken and gap.due)


def has_work(host):
    """Whether a host is to stay in memory."""
    return host.locks or host.queue.known or host.scheduled or host.wants() or host.gate is RobotsGate.READING


def at_rest(simulation, crawl):
    """Whatever ended the crawl, nothing is under way, and what is counted is so."""
    frontier, hosts = crawl.frontier, crawl.frontier.hosts
    ((queued,),) = simulation.query("SELECT count(*) FROM url WHERE state = 'queued'")
    counted = {
        "queued": (frontier.queued, queued),
        "flights": (len(simulation.ring.flights), 0),
        "held": (frontier.locked_hosts, 0),
    }
    for host in hosts.values():
        counted[f"held, flying of {host.name}"] = ((host.locks, host.flying), (0, 0))
    for name, domain in domains(hosts).items():
        awake = sum(host.domain is domain and bool(has_work(host)) for host in hosts.values())
        counted[f"awake, under way of {name}"] = ((domain.awake, domain.in_flight), (awake, 0))
    ((probes,),) = simulation.query("SELECT count(*) FROM probe WHERE time IS NULL")
    counted["probes"] = (frontier.probing.remaining, probes)
    counted["held addresses"] = (sum(address.locked for address in simulation.ring.clocks), 0)
    yield from (f"{what}: {is_} is to be {should}" for what, (is_, should) in counted.items() if is_ != should)


def domains(hosts):
    return {registrable_domain(host.name): host.domain for host in hosts.values()}


def emptied(simulation, crawl):
    """Nothing is left: the crawl is done."""
    frontier, hosts = crawl.frontier, crawl.frontier.hosts
    # settled in passing, for another reason than a turn: it is noticed when it would have had one
    unseen = [
        each
        for each in hosts.values()
        if (each.queue.more and not each.queue.known) or (each.scheduled and not each.wants())
    ]
    counted = {"queued": (frontier.queued, 0), "waiting": (frontier.waiting, len(unseen))}
    counted["not idle"] = ([each.name for each in hosts.values() if has_work(each) and each not in unseen], [])
    if not unseen:
        counted["set aside, or first, or behind"] = (frontier.next_moment() == 0.0, False)
        counted["wait for a domain"] = (sum(len(each.waiting) for each in domains(hosts).values()), 0)
        counted["wait for an address"] = (sum(len(each.waiting) for each in simulation.ring.clocks), 0)
    yield from (f"{what}: {is_} is to be {should}" for what, (is_, should) in counted.items() if is_ != should)


def left(crawl):
    """When there is no room any more, all hosts without work leave, and no other."""
    hosts = crawl.frontier.hosts
    working = [host.name for host in hosts.values() if has_work(host)]
    hosts.room(1 << 30)
    if [*hosts] != working:
        yield f"{[*hosts]} stay, and {working} are to"


def probed(simulation):
    """Hosts with so many pages, and no others, were asked for a few URLs, or they may not be asked."""
    most = simulation.config.duplicates.soft_404
    rows = simulation.query(
        "SELECT host, (SELECT count(*) FROM url WHERE site = site.id AND state = 'fetched') AS pages, fetched,"
        " (SELECT count(*) FROM probe WHERE site = site.id) FROM site"
    )
    for name, pages, fetched, probes in rows:
        if (fetched, probes) != (pages, 3 if 0 < most < pages else 0):
            yield f"{name}: {probes} probes, {fetched} pages counted of {pages}"
    again = Counter(each.url for each in simulation.ring.log if "soft-404" in each.url)
    wrong = "SELECT url, attempts FROM probe WHERE time IS NULL OR attempts > 5"
    yield from (f"{url}: {attempts} attempts" for url, attempts in simulation.query(wrong))
    if not most and again:
        yield f"asked for {list(again)}"


def wrongs(simulation, kills):
    """All that does not hold in a crawl that is killed so many times and goes on after every limit."""
    ring, chance = simulation.ring, simulation.chance
    while True:
        if kills:
            ring.kill_after(chance.randrange(50, 400))
        with simulation.life() as (crawl, _):
            try:
                simulation.run(crawl)
            except KilledError:
                kills -= 1
            else:
                yield from at_rest(simulation, crawl)
                # a limit that falls together with the end leaves probes that were not asked for
                if not crawl.stopped_by and not crawl.frontier.probing.remaining:
                    yield from emptied(simulation, crawl)
                    yield from left(crawl)
                    yield from probed(simulation)
                    yield from broken_gaps(simulation)
                    break
                yield from left(crawl)
                more = crawl.counters.pages + chance.randrange(1, 15)
                simulation.config = replace(simulation.config, crawl=replace(CRAWL, max_pages=more))
        ring.restart()
    if simulation.config.politeness.obey_delay:
        yield from host_clocks(simulation)
        yield from address_clocks(simulation)


def check(directory, seed):
    chance = random.Random(seed)
    simulation = Simulation(directory, random_web(chance), random_config(chance), seed)
    assert list(wrongs(simulation, kills=chance.choice([0, 0, 3]))) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", [*range(8), 94])  # 94: one that does not resolve is to answer for another host
def test_any_crawl_is_polite_and_ends_with_nothing_left(tmp_path, seed):
    check(tmp_path, seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", few(60, range(8, 320)))
def test_more_of_them(tmp_path, seed):
    check(tmp_path, seed)


# -- cases ------------------------------------------------------------------------------------------------------------


def lonely(number, shared=200):
    """Hosts of one domain, one page each, none of it linked."""
    return {f"h{each}.d.test": Site(addresses=(f"192.0.2.{each % shared}",)) for each in range(number)}


@pytest.mark.parametrize("share", some_fast([0.25, 1.0], 1.0))
def test_a_dead_host_does_not_stop_the_others_of_the_only_domain(tmp_path, share):
    dead, *others = sites = lonely(30, shared=8)
    sites[dead] = Site(addresses=("192.0.2.99",))
    web = ModelWeb(sites=sites, linked=False, dead=frozenset(["192.0.2.99"]))
    settings = config.Config(
        politeness=config.Politeness(domain_share=share), frontier=config.Frontier(hosts=5), crawl=CRAWL
    )
    simulation = Simulation(tmp_path, web, settings)
    with simulation.life() as (crawl, _):
        simulation.run(crawl)
    first = {name: log[0].start - BEGIN for name, log in by(simulation.ring.log, "host")}
    assert set(first) == {dead, *others}
    assert sorted(first.values())[1] < 3
    assert max(first.values()) < 60  # long before the dead one is given up


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_equal_bodies_wait_for_each_other_and_none_for_ever(tmp_path, seed):
    """Whatever becomes of the one that is read first, only one of those that become pages has bytes of its own."""
    sites = {f"h{each}.test": Site(addresses=(f"192.0.2.{each}",)) for each in range(100)}
    web = ModelWeb(sites=sites, linked=False, bodies=4, faults=Faults(parse_dies=0.3), seconds=(0.01, 0.02, 0.3))
    simulation = Simulation(tmp_path, web, config.Config(crawl=CRAWL), seed)
    with simulation.life() as (crawl, _):
        simulation.run(crawl)
        assert list(at_rest(simulation, crawl)) == list(emptied(simulation, crawl)) == list(left(crawl)) == []
        states = dict(simulation.query("SELECT state, count(*) FROM url GROUP BY state"))
        rows = simulation.query("SELECT digest, count(*) - count(payload) FROM page GROUP BY digest")
    assert states["fetched"] + states["failed"] == 100 and states["fetched"] > states["failed"] > 0
    assert [alone for _, alone in rows] == [1, 1, 1, 1]


@pytest.mark.parametrize("retries", [0, 1])
def test_a_host_whose_first_address_is_dead_loses_no_page(tmp_path, retries):
    sites = {"a.test": Site(addresses=("192.0.2.1", "192.0.2.2"))}
    web = ModelWeb(sites=sites, pages=5, dead=frozenset(["192.0.2.1"]))
    simulation = Simulation(tmp_path, web, config.Config(fetch=config.Fetch(retries=retries), crawl=CRAWL))
    with simulation.life() as (crawl, _):
        simulation.run(crawl)
        states = simulation.query("SELECT state, count(*) FROM url GROUP BY state")
    assert states == [("fetched", 5)]


@pytest.mark.slow
@pytest.mark.long
def test_the_hosts_of_one_owner_are_not_looked_through_for_every_one_that_ends(tmp_path):
    web = ModelWeb(sites=lonely(2000), linked=False, seconds=(0.01,))
    settings = config.Config(
        politeness=config.Politeness(domain_share=0.25), frontier=config.Frontier(hosts=1000), crawl=CRAWL
    )
    simulation, looked_at = Simulation(tmp_path, web, settings, most=100_000), 0
    with simulation.life() as (crawl, store):
        with_queue = store.sites.with_queue

        def counted(after, limit):
            nonlocal looked_at
            rows = with_queue(after, limit)
            looked_at += len(rows)
            return rows

        store.sites.with_queue = counted
        simulation.run(crawl)
        assert crawl.counters.pages == len(web.sites)
    # 1,000 rows are read whenever a tenth of the share, 25 hosts, has gone: 40 a host, however many hosts there are
    assert 0 < looked_at <= 50 * len(web.sites)
