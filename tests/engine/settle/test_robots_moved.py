"""Where a redirect of a robots.txt may lead, by the server's log: to /robots.txt, or within the domain by its rules."""

from itertools import pairwise

import pytest

from tests.support.crawls.crawling import crawl
from tests.support.crawls.preforked import run
from tests.support.web.site import Answer, Web, at, moved, page, robots

FAST = ("--set", "politeness.delay=0.05", "--set", "politeness.address_delay=0", "--inline")
PRIVATE = robots("User-agent: *", "Disallow: /private")
NOTHING = robots("User-agent: *", "Disallow: /no")


def pages_of(host, *paths):
    return {(host, "/"): Answer(body=page(*paths)), **{(host, path): Answer(body=page()) for path in paths}}


def crawled(tmp_path, pages, hosts, *options):
    """(the crawl, server's log as (host, path))."""
    with Web(pages) as web:
        done = crawl(web, [web.url(host, "/") for host in hosts], tmp_path / "c", *FAST, *options)
        log = [(hit.host.partition(":")[0], hit.path) for hit in web.log()]
        states = {url.replace(f":{web.port}", ""): state for url, state in done.states().items()}
    assert run("verify", "c", cwd=tmp_path).returncode == 0
    return done, log, states


@pytest.mark.slow
def test_it_does_not_lead_into_what_another_host_forbids(tmp_path):
    askers = [f"evil{number}.test" for number in range(8)]
    pages = {("honest.test", "/robots.txt"): PRIVATE, **pages_of("honest.test", "/1", "/2")}
    for number, asker in enumerate(askers):
        pages |= {(asker, "/robots.txt"): moved(at("honest.test", f"/private/{number}")), **pages_of(asker)}
        pages["honest.test", f"/private/{number}"] = NOTHING
    _, log, states = crawled(tmp_path, pages, [*askers, "honest.test"])
    assert [path for host, path in log if host == "honest.test"] == ["/robots.txt", "/", "/1", "/2"]
    assert all(states[f"http://{asker}/"] == ("fetched", "http 200") for asker in askers)


def test_robots_txt_of_another_host_is_followed(tmp_path):
    pages = {("a.test", "/robots.txt"): moved(at("b.test", "/robots.txt")), ("b.test", "/robots.txt"): NOTHING}
    _, log, states = crawled(tmp_path, pages | pages_of("a.test", "/no", "/yes"), ["a.test"])
    assert ("b.test", "/robots.txt") in log and ("a.test", "/no") not in log
    assert states["http://a.test/no"] == ("refused", "robots.txt")


@pytest.mark.slow
@pytest.mark.parametrize(("path", "followed"), [("/rules/a", True), ("/private/a", False), ("/robots.txt?a", True)])
def test_within_the_domain_by_the_rules_of_the_host(tmp_path, path, followed):
    pages = {("a.both.test", "/robots.txt"): moved(at("www.both.test", path)), ("www.both.test", path): NOTHING}
    pages |= {("www.both.test", "/robots.txt"): PRIVATE} | pages_of("a.both.test", "/no")
    _, log, states = crawled(tmp_path, pages, ["a.both.test"])
    there = [path for host, path in log if host == "www.both.test"]
    own = [] if path.startswith("/robots.txt") else ["/robots.txt"]  # its own rules come first
    assert there == own + [path] * followed
    assert (states["http://a.both.test/no"] == ("refused", "robots.txt")) == followed


@pytest.mark.slow
def test_in_turn_with_the_pages_of_the_host(tmp_path):
    askers = [f"a{number}.both.test" for number in range(6)]
    own = [f"/{number}" for number in range(8)]
    pages = {("www.both.test", "/robots.txt"): PRIVATE, **pages_of("www.both.test", *own)}
    for number, asker in enumerate(askers):
        pages |= {(asker, "/robots.txt"): moved(at("www.both.test", f"/rules/{number}")), **pages_of(asker)}
        pages["www.both.test", f"/rules/{number}"] = NOTHING
    _, log, _ = crawled(tmp_path, pages, ["www.both.test", *askers], "--set", "politeness.delay=0.2")
    there = [path.startswith("/rules") for host, path in log if host == "www.both.test"]
    assert sum(there) == 6 and len(there) == 16
    assert not any(first and second for first, second in pairwise(there))


@pytest.mark.slow
def test_no_more_than_five_for_one_asker(tmp_path):
    pages = {("www.both.test", f"/{number}"): moved(f"/{number + 1}") for number in range(20)}
    pages |= {("a.both.test", "/robots.txt"): moved(at("www.both.test", "/0")), **pages_of("a.both.test")}
    pages["www.both.test", "/robots.txt"] = PRIVATE
    _, log, states = crawled(tmp_path, pages, ["a.both.test"])
    there = [path for host, path in log if host == "www.both.test"]
    assert there == ["/robots.txt", "/0", "/1", "/2", "/3", "/4"]
    assert states["http://a.both.test/"] == ("fetched", "http 200")


@pytest.mark.slow
def test_where_the_rules_of_the_host_cannot_be_read_nothing_is_asked(tmp_path):
    pages = {("a.both.test", "/robots.txt"): moved(at("www.both.test", "/rules")), **pages_of("a.both.test")}
    pages |= {("www.both.test", "/robots.txt"): Answer(status=500), ("www.both.test", "/rules"): NOTHING}
    _, log, states = crawled(tmp_path, pages, ["a.both.test"], "--set", "politeness.robots_patience=0")
    assert ("www.both.test", "/rules") not in log
    assert states["http://a.both.test/"] == ("refused", "robots.txt: http 500")


@pytest.mark.slow
def test_hosts_that_wait_for_one_another_do_not_wait_for_ever(tmp_path):
    names = [f"{name}.ring.test" for name in "abc"]
    pages = {}
    for here, there in zip(names, [*names[1:], names[0]], strict=True):
        pages |= {(here, "/robots.txt"): moved(at(there, "/rules")), (here, "/rules"): NOTHING}
        pages |= pages_of(here, "/no")
    _, _, states = crawled(tmp_path, pages, names, "--max-time", "60")
    assert [states[f"http://{name}/no"] for name in names] == [("refused", "robots.txt")] * 3
