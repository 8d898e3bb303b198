"""When a crawl of several rings has ended."""

from dataclasses import replace

import pytest
from msgspec import structs

from tests.cluster.rings import Carrier, Cluster, random_web, seeded
from ttcrawl.cluster.conductor import Silence, Waves, reached
from ttcrawl.cluster.messages import Status
from ttcrawl.config import Crawl

IDLE = Status(ring=1, wave=1, idle=True, life="a", activity=7, epoch=0, fetched=3, bytes=100)


def told(waves, *statuses):
    """Whether a wave with these statuses is the end."""
    wave = waves.poll().wave
    for status in statuses:
        waves.hear(structs.replace(status, wave=wave))
    return waves.ended()


def test_two_equal_waves_of_idle_rings_are_the_end():
    waves, other = Waves([1, 2]), structs.replace(IDLE, ring=2)
    assert [told(waves, IDLE, other), told(waves, IDLE, other)] == [False, True]


CHANGES = {
    "busy": {"idle": False},
    "a batch": {"activity": 8},
    "a restart": {"life": "b"},
    "a new table": {"epoch": 1},
}


@pytest.mark.parametrize("change", CHANGES)
def test_waves_that_differ_are_not_the_end(change):
    waves, other = Waves([1, 2]), structs.replace(IDLE, ring=2)
    changed = structs.replace(other, **CHANGES[change])
    assert [told(waves, IDLE, other), told(waves, IDLE, changed)] == [False, False]
    assert told(waves, IDLE, changed) == (change != "busy")


def test_without_the_status_of_a_ring_nothing_ends():
    waves, other = Waves([1, 2]), structs.replace(IDLE, ring=2)
    assert not any([told(waves, IDLE), told(waves, IDLE), told(waves, IDLE, other), told(waves, IDLE)])
    assert waves.missing == {2}


def test_a_late_status_counts_for_nothing():
    """It may be older than the last wave, and say of a ring that it is idle which has work since then."""
    waves = Waves([1])
    late = structs.replace(IDLE, wave=waves.poll().wave)
    assert not waves.ended()
    for _ in range(2):
        waves.poll()
        waves.hear(late)
        assert not waves.ended()
    assert waves.missing == {1}


def test_a_ring_that_does_not_belong_to_the_cluster_counts_for_nothing():
    waves = Waves([1])
    assert not told(waves, structs.replace(IDLE, ring=2))
    assert waves.missing == {1}


LIMITS = {"max_pages": Crawl(max_pages=6), "max_bytes": Crawl(max_bytes=200), "max_time": Crawl(max_time=9.0)}


@pytest.mark.parametrize("limit", LIMITS)
def test_limits_hold_for_all_rings_together(limit):
    both = [IDLE, structs.replace(IDLE, ring=2)]
    assert reached(LIMITS[limit], both, 9.0) == limit
    assert reached(replace(LIMITS[limit], max_pages=0, max_bytes=0, max_time=0.0), both, 9.0) == ""
    assert reached(LIMITS[limit], both[:1], 8.0) == ""


def reachable(web, urls):
    seen, waiting = set(urls), list(urls)
    while waiting:
        new = set(web.links(waiting.pop())) - seen
        seen |= new
        waiting += new
    return seen


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_a_crawl_that_is_stopped_and_continued_fetches_nothing_twice(tmp_path, seed):
    web, carrier = random_web(seeded(seed)), Carrier(lost=0.2, doubled=0.2)
    seeds = [f"http://{name}/0" for name in list(web.sites)[:2]]
    cluster = Cluster(tmp_path / "c", web, seeded(seed), rings=3, seeds=seeds, carrier=carrier)
    cluster.run(until=lambda: len(cluster.log()) > 50)
    cluster.stop()
    cluster.run()
    stopped = len(cluster.log())
    assert {member.crawl.stopped_by for member in cluster.rings.values()} == {"interrupted"}
    for member in cluster.rings.values():
        member.begin()
    cluster.run()
    urls = [exchange.url for exchange, _ in cluster.log()]
    assert stopped < len(urls)
    assert len(urls) == len(set(urls))
    assert {state for state, _, _ in cluster.outcomes().values()} == {"fetched"}
    assert cluster.outcomes().keys() == reachable(web, seeds)


def test_a_ring_is_silent_from_its_first_question_without_an_answer():
    silence = Silence()
    assert [silence.asked(now, waits=False) for now in (5.0, 6.0, 25.0)] == [0.0, 1.0, 20.0]
    silence.over()
    assert silence.asked(26.0, waits=False) == 0.0


def test_a_ring_is_not_silent_while_its_machine_is_not_there():
    silence = Silence()
    silence.asked(0.0, waits=False)
    assert [silence.asked(now, waits=True) for now in (1.0, 1_000.0)] == [0.0, 0.0]
    assert [silence.asked(now, waits=False) for now in (1_000.5, 1_002.5)] == [0.0, 2.0]
