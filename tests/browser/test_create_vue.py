"""The example with which `npm create vue` begins a project, as this package of npm writes it: its crawl is complete."""

import re
import subprocess
import zlib

import pytest

from tests.browser.chromium import needs_chromium
from tests.browser.shops import HOST, INSTALL, PATIENCE, needs_npm, npm, static
from tests.support.crawls.crawling import crawl, query, verified
from tests.support.long_tables import LONG
from tests.support.web.site import Web

pytestmark = [needs_npm, needs_chromium, *LONG, pytest.mark.timeout(3 * PATIENCE)]

PACKAGE = "create-vue@3.22.3"
#: A busy machine needs long for the scripts of a page.
OPTIONS = ("--no-obey-delay", "--set", "browser.wait=20", "--set")


@pytest.fixture(scope="module")
def example(tmp_path_factory):
    """(The answers of its server, its source)."""
    directory = tmp_path_factory.mktemp("vue")
    npm(directory, *INSTALL, PACKAGE)
    create = ("node", "node_modules/create-vue/bundle.js", "example", "--router")
    subprocess.run(create, cwd=directory, check=True, capture_output=True, timeout=PATIENCE)
    npm(directory / "example", *INSTALL)
    npm(directory / "example", "run", "build")
    return static(directory / "example" / "dist"), directory / "example" / "src"


def plain(url):
    return url.partition("#")[0].rstrip("/")


def test_all_routes_texts_and_links_of_the_example_are_found(example, tmp_path):
    answers, source = example
    routes = re.findall(r"path: '([^']+)'", (source / "router" / "index.js").read_text())
    components = [path.read_text() for path in source.rglob("*.vue")]
    headings = [each for text in components for each in re.findall(r"<template #heading>([^<]+)</template>", text)]
    links = {plain(each) for text in components for each in re.findall(r'href="(https?://[^"]+)"', text)}
    (about,) = re.findall(r"<h1>([^<]+)</h1>", (source / "views" / "AboutView.vue").read_text())
    assert len(routes) > 1 and len(headings) > 3 and len(links) > 10
    found = {}
    for use in ("no", "auto"):
        with Web(answers) as web:
            done = crawl(web, web.url(HOST, "/"), tmp_path / use, *OPTIONS, f"browser.use={use}", timeout=300)
            paths = [hit.path for hit in web.log()]
        assert done.status == 0, done.err
        rows = query(done.directory, "SELECT url.url, text FROM text JOIN url ON url.id = text.url")
        found[use] = {"/" + url.split("/", 3)[3]: zlib.decompress(text).decode() for url, text in rows}
    assert "".join(found["no"].values()) == ""
    assert sorted(path for path in paths if (HOST, path) not in answers) == sorted(routes)
    assert found["auto"].keys() == set(routes)
    assert [each for each in headings if each.strip() not in found["auto"]["/"]] == []
    assert about in found["auto"]["/about"]
    assert links - {plain(url) for url in done.states()} == set()
    assert verified(done.directory) == ""
