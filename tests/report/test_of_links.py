import json
import re

import pytest

from tests.support.crawls.crawl_db import crawl_of
from ttcrawl.cli import main
from ttcrawl.output.layout import Row, Section
from ttcrawl.report.of_links import BOTH, of_links

SECTIONS = [
    Section(title="both", rows=(Row(label="a", values=(1, 2, 3, 4)),), columns=BOTH),
    Section(title="none", rows=(Row(label="b", values=(5,)),)),
    Section(title="main", rows=(), links="main"),
    Section(title="all", rows=(), links="all"),
    Section(title="alone", rows=(), links="all", alone=True),
]


def shown(links):
    return [(each.title, each.columns, [row.values for row in each.rows]) for each in of_links(SECTIONS, links)]


def test_both_beside_each_other():
    assert of_links(SECTIONS, "") == SECTIONS[:-1]


def test_one_of_them():
    """Of two crawls."""
    none = ("none", ("",), [(5,)])
    assert shown("main") == [("both", ("main text",), [(1, 3)]), none, ("main", ("",), [])]
    assert shown("all") == [("both", ("all links",), [(2, 4)]), none, ("all", ("",), []), ("alone", ("",), [])]


#: A tree of 150 pages; /1 to /8 are in the menu of each, and in the main text every page also links to /100.
URLS = [f"http://a.test/{number or ''}" for number in range(150)]
MENU, TEXT = range(1, 9), 100
MAIN, ALL = ("--links", "main"), ("--links", "all")


@pytest.fixture(scope="module")
def with_menus(tmp_path_factory):
    pages, landmarks = {}, {}
    for number, url in enumerate(URLS):
        below = [*range(2 * number + 1, min(len(URLS), 2 * number + 3)), TEXT]
        pages[url] = [URLS[each] for each in (*MENU, *below)]
        landmarks[url] = "n" * len(MENU) + "m" * len(below)
    return crawl_of(tmp_path_factory.mktemp("menus"), pages, landmarks=landmarks)


def reported(directory, capsys, form, *options, section="graph"):
    command = ["report", str(directory), "--format", form, "--section", section, *options]
    assert main(command) == 0
    return capsys.readouterr().out


#: What stands in a report by the links of the main text, or by all, and never in the other.
TABLES = {
    "text": {"main": ["in-degrees (main text)", "  main text\n"], "all": ["in-degrees (all links)", "  all links\n"]},
    "html": {
        "main": ["Power law of in-degrees (main text)", 'scope="col">main text<'],
        "all": ["Power law of in-degrees (all links)", 'scope="col">all links<'],
    },
}


@pytest.mark.slow
@pytest.mark.parametrize("form", TABLES)
def test_the_option_chooses_tables_and_columns(with_menus, capsys, form):
    by_main, by_all, both = (
        reported(with_menus, capsys, form, *each, section="graph,laws") for each in (MAIN, ALL, ())
    )
    for title in TABLES[form]["main"]:
        assert title in by_main and title not in by_all, title
    for title in TABLES[form]["all"]:
        assert title in by_all and title not in by_main, title
    assert all(links[0] in both for links in TABLES[form].values())
    assert len({text.count("Pages by PageRank") for text in (by_main, by_all, both)}) == 1


@pytest.mark.parametrize(
    "links, linked, mean, in_degrees, first",
    [
        (MAIN, "297", "1.98", {"/100": "149", "/1": "1"}, "/100"),
        (ALL, "1,481", "9.87", {"/1": "149", "/2": "149"}, "/7"),
    ],
    ids=["main", "all"],
)
def test_figures_by_the_links_of_the_option(with_menus, capsys, links, linked, mean, in_degrees, first):
    """The lists have the highest by these links, not by the others."""
    text = reported(with_menus, capsys, "text", *links)
    assert re.search(rf"Links \(distinct\) +{linked}\n", text) and re.search(rf"Out-degree, mean +{mean}\n", text)
    pages = re.compile(r"http://a.test(/\S*) +(\S+)")
    most_linked, ranked = (
        pages.findall(text.split(f"{title}\n")[1]) for title in ("Pages most linked to", "Pages by PageRank")
    )
    assert dict(most_linked[:2]) == in_degrees and ranked[0][0] == first


def test_json_has_both_whatever_is_asked(with_menus, capsys):
    found = [json.loads(reported(with_menus, capsys, "json", *options)) for options in ((), MAIN, ALL)]
    assert found[0] == found[1] == found[2]
    graph = found[0]["graph"]
    assert graph["figures"]["links"] < graph["all_links"]["links"]
