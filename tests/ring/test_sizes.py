from __future__ import annotations

import concurrent.futures
import os
import resource
import subprocess
import sys

import pytest

from ttcrawl.config import Config, Crawl
from ttcrawl.ring.sizes import (
    LASTING,
    POLITE,
    QUICK,
    Demand,
    fetchers,
    first_parsers,
    in_flight,
    most_parsers,
    processors,
)

COUNT = """
import os
os.sched_setaffinity(0, {0})
from ttcrawl.ring.sizes import processors
print(processors())
"""


@pytest.mark.parametrize("chosen", [1, 3, 64])
def test_what_is_chosen_is_obeyed(chosen: int) -> None:
    crawl = Crawl(fetchers=chosen, parsers=chosen)
    assert (fetchers(crawl), first_parsers(crawl), most_parsers(crawl)) == (chosen, chosen, chosen)


def test_by_the_processors() -> None:
    half = max(1, processors() // 2)
    assert (fetchers(Crawl()), first_parsers(Crawl()), most_parsers(Crawl())) == (half, min(half, 4), processors())


@pytest.mark.parametrize(
    ("cores", "fetch", "first", "most"),
    [(1, 1, 1, 1), (2, 1, 1, 2), (3, 1, 1, 3), (4, 2, 2, 4), (8, 4, 4, 8), (16, 8, 4, 16), (64, 32, 4, 64)],
)
def test_on_a_machine_of(cores: int, fetch: int, first: int, most: int) -> None:
    crawl = Crawl()
    assert (fetchers(crawl, cores), first_parsers(crawl, cores), most_parsers(crawl, cores)) == (fetch, first, most)


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no affinity on this system")
def test_only_processors_that_may_be_used_count() -> None:
    done = subprocess.run([sys.executable, "-c", COUNT], capture_output=True, text=True, check=True)
    assert done.stdout == "1\n"


@pytest.mark.parametrize(
    ("told", "answers"),
    [
        ([(True, 0.0), (True, LASTING / 2), (True, LASTING)], [False, False, True]),
        ([(True, 0.0), (False, LASTING / 2), (True, LASTING), (True, 1.5 * LASTING)], [False] * 4),
        ([(True, 0.0), (True, LASTING), (True, 1.1 * LASTING), (True, 2.2 * LASTING)], [False, True, False, True]),
        ([(False, 0.0), (False, 9 * LASTING)], [False, False]),
    ],
    ids=["lasts", "interrupted", "begins again", "nothing waits"],
)
def test_answers_must_wait_without_a_break(told: list[tuple[bool, float]], answers: list[bool]) -> None:
    demand = Demand()
    assert [demand.lasts(waiting=waiting, now=now) for waiting, now in told] == answers


def test_how_long_is_said_by_who_asks() -> None:
    demand = Demand(2.0)
    assert [demand.lasts(waiting=True, now=now) for now in (0.0, 1.9, 2.0)] == [False, False, True]


@pytest.mark.parametrize(
    ("threads", "obey", "limited", "wanted"),
    [
        (0, True, None, POLITE),
        (0, False, None, QUICK),
        (7, True, None, 7),
        (7, False, None, 7),
        (0, True, (resource.RLIMIT_AS, 1 << 33), QUICK),
        (0, True, (resource.RLIMIT_NOFILE, 1024), QUICK),
    ],
)
def test_requests_in_flight(threads: int, obey: bool, limited: tuple[int, int] | None, wanted: int) -> None:
    settings = Config().changed({"crawl.threads": str(threads), "politeness.obey_delay": "yes" if obey else "no"})
    with concurrent.futures.ProcessPoolExecutor(1, initializer=limit, initargs=(limited,)) as process:
        assert process.submit(in_flight, settings).result() == wanted


def limit(which: tuple[int, int] | None) -> None:
    if which is not None:
        resource.setrlimit(which[0], (which[1], which[1]))
