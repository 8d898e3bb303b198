"""Small crawls with a known graph, and a running one."""

import sqlite3
from contextlib import closing
from itertools import repeat

import pytest

from tests.support.crawls.crawl_db import crawl_of
from ttcrawl.report.graph.network import Network, sites
from ttcrawl.report.graph.read import networks, read
from ttcrawl.snapshot.errors import NotACrawl
from ttcrawl.snapshot.snapshot import view

A, B, C, D = (f"http://a.test/{name}" for name in "abcd")
E, F = "http://b.test/e", "http://b.test/f"


def links(network: Network) -> dict[tuple[str, str], int]:
    found = zip(network.source.tolist(), network.target.tolist(), network.weight.tolist(), strict=True)
    return {(network.labels[source], network.labels[target]): weight for source, target, weight in found}


R = "R"
#: name: links of each page, states that are not "fetched" or "queued", the links between pages, of all URLs, and how
#: many occurrences lead out of the graph of pages.
CASES = {
    "a link": ({A: [B], B: []}, {}, {(A, B): 1}, {(A, B): 1}, 0),
    "both ways": ({A: [B], B: [A]}, {}, {(A, B): 1, (B, A): 1}, {(A, B): 1, (B, A): 1}, 0),
    "several times": ({A: [B, C, B, B], B: [], C: []}, {}, *repeat({(A, B): 3, (A, C): 1}, 2), 0),
    "to itself": ({A: [A, A, B], B: []}, {}, *repeat({(A, B): 1}, 2), 0),
    "not fetched": ({A: [B, C], B: []}, {}, {(A, B): 1}, {(A, B): 1, (A, C): 1}, 1),
    "refused": ({A: [B]}, {B: "refused"}, {}, {(A, B): 1}, 1),
    "never met": ({A: [B, C], B: []}, {C: "unmet"}, *repeat({(A, B): 1}, 2), 1),
    "a redirect": ({A: [B], B: [(C, R)], C: []}, {B: "moved"}, {(A, C): 1}, {(A, B): 1, (B, C): 1}, 0),
    "redirects in a row": (
        {A: [B, C], B: [(C, R)], C: [(D, R)], D: [(E, R)], E: [B]},
        {B: "moved", C: "moved", D: "moved"},
        {(A, E): 2},
        {(A, B): 1, (A, C): 1, (B, C): 1, (C, D): 1, (D, E): 1, (E, B): 1},
        0,
    ),
    "a redirect back": ({A: [B], B: [(A, R)]}, {B: "moved"}, {}, {(A, B): 1, (B, A): 1}, 0),
    "redirects in a circle": (
        {A: [B, E], B: [(C, R)], C: [(B, R)], E: []},
        {B: "moved", C: "moved"},
        {(A, E): 1},
        {(A, B): 1, (A, E): 1, (B, C): 1, (C, B): 1},
        1,
    ),
    "a redirect to what failed": ({A: [B], B: [(C, R)]}, {B: "moved", C: "failed"}, {}, {(A, B): 1, (B, C): 1}, 1),
    "a redirect to what has no row": ({A: [B], B: [(C, R)]}, {B: "moved", C: "unmet"}, {}, {(A, B): 1}, 1),
    "links that are followed": ({A: [(B, kind) for kind in "amfirxJG"], B: []}, {}, *repeat({(A, B): 8}, 2), 0),
    "links that embed": ({A: [(B, kind) for kind in "gvoSuslotF"], B: []}, {}, {}, {}, 0),
    "no links": ({A: []}, {}, {}, {}, 0),
}


@pytest.mark.parametrize("case", CASES)
def test_the_links_of_pages_and_of_all_urls(tmp_path, case):
    pages, states, of_pages, of_all, elsewhere = CASES[case]
    crawl_of(tmp_path, pages, states=states)
    network = read(tmp_path)
    assert links(network) == of_pages
    assert list(network.labels) == [page for page in pages if page not in states]
    assert network.elsewhere == elsewhere
    assert links(read(tmp_path, everything=True)) == of_all


