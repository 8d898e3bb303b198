"""The graph in the report: by the links of the main text, and by all links beside them."""

import pytest

from tests.support.crawls.crawl_db import crawl_of
from ttcrawl.report.graph.sections import NO_LANDMARKS, NO_MENUS
from ttcrawl.report.parts.graph import sections
from ttcrawl.report.study import lazy_study

HOME, A, B, C = (f"http://a.test/{name}" for name in ("", "a", "b", "c"))
PAGES = {HOME: [A, B, C], A: [HOME, B, C, B], B: [HOME, C], C: [HOME]}
MENUS = {HOME: "mnn", A: "nmnm", B: "nn", C: "n"}


def graph_sections(*directories):
    """The sections of these crawls, and their figures."""
    figures = []
    for each in directories:
        with lazy_study(each) as study:
            figures.append(study.graph)
    return sections(figures), figures


def rows(section):
    return {row.label: row.values for row in section.rows}


def test_both_kinds_of_links_stand_beside_each_other(tmp_path):
    found_sections, (figures,) = graph_sections(crawl_of(tmp_path, PAGES, landmarks=MENUS))
    graph, linked, rank = (each for each in found_sections if not each.alone)
    assert graph.columns == linked.columns == rank.columns == ("main text", "all links")
    found = rows(graph)
    assert found["Links (distinct)"] == (2, 9) and found["  occurrences"] == (3, 10)
    assert found["Pages to which no other page links"] == (2, 0)
    assert found["Weakly connected components"] == (2, 1)
    assert rows(linked) == {A: (1, 1), B: (1, 2)} and list(rows(rank)) == [B, A, HOME, C]
    assert graph.hows[0].startswith("70.0 % of the links stand in menus.")
    assert figures.in_menus == pytest.approx(0.7) and figures.all_links.links == 9
    alone = [each for each in found_sections if each.alone]
    assert [list(rows(each)) for each in alone] == [[HOME, C, B, A], [HOME, C, B, A]]


@pytest.mark.parametrize("landmarks, how", [({}, NO_LANDMARKS), ({HOME: "mmm"}, NO_MENUS)])
def test_one_column_where_no_link_stands_in_a_menu(tmp_path, landmarks, how):
    (graph, linked, rank), (figures,) = graph_sections(crawl_of(tmp_path, PAGES, landmarks=landmarks))
    assert (graph.columns, linked.columns, rank.columns) == (("",), ("linked from",), ("PageRank",))
    assert graph.hows == (how,) and figures.all_links is None


def test_crawls_with_menus_and_without(tmp_path):
    crawls = [crawl_of(tmp_path / "a", PAGES, landmarks=MENUS), crawl_of(tmp_path / "b", PAGES)]
    (graph,), _ = graph_sections(*crawls)
    assert rows(graph)["Links (distinct)"] == (2, 9, 9, 9)
    assert graph.hows[0] != graph.hows[1] == NO_LANDMARKS


@pytest.mark.parametrize(
    ("landmarks", "of_links", "alone"),
    [
        (MENUS, "main text", 1),
        ({}, "all links", 0),
        ({HOME: "mnn", A: "nnnn", B: "nn", C: "n"}, "main text", 2),
        ({HOME: "nnn", A: "nnnn", B: "nn", C: "n"}, "all links", 0),  # no main text has a link
    ],
)
def test_the_picture_has_links_if_the_crawl_has_some(tmp_path, landmarks, of_links, alone):
    with lazy_study(crawl_of(tmp_path, PAGES, landmarks=landmarks)) as study:
        drawn = study.graph.chapters
        assert (drawn.of_links, drawn.alone) == (of_links, alone)
        assert study.laws.degrees_of == ("main text" if landmarks else "all links")
