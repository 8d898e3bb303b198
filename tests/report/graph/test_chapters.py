"""The chapters of a picture: groups of pages, their links, and names."""

import numpy as np
import pytest

from tests.support.crawls.crawl_db import crawl_of, generated
from ttcrawl.report.graph.chapters import MOST_CHAPTERS, MOST_LINKS, MOST_PAGES, Between, chapters
from ttcrawl.report.graph.read import read

URL = "http://a.test/{}".format


def ring(names):
    return {URL(name): [URL(other) for other in names if other != name] for name in names}


BOOK = ring([f"x/{n}" for n in range(4)]) | ring([f"y/{n}" for n in range(3)]) | ring(["z/0", "z/1"])


def test_directories_and_the_links_between_them(tmp_path):
    pages = {**BOOK, URL("x/0"): [*BOOK[URL("x/0")], URL("y/0"), URL("y/1"), URL("z/0")], URL("alone"): []}
    found = chapters(read(crawl_of(tmp_path, pages)))
    assert [(each.name, each.pages, each.inside) for each in found.chapters] == [
        ("/x/", 4, 12),
        ("/y/", 3, 6),
        ("/z/", 2, 2),
    ]
    assert found.between == (Between(first=0, second=1, links=2), Between(first=0, second=2, links=1))
    assert [each.drawn for each in found.chapters] == [(3, 3, 3, 3), (3, 3, 2), (2, 1)]
    assert len(found.links) == 6 + 3 + 1 + 3 and found.alone == 1


def test_menus_are_in_no_chapter(tmp_path):
    menu = [URL("x/0"), URL("y/0"), URL("z/0")]
    pages = {page: [*menu, *others] for page, others in BOOK.items()}
    landmarks = {page: "nnn" + "m" * len(others) for page, others in BOOK.items()}
    assert chapters(read(crawl_of(tmp_path, pages, landmarks=landmarks))).between == ()


@pytest.mark.parametrize(
    "titles, names",
    [
        (["Site: Home", "Site: Fish", "Site: Map"], ["Home"]),
        (["Home | Site", "Fish | Site", "Map | Site"], ["Home"]),
        (["Site", "Site", "Site"], ["Site"]),
        (["", "", ""], ["around /0"]),
        (["Home", "", ""], ["Home"]),
    ],
)
def test_a_community_has_the_title_of_its_most_linked_page(tmp_path, titles, names):
    pages = {URL(0): [URL(1)], URL(1): [URL(0)], URL(2): [URL(0)]}
    titles = {URL(n): title for n, title in enumerate(titles)}
    assert [each.name for each in chapters(read(crawl_of(tmp_path, pages, titles=titles))).chapters] == names


def test_a_large_graph_has_a_small_drawing(tmp_path):
    network = read(generated(tmp_path, urls=6000, links=60_000, pages=5000, hosts=40))
    found = chapters(network)
    assert len(found.chapters) == MOST_CHAPTERS and found.chapters[-1].name == "other sites"
    assert sum(each.pages for each in found.chapters) + found.alone == network.nodes
    assert sum(len(each.drawn) for each in found.chapters) <= MOST_PAGES + MOST_CHAPTERS
    assert 0.4 * MOST_LINKS < len(found.links) <= MOST_LINKS
    assert all(np.diff(each.drawn).max(initial=0) <= 0 for each in found.chapters)


def test_without_links(tmp_path):
    for pages in ({}, {URL(0): []}):
        found = chapters(read(crawl_of(tmp_path / str(len(pages)), pages)))
        assert (found.chapters, found.between, found.links, found.alone) == ((), (), (), len(pages))
