"""Layouts by forces and by both programs, and what the pictures say."""

import re
import sys
from dataclasses import replace
from itertools import combinations
from xml.etree import ElementTree

import numpy as np
import pytest

from tests.support.cases import some_fast
from tests.support.crawls.crawl_db import crawl_of, generated
from ttcrawl.cli import main
from ttcrawl.errors import UsageError, install_line
from ttcrawl.report.graph import layout as layouts
from ttcrawl.report.graph.layout import LAYOUTS, layout, need, sfdp
from ttcrawl.report.graph.picture import LOOKS, draw
from ttcrawl.report.graph.read import read
from ttcrawl.report.graph.selection import grouping, select


@pytest.fixture(params=LAYOUTS)
def name(request) -> str:
    try:
        need(request.param)
    except UsageError as error:
        pytest.skip(str(error))
    return request.param


@pytest.fixture(scope="module")
def web(tmp_path_factory):
    return read(generated(tmp_path_factory.mktemp("web"), urls=900, links=5000, pages=400, hosts=12))


def words(svg) -> str:
    """The text of an SVG: matplotlib draws the letters as paths and keeps the words in comments."""
    parser = ElementTree.XMLParser(target=ElementTree.TreeBuilder(insert_comments=True))
    root = ElementTree.parse(svg, parser).getroot()
    return "\n".join(each.text or "" for each in root.iter() if each.tag is ElementTree.Comment)


@pytest.mark.slow
def test_a_layout_brings_together_what_is_linked(name, web):
    some = select(web, web.in_degree(), 200, grouping(web, len(LOOKS))).network
    places = layout(some, name)
    assert places.shape == (some.nodes, 2) and np.isfinite(places).all()
    linked = np.linalg.norm(places[some.source] - places[some.target], axis=1).mean()
    shuffled = np.random.default_rng(1).permutation(some.target)
    assert linked < 0.8 * np.linalg.norm(places[some.source] - places[shuffled], axis=1).mean()
    assert (layout(some, name) == places).all()  # the same every time


@pytest.mark.slow
@pytest.mark.parametrize("pages", [{}, {0: []}, {0: [1], 1: []}, {0: [1], 1: [], 2: [3], 3: [2], 4: []}])
def test_small_graphs(name, tmp_path, pages):
    url = "http://a.test/{}".format
    crawl_of(tmp_path, {url(page): [url(target) for target in pages[page]] for page in pages})
    network = read(tmp_path)
    places = layout(network, name)
    assert places.shape == (len(pages), 2) and np.isfinite(places).all()
    some = select(network, network.in_degree(), 100, grouping(network, len(LOOKS)))
    assert some.alone == sum(
        not out and not any(page in other for other in pages.values()) for page, out in pages.items()
    )
    for path in draw(some, layout(some.network, name), tmp_path / "x", title="small", labels=3):
        assert path.stat().st_size > 1000


@pytest.mark.slow
def test_what_a_picture_says(web, tmp_path):
    some = select(web, web.in_degree(), 100, grouping(web, len(LOOKS)))
    places = np.random.default_rng(1).random((some.network.nodes, 2))
    png, svg = draw(some, places, tmp_path / "x", title="A title of $x$ and <y>", labels=3)
    assert png.read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    assert int.from_bytes(png.read_bytes()[16:20], "big") == 1600  # pixels wide: good for print
    told = words(svg)
    assert "A title of $x$ and" in told and "other sites" in told
    first = int(web.in_degree().argmax())
    assert f"1  {web.in_degree().max():>7,} in  {web.labels[first]}" in told
    biggest = int(np.bincount(web.host).argmax())
    assert f"{web.hosts[biggest]} ({np.count_nonzero(some.network.host == biggest)})" in told
    again = draw(some, places, tmp_path / "y", title="A title of $x$ and <y>", labels=3)
    assert [path.read_bytes() for path in again] == [png.read_bytes(), svg.read_bytes()]


