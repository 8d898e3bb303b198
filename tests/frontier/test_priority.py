import pytest

from ttcrawl.config import Frontier
from ttcrawl.frontier.priority import LAST, RANKS, WORST, queue_order


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
    order = queue_order(settings)
    assert order.priority(depth, 0, order.score(url)) == expected


@pytest.mark.parametrize("rank", [-RANKS // 2, -1, 0, 1, WORST])
def test_a_rank_decides_among_urls_of_one_depth_alone(rank):
    by_depth = queue_order(Frontier()).priority
    assert by_depth(2, WORST, 0) < by_depth(3, rank, 0)
    assert by_depth(1, -RANKS // 2, 0) > by_depth(0, WORST, 0)


@pytest.mark.parametrize("name", ["first", "number"])
def test_other_orders_know_no_ranks(name):
    other = queue_order(Frontier(priority=name))
    assert other.priority(1, 400, -7) == other.priority(1, -400, -7)


@pytest.mark.parametrize("name", ["depth", "first", "number"])
@pytest.mark.parametrize("score", [0, -1, -LAST])
def test_demoted_urls_come_last_and_keep_their_order(name, score):
    order = queue_order(Frontier(priority=name))
    ranks = [(0, -512), (0, 0), (1, 0), (9, 500), (100_000, WORST)]
    plain = [order.priority(depth, rank, score) for depth, rank in ranks]
    demoted = [order.priority(depth, rank, score, 1) for depth, rank in ranks]
    assert plain == sorted(plain) and demoted == sorted(demoted)
    assert max(plain) < min(demoted) and max(demoted) < 1 << 63


def test_its_name_tells_orders_apart():
    """The name in table `crawl` decides whether a resumed crawl has to be put into another order."""
    settings = (Frontier(), Frontier(priority="first"), Frontier(priority="number"))
    settings += (Frontier(priority="number", number_pattern=r"page-(\d+)"),)
    assert len({str(queue_order(each)) for each in settings}) == 4