def test_the_links_of_the_main_text_and_all_links(tmp_path):
    """Only a menu leads to C, over a redirect, and to E; D has no landmarks."""
    pages = {A: [B, D, F, E], B: [A, F, A], C: [A], D: [C], F: [(C, R)], E: []}
    landmarks = {A: "mmnn", B: "nnm", C: "m"}
    crawl_of(tmp_path, pages, states={F: "moved"}, landmarks=landmarks)
    with view(tmp_path) as db:
        both = networks(db)
    of_main = {(A, B): 1, (A, D): 1, (B, A): 1, (C, A): 1, (D, C): 1}
    assert links(both.main) == of_main
    assert links(both.all) == of_main | {(B, A): 2, (A, C): 1, (B, C): 1, (A, E): 1}
    assert both.main.labels == both.all.labels == [A, B, C, D, E]
    assert (both.differ, both.landmarks, both.in_menus) == (True, 3, pytest.approx(4 / 9))
    assert links(read(tmp_path)) == links(both.of("main")) and links(read(tmp_path, links="all")) == links(both.all)
    assert len(read(tmp_path, everything=True, paths=True).source) == 0


def test_without_landmarks_all_links_are_of_the_main_text(tmp_path):
    crawl_of(tmp_path, {A: [B, C], B: [A], C: []}, landmarks={A: "--"})
    with view(tmp_path) as db:
        both = networks(db)
    assert both.main is both.all and (both.differ, both.landmarks, both.in_menus) == (False, 0, 0)


FOUND = {A: None, B: A, C: B, D: C, E: A, F: E}


@pytest.mark.parametrize(
    ("pages", "states", "of_pages", "of_all", "elsewhere"),
    [
        (
            {A: [B, C, E], B: [C, A, D], C: [D, A], D: [A], E: [A, F], F: [E]},
            {},
            *repeat({(A, B): 1, (B, C): 1, (C, D): 1, (A, E): 1, (E, F): 1}, 2),
            0,
        ),
        (
            {A: [B, E], B: [(C, R)], C: [(D, R)], D: [A], E: []},
            {B: "moved", C: "moved"},
            {(A, D): 1, (A, E): 1},
            {(A, B): 1, (B, C): 1, (C, D): 1, (A, E): 1},
            0,
        ),
        ({A: [B], B: [C]}, {C: "failed"}, {(A, B): 1}, {(A, B): 1, (B, C): 1}, 1),
        ({A: [B], B: [(C, R)], C: []}, {B: "moved", C: "queued"}, {}, {(A, B): 1, (B, C): 1}, 1),
        ({A: []}, {}, {}, {}, 0),
    ],
    ids=["links beside the tree", "redirects in a row", "failed", "a redirect to what is queued", "a seed"],
)
def test_the_links_by_which_urls_were_discovered(tmp_path, pages, states, of_pages, of_all, elsewhere):
    crawl_of(tmp_path, pages, states=states)
    with closing(sqlite3.connect(tmp_path / "crawl.db")) as db, db:
        ids = {url: number for number, url in db.execute("SELECT id, url FROM url")}
        db.executemany("UPDATE url SET found_on = ? WHERE id = ?", [(ids.get(FOUND[url]), ids[url]) for url in ids])
    network = read(tmp_path, paths=True)
    assert (links(network), network.elsewhere, network.own.any()) == (of_pages, elsewhere, False)
    assert links(read(tmp_path, everything=True, paths=True)) == of_all


@pytest.mark.parametrize(
    ("mime", "is_page"),
    [
        *zip(("text/html", "application/xhtml+xml", "application/pdf", "application/msword"), repeat(True)),
        *zip(("image/png", "font/woff2", "text/css", "text/javascript", "text/plain", ""), repeat(False)),
    ],
)
def test_nodes_are_pages_that_can_link(tmp_path, mime, is_page):
    crawl_of(tmp_path, {A: [B], B: []})
    with closing(sqlite3.connect(tmp_path / "crawl.db")) as db, db:
        db.execute("UPDATE page SET type = ? WHERE url = (SELECT id FROM url WHERE url = ?)", (mime, B))
    network = read(tmp_path)
    assert (list(network.labels), network.elsewhere) == (([A, B], 0) if is_page else ([A], 1))


def test_what_is_known_of_a_node(tmp_path):
    crawl_of(tmp_path, {A: [B, E, A], B: [C, E], E: [A, F], C: [E]}, titles={A: "Start", E: "Ende \N{SNOWMAN}"})
    network = read(tmp_path)
    assert list(network.labels) == [A, B, E, C]
    assert list(network.titles) == ["Start", "", "Ende \N{SNOWMAN}", ""]
    assert [network.hosts[place] for place in network.host] == ["a.test", "a.test", "b.test", "a.test"]
    assert network.depth.tolist() == [0, 1, 1, 2]
    assert network.in_degree().tolist() == [1, 1, 3, 1]
    assert network.out_degree().tolist() == [2, 2, 1, 1]
    assert network.own.tolist() == [1, 0, 0, 0]
    assert network.elsewhere == 1
    assert read(tmp_path, everything=True).nodes == 5


