"""What earlier checks have read, also from a file that is damaged."""

from contextlib import closing

from ttcrawl.config import Config
from ttcrawl.inspect.check.kinds import INVALID, Problem
from ttcrawl.inspect.check.pages.archive import PageRow
from ttcrawl.inspect.check.pages.cache import FactsCache, opened_cache
from ttcrawl.inspect.check.pages.facts import PageFacts
from ttcrawl.store.check_db import NAME, open_check

ROW = PageRow(id=1, key=7, url="http://a.test/", type="text/html", charset="", in_browser=False, state=b"bytes")
PROBLEM = Problem(kind=INVALID, url="htp://x", source=ROW.url, line=3, column=4)
FACTS = PageFacts(problems=(PROBLEM,), anchors=None, versions=None, lacks=())


def opened(directory):
    return opened_cache(directory, Config(), {INVALID}, of_folder=False)


def test_a_damaged_row_is_read_again(tmp_path):
    with opened(tmp_path) as cache:
        cache.keep(ROW, FACTS)
        cache.keep_positions(ROW, [PROBLEM])
    with opened(tmp_path) as cache:
        assert cache.facts(ROW) == FACTS and list(cache.positions(ROW).values()) == [(3, 4)]
    with closing(open_check(tmp_path / NAME)) as db:
        db.execute("UPDATE facts SET facts = x'00'")
        db.execute("UPDATE positions SET positions = x'789c030000000001'")  # zlib of nothing
    with opened(tmp_path) as cache:
        assert (cache.facts(ROW), cache.positions(ROW)) == (None, {})
        cache.keep_positions(ROW, [PROBLEM])
        assert cache.positions(ROW)


def test_what_is_not_looked_for_is_not_known(tmp_path):
    with closing(open_check(tmp_path / NAME)) as db:
        FactsCache(db, Config(), {INVALID}, of_folder=False).keep(ROW, FACTS)
        assert FactsCache(db, Config(), {INVALID, "missing-alt"}, of_folder=False).facts(ROW) is None
