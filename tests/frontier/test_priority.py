import pytest

from ttcrawl.config import Frontier
from ttcrawl.frontier.priority import LAST, RANKS, WORST, priority, rank_of


@pytest.mark.parametrize(
    ("settings", "url", "depth", "expected"),
    [
        (Frontier(), "http://a.test/page-17.html", 3, 3 * RANKS),
        (Frontier(priority="first"), "http://a.test/page-17.html", 3, 0),
        (Frontier(priority="number"), "http://a.test/page-17.html", 3, 17),
        (Frontier(priority="number"), "http://a.test/2024/page-203.html", 0, 203),
        (Frontier(priority="number"), "http://a.test/", 0, LAST),
        (Frontier(priority="number", number_pattern=r"page-(\d+)"), "http://a.test/page-17/part-2", 0, 17),
        (Frontier(priority="number", number_pattern=r"page-(\d+)"), "http://a.test/part-2", 0, LAST),
        (Frontier(priority="number", number_pattern=r"(x)|(\d)"), "http://a.test/1", 0, LAST),
        (Frontier(priority="number"), "http://a.test/" + "9" * 1900, 0, LAST),
        (Frontier(priority="number"), "http://a.test/\u0663", 0, LAST),
    ],
)
def test_priority(settings, url, depth, expected):
    assert priority(settings)(url, depth, 0) == expected


@pytest.mark.parametrize("rank", [-RANKS // 2, -1, 0, 1, WORST])
def test_a_rank_decides_among_urls_of_one_depth_alone(rank):
    by_depth = priority(Frontier())
    assert by_depth("http://a.test/", 2, WORST) < by_depth("http://a.test/", 3, rank)
    assert [rank_of(by_depth("http://a.test/", depth, rank)) for depth in (0, 1, 7)] == [rank] * 3
    assert by_depth("http://a.test/", 1, -RANKS // 2) > by_depth("http://a.test/", 0, WORST)


@pytest.mark.parametrize("name", ["first", "number"])
def test_other_orders_know_no_ranks(name):
    other = priority(Frontier(priority=name))
    assert other("http://a.test/7", 1, 400) == other("http://a.test/7", 1, -400)
