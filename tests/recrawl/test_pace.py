"""The policies in a continuous crawl: how a budget of visits is spent on pages that change at different rates."""

import pytest

from tests.recrawl.recrawled import Clock, recrawl, served
from tests.recrawl.servers import DAY, Server
from tests.support.crawls.crawling import query, verified
from ttcrawl.config import Config, ConfigError
from ttcrawl.config.revisit import SPENDING
from ttcrawl.engine.recrawl.pace import weight
from ttcrawl.recrawl.interval import POLICIES

DAYS, BUDGET = 60, 6.0

#: Host -> days from one change to the next.
PERIODS = {"still": 1000, "slow": 20, "weekly": 7, "fast": 2, "wild": 0.05}


def visits(directory):
    """(first word of the host -> its visits in the second half, all visits in it)."""
    half = "SELECT (min(started) + max(started)) / 2 FROM visit"
    rows = query(
        directory,
        "SELECT host, count(*) FROM visit JOIN site ON site.id = site"
        f" WHERE kind = 'page' AND started > ({half}) GROUP BY 1",
    )
    counts = {host.partition(".")[0]: count for host, count in rows}
    return counts, sum(counts.values())


@pytest.fixture(scope="module")
def spent(tmp_path_factory):
    """A function that crawls by a policy for DAYS."""

    def run(policy):
        clock, directory = Clock(), tmp_path_factory.mktemp(policy) / "c"
        changes = {name: [day * days for day in range(1, int(DAYS / days) + 1)] for name, days in PERIODS.items()}
        pages = {f"{name}.test": Server(changes=tuple(days)) for name, days in changes.items()}
        keys = {"revisit.policy": policy, "revisit.budget": BUDGET, "revisit.longest": 30 * DAY}
        with served(pages, clock) as port:
            recrawl(directory, pages, port, clock, DAYS * DAY, keys)
        assert verified(directory) == ""
        return visits(directory)

    return run


@pytest.mark.slow
def test_uniform(spent):
    counts, total = spent("uniform")
    assert total == pytest.approx(BUDGET * DAYS / 2, rel=0.1)
    assert max(counts.values()) <= min(counts.values()) + 2


@pytest.mark.slow
def test_proportional(spent):
    counts, total = spent("proportional")
    assert total == pytest.approx(BUDGET * DAYS / 2, rel=0.4)  # the rate of the wild one is known by and by
    assert counts["wild"] > 5 * counts["fast"] >= 5 * counts["weekly"] and counts["still"] <= 2


@pytest.mark.slow
def test_freshness(spent):
    """The page that changes all the time is given up."""
    counts, total = spent("freshness")
    assert total <= 1.4 * BUDGET * DAYS / 2
    assert counts["wild"] < counts["fast"] > counts["weekly"] >= counts["slow"] > counts["still"]


def test_every_policy_has_its_name_and_needs_a_budget():
    assert set(SPENDING) == set(POLICIES)
    assert weight(0) > weight(1) > weight(9)
    for settings in ({"revisit.policy": "age"}, {"revisit.shortest": 2, "revisit.longest": 1}):
        with pytest.raises(ConfigError):
            Config().changed(settings)
