"""The picture of the chapters: discs and their texts apart from each other, in a small file."""

from types import SimpleNamespace

import numpy as np
import pytest

from tests.report.plots.words import words
from tests.support.crawls.crawl_db import crawl_of, generated
from ttcrawl.report.graph.chapters import chapters
from ttcrawl.report.graph.read import read
from ttcrawl.report.plots.chapters import HEIGHT, MOST_CRAWLS, graph
from ttcrawl.report.plots.style import WIDTH, draw

URL = "http://a.test/{}".format


def crawl_with(network):
    return SimpleNamespace(graph=SimpleNamespace(chapters=chapters(network)))


def book(directory, sizes):
    """Chapters of these sizes, of pages that link to the next one and to the first page of all."""
    pages = [[URL(f"chapter-{n}/{page}") for page in range(size)] for n, size in enumerate(sizes)]
    links = {page: [each[(n + 1) % len(each)], pages[0][0]] for each in pages for n, page in enumerate(each)}
    return read(crawl_of(directory, {page: [one for one in to if one != page] for page, to in links.items()}))


@pytest.mark.parametrize("sizes", [(5, 5, 5), (30, 6, 2, 1), (1,) * 12 + (2,), (200, 100, 50, 20, 10, 5, 2)])
def test_discs_and_texts_do_not_overlap(tmp_path, sizes):
    from matplotlib.figure import Figure
    from matplotlib.patches import Circle

    figure = Figure(figsize=(WIDTH, HEIGHT))
    graph(figure, [crawl_with(book(tmp_path, sizes))], ["one"])
    figure.draw_without_rendering()
    (axes,) = figure.axes
    discs = [each for each in axes.patches if isinstance(each, Circle)]
    assert len(discs) == len(sizes)
    edge = axes.get_window_extent()
    boxes = [each.get_window_extent() for each in (*discs, *axes.texts)]
    assert all(edge.x0 <= box.x0 + 1 and box.x1 <= edge.x1 + 1 for box in boxes)
    assert all(edge.y0 <= box.y0 + 8 and box.y1 <= edge.y1 + 8 for box in boxes)
    centres = np.array([each.center for each in discs])
    radii = np.array([each.radius for each in discs])
    far = np.linalg.norm(centres[:, None] - centres[None], axis=2) - radii[:, None] - radii[None]
    assert (far + np.eye(len(discs)) > -1e-3).all()
    texts = [each.get_window_extent() for each in axes.texts]
    assert not any(one.overlaps(other) for n, one in enumerate(texts) for other in texts[:n])


@pytest.mark.slow
def test_a_large_graph_is_a_small_file(tmp_path):
    network = read(generated(tmp_path / "crawl", urls=6000, links=60_000, pages=5000, hosts=40))
    crawl = crawl_with(network)
    first, second = (
        draw(tmp_path / name / "graph", HEIGHT, lambda figure: graph(figure, [crawl], ["x"]), ["svg"]) for name in "ab"
    )
    assert first[0].stat().st_size < 300_000 and first[0].read_bytes() == second[0].read_bytes()
    assert "other sites" in words(first[0])


def test_several_crawls_and_one_without_links(tmp_path):
    from matplotlib.figure import Figure

    some, none = crawl_with(book(tmp_path / "a", (3, 3, 3))), crawl_with(read(crawl_of(tmp_path / "b", {})))
    figure = Figure()
    graph(figure, [some, none, some, some, some], list("abcde"))
    assert [each.get_title() for each in figure.axes] == list("abcd") and len(figure.axes) == MOST_CRAWLS
    assert "no links" in [each.get_text() for each in figure.axes[1].texts]
