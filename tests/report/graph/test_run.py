"""The command as a user gives it."""

import json
import re
import sys
from pathlib import Path

import pytest

from tests.support.crawls.crawl_db import crawl_of, generated
from tests.support.crawls.measured import measured
from ttcrawl.cli import main
from ttcrawl.errors import install_line
from ttcrawl.report.graph.read import read

URL = "http://a.test/{}".format


@pytest.fixture
def crawled(tmp_path) -> Path:
    pages = {
        URL(""): [URL("old"), URL("x"), URL("x"), "http://b.test/"],
        URL("old"): [(URL("y"), "R")],
        URL("x"): [URL("")],
        URL("y"): [URL("y"), URL("queued")],
        "http://b.test/": [URL("")],
    }
    return crawl_of(tmp_path / "crawl", pages, titles={URL(""): "Start\x1b[2J"}, states={URL("old"): "moved"})


def graph(capsys, *options: object) -> tuple[int, str, str]:
    status = main(["graph", *map(str, options)])
    said = capsys.readouterr()
    return status, said.out, said.err


def test_the_figures(crawled, capsys):
    status, out, _ = graph(capsys, crawled)
    assert status == 0 and not (crawled / "graph").exists()
    for label, value in (
        ("Pages", "4"),
        ("Links (distinct)", "5"),
        ("  occurrences", "6"),
        ("  of a page to itself, excluded", "1"),
        ("  to URLs outside the graph, excluded", "1"),
        ("Density (%)", "41.67"),
        ("Reciprocity (%)", "80.00"),
        ("Links of the biggest hub", "5"),
        ("  share of all links (%)", "100.00"),
    ):
        assert re.search(rf"^{re.escape(label)} +{re.escape(value)}$", out, re.MULTILINE), label
    assert re.search(r"^Strongly connected +2 +3 +75\.00$", out, re.MULTILINE)
    assert re.search(r"^Sites: 2, links between them: 2$", out, re.MULTILINE)
    assert re.search(r"^a\.test +3 +5 +1 +1$", out, re.MULTILINE)


def test_markdown(crawled, capsys):
    status, out, _ = graph(capsys, crawled, "--format", "markdown")
    assert status == 0 and "| Links (distinct) | 5 |" in out and "| Degrees | mean | median | max |" in out


def test_json_agrees_with_networkx(crawled, capsys):
    status, out, _ = graph(capsys, crawled, "--format", "json", "--export", "gexf")
    about = json.loads(out)
    assert status == 0 and about["files"] == [str(crawled / "graph" / "pages.gexf")]
    import networkx as nx

    theirs = nx.read_gexf(about["files"][0])
    rank = nx.pagerank(theirs, tol=1e-15, max_iter=1000)
    ours = {each["label"]: each["value"] for each in about["pagerank"]}
    assert ours == pytest.approx({theirs.nodes[node]["label"]: rank[node] for node in theirs}, abs=1e-9)
    assert about["most_linked"][0] == {"label": URL(""), "title": "Start\x1b[2J", "value": 2}
    assert (about["nodes"], about["links"], about["graph"]) == (4, 5, "pages")
    assert about["hub"]["share"] == 1.0


@pytest.mark.slow
def test_every_file(crawled, capsys, tmp_path):
    options = ["--export", "gexf", "--export", "graphml", "--export", "edges", "--export", "parquet"]
    status, out, err = graph(capsys, crawled, *options, "--picture", "drl", "--out", tmp_path / "out")
    named = out.split("\n\n")[-1].split()
    assert (status, err) == (0, "")
    endings = (".gexf", ".graphml", ".tsv", "-nodes.parquet", "-edges.parquet", "-drl.png", "-drl.svg", "-drl-top.png")
    assert named == [f"{tmp_path}/out/pages{ending}" for ending in (*endings, "-drl-top.svg")]
    assert sorted(named) == sorted(map(str, (tmp_path / "out").iterdir()))
    assert all(Path(name).stat().st_size for name in named)


