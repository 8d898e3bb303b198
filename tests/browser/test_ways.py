"""A site in whose pages scripts make links: what is found without a browser, by one, and by one that clicks."""

import re
from pathlib import Path

import pytest

from tests.browser.chromium import needs_chromium
from tests.browser.ways import WAYS, Way
from tests.browser.ways_of_clicks import CLICKS
from tests.support.crawls.crawling import crawl, verified
from tests.support.long_tables import few
from tests.support.web.site import Answer, Web

ALL: dict[str, Way] = WAYS | CLICKS
SITE = {
    ("a.test", "/"): Answer(body="".join(f"<a href=/way/{name}>{name}</a>" for name in ALL).encode()),
    **{("a.test", path): page for name, way in ALL.items() for path, page in way.pages(name).items()},
    **{("a.test", f"/found/{name}"): Answer(body=b"<p>found") for name in ALL},
}
KINDS = "links.kinds=+alternate +json-ld"
BROWSER = ("--set", "browser.pages=4", "--set", "browser.wait=2", "--set")
OPTIONS = {
    "s": (),
    "b": (*BROWSER, "browser.use=path:/way/"),
    "c": ("--set", "browser.clicks=8", *BROWSER, "browser.use=path:/way/"),
}
MANUAL = Path(__file__).parents[2] / "docs" / "browser.md"


def table():
    """The lines of the table in the manual, of what is expected."""
    yield "| way | static | browser | with clicks |"
    yield "|---|---|---|---|"
    for way in ALL.values():
        yield "| " + " | ".join([way.title, *("yes" if how in way.found else "" for how in OPTIONS)]) + " |"


def test_the_table_of_the_manual_is_what_is_expected():
    assert "\n".join(table()) in MANUAL.read_text()


@needs_chromium
@pytest.mark.slow
@pytest.mark.parametrize("how", few(1, ["c", "b", "s"]))
def test_links_are_found_as_expected_and_nothing_is_invented(tmp_path, how):
    with Web(SITE) as web:
        options = ("--no-obey-delay", "--set", KINDS, *OPTIONS[how])
        crawled = crawl(web, web.url("a.test", "/"), tmp_path / "c", *options, timeout=400)
        paths = [hit.path.partition("?")[0] for hit in web.log()]
        methods = {hit.method for hit in web.log()}
    assert crawled.status == 0, crawled.err
    found = {match[1] for path in paths if (match := re.fullmatch("/found/([a-z-]+)", path))}
    assert found == {name for name, way in ALL.items() if how in way.found}
    assert [path for path in paths if path.startswith("/decoy/")] == []
    assert methods == {"GET"}
    assert sorted(path for path in paths if path.startswith("/way/")) == sorted(f"/way/{name}" for name in ALL)
    assert verified(crawled.directory) == ""


@needs_chromium
@pytest.mark.slow
def test_a_fragment_with_a_bare_percent_sign_stops_no_click(tmp_path):
    show = "document.body.insertAdjacentHTML('beforeend', '<a href=/shown>shown</a>')"
    page = f'<a href="#50%">half</a><button onclick="{show}">Show</button><script>1</script>'
    with Web({("a.test", "/"): Answer(body=page.encode())}) as web:
        options = ("--set", "browser.clicks=2", "--set", "browser.use=regex:/$")
        crawled = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", *options)
        paths = {hit.path for hit in web.log()}
    assert crawled.status == 0, crawled.err
    assert "/shown" in paths
