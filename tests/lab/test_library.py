"""`ttcrawl.try_policies`: curves as a frame, and a function as a policy."""

import pytest

import ttcrawl
from tests.lab.recorded import model, record


@pytest.fixture(scope="module")
def crawl(tmp_path_factory):
    return record(tmp_path_factory.mktemp("record"), model())


def farthest(candidate):
    return candidate.depth


def test_a_function_is_a_policy(crawl):
    curves = ttcrawl.try_policies(crawl, "breadth", farthest, trials=2)
    last = curves.groupby(["policy", "trial"], sort=False).last()
    assert [*last.index] == [("breadth", 0), ("breadth", 1), ("farthest", 0), ("farthest", 1)]
    assert {*last["pages"]} == {120} and {*last["in_links"].round(6)} == {1.0}


def test_policies_with_one_name_are_not_mixed_up(crawl):
    def breadth(candidate):
        return -candidate.depth

    for policies in ([lambda each: each.depth, lambda each: -each.depth], ["breadth", breadth], ["opic", "opic"]):
        for of in (ttcrawl.try_policies, ttcrawl.policy_visits):
            with pytest.raises(ttcrawl.UsageError, match=r"2 policies are named '(<lambda>|breadth|opic)'"):
                of(crawl, *policies)


def test_visits_are_in_order_and_those_of_the_curves(crawl):
    visits = ttcrawl.policy_visits(crawl, "opic", farthest, trials=2)
    curves = ttcrawl.try_policies(crawl, "opic", farthest, trials=2)
    ends = curves.groupby(["policy", "trial"], sort=False)[["requests", "seconds", "bytes", "pages"]].last()
    for trial, rows in visits.groupby(["policy", "trial"], sort=False):
        assert rows.requests.is_monotonic_increasing and rows.url.is_unique
        assert [*rows[["requests", "seconds", "bytes"]].iloc[-1]] == [
            *ends.loc[trial][["requests", "seconds", "bytes"]]
        ]
        assert (rows.outcome == "page").sum() == ends.loc[trial].pages
    with pytest.raises(ttcrawl.UsageError, match="topic score DIR --save"):
        ttcrawl.policy_visits(crawl, "relevant")


def test_settings_are_keys_of_config_ini(crawl):
    curves = ttcrawl.try_policies(crawl, "breadth", settings={"crawl.max_pages": 20})
    assert curves["pages"].max() == 20
    with pytest.raises(ttcrawl.UsageError, match="no policy 'depth'"):
        ttcrawl.try_policies(crawl, "depth")
