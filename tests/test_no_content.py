"""Answers without content are no pages, whatever type they state and whatever follows their head."""

import json

import pytest

from tests.support.cases import some_fast
from tests.support.crawls.crawling import crawl, verified
from tests.support.crawls.preforked import run
from tests.support.web.site import Answer, Web, page

HTML = (("Content-Type", "text/html"),)
SITE = {
    "/204": Answer(status=204, headers=HTML),
    "/204/2": Answer(status=204, headers=HTML),
    "/205": Answer(status=205, headers=HTML),
    "/205/page": Answer(status=205, headers=HTML, body=page("/never", title="reset")),
    "/203": Answer(status=203, body=page(title="from a cache")),
    "/empty": Answer(headers=HTML),
}
PAGES = {
    ("a.test", "/"): Answer(body=page(*SITE, title="home")),
    **{("a.test", path): answer for path, answer in SITE.items()},
    ("a.test", "/copy"): SITE["/205/page"],
}


def of(web, url):
    return url.removeprefix(web.url("a.test", ""))


@pytest.mark.parametrize("transport", some_fast(["curl", "urllib3"], "curl"))
def test_they_are_no_pages(tmp_path, transport):
    directory = tmp_path / "c"
    keys = ("--set", f"fetch.transport={transport}", "--set", "fetch.retries=0", "--no-obey-delay", "--inline")
    with Web(PAGES) as web:
        done = crawl(web, web.url("a.test", "/"), directory, *keys)
    assert done.status == 0, done.err
    assert {of(web, url): reason for url, (state, reason) in done.states().items() if state == "fetched"} == {
        **{"/": "http 200", "/203": "http 203", "/empty": "http 200"},
        **{"/204": "http 204", "/204/2": "http 204", "/205": "http 205", "/205/page": "http 205"},
    }
    types = dict(done.query("SELECT url.url, type FROM page JOIN url ON url.id = page.url"))
    assert {of(web, url) for url, kind in types.items() if kind} == {"/", "/203", "/empty"}
    problems = json.loads(run("check", directory, "--format", "json").stdout)["problems"]
    assert {of(web, each["url"]) for each in problems} == {"/", "/203", "/empty"}  # they have no description
    assert [of(web, each["url"]) for each in problems if each["kind"] == "missing-title"] == ["/empty"]
    report = json.loads(run("report", directory, "--format", "json").stdout)
    everywhere = report["sites"]["all"]
    assert (everywhere["html"], everywhere["duplicates"], everywhere["binary"]) == (3, 0, {})
    assert report["statuses"] == {"200": 2, "203": 1, "204": 2, "205": 2} and report["linking"] == 3
    assert {kind: each["count"] for kind, each in report["content"]["types"].items()} == {"text/html": 3}
    assert "not a page" in run("why", directory, web.url("a.test", "/205")).stdout
    assert verified(directory) == ""
