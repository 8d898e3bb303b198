"""The tables of docs/speed.md: budgets in terms of Scrapy's CPU in the same rounds."""

from __future__ import annotations

import pytest

from benchmarks.crawlers import Round
from benchmarks.docs_tables import LINKS_ONLY, SCRAPY, WHOLE, roles


def crawled(crawler: str, cpu_ms: float, parse_ms: float = 0.0) -> Round:
    return Round(
        crawler=crawler,
        requests=1000,
        pages=frozenset(),
        wall=1.0,
        cpu=cpu_ms,
        roles={"ttcrawl-parse": parse_ms} if parse_ms else {},
        memory=0,
        bytes=0,
        readers={},
    )


@pytest.mark.parametrize(
    ("scrapy", "parse", "whole"),
    [
        (SCRAPY, 0.5, "0.500 | 0.6 | 0.600 |"),
        (SCRAPY, 0.9, "0.900 | 0.6 | 0.600 | 1.5 times its budget"),
        (2 * SCRAPY, 0.9, "0.900 | 0.6 | 1.200 |"),  # a machine of half the speed
        (SCRAPY / 2, 0.5, "0.500 | 0.6 | 0.300 | 1.7 times its budget"),
        (None, 0.9, "0.900 | 0.6 | 0.600 | 1.5 times its budget"),  # not measured
    ],
)
def test_a_budget_is_for_a_machine_of_known_speed(scrapy: float | None, parse: float, whole: str) -> None:
    rounds = [crawled(WHOLE, 2.0, parse), crawled(LINKS_ONLY, 1.0, parse)]
    rounds += [crawled("scrapy", scrapy)] if scrapy else []
    assert f"| ttcrawl-parse | {whole}" in roles(rounds)
