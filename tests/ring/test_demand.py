from __future__ import annotations

import pytest

from ttcrawl.ring.demand import LASTING, Demand


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
