"""A site whose pages change, visited again and again while processes are killed: 40 seconds of `tests.changing`."""

from __future__ import annotations

import random

import pytest

from tests.changing.judge import memory, too_soon, visits, wrong
from tests.changing.play import STEPS, Play, Sample
from tests.changing.web import changes
from tests.support.web.site import Hit


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_no_visit_too_soon_and_none_forgotten(tmp_path) -> None:
    """Nor is a version lost that was there for long."""
    kills = len(STEPS)
    play = Play(directory=tmp_path, hosts=4, pages=15, interval=5.0, delay=0.3, seconds=36.0, kills=kills)
    play.play()
    assert wrong(play) == []
    assert [what for _, what in play.steps] == list(STEPS)
    assert all(visits(play).values()) and any(hit.status == 304 for hit in play.hits)


def hit(path: str, arrived: float) -> Hit:
    return Hit(host="h0.test", path=path, arrived=arrived, answered=arrived, status=200, agent="")


#: Moments of visits by path, kills and stops, and how many lines there are about it.
VISITS: dict[str, tuple[dict[str, list[float]], list[tuple[float, str]], int]] = {
    "in time": ({"/1": [100, 110, 120]}, [], 0),
    "too soon": ({"/1": [100, 104, 114]}, [], 1),
    "undone by a kill": ({"/1": [100, 104, 114]}, [(103.0, "all")], 0),
    "not by another one": ({"/1": [100, 104, 114]}, [(113.0, "all")], 1),
    "a stop undoes nothing": ({"/1": [100, 104, 114]}, [(103.0, "stop")], 1),
    "as many as a kill undoes": ({f"/{n}": [100, 104] for n in range(1, 22)}, [(103.0, "crawl")], 0),
    "one more": ({f"/{n}": [100, 104] for n in range(1, 23)}, [(103.0, "crawl")], 1),
}


@pytest.mark.parametrize(("moments", "steps", "lines"), VISITS.values(), ids=VISITS)
def test_the_judge_sees_what_comes_too_soon(tmp_path, moments, steps, lines) -> None:
    play = Play(directory=tmp_path, hosts=1, pages=40, interval=10.0, delay=0.3, seconds=36.0, kills=1)
    play.hits = [hit(path, arrived) for path, each in moments.items() for arrived in each]
    play.begun, play.steps = 99.0, steps
    assert len(list(too_soon(play))) == lines


@pytest.mark.parametrize(("growth", "lines"), [(0.0, 0), (0.001, 0), (0.05, 1)])
def test_the_judge_sees_memory_that_grows(tmp_path, growth, lines) -> None:
    play = Play(directory=tmp_path, hosts=1, pages=40, interval=10.0, delay=0.3, seconds=36.0, kills=1)
    for number in range(30):
        sizes = {"crawl": int(50e6 * (1 + growth) ** number), "fetch": 20_000_000, "parse": 30_000_000}
        play.samples.append(Sample(at=number, visits=0, memory=sizes, database=0, log=0, cpu=0.0))
    assert len(list(memory(play))) == lines


def test_changes_are_planned_for_most_pages() -> None:
    planned = changes(2, 13, 10.0, 200.0, random.Random(1))
    assert planned == sorted(planned, key=lambda each: each.at) and planned[-1].at < 200
    versions: dict[tuple[str, str], list[int]] = {}
    for each in planned:
        versions.setdefault(each.key, []).append(each.version)
    assert 2 * 12 * 4 / 6 < len(versions) <= 2 * 12 * 5 / 6
    assert all(each == list(range(1, len(each) + 1)) for each in versions.values())
