"""The hosts that scripts request something from: their robots.txt, and their delays, by the log of the server."""

import json
from itertools import pairwise

import pytest

from tests.browser.chromium import needs_chromium
from tests.support.crawls.crawling import crawl, verified
from tests.support.crawls.preforked import run
from tests.support.web.site import Answer, Web, at, robots

pytestmark = [needs_chromium, pytest.mark.slow]

DELAY = 0.5
JSON = (("Content-Type", "application/json"), ("Access-Control-Allow-Origin", "*"))


def calling(page):
    """A page that requests data of another host twice, and what the robots.txt there forbids."""
    calls = "".join(f"fetch('{at('api.test', f'/{path}?{page}')}').catch(() => 0);" for path in ("x", "private", "y"))
    return Answer(body=f"<p>{page}<script>{calls}</script>".encode())


PAGES = [("a.test", "/1"), ("a.test", "/2"), ("b.test", "/3"), ("b.test", "/4")]
SITE = {
    **{(host, "/"): Answer(body=b"".join(b"<a href=%b>x</a>" % path.encode() for at, path in PAGES if at == host))
       for host in ("a.test", "b.test")},
    **{(host, path): calling(path) for host, path in PAGES},
    **{("api.test", f"/{name}?{path}"): Answer(body=b"1", headers=JSON) for name in ("x", "y") for _, path in PAGES},
    ("api.test", "/robots.txt"): robots("User-agent: *", "Disallow: /private"),
}  # fmt: skip


@pytest.fixture(scope="module")
def crawled(tmp_path_factory):
    """(The crawl, what the server saw)."""
    with Web(SITE) as web:
        keys = {"browser.use": "regex:/[1-4]$", "browser.resources": "all", "browser.scrolls": 0, "crawl.fetchers": 2}
        keys |= {"politeness.delay": DELAY, "politeness.address_delay": 0}
        options = [part for name, value in keys.items() for part in ("--set", f"{name}={value}")]
        seeds = [web.url(host, "/") for host in ("a.test", "b.test")]
        done = crawl(web, seeds, tmp_path_factory.mktemp("hosts") / "c", *options)
        assert done.status == 0, done.err
        return done, web.log()


def test_robots_txt_of_other_hosts_decides_about_data(crawled):
    _, hits = crawled
    paths = [hit.path for hit in hits if hit.host == "api.test"]
    assert {path.partition("?")[0] for path in paths} == {"/robots.txt", "/x", "/y"}
    assert sum(path != "/robots.txt" for path in paths) == 2 * len(PAGES)


def test_another_host_has_one_page_at_a_time_and_its_delay_between_two(crawled):
    _, hits = crawled
    of_api = sorted((hit for hit in hits if hit.host == "api.test"), key=lambda hit: hit.arrived)
    data = [hit for hit in of_api if hit.path != "/robots.txt"]
    for before, after in pairwise(data):
        if before.path.partition("?")[2] != after.path.partition("?")[2]:
            assert after.arrived - before.answered >= DELAY
    pages = [hit.path.partition("?")[2] for hit in data]
    assert sum(one != other for one, other in pairwise(pages)) == len(PAGES) - 1  # no page is interrupted


def test_the_report_has_all_requests_to_other_hosts(crawled):
    done, hits = crawled
    figures = json.loads(run("report", done.directory, "--politeness", "--format", "json").stdout)
    by_host = {each["host"].partition(":")[0]: each for each in figures["hosts"]}
    for host in ("a.test", "b.test", "api.test"):
        assert by_host[host]["requests"] == sum(hit.host == host for hit in hits)
        assert by_host[host]["broken"] == 0 and by_host[host]["delayed"] > 0
    assert done.query("SELECT count(*) FROM visit WHERE kind = 'resource'") == [(len(PAGES),)]
    assert verified(done.directory) == ""


def test_cookies_go_to_the_host_of_the_page_alone(tmp_path):
    calls = f"fetch('/in/data'); fetch('/out/data'); fetch('{at('api.test', '/x')}').catch(() => 0)"
    cookies = (("Set-Cookie", "all=1; Path=/"), ("Set-Cookie", "in=2; Path=/in"))
    site = {
        ("a.test", "/"): Answer(body=b"<a href=/page>x</a>", headers=cookies),
        ("a.test", "/page"): Answer(body=f"<script>{calls}</script>".encode(), headers=(("Set-Cookie", "page=3"),)),
        **{("a.test", f"/{path}/data"): Answer(body=b"1", headers=JSON) for path in ("in", "out")},
        ("api.test", "/x"): Answer(body=b"1", headers=JSON),
    }
    with Web(site) as web:
        keys = {"browser.use": "path:/page", "browser.resources": "all", "fetch.cookies": "kept"}
        options = [part for name, value in keys.items() for part in ("--set", f"{name}={value}")]
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", *options)
        assert done.status == 0, done.err
        sent = {hit.path: hit.head.get("cookie") for hit in web.log() if hit.path != "/robots.txt"}
    assert sent == {
        "/": None,
        "/page": "all=1",
        "/in/data": "in=2; all=1; page=3",
        "/out/data": "all=1; page=3",
        "/x": None,
    }
