"""The walk that judges the crawler is itself judged: by hand-written pages, and by plain readings of the same files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchmarks.docsites import DocSites
from tests.real.walk import links, walk
from tests.support.web.mesh import mesh
from tests.support.web.site import Web

PAGE = b"""<!-- <a href=/comment> --><title><a href=/title></title>
<a href=one#part>1</a> <A HREF=' two '>2</A> <a href=?q=3>3</a> <a href="#here">4</a> <a name=x>no</a>
<area href="../five"><iframe src="six"></iframe><a href="mailto:a@b">7</a> <a href="\\eight?a\\b">8</a>
<meta http-equiv=Refresh content="3; URL='nine'"><script>"<a href=/script>"</script><a href="http://[x">no</a>"""


def test_links_of_a_page() -> None:
    expected = {
        *("http://a.test/d/one", "http://a.test/d/two", "http://a.test/d/page?q=3", "http://a.test/d/page"),
        *(
            "http://a.test/five",
            "http://a.test/d/six",
            "mailto:a@b",
            "http://a.test/eight?a\\b",
            "http://a.test/d/nine",
        ),
    }
    assert links(PAGE, "http://a.test/d/page", None) == expected


@pytest.mark.parametrize(
    ("base", "expected"), [(b"<base href=/e/>", "http://a.test/e/x"), (b"<base target=_top>", "http://a.test/d/x")]
)
def test_base(base: bytes, expected: str) -> None:
    assert links(base + b"<base href=/later/>" * (b"href" in base) + b"<a href=x>", "http://a.test/d/page", None) == {
        expected
    }


@pytest.mark.slow
def test_walk_of_a_known_web() -> None:
    pages = {key: answer for key, answer in mesh(["a.test"], 30, seed=1).items() if key[1] != "/robots.txt"}
    # The walk reads no robots.txt, and it asks one address with the right Host header, so no name is resolved.
    with Web(pages) as web:
        statuses = walk([web.url("a.test", "/")], web.address, web.port, processes=1)
    expected = {web.url(*key): answer.status for key, answer in pages.items()}
    assert statuses == expected | {web.url("a.test", "/private/only"): 404}


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_walk_of_the_documentation_reads_every_file(sites: DocSites, walked: dict[str, int]) -> None:
    """Each site's HTML files and the walk's pages are the same, but for the few that no page links to."""
    for host, root in sites.roots.items():
        there = {str(file.relative_to(root)) for file in root.rglob("*.html")}
        prefix = sites.seed(host)
        met = {url.removeprefix(prefix) for url, status in walked.items() if url.startswith(prefix) and status == 200}
        unmet = there - met - {"index.html"}
        assert len(unmet) <= 15, f"{host}: the walk did not meet {sorted(unmet)}"
        for name in unmet:  # found nowhere as a link of a page that was met
            pattern = re.compile(rf"""<a [^>]*href=["']?{re.escape(Path(name).name)}["'#> ]""")
            holders = [page for page in met if page.endswith(".html") and pattern.search(_text(root / page))]
            assert not [page for page in holders if Path(page).parent == Path(name).parent], f"{name} is linked"


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="replace")
