"""The request of a change of rings, from the command to the plan."""

import pytest

from ttcrawl.cluster.change import REQUEST, request_of, requested, taken_up
from ttcrawl.cluster.members import encoded, founding, joined, left, settled
from ttcrawl.cluster.plan import Plan
from ttcrawl.cluster.route import table
from ttcrawl.report.rings import render, rings_status

FIRST = founding(table((1, 2), buckets=64))


def plan(members):
    return Plan(members=members, seeds=(), allowed=(), finished="")


@pytest.mark.parametrize(
    ("later", "shown"), [(joined(FIRST, 3), "ring 3 joins"), (left(FIRST, 2), "ring 2 leaves")], ids=["join", "leave"]
)
def test_a_request_is_shown_until_it_is_taken_up(tmp_path, later, shown):
    assert request_of(tmp_path, plan(FIRST)) == ""
    (tmp_path / REQUEST).write_text(encoded(later))
    assert requested(tmp_path) == later
    status = rings_status(tmp_path, "", {}, request_of(tmp_path, plan(FIRST)))
    assert render(status, "text").endswith(f"\n  requested: {shown}")
    assert request_of(tmp_path, plan(settled(later))) == ""
    taken_up(tmp_path)
    assert not (tmp_path / REQUEST).exists() and requested(tmp_path) is None
    taken_up(tmp_path)
