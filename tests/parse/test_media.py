"""What a page displays is the same under all configurations, whether its images are links of the crawl or not."""

import pytest

from benchmarks.parse import work
from ttcrawl.config import Config
from ttcrawl.config.compiled import compile_scope
from ttcrawl.parse.read import Reader
from ttcrawl.ring.position import Position

pytestmark = pytest.mark.usefixtures("reader")

URL = "http://a.test/x/y"
PAGES = (
    "<a href=1>one</a><img src=2 alt=two><a href=3>three</a>",
    "<video src=1 poster=2></video><object data=3></object><table background=4><tr><td>a</table>",
    "<iframe srcdoc='<base href=/z/><img src=1><a href=2>a</a>'></iframe><a href=b>b</a>",
    "<noscript><img src=1></noscript><picture><source srcset='2 1x, 3 2x'><img src=4></picture>",
    "<a href=1><img src=2 alt=menu></a><p>menu<p>" + "more text of a page. " * 40,
)
KINDS = {"links.kinds": "anchor frame", "links.recorded": ""}


def read(directory, html, settings):
    config = Config().changed({"duplicates.near": "yes", **settings})
    reader = Reader(config, compile_scope(config.scope, [URL]), directory, Position(series=0))
    try:
        return reader.read(*work(URL, html.encode()))
    finally:
        reader.close()


@pytest.mark.parametrize("html", PAGES)
@pytest.mark.parametrize("parser", ["lexbor", "html5lib"])
def test_images_count_whether_they_are_links_or_not(tmp_path, html, parser):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    every = read(tmp_path / "a", html, {"links.parser": parser})
    few = read(tmp_path / "b", html, KINDS | {"links.parser": parser})
    assert few.reading.fingerprint == every.reading.fingerprint is not None
    assert set(few.outlinks.kinds) <= {*b"afF"}
    assert len(few.outlinks.landmarks) == len(few.outlinks.kinds) == len(few.outlinks.regions)


def test_the_core_reads_pages_whose_images_are_no_links(tmp_path, reader):
    page = read(tmp_path, PAGES[0], KINDS)
    assert (page.reader == "compiled") is (reader == "compiled")
    assert page.outlinks.anchors == '["one","three"]' and page.counts.links == 2
