"""No trap refuses what a user names: seeds, where they redirect to, and the URLs of a sitemap that is a seed."""

import pytest

from tests.support.crawls.crawling import crawl, query, verified
from tests.support.crawls.preforked import run
from tests.support.web.site import Answer, Web, at, moved, page, robots

#: URLs that some trap refuses when a page links to them.
ODD = (
    "/" + "/".join(f"s{n}" for n in range(25)),
    "/again" + "/again" * 5,
    "/q?" + "&".join(f"p{n}={n}" for n in range(25)),
    "/calendar?month=2099-01",
    *("/o?" + query for query in ("a=1&b=2&c=3", "b=2&a=1&c=3", "c=3&a=1&b=2", "c=3&b=2&a=1")),
)
ALIKE = tuple(f"/product/{n}" for n in range(20))
DEEP = tuple("/" + "shop/" * (n > 0) + "".join(f"d{k}/" for k in range(n)) for n in range(12))
SHELL = Answer(body=page(title="App", content="Please wait"))

#: Each of them applies after a few URLs.
TRAPS = ("traps.same_content=3", "traps.same_bytes=2", "duplicates.repeated=refuse", "duplicates.repeated_pages=3")
OPTIONS = [part for each in (*TRAPS, "duplicates.audit=0") for part in ("--set", each)]

NAMED = (*ODD, *ALIKE, *DEEP)


def listing(form, entry, urls):
    entries = "".join(f"<{entry}><loc>{url.replace('&', '&amp;')}</loc></{entry}>" for url in urls)
    body = f'<{form} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</{form}>'
    return Answer(body=body.encode(), headers=(("Content-Type", "application/xml"),))


def site(host):
    pages = {"/map.xml": listing("urlset", "url", [at(host, path) for path in NAMED])}
    return {(host, path): answer for path, answer in pages.items()} | {(host, path): SHELL for path in NAMED}


@pytest.fixture(scope="module")
def web():
    pages = site("a.test") | site("b.test") | site("c.test")
    pages |= {("a.test", f"/to/{n}"): moved(path) for n, path in enumerate(NAMED)}
    pages["a.test", "/"] = Answer(body=page(*NAMED))
    pages["a.test", "/index.xml"] = listing("sitemapindex", "sitemap", [at("a.test", "/map.xml")])
    pages["a.test", "/moved"] = moved("/index.xml")
    for host in ("b.test", "c.test"):
        pages[host, "/robots.txt"] = robots(f"Sitemap: {at(host, '/map.xml')}")
        pages[host, "/"] = Answer(body=page())
    with Web(pages) as web:
        yield web


def not_requested(web, tmp_path, seeds, *options, host="a.test"):
    """Named URLs without a page, with their reasons."""
    (tmp_path / "seeds.txt").write_text("\n".join(seeds))
    done = crawl(web, [], tmp_path / "c", "--seeds", "seeds.txt", "--no-obey-delay", "--inline", *OPTIONS, *options)
    assert done.status == 0, done.err
    assert verified(done.directory) == ""
    states = done.states()
    wanted = {path: states.get(web.url(host, path)) for path in NAMED}
    return {path: state for path, state in wanted.items() if state != ("fetched", "http 200")}


@pytest.mark.parametrize(
    ("host", "seeds", "options"),
    [
        ("a.test", NAMED, ("--max-depth", 0, "--set", "traps.pages_per_host=5")),
        ("a.test", [f"/to/{n}" for n in range(len(NAMED))], ("--max-depth", 0)),
        ("a.test", ["/map.xml"], ()),
        pytest.param("a.test", ["/index.xml"], (), marks=pytest.mark.slow),
        pytest.param("a.test", ["/moved"], (), marks=pytest.mark.slow),
        ("b.test", ["/map.xml"], ()),
    ],
    ids=[
        "seeds",
        "redirects of seeds",
        "sitemap",
        "index",
        "redirect to an index",
        "sitemap that robots.txt names too",
    ],
)
def test_named_urls_are_requested(web, tmp_path, host, seeds, options):
    seeds = [web.url(host, path) for path in seeds]
    assert not_requested(web, tmp_path, seeds, *options, host=host) == {}


@pytest.mark.parametrize(("host", "reasons"), [("a.test", 6), ("c.test", 6)], ids=["links", "sitemap in robots.txt"])
def test_what_is_not_named_is_refused_as_before(web, tmp_path, host, reasons):
    refused = not_requested(web, tmp_path, [web.url(host, "/")], host=host)
    assert len({reason for _, reason in refused.values()}) >= reasons
    assert set(ODD[:4]) <= set(refused) and len(set(ALIKE) & set(refused)) > 10


@pytest.mark.slow
def test_a_url_in_a_trap_that_becomes_a_seed_is_requested(web, tmp_path):
    refused = not_requested(web, tmp_path, [web.url("a.test", "/")], "--set", "duplicates.repeated=no")
    seeds = [web.url("a.test", path) for path in refused]
    again = run("resume", tmp_path / "c", *seeds, "--progress", "none")
    assert again.returncode == 0 and "no page was fetched" not in again.stderr, again.stderr
    still = query(tmp_path / "c", "SELECT url, reason FROM url WHERE state = 'refused'")
    assert [reason for url, reason in still if url in seeds] == []