@pytest.mark.parametrize(
    "option, name, nodes, links", [((), "pages", 4, 5), (("--all",), "urls", 6, 7), (("--sites",), "sites", 2, 2)]
)
def test_which_graph(crawled, capsys, option, name, nodes, links):
    status, out, _ = graph(capsys, crawled, *option, "--format", "json", "--export", "graphml")
    about = json.loads(out)
    assert (status, about["graph"], about["nodes"], about["links"]) == (0, name, nodes, links)
    import networkx as nx

    theirs = nx.read_graphml(crawled / "graph" / f"{name}.graphml")
    assert (len(theirs), theirs.number_of_edges()) == (nodes, links)


@pytest.mark.parametrize(
    "options, links, name, how",
    [
        ((), 1, "pages", "66.7 % of the links stand in menus."),
        (("--links", "main"), 1, "pages", "66.7 % of the links stand in menus."),
        (("--links", "all"), 3, "pages-all-links", "All links, of menus too."),
        (("--paths",), 0, "paths-pages", ""),
    ],
)
def test_which_links_count(tmp_path, capsys, options, links, name, how):
    pages = {URL(""): [URL("x"), URL("y")], URL("x"): [URL("")], URL("y"): []}
    crawled = crawl_of(tmp_path / "crawl", pages, landmarks={URL(""): "mn", URL("x"): "n"})
    about = json.loads(graph(capsys, crawled, *options, "--format", "json", "--export", "edges")[1])
    assert (about["links"], about["files"]) == (links, [str(crawled / "graph" / f"{name}.tsv")])
    assert about["links_of"] == ("paths" if "--paths" in options else options[-1] if options else "main")
    assert how in graph(capsys, crawled, *options)[1]


@pytest.mark.slow
def test_a_crawl_without_pages(tmp_path, capsys):
    crawl_of(tmp_path / "crawl", {})
    for form in ("text", "markdown", "json"):
        options = ["--export", "gexf", "--export", "parquet", "--picture", "drl", "--format", form]
        assert graph(capsys, tmp_path / "crawl", *options)[0] == 0
        assert graph(capsys, tmp_path / "crawl", "--sites", *options)[0] == 0


@pytest.mark.parametrize(
    "options, said",
    [
        (["/nowhere"], "/nowhere is not a crawl directory: it does not exist"),
        (["DIR", "--paths", "--links", "main"], "leave --links out"),
        (["DIR", "--export", "gexf", "--out", "DIR/crawl.db"], "is a part of the crawl"),
    ],
)
def test_what_cannot_be(crawled, capsys, options, said):
    status, _, err = graph(capsys, *(option.replace("DIR", str(crawled)) for option in options))
    assert status in (1, 2) and said in err and err.count("\n") == 1


def test_without_pyarrow(crawled, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    status, out, err = graph(capsys, crawled, "--export", "parquet")
    assert (status, out) == (2, "") and install_line("frames") in err


@pytest.mark.alone
@pytest.mark.slow
@pytest.mark.long
@pytest.mark.timeout(900)
def test_a_million_urls_and_ten_million_links(tmp_path):
    generated(tmp_path / "crawl", urls=1_000_000, links=10_000_000, pages=400_000, hosts=2000)
    done = measured("graph", tmp_path / "crawl", "--all", "--format", "json", "--export", "gexf")
    print(f"\n1 million URLs, 10 million links: {done.seconds:.0f} s of work, {done.peak:.0f} MB")
    about = json.loads(done.out)
    assert about["nodes"] == 1_000_000 and about["occurrences"] + about["own"] == 10_000_000
    assert done.status == 0 and done.seconds < 180 and done.peak < 1024


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("name", ["sfdp", "drl"])
def test_fifty_thousand_nodes(tmp_path, name):
    generated(tmp_path / "crawl", urls=60_000, links=400_000, pages=60_000, hosts=300)
    assert read(tmp_path / "crawl").nodes == 60_000
    done = measured("graph", tmp_path / "crawl", "--picture", name, "--nodes", "50000")
    print(f"\n50,000 nodes by {name}: {done.seconds:.0f} s of work, {done.peak:.0f} MB")
    assert done.status == 0, done.err
    assert (tmp_path / "crawl" / "graph" / f"pages-{name}.png").stat().st_size > 100_000
    assert done.peak < 2048
