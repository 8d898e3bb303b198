"""[scope] redirected_seeds: which targets of seeds' redirects count as seeds, with each scope."""

import json

import pytest

from tests.support.crawls.crawling import crawl, query, verified
from tests.support.crawls.preforked import run
from tests.support.web.site import Answer, Web, at, moved, page

#: Seeds of sites that redirect: from and to www., by a chain, into a directory, to other sites.
START = {
    "a.test": moved(at("www.a.test", "/")),
    "www.b.test": moved(at("b.test", "/en/")),
    "c.test": Answer(body=page("/x", at("www.a.test", "/linked"), at("www.c.test", "/"), at("other.test", "/linked"))),
    "d.test": moved(at("other.test", "/")),
    "e.test": moved(at("www.e.test", "/")),
    "www.e.test": moved(at("far.test", "/")),
}
#: What other hosts serve; every page has more of its own site.
SITES = {
    "www.a.test": ("/", "/x", "/linked"),
    "b.test": ("/en/", "/x"),
    "c.test": ("/x",),
    "www.c.test": ("/", "/x"),
    "other.test": ("/", "/x", "/linked"),
    "far.test": ("/", "/x"),
}
SEEDS = ("a.test", "www.b.test", "c.test", "d.test", "e.test")
STRICT = {"www.a.test", "b.test", "c.test"}
ALWAYS = STRICT | {"other.test", "far.test"}


def pages(delay=0.0):
    answers = {(host, path): Answer(body=page("/x")) for host, paths in SITES.items() for path in paths}
    answers |= {(host, "/"): answer for host, answer in START.items()}
    answers["a.test", "/"] = Answer(status=301, headers=(("Location", at("www.a.test", "/")),), delay=delay)
    answers["d.test", "/"] = Answer(status=302, headers=(("Location", at("other.test", "/")),), delay=delay)
    return answers


@pytest.fixture(scope="module")
def web():
    with Web(pages()) as web:
        yield web


def seeds(web):
    return [web.url(host, "/") for host in SEEDS]


def sites(directory):
    """Hosts with a page /x that was fetched: their sites were crawled."""
    rows = query(directory, "SELECT url FROM url WHERE state = 'fetched' AND url LIKE '%/x'")
    return {url.split("/")[2].partition(":")[0] for (url,) in rows}


def linked(directory):
    """State and reason of what c.test links to on other hosts."""
    rows = query(directory, "SELECT url, state, reason FROM url WHERE url LIKE '%/linked' ORDER BY url")
    return {url.split("/")[2].partition(":")[0]: (state, reason) for url, state, reason in rows}


FETCHED, HOST, DOMAIN = ("fetched", "http 200"), ("refused", "scope: host"), ("refused", "scope: domain")


@pytest.mark.parametrize("how", [("--inline",), ()], ids=["inline", "processes"])
@pytest.mark.parametrize(
    ("scope", "mode", "expected", "links"),
    [
        ("host", "strict", STRICT, {"www.a.test": FETCHED, "other.test": HOST}),
        ("host", "always", ALWAYS, {"www.a.test": FETCHED, "other.test": FETCHED}),
        ("host", "never", {"c.test"}, {"www.a.test": HOST, "other.test": HOST}),
        ("domain", "strict", STRICT | {"www.c.test"}, {"www.a.test": FETCHED, "other.test": DOMAIN}),
        ("domain", "always", ALWAYS | {"www.c.test"}, {"www.a.test": FETCHED, "other.test": FETCHED}),
        ("any", "never", ALWAYS | {"www.c.test"}, {"www.a.test": FETCHED, "other.test": FETCHED}),
    ],
)
@pytest.mark.slow
def test_sites_of_seeds_that_redirect(web, tmp_path, scope, mode, expected, links, how):
    options = ("--no-obey-delay", "--scope", scope, "--set", f"scope.redirected_seeds={mode}", *how)
    done = crawl(web, seeds(web), tmp_path / "c", *options)
    assert done.status == 0, done.err
    assert (sites(done.directory), linked(done.directory)) == (expected, links)
    assert verified(done.directory) == ""
    states = done.states()
    if scope == "host":
        www_c = states[web.url("www.c.test", "/")]
        assert www_c == HOST  # only a link leads there
        assert ("count as seeds" in done.err) == (mode != "never")
        assert ("redirected out of scope: scope: host" in done.err) == (mode != "always")


