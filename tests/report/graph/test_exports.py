"""Every export opened by the programs it is meant for, with titles and URLs as hostile as a page can make them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.crawls.crawl_db import crawl_of, generated
from tests.support.xml_schema import xml_schema
from ttcrawl.report.graph.exports import edge_list, gexf, graphml, parquet, quoted
from ttcrawl.report.graph.network import Network, sites
from ttcrawl.report.graph.read import read

if TYPE_CHECKING:
    import networkx as nx

#: title as the page had it -> as XML can hold it
TITLES = {
    "plain": "plain",
    "<b>&amp;</b> ]]> <!-- --> <?x?>": "<b>&amp;</b> ]]> <!-- --> <?x?>",
    "\"'` & &lt; &#0; &x;": "\"'` & &lt; &#0; &x;",
    "nul \x00 escape \x1b[2J bell \x07 del \x7f": "nul \ufffd escape \ufffd[2J bell \ufffd del \x7f",
    "\ufffe\uffff\x0b\x0c\x1f": "\ufffd" * 5,
    "next line \x85 \u2028 \u202e turned": "next line \x85 \u2028 \u202e turned",
    "tab \t line \n return \r end": "tab \t line \n return \r end",
    "\N{PILE OF POO} \U0010ffff \N{HEBREW LETTER ALEF}": "\N{PILE OF POO} \U0010ffff \N{HEBREW LETTER ALEF}",
    "%s %d %% {} {0} $x$ \\": "%s %d %% {} {0} $x$ \\",
    "": "",
}
URLS = [f"http://a.test/{number}?a='&b=\"<{number}>" for number in range(len(TITLES) - 1)] + ["http://b.test/ö\x00\x1b"]


@pytest.fixture
def hostile(tmp_path) -> Network:
    pages = {url: [URLS[0], URLS[0], URLS[(place + 1) % len(URLS)]] for place, url in enumerate(URLS)}
    return read(crawl_of(tmp_path / "crawl", pages, titles=dict(zip(URLS, TITLES, strict=True))))


def same(graph: nx.DiGraph, network: Network, name: str = "label") -> None:
    """Nodes with all their attributes, links with their weights, as the network has them."""
    ids = network.ids.tolist()
    links = zip(network.source.tolist(), network.target.tolist(), network.weight.tolist(), strict=True)
    assert {(int(a), int(b)): data["weight"] for a, b, data in graph.edges(data=True)} == {
        (ids[source], ids[target]): weight for source, target, weight in links
    }
    assert [int(node) for node in graph] == ids
    into, out = network.in_degree().tolist(), network.out_degree().tolist()
    for place, node in enumerate(graph):
        data = graph.nodes[node]
        assert data[name] == network.labels[place].replace("\x00", "\ufffd").replace("\x1b", "\ufffd")
        assert (data["in_degree"], data["out_degree"]) == (into[place], out[place])
        assert (data["degree"], data["depth"]) == (into[place] + out[place], network.depth[place])
        if network.name == "sites":
            assert data["pages"] == network.pages[place]
        else:
            assert data["host"] == network.hosts[network.host[place]]
            assert data["title"] == TITLES.get(network.titles[place], network.titles[place])


@pytest.mark.parametrize("text, expected", TITLES.items())
def test_text_in_xml(text, expected):
    import xml.etree.ElementTree as etree

    assert etree.fromstring(f'<a b="{quoted(text)}"/>').get("b") == expected
    assert (etree.fromstring(f"<a>{quoted(text)}</a>").text or "") == expected


def test_gexf(hostile, tmp_path):
    import networkx as nx

    gexf(hostile, tmp_path / "x.gexf")
    same(nx.read_gexf(tmp_path / "x.gexf"), hostile)
    gexf(sites(hostile), tmp_path / "s.gexf")
    same(nx.read_gexf(tmp_path / "s.gexf"), sites(hostile))


OURS = str(Path(__file__).with_name("gexf.xsd"))
THEIRS = str(Path(__file__).with_name("gexf-1.2draft") / "gexf.xsd")


@pytest.mark.slow
@pytest.mark.parametrize("schema", [OURS, THEIRS], ids=["the part we write", "gexf.net"])
def test_gexf_is_valid(hostile, tmp_path, schema):
    schema = xml_schema(schema)
    generated(tmp_path / "web", urls=300, links=1500, pages=120, hosts=5)
    path = tmp_path / "x.gexf"
    crawl_of(tmp_path / "empty", {})
    for network in (hostile, sites(hostile), read(tmp_path / "web", everything=True), read(tmp_path / "empty")):
        gexf(network, path)
        assert [str(error) for error in schema.iter_errors(str(path))] == []
    gexf(hostile, path)
    path.write_text(path.read_text().replace("<edge id", "<edge name"))
    assert not schema.is_valid(str(path))


def test_graphml(hostile, tmp_path):
    import igraph
    import networkx as nx

    for network in (hostile, sites(hostile)):
        graphml(network, tmp_path / "x.graphml")
        same(nx.read_graphml(tmp_path / "x.graphml"), network)
        theirs = igraph.Graph.Read_GraphML(str(tmp_path / "x.graphml"))
        assert theirs.is_directed() and theirs.get_edgelist() == list(
            zip(network.source.tolist(), network.target.tolist(), strict=True)
        )
        assert theirs.es["weight"] == network.weight.tolist()
        assert theirs.vs["in_degree"] == network.in_degree().tolist()
        if network is hostile:
            assert theirs.vs["title"] == [TITLES[title] for title in network.titles]


def test_the_edge_list(hostile, tmp_path):
    import networkx as nx

    edge_list(hostile, tmp_path / "x.tsv")
    lines = (tmp_path / "x.tsv").read_text().splitlines()
    assert lines[0] == "# source\ttarget\tweight" and len(lines) == hostile.links + 1
    theirs = nx.read_weighted_edgelist(tmp_path / "x.tsv", delimiter="\t", create_using=nx.DiGraph)
    names = [label.replace("\x00", "\\x00").replace("\x1b", "\\x1b") for label in hostile.labels]
    assert theirs.number_of_edges() == hostile.links and set(theirs) == set(names)
    assert theirs[names[1]][names[0]]["weight"] == 2


def test_parquet(hostile, tmp_path):
    import pyarrow.parquet

    parquet(hostile, tmp_path / "nodes", tmp_path / "edges")
    nodes, edges = (pyarrow.parquet.read_table(tmp_path / name).to_pydict() for name in ("nodes", "edges"))
    assert list(nodes) == ["id", "url", "depth", "in_degree", "out_degree", "degree", "host", "title"]
    assert (nodes["id"], nodes["url"]) == (hostile.ids.tolist(), list(hostile.labels))
    assert nodes["title"] == list(TITLES)
    assert edges["source"] == hostile.ids[hostile.source].tolist()
    assert edges["target"] == hostile.ids[hostile.target].tolist()
    assert edges["weight"] == hostile.weight.tolist()
    parquet(sites(hostile), tmp_path / "nodes", tmp_path / "edges")
    assert pyarrow.parquet.read_table(tmp_path / "nodes").to_pydict()["host"] == ["a.test", "b.test"]
