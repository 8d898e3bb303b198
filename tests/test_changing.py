"""A site whose pages change, visited again and again while processes are killed: 40 seconds of `tests.changing`."""

from __future__ import annotations

import random

import pytest

from tests.changing.judge import visits, wrong
from tests.changing.play import STEPS, Play
from tests.changing.web import changes


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


def test_changes_are_planned_for_most_pages() -> None:
    planned = changes(2, 13, 10.0, 200.0, random.Random(1))
    assert planned == sorted(planned, key=lambda each: each.at) and planned[-1].at < 200
    versions: dict[tuple[str, str], list[int]] = {}
    for each in planned:
        versions.setdefault(each.key, []).append(each.version)
    assert 2 * 12 * 4 / 6 < len(versions) <= 2 * 12 * 5 / 6
    assert all(each == list(range(1, len(each) + 1)) for each in versions.values())
