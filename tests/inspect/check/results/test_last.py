"""What the last check found, without another one."""

from contextlib import closing

from tests.inspect.check.results.report import A, broken
from ttcrawl.inspect.check.kinds import BROKEN, DEFAULT
from ttcrawl.inspect.check.results.history import compare
from ttcrawl.inspect.check.results.last import last_check, problems_of
from ttcrawl.store.check_db import NAME, open_check


def test_a_crawl_that_was_never_checked(tmp_path):
    assert last_check(tmp_path) == [] and list(tmp_path.iterdir()) == []


def test_kinds_with_problems_come_first(tmp_path):
    with closing(open_check(tmp_path / NAME)) as db:
        compare(db, [broken("/x"), broken("/y")], DEFAULT, 7.0)
    first, second, *_ = kinds = last_check(tmp_path)
    assert (first.kind, first.problems, first.level, first.time) == (BROKEN, 2, "error", 7.0)
    assert second.problems == 0 and {each.kind for each in kinds} == DEFAULT
    assert [each.url for each in problems_of(tmp_path, BROKEN, 1)] == [f"{A}/x"]
    assert problems_of(tmp_path, second.kind, 9) == []