@pytest.mark.slow
def test_hostile_hosts_and_urls(tmp_path):
    urls = [f"http://_x$\\y_{number}^2$.test/$\\frac{{1}}$\x1b[2J<{'u' * 300}" for number in range(4)]
    crawl_of(tmp_path, {url: urls for url in urls})
    network = read(tmp_path)
    some = select(network, network.in_degree(), 100, grouping(network, len(LOOKS)))
    _, svg = draw(some, np.eye(4)[:, :2], tmp_path / "x", title="hostile", labels=4)
    told = words(svg)
    assert "\x1b" not in told and "_x$\\y_3^2$.test" in told


LEGENDS = {
    "short": (lambda n: f"{n}.test", 3),
    "long": (lambda n: f"{n}-with-a-very-long-name-of-its-own.department.university-of-somewhere.test", 2),
    "wide": (lambda n: "大学" * 20 + f"{n}.test", 2),
    "capitals": (lambda n: "W" * 60 + str(n), 1),
}


@pytest.mark.filterwarnings("ignore:Glyph")  # no font has ideographs
@pytest.mark.parametrize("kind", some_fast(LEGENDS, "wide"))
def test_the_legend_is_not_cut(web, tmp_path, monkeypatch, kind):
    """Its texts lie within the figure, none over another, above the lower edge and below the caption."""
    name, most = LEGENDS[kind]
    some = select(web, web.in_degree(), 100, grouping(web, len(LOOKS)))
    some = replace(some, names=tuple(map(name, range(len(some.names)))))
    from matplotlib.figure import Figure

    figures = []
    save = Figure.savefig
    monkeypatch.setattr(Figure, "savefig", lambda self, *a, **more: (figures.append(self), save(self, *a, **more)))
    draw(some, np.random.default_rng(1).random((some.network.nodes, 2)), tmp_path / "x", title="t", labels=3)
    figure = figures[0]
    (legend,) = figure.legends
    inside, boxes = figure.bbox, [text.get_window_extent() for text in legend.get_texts()]
    assert all(box.x0 >= inside.x0 and box.x1 <= inside.x1 and box.y0 >= inside.y0 for box in boxes)
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    caption = figure.texts[-1].get_window_extent()
    assert caption.y0 >= max(box.y1 for box in boxes)
    assert len({round(box.x0) for box in boxes}) == most


def test_sites_keep_their_colours(web):
    few, many = (select(web, web.in_degree(), most, grouping(web, len(LOOKS))) for most in (30, 300))
    looks = [dict(zip(each.network.host.tolist(), each.look.tolist(), strict=True)) for each in (few, many)]
    assert looks[0].items() <= looks[1].items() and len(set(looks[1].values())) == len(LOOKS)


@pytest.mark.slow
def test_the_default_picture_needs_no_other_program(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(sys.modules, "igraph", None)
    url = "http://a.test/{}".format
    crawl_of(tmp_path / "c", {url(0): [url(1)], url(1): [url(0)]})
    assert main(["graph", str(tmp_path / "c"), "--picture"]) == 0
    names = {path.name for path in (tmp_path / "c" / "graph").iterdir()}
    assert names == {f"pages-forces{end}" for end in (".png", ".svg", "-top.png", "-top.svg")}


def test_no_graphviz(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UsageError, match="apt-get install graphviz"):
        need("sfdp")


@pytest.mark.parametrize("module, command", [("igraph", lambda: need("drl"))])
def test_no_igraph(monkeypatch, module, command):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(UsageError, match=re.escape(install_line("graph"))):
        command()


def program(folder, monkeypatch, text: str) -> None:
    (folder / "sfdp").write_text(f"#!/bin/sh\n{text}\n")
    (folder / "sfdp").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")


PAIR = np.array([0]), np.array([1])


@pytest.mark.parametrize(
    "text, said",
    [
        ("echo 'no \x1b[2J such thing' >&2; exit 3", r"failed: no \\x1b\[2J such thing; take"),
        ("exit 3", "failed: exit status 3"),
        ("echo 'node 0 1 2'", "failed: exit status 0"),
        ("exec sleep 60", "did not finish within 0.2 s for 2 nodes"),
    ],
)
def test_sfdp_fails(tmp_path, monkeypatch, text, said):
    program(tmp_path, monkeypatch, text)
    with pytest.raises(UsageError, match=said):
        sfdp(2, *PAIR, longest=0.2 if "sleep" in text else layouts.LONGEST)