def test_links_to_the_page_itself_count_that_have_no_row(tmp_path):
    crawled = crawl_of(tmp_path / "crawl", {A: [B, E], B: [(A, R)], C: [], E: []}, states={B: "moved"})
    with closing(sqlite3.connect(crawled / "crawl.db")) as db, db:
        ids = dict(db.execute("SELECT url, id FROM url"))
        db.executemany("UPDATE page SET same_page_links = ? WHERE url = ?", [(3, ids[A]), (2, ids[E])])
    network = read(crawled)
    assert dict(zip(network.labels, network.own.tolist(), strict=True)) == {A: 4, C: 0, E: 2}
    by_site = sites(network)
    assert dict(zip(by_site.labels, by_site.own.tolist(), strict=True)) == {"a.test": 4, "b.test": 2}


def test_the_sites(tmp_path):
    crawl_of(tmp_path, {A: [B, E, E, A], B: [E], E: [A, F, E], F: [], C: [A]})
    pages = read(tmp_path)
    graph = sites(pages)
    assert links(graph) == {("a.test", "b.test"): 3, ("b.test", "a.test"): 1}
    assert dict(zip(graph.labels, graph.pages.tolist(), strict=True)) == {"a.test": 3, "b.test": 2}
    assert dict(zip(graph.labels, graph.own.tolist(), strict=True)) == {"a.test": 3, "b.test": 2}
    assert graph.depth.tolist() == [0, 1]
    assert graph.weight.sum() + graph.own.sum() == pages.weight.sum() + pages.own.sum()


def test_an_empty_crawl(tmp_path):
    crawl_of(tmp_path, {})
    network = read(tmp_path)
    assert (network.nodes, network.links, sites(network).nodes) == (0, 0, 0)


def test_while_the_crawl_writes(tmp_path):
    """by_key is empty, as in a running crawl, and what was written and not committed is not there."""
    crawl_of(tmp_path, {A: [B], B: []})
    with closing(sqlite3.connect(tmp_path / "crawl.db", isolation_level=None)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("BEGIN")
        writer.execute("DELETE FROM outlinks")
        assert links(read(tmp_path)) == {(A, B): 1}
        writer.execute("COMMIT")
        assert links(read(tmp_path)) == {}


def test_tables_that_have_grown(tmp_path):
    """More columns and kinds than we know."""
    crawl_of(tmp_path, {A: [B, (C, "?"), (C, "\x01")], B: [], C: []})
    with closing(sqlite3.connect(tmp_path / "crawl.db")) as db:
        for table in ("outlinks", "url", "page", "site"):
            db.execute(f"ALTER TABLE {table} ADD COLUMN extra TEXT NOT NULL DEFAULT 'x'")
    assert links(read(tmp_path)) == {(A, B): 1}


def test_links_of_a_page_that_has_no_row(tmp_path):
    crawl_of(tmp_path, {A: [B], B: [C], C: []})
    with closing(sqlite3.connect(tmp_path / "crawl.db")) as db, db:
        db.execute("DELETE FROM url WHERE id = 2")
    assert (links(read(tmp_path)), links(read(tmp_path, everything=True))) == ({}, {})


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE outlinks SET targets = '[1'",
        "UPDATE outlinks SET targets = '[1, 2, 3]'",
        "UPDATE outlinks SET targets = '[\"a\", 1.5]'",
        "UPDATE outlinks SET targets = '[99999999999999999999, 1]'",
        "UPDATE outlinks SET targets = '7'",
        "UPDATE outlinks SET kinds = 'aaaa'",
        "UPDATE url SET url = CAST(x'ff' AS TEXT)",
        "UPDATE url SET site = 77",
        "UPDATE url SET key = 'no number'",
        "DROP TABLE outlinks",
    ],
)
def test_a_damaged_crawl(tmp_path, damage):
    crawl_of(tmp_path, {A: [B, C], B: []})
    with closing(sqlite3.connect(tmp_path / "crawl.db")) as db, db:
        db.execute(damage)
    with pytest.raises(NotACrawl, match=r"crawl\.db is damaged"):
        read(tmp_path)