def test_a_seed_alone_that_redirects_within_its_site_is_crawled(web, tmp_path):
    done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--inline")
    assert done.status == 0 and sites(done.directory) == {"www.a.test"}
    assert "the target counts as a seed ([scope] redirected_seeds = strict)" in done.err
    told = run("why", done.directory, web.url("www.a.test", "/x"))
    assert told.returncode == 0 and "scope: host" not in told.stdout, told.stdout


@pytest.mark.slow
@pytest.mark.parametrize("how", [("--inline",), ()], ids=["inline", "processes"])
def test_what_links_led_to_before_is_requested(tmp_path, how):
    """The page of c.test is read long before the seed redirects."""
    with Web(pages(delay=1.0)) as web:
        done = crawl(web, seeds(web), tmp_path / "c", "--no-obey-delay", "--set", "scope.redirected_seeds=always", *how)
    assert done.status == 0, done.err
    assert (sites(done.directory), linked(done.directory)) == (
        ALWAYS,
        dict.fromkeys(("other.test", "www.a.test"), FETCHED),
    )
    assert verified(done.directory) == ""
    depths = query(done.directory, "SELECT depth FROM url WHERE url LIKE '%/linked'")
    assert depths == [(1,), (1,)]


@pytest.mark.slow
def test_a_later_run_with_another_value(web, tmp_path):
    begin = ("--no-obey-delay", "--inline", "--set", "scope.redirected_seeds=never")
    done = crawl(web, seeds(web), tmp_path / "c", *begin)
    assert sites(done.directory) == {"c.test"}
    for mode, expected in (("strict", STRICT), ("strict", STRICT), ("always", ALWAYS)):
        again = run(
            *("resume", done.directory, "--inline", "--progress", "none", "--set", f"scope.redirected_seeds={mode}")
        )
        assert again.returncode == 0, again.stderr
        assert sites(done.directory) == expected
        assert verified(done.directory) == ""
    assert linked(done.directory) == dict.fromkeys(("other.test", "www.a.test"), FETCHED)


@pytest.mark.slow
def test_a_run_that_was_stopped_keeps_what_counts(web, tmp_path):
    done = crawl(web, seeds(web), tmp_path / "c", "--no-obey-delay", "--inline", "--max-pages", 2)
    assert done.status == 3
    again = run("resume", done.directory, "--inline", "--progress", "none", "--max-pages", 0)
    assert again.returncode == 0, again.stderr
    assert sites(done.directory) == STRICT and verified(done.directory) == ""
    about = dict(query(done.directory, "SELECT name, value FROM crawl"))
    assert len(json.loads(about["seed_redirects"])) == 5 and about["seed_targets"] == "[]"


@pytest.mark.parametrize("how", [("--inline",), ()], ids=["inline", "processes"])
@pytest.mark.parametrize(("mode", "mine", "start"), [("strict", FETCHED, HOST), ("always", FETCHED, FETCHED)])
@pytest.mark.slow
def test_directories_of_seeds_that_redirect(tmp_path, mode, mine, start, how):
    """The directory of the target counts, and no other one of its host."""
    pages = {
        ("a.test", "/docs/"): moved(at("www.a.test", "/docs/")),
        ("b.test", "/docs/"): moved(at("www.b.test", "/")),
    }
    pages["c.test", "/docs/"] = Answer(body=page(at("www.a.test", "/out"), at("www.a.test", "/docs/y")))
    pages |= {("www.a.test", f"/{path}"): Answer(body=page("x", "/out", "/docs/")) for path in ("docs/", "docs/x")}
    pages |= {("www.a.test", f"/{path}"): Answer(body=page()) for path in ("docs/y", "out")}
    pages["www.b.test", "/"] = Answer(body=page())
    with Web(pages) as web:
        seeds = [web.url(host, "/docs/") for host in ("a.test", "b.test", "c.test")]
        options = ("--no-obey-delay", "--scope", "directory", "--set", f"scope.redirected_seeds={mode}", *how)
        done = crawl(web, seeds, tmp_path / "c", *options)
        states = done.states()
        assert done.status == 0, done.err
        assert [states[web.url("www.a.test", path)] for path in ("/docs/", "/docs/x", "/docs/y")] == [mine] * 3
        assert states[web.url("www.a.test", "/out")] == ("refused", "scope: directory")
        assert states[web.url("www.b.test", "/")] == start
    assert verified(done.directory) == ""
