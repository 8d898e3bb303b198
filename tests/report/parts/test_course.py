import sqlite3
from contextlib import closing

import pytest

from tests.support.crawls.crawl_db import crawl_of
from ttcrawl.report.parts.course import Course, Size, read, sections
from ttcrawl.report.sources import Sources


@pytest.mark.parametrize("pages", [0, 1, 3, 9, 10, 11, 25, 100])
def test_tenths_cover_every_page_once(tmp_path, pages):
    """Every third page is an error, and every page whose number ends in 5 says the same."""
    urls = [f"http://{'ab'[number % 2]}.test/{number:03}" for number in range(1, pages + 1)]
    crawl_of(tmp_path, {url: [] for url in urls})
    with closing(sqlite3.connect(tmp_path / "crawl.db")) as db:
        db.execute("UPDATE page SET digest = CASE WHEN url % 10 = 5 THEN 'same' ELSE CAST(url AS TEXT) END, time = url")
        db.execute("UPDATE page SET status = 404 WHERE url % 3 = 0")
        course = read(Sources(db))
    ends = [each.last for each in course.tenths]
    assert len(ends) == min(pages, 10) and ends == sorted(set(ends)) and ends[-1:] == [pages][: pages > 0]
    sizes = [b - a for a, b in zip([0, *ends], ends, strict=False)]
    assert not sizes or max(sizes) - min(sizes) <= 1
    errors = [number for number in range(1, pages + 1) if number % 3 == 0]
    copies = [number for number in range(6, pages + 1) if number % 10 == 5 and number % 3]
    assert sum(each.errors for each in course.tenths) == len(errors)
    assert sum(each.duplicates for each in course.tenths) == len(copies)
    start = 0
    for each in course.tenths:
        assert each.errors == sum(start < number <= each.last for number in errors)
        start = each.last
    assert sum(host.pages for host in course.hosts) == pages
    assert sum(host.bytes for host in course.hosts) == 1000 * pages


def test_one_row_for_each_large_site_and_sums_that_add_up():
    none = {"bytes": 0, "errors": 0, "duplicates": 0, "moved": 0, "failed": 0}
    fetched = [Size(host=f"{n}.test", pages=n, refused=1, queued=0, **none) for n in range(1, 71)]
    refused = [Size(host=f"refused-{n}.test", pages=0, refused=5, queued=0, **none) for n in range(9)]
    (_, one) = sections([Course(tenths=(), hosts=tuple(fetched + refused))])
    assert [row.label for row in one.rows[:2]] == ["70.test", "69.test"] and len(one.rows) == 52
    rest, total = one.rows[-2:]
    assert (rest.label, total.label, rest.foot, total.foot) == ("29 other sites", "All sites", True, True)
    assert rest.values[0] == sum(range(1, 21)) and rest.values[6] == 20 + 45
    assert total.values == tuple(map(sum, zip(*(row.values for row in one.rows[:-1]), strict=True)))
    few = Course(tenths=(), hosts=(fetched[0], refused[0]))
    (_, two) = sections([few, few])
    assert [row.label for row in two.rows] == ["1.test", "1 other site", "All sites"] and len(two.rows[0].values) == 8
    (_, alone) = sections([Course(tenths=(), hosts=(fetched[0],))])
    assert [row.label for row in alone.rows] == ["1.test"]
