"""Lists are what `ttcrawl export --table overview --where` selects, page by page, with view.db, part of it, or none."""

import itertools
import json

import pytest

from tests.inspect.listing.varied_crawl import varied
from ttcrawl.errors import UsageError
from ttcrawl.inspect.listing.counts import counts
from ttcrawl.inspect.listing.facets import FACETS
from ttcrawl.inspect.listing.keeping import Listing
from ttcrawl.inspect.listing.listed import Index, Search, index_of, listed
from ttcrawl.inspect.listing.selection import Selection, selection_of
from ttcrawl.snapshot.conditions import compile_conditions
from ttcrawl.snapshot.rows import Overview
from ttcrawl.snapshot.snapshot import view
from ttcrawl.snapshot.tables import OVERVIEW

VALUES = {
    "state": ["failed", "none"],
    "reason": ["scope: host", "none", 'a "b", c'],
    "status": ["404", "none"],
    "type": ["text/html", "none"],
    "host": ["h0.test", "h2.test", "unknown.test"],
    "depth": ["2", "none"],
    "language": ["en", "none"],
    "same": ["near", "none"],
    "soft_404": ["yes", "none"],
    "failed": ["yes", "none"],
    "q": ["1", "document-*7", "Titel", "[", "?x=", "(a OR b)"],
}
PAIRS = [dict(each) for each in itertools.combinations([(n, v) for n, of in VALUES.items() for v in of], 2)]
QUERIES = [{}, *({name: value} for name, of in VALUES.items() for value in of), *PAIRS]


@pytest.fixture(scope="module")
def crawl(tmp_path_factory):
    directory = varied(tmp_path_factory.mktemp("varied") / "c", 400)
    Listing(directory).bring_up_to_date()
    return directory


def all_pages(db, selection, index, *, backwards=False, clock=lambda: 0.0):
    rows, position = [], (1 << 40 if backwards else 0)
    while position is not None:
        step = {"before": position} if backwards else {"after": position}
        page = listed(db, selection, index, limit=7, clock=clock, **step)
        rows = [*page.rows, *rows] if backwards else [*rows, *page.rows]
        position = page.before if backwards else page.after
    return rows


@pytest.mark.parametrize("part", ["all", "half", "none"])
def test_pages_are_what_the_export_selects(crawl, part):
    with view(crawl) as db:
        index = index_of(db, attached=Listing(crawl).attach(db))
        index = {
            "all": index,
            "half": Index(last=211, newest=index.newest),
            "none": Index(last=0, newest=index.newest),
        }[part]
        everything = [Overview(*row) for row in db.execute(OVERVIEW.ordered)]
        for query in QUERIES:
            selection = selection_of(query)
            holds = compile_conditions(selection.conditions, Overview)
            want = [row.id for row in everything if holds(row)]
            assert [row.id for row in all_pages(db, selection, index)] == want, query
            assert [row.id for row in all_pages(db, selection, index, backwards=True)] == want, query


def test_a_search_whose_time_is_over_goes_on(crawl):
    ticks = itertools.count()
    with view(crawl) as db:
        index = Index(last=0, newest=400)
        selection = Selection(text="document-399")
        rows = all_pages(db, selection, index, clock=lambda: next(ticks) * 1.0)
    assert [row.id for row in rows] == [399]


def test_counts_are_exact_or_missing(crawl):
    with view(crawl) as db:
        index = index_of(db, attached=Listing(crawl).attach(db))
        everything = [Overview(*row) for row in db.execute(OVERVIEW.ordered)]
        for query in (each for each in QUERIES if "q" not in each):
            selection = selection_of(query)
            found = counts(db, Search(db, selection, index), with_text=False)
            holds = compile_conditions(selection.conditions, Overview)
            rows = [row for row in everything if holds(row)]
            assert found.total == len(rows), query
            for facet in FACETS:
                narrowed = query.keys() - {"state"} or facet.name != "state"
                for each in found.of[facet] if narrowed else ():
                    inside = compile_conditions(selection.with_value(facet.name, each.value).conditions, Overview)
                    assert each.urls is None or each.urls == sum(map(inside, rows)), (query, facet, each)


def test_values_that_are_none():
    for query in ({"status": "4x4"}, {"depth": "-1"}, {"status": "٣"}, {"depth": "9" * 30}):
        with pytest.raises(UsageError, match="write a number"):
            selection_of(query)
    assert json.dumps(selection_of({"unknown": "x", "state": ""}).query) == '{"q": ""}'
