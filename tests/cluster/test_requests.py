"""The request of a change of rings, from the command to the plan."""

import msgspec
import pytest

from ttcrawl.cluster.change import REQUEST, Request, joining, request_of, requested, taken_up
from ttcrawl.cluster.members import divided, founding, settled
from ttcrawl.cluster.plan import Plan
from ttcrawl.cluster.route import table
from ttcrawl.report.rings import render, rings_status

FIRST = founding(table((1, 2), buckets=64))


def plan(members):
    return Plan(members=members, seeds=(), allowed=(), finished="")


REQUESTS = {"ring 3 joins": joining(FIRST), "ring 2 leaves": Request(ring=2, joins=False)}


def write(directory, request):
    (directory / REQUEST).write_bytes(msgspec.json.encode(request))


@pytest.mark.parametrize("shown", REQUESTS)
def test_a_request_is_shown_until_it_is_taken_up(tmp_path, shown):
    request = REQUESTS[shown]
    assert request_of(tmp_path, plan(FIRST)) == ""
    write(tmp_path, request)
    assert requested(tmp_path, plan(FIRST)) == request
    status = rings_status(tmp_path, "", {}, request_of(tmp_path, plan(FIRST)))
    assert render(status, "text").endswith(f"\n  requested: {shown}")
    assert request_of(tmp_path, plan(settled(request.members_after(FIRST)))) == ""
    taken_up(tmp_path)
    assert not (tmp_path / REQUEST).exists() and requested(tmp_path, plan(FIRST)) is None
    taken_up(tmp_path)


@pytest.mark.parametrize("shown", REQUESTS)
def test_a_request_waits_for_a_split(tmp_path, shown):
    write(tmp_path, REQUESTS[shown])
    split = divided(FIRST, ["uni.test"])
    assert requested(tmp_path, plan(settled(split))).members_after(split).splits == {"uni.test": 1}


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"ring": 7, "joins": false}', '{"ring": 2, "joins": true}'])
def test_a_request_that_cannot_be_done_counts_for_nothing(tmp_path, text):
    (tmp_path / REQUEST).write_text(text)
    assert requested(tmp_path, plan(FIRST)) is None and request_of(tmp_path, plan(FIRST)) == ""


def test_domains_that_are_split_are_shown(tmp_path):
    text = render(rings_status(tmp_path, "done", {}, split=("uni.test", "blog.test")), "text")
    assert text.endswith("\n  hosts shared by the rings: uni.test, blog.test")
