"""The calculation of docs/scale.md keeps to what it is made of."""

import sqlite3
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest

from benchmarks import crossing, scale
from benchmarks.scale import Prices, Ring, Web
from ttcrawl.cluster.route import table

PRICES = Prices(owner=1e-3, pools=3e-3, link=1e-4, batch=5e-4, lease=2e-5)
WEB = Web(pages=1e7, domains=1e6)
NUMBERS = (1, 4, 32)
ROUNDING = 1 + 1e-9


@pytest.fixture(scope="module", params=NUMBERS)
def course(request):
    return scale.simulated(request.param, WEB, Ring(), PRICES)


def rates(course):
    return np.diff(course.pages) / np.diff(course.seconds)


def test_no_moment_is_faster_than_all_parts_together(course):
    ring = Ring()
    assert course.capacity <= course.rings * scale.capacity(1, ring, PRICES, 0.0)
    assert rates(course).max() <= course.capacity * ROUNDING
    assert rates(course).max() <= WEB.domains / (ring.delay + ring.response) * ROUNDING
    addresses = sum(WEB.domains * share / number for number, share in WEB.shared if number <= WEB.domains)
    assert rates(course).max() <= (addresses + len(WEB.shared)) / ring.address_delay


def test_every_page_is_fetched_once(course):
    assert (np.diff(course.pages) >= 0).all()
    sizes, counts = scale.classes(WEB)
    assert course.pages[-1] == pytest.approx((sizes * counts).sum())
    assert course.pages[-1] == pytest.approx(WEB.pages, rel=0.01)


def test_no_domain_is_faster_than_its_delay(course):
    assert course.seconds[-1] >= scale.largest(WEB) * Ring().delay


@pytest.mark.parametrize(("owner", "pools"), [(1e-3, 3e-3), (1e-3, 20e-3)])
def test_one_ring_is_a_single_machine(owner, pools):
    prices, ring = replace(PRICES, owner=owner, pools=pools), Ring()
    alone = min(1 / owner, ring.cores / (owner + pools))
    assert scale.capacity(1, ring, prices, 1.0) == pytest.approx(alone)
    dear = replace(prices, link=1.0, batch=1.0, lease=1.0)
    one, other = (scale.simulated(1, WEB, ring, each) for each in (prices, dear))
    assert (one.pages == other.pages).all()


@pytest.mark.slow
def test_more_rings_never_take_longer_and_never_beat_the_delays():
    bound = scale.polite_bound(WEB, Ring())
    until = [scale.simulated(rings, WEB, Ring(), PRICES).until(0.5) for rings in NUMBERS]
    assert until == sorted(until, reverse=True)
    assert until[-1] >= bound.until(0.5) / scale.STEP


@pytest.mark.slow
def test_the_same_seed_is_the_same_crawl():
    one, same, other = (scale.simulated(4, WEB, Ring(), PRICES, seed) for seed in (1, 1, 2))
    assert (one.pages == same.pages).all() and one.fullest == same.fullest
    assert one.fullest != other.fullest


@pytest.mark.parametrize("rings", [2, 10, 1000])
@pytest.mark.parametrize("flush", [0.0, 10.0])
def test_all_links_are_in_batches(rings, flush):
    ring = Ring(flush=flush)
    number, links = scale.batches(500.0, rings, ring)
    assert number * links == pytest.approx(500.0 * ring.links * (rings - 1) / rings)
    assert 1 <= links <= 1_000


def test_links_that_wait_make_fewer_batches_and_faster_rings():
    patient, hasty = Ring(), Ring(flush=0.0)
    assert scale.batches(500.0, 1000, patient)[0] < scale.batches(500.0, 1000, hasty)[0] / 3
    assert scale.capacity(1000, patient, PRICES, 0.8) > 1.1 * scale.capacity(1000, hasty, PRICES, 0.8)


def test_domains_that_are_split_have_the_same_pages_and_fill_rings_alike():
    hosted = replace(WEB, host=10)
    whole, split = (scale.simulated(32, replace(hosted, split=share), Ring(), PRICES) for share in (1.0, 1e-6))
    assert split.pages[-1] == pytest.approx(whole.pages[-1]) == pytest.approx(WEB.pages, rel=0.01)
    assert 1 <= split.fullest < whole.fullest
    assert split.seconds[-1] >= hosted.host * Ring().delay


@pytest.mark.parametrize("hosts", scale.HOSTS_OF_ONE)
def test_rings_that_share_a_domain_are_no_faster_than_its_hosts(hosts):
    whole, *rates = (
        scale.of_one_domain(rings, hosts, Ring(), PRICES, split=split)
        for rings, split in ((30, False), (1, True), (3, True), (10, True))
    )
    assert rates == sorted(rates) and rates[0] == whole
    assert rates[-1] <= hosts / (Ring().delay + Ring().response)


CARRIED = replace(PRICES, carried=1e-5, carried_batch=2e-5, carried_link=1e-7)


@pytest.mark.parametrize("flush", [0.0, 10.0])
def test_what_passes_the_conductor_fits_into_one_core(flush):
    ring = Ring(flush=flush)
    for rings in (2, 30, 1000):
        rate = scale.capacity(rings, ring, CARRIED, 0.8)
        number, _ = scale.batches(rate, rings, ring)
        messages = number + rate * 0.8 * ring.lease_messages
        links = rate * ring.links * (rings - 1) / rings
        busy = rings * (number * CARRIED.carried_batch + messages * CARRIED.carried + links * CARRIED.carried_link)
        assert busy <= ROUNDING
    assert busy > 0.99
    assert rate < 0.2 * scale.capacity(rings, ring, scale.directly(CARRIED), 0.8)


def test_carriage_is_measured():
    found = crossing.carriage(rounds=3)
    assert len(found) == 3 and all(0 < each < 1e5 for each in found.values())


def test_the_manual_has_the_prices():
    prices = scale.measured()
    assert all(0 < getattr(prices, name) < 0.1 for name in Prices.__slots__)


def test_links_that_are_measured_cross(tmp_path):
    members = table([1, 2], buckets=64)
    sender, receiver = (crossing.Ring(number, members, tmp_path / str(number)) for number in members.rings)
    hosts = [name for name in (f"www.site{each}.example" for each in range(40)) if members.ring_of(name) == 2]
    batches = [crossing.links(hosts, 5, first) for first in (0, 5, 10)]
    seconds = crossing.crossed(sender, receiver, batches)
    assert len(seconds.sizes) == 1  # all batches in one message
    for ring, state in ((1, "refused"), (2, "queued")):
        with closing(sqlite3.connect(tmp_path / str(ring) / "crawl.db")) as database:
            rows = database.execute("SELECT url, state FROM url ORDER BY id").fetchall()
        assert rows == [(link.url, state) for batch in batches for link in batch]
    sender.commit()
    with closing(sqlite3.connect(tmp_path / "1" / "crawl.db")) as database:
        assert database.execute("SELECT count(*) FROM outbox").fetchone() == (0,)
