from ttcrawl.output.layout import Row, Section
from ttcrawl.report.of_links import BOTH, of_links

SECTIONS = [
    Section(title="both", rows=(Row(label="a", values=(1, 2, 3, 4)),), columns=BOTH),
    Section(title="none", rows=(Row(label="b", values=(5,)),)),
    Section(title="main", rows=(), links="main"),
    Section(title="all", rows=(), links="all"),
]


def shown(links):
    return [(each.title, each.columns, [row.values for row in each.rows]) for each in of_links(SECTIONS, links)]


def test_both_beside_each_other():
    assert of_links(SECTIONS, "") == SECTIONS


def test_one_of_them():
    """Of two crawls."""
    none = ("none", ("",), [(5,)])
    assert shown("main") == [("both", ("main text",), [(1, 3)]), none, ("main", ("",), [])]
    assert shown("all") == [("both", ("all links",), [(2, 4)]), none, ("all", ("",), [])]
