"""A crawl on many cores, simulated: the limit is what the prices make of it."""

from __future__ import annotations

import pytest

from benchmarks.cores import FETCH, MANUAL, OWNER, PARSE, Simulation, measured


@pytest.mark.parametrize(
    ("owner", "fetch", "parse", "cores", "limit", "rate"),
    [
        (1.0, 0.1, 0.1, 16, "the crawl process", 1000),
        (1.0, 1.0, 1.0, 1, "the cores", 333),
        (0.01, 0.01, 4.0, 2, "the cores", 500),
        (0.01, 4.0, 0.01, 4, "the fetch processes", 500),
    ],
)
def test_the_limit(owner: float, fetch: float, parse: float, cores: int, limit: str, rate: float) -> None:
    prices = {OWNER: owner / 1000, FETCH: fetch / 1000, PARSE: parse / 1000}
    result = Simulation(prices, cores).run(1000)
    assert (result.limit(), result.rate) == (limit, pytest.approx(rate, rel=0.2))


def test_parse_processes_are_added_while_answers_wait() -> None:
    simulation = Simulation({OWNER: 0.0001, FETCH: 0.0001, PARSE: 0.01}, 8)
    simulation.run(1000)
    assert len(simulation.processes[PARSE]) == 8


def test_the_prices_are_measured_ones() -> None:
    prices = measured(MANUAL.read_text(encoding="utf-8"))
    assert prices.keys() == {OWNER, FETCH, PARSE} and all(0 < price < 0.01 for price in prices.values())
