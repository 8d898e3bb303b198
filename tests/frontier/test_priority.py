import pytest

from ttcrawl.config import Frontier
from ttcrawl.frontier.priority import LAST, priority


@pytest.mark.parametrize(
    ("settings", "url", "depth", "expected"),
    [
        (Frontier(), "http://a.test/page-17.html", 3, 3),
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
    assert priority(settings)(url, depth) == expected
