"""How often a visitor of a public search may ask."""

from ttcrawl.inspect.search.rate import MOST_VISITORS, Rate


def test_a_rate_remembers_the_latest_visitors():
    rate = Rate(1, 60)
    for visitor in range(MOST_VISITORS + 1):
        assert rate.wait(str(visitor), 0) == 0
    assert rate.wait("0", 1) == 0 and rate.wait(str(MOST_VISITORS), 1) == 59
