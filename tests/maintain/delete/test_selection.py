"""Which URLs are deleted, without a crawl."""

import pytest

from tests.support.crawls.crawl_db import crawl_of
from ttcrawl.errors import UsageError
from ttcrawl.maintain.delete.selection import GONE, Which, select
from ttcrawl.store.mending import mending

ROOT, DOT, LONG = "http://a.test/", "http://a.test/a.b?c=[1]", f"http://a.test/{'ab' * 5_000}"


@pytest.fixture(scope="module")
def directory(tmp_path_factory):
    return crawl_of(tmp_path_factory.mktemp("selection") / "c", {ROOT: [DOT, LONG], DOT: [], LONG: []})


@pytest.mark.parametrize(
    ("which", "selected"),
    [
        (Which(paths=["/"]), [ROOT]),
        (Which(paths=["/a.b*"]), [DOT]),
        (Which(paths=["/a?b*"]), []),
        (Which(paths=["/*[1]"]), [DOT]),
        (Which(paths=["*" + "a*b*" * 20 + "c"]), []),  # a backtracking search would never end
        (Which(paths=["*" + "a*b*" * 20]), [LONG]),
        (Which(urls=["http://a.test/*=*"]), [DOT]),
        (Which(hosts=["*.TEST"]), [ROOT, DOT, LONG]),
        (Which(hosts=["a.*st"], paths=["/"]), [ROOT]),
    ],
    ids=lambda each: str(each) if isinstance(each, Which) else "",
)
def test_a_star_stands_for_any_characters_and_nothing_else_does(directory, which, selected):
    with mending(directory / "crawl.db") as db:
        select(db, which)
        assert [url for (url,) in db.execute(f"SELECT url FROM url WHERE id IN ({GONE}) ORDER BY id")] == selected


@pytest.mark.parametrize("name", ["hosts", "paths", "urls", "digests"])
def test_a_text_that_no_url_has_is_refused(name):
    with pytest.raises(UsageError, match=f"^--{name[:-1]} .*: write a text in UTF-8$"):
        Which(**{name: ["a.test", "/\udcff*"]})
