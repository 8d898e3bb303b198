"""Lists are what `ttcrawl export --table overview --where` selects, page by page, with view.db, part of it, or none."""

import itertools
import json
from urllib.parse import parse_qsl

import pytest

from tests.inspect.listing.varied_crawl import varied
from ttcrawl.errors import UsageError
from ttcrawl.inspect.listing.counts import counts
from ttcrawl.inspect.listing.facets import FACETS
from ttcrawl.inspect.listing.keeping import Listing
from ttcrawl.inspect.listing.listed import Index, Search, index_of, listed
from ttcrawl.inspect.listing.ordered import ORDERS, ordered
from ttcrawl.inspect.listing.selection import Selection, selection_of
from ttcrawl.snapshot.conditions import compile_conditions
from ttcrawl.snapshot.rows import Overview
from ttcrawl.snapshot.snapshot import view
from ttcrawl.snapshot.tables import OVERVIEW

#: Columns of numbers.
NUMBERS = ("status", "depth")

VALUES = {
    "state": ["failed", "none"],
    "reason": ["scope: host", "none", '"a ""b"", c"'],
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
#: Several values of a facet.
SEVERAL = [
    {"reason": 'dns,"a ""b"", c",none'},
    {"status": "404,301"},
    {"status": "200,none,999", "state": "failed,fetched"},
    {"state": "queued,none"},
    {"host": "h2.test,h1.test,unknown.test", "same": "near,none"},
    {"failed": "yes,none", "depth": "1,2,none", "q": "1"},
]
QUERIES = [{}, *SEVERAL, *({name: value} for name, of in VALUES.items() for value in of), *PAIRS]


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


ORDERED = ["", "state=failed,refused", "status=404", "q=document-*7", "failed=yes,none", "language=none,de", "depth=77"]


@pytest.mark.parametrize("order", [f"{sign}{name}" for name in ORDERS for sign in ("", "-")])
def test_sorted_pages_are_the_same_rows_in_order(crawl, order):
    column = order.removeprefix("-")
    with view(crawl) as db:
        index = index_of(db, attached=Listing(crawl).attach(db))
        for query in ORDERED:
            selection = selection_of(dict(parse_qsl(query)))
            want = list(all_pages(db, selection, index))
            want.sort(key=lambda row: getattr(row, column) or 0 if column in NUMBERS else getattr(row, column) or "")
            with_value = [row for row in want if getattr(row, column) not in (None, "")]
            if order != column:
                groups = itertools.groupby(with_value, key=lambda row: getattr(row, column))
                with_value = [row for group in reversed([list(rows) for _, rows in groups]) for row in group]
            want = with_value + [row for row in want if getattr(row, column) in (None, "")]
            for backwards in (False, True):
                assert ids(sorted_pages(db, selection, index, order, backwards=backwards)) == ids(want), (
                    query,
                    backwards,
                )


def ids(rows):
    return [row.id for row in rows]


def sorted_pages(db, selection, index, order, *, backwards):
    """All rows; from the last page on if `backwards`."""
    pages, position = [ordered(db, selection, index, order, clock=lambda: 0.0)], None
    while (position := pages[-1].after) is not None:
        pages.append(ordered(db, selection, index, order, after=position, clock=lambda: 0.0))
    rows = [row for page in pages for row in page.rows]
    if not backwards:
        return rows
    last = pages[-1]
    behind, position = list(last.rows), last.before
    while position is not None:
        page = ordered(db, selection, index, order, before=position, clock=lambda: 0.0)
        behind, position = [*page.rows, *behind], page.before
    return behind


def test_a_sorted_page_whose_time_is_over_goes_on(crawl):
    selection, ticks = Selection(values={"state": ("failed",)}), itertools.count()
    with view(crawl) as db:
        index = index_of(db, attached=Listing(crawl).attach(db))
        rows, cut, position = [], [], None
        while not cut or position is not None:
            page = ordered(db, selection, index, "depth", after=position, clock=lambda: next(ticks) * 1.0)
            rows, cut, position = [*rows, *page.rows], [*cut, page.cut], page.after
        assert ids(rows) == ids(ordered(db, selection, index, "depth", clock=lambda: 0.0).rows) + ids(rows[50:])
        assert sorted(ids(rows)) == ids(all_pages(db, selection, index))
    assert cut == [True] * (len(cut) - 1) + [False] and len(cut) > 3


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
                    inside = compile_conditions(selection.only(facet.name, each.value).conditions, Overview)
                    assert each.urls is None or each.urls == sum(map(inside, rows)), (query, facet, each)


def test_values_that_are_none():
    for query in ({"status": "4x4"}, {"status": "404,x"}, {"depth": "-1"}, {"status": "٣"}, {"depth": "9" * 30}):
        with pytest.raises(UsageError, match="write a number"):
            selection_of(query)
    assert json.dumps(selection_of({"unknown": "x", "state": ""}).query) == '{"q": ""}'
