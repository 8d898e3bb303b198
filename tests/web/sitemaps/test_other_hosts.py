"""Sitemaps on hosts out of scope, and sitemaps of any media type: what a site names is read, and widens nothing."""

import gzip
import re
import time
import zlib

import pytest

from tests.support.crawls.crawling import crawl, verified
from tests.support.crawls.preforked import run
from tests.support.web.site import Answer, Web, at, moved, page, robots
from tests.web.sitemaps.answers import index, xml

QUICK = ("--no-obey-delay", "--inline")


def urlset(*urls):
    return ("<urlset>" + "".join(f"<url><loc>{url}</loc></url>" for url in urls) + "</urlset>").encode()


def names(done):
    """host and path -> (state, reason, depth, sitemap)"""
    rows = done.query("SELECT url, state, reason, depth, sitemap FROM url")
    return {re.sub(r"http://([^:/]+)(:[0-9]+)?", r"\1", url): tuple(rest) for url, *rest in rows}


PAGES = ("/one", "/two", "/three", "/four", "/five")
SITE = {
    ("a.test", "/"): Answer(body=page(at("cdn.test", "/linked"), at("cdn.test", "/own.xml"))),
    ("a.test", "/robots.txt"): robots(
        f"Sitemap: {at('cdn.test', '/own.xml')}",
        f"Sitemap: {at('cdn.test', '/index.xml')}",
        f"Sitemap: {at('cdn.test', '/moved.xml')}",
        f"Sitemap: {at('cdn.test', '/shut.xml')}",
        f"Sitemap: {at('cdn.test', '/absent.xml')}",
        f"Sitemap: {at('cdn.test', '/soft-404.xml')}",
        f"Sitemap: {at('cdn.test', '/excluded/a.xml')}",
        f"Sitemap: {at('127.0.0.99', '/private.xml')}",
        "Sitemap: /index.xml",
    ),
    ("a.test", "/index.xml"): xml(index(at("third.test", "/of-a.xml"))),
    ("third.test", "/of-a.xml"): xml(urlset(at("a.test", "/four"))),
    ("cdn.test", "/robots.txt"): robots(
        "User-agent: *", "Disallow: /shut", f"Sitemap: {at('cdn.test', '/of-cdn.xml')}"
    ),
    ("cdn.test", "/of-cdn.xml"): xml(urlset(at("a.test", "/never"))),
    ("cdn.test", "/own.xml"): xml(urlset(at("a.test", "/one"), at("cdn.test", "/page"))),
    ("cdn.test", "/index.xml"): xml(
        index(at("cdn.test", "/nested.xml"), at("third.test", "/of-cdn.xml"), at("a.test", "/nested.xml.gz"))
    ),
    ("cdn.test", "/nested.xml"): xml(urlset(at("a.test", "/two"))),
    ("a.test", "/nested.xml.gz"): xml(urlset(at("a.test", "/five"))),
    ("third.test", "/of-cdn.xml"): xml(urlset(at("a.test", "/never"))),
    ("cdn.test", "/moved.xml"): moved(at("third.test", "/moved.xml")),
    ("third.test", "/moved.xml"): xml(urlset(at("a.test", "/three"))),
    ("cdn.test", "/soft-404.xml"): Answer(body=page(at("a.test", "/never"))),
    ("cdn.test", "/excluded/a.xml"): xml(urlset(at("a.test", "/never"))),
    **{("a.test", path): Answer(body=page(content=f"<p>This is page {path}.")) for path in PAGES},
}
EXPECTED = {
    "a.test/": ("fetched", "http 200", 0, 0),
    "a.test/index.xml": ("fetched", "http 200", 0, 1),
    "a.test/nested.xml.gz": ("fetched", "http 200", 0, 2),
    **{f"a.test{path}": ("fetched", "http 200", 1, 0) for path in PAGES},
    "cdn.test/own.xml": ("fetched", "http 200", 0, 1),
    "cdn.test/index.xml": ("fetched", "http 200", 0, 1),
    "cdn.test/moved.xml": ("moved", "http 301", 0, 1),
    "cdn.test/nested.xml": ("fetched", "http 200", 0, 2),
    "cdn.test/shut.xml": ("refused", "robots.txt", 0, 1),
    "cdn.test/absent.xml": ("fetched", "http 404", 0, 1),
    "cdn.test/soft-404.xml": ("refused", "type", 0, 1),
    "cdn.test/excluded/a.xml": ("refused", "scope: rule", 0, 1),
    "cdn.test/linked": ("refused", "scope: host", 1, 0),
    "cdn.test/page": ("refused", "scope: host", 1, 0),
    "127.0.0.99/private.xml": ("refused", "blocked address", 0, 1),
    "third.test/of-a.xml": ("fetched", "http 200", 0, 2),
    "third.test/of-cdn.xml": ("refused", "scope: host", 1, 0),
    "third.test/moved.xml": ("fetched", "http 200", 0, 2),
}


@pytest.fixture(scope="module")
def crawled(tmp_path_factory):
    with Web(SITE) as web:
        directory = tmp_path_factory.mktemp("hosts") / "c"
        done = crawl(web, web.url("a.test", "/"), directory, *QUICK, "--exclude", "path:/excluded/")
        yield web, done, {f"{hit.host.partition(':')[0]}{hit.path}" for hit in web.log()}


def test_what_a_site_in_scope_names_is_fetched_on_any_host(crawled):
    """Its robots.txt, and its indexes; an index of another host names sitemaps of that host, and of hosts in scope."""
    _, done, requested = crawled
    assert names(done) == EXPECTED
    fetched = {name for name, (state, *_) in EXPECTED.items() if state != "refused"} | {"cdn.test/soft-404.xml"}
    assert requested == fetched | {f"{host}/robots.txt" for host in ("a.test", "cdn.test", "third.test")}
    assert verified(done.directory) == ""


def test_a_page_that_is_called_a_sitemap_on_another_host_is_not_read(crawled):
    _, done, _ = crawled
    rows = done.query(
        "SELECT parser, parse_error, links FROM page JOIN url ON id = page.url WHERE url.url LIKE '%soft-404%'"
    )
    assert rows == [("", "no sitemap and no feed", 0)]


def test_the_rules_of_today_agree(crawled):
    web, done, _ = crawled
    told = run("why", done.directory, web.url("cdn.test", "/own.xml")).stdout
    assert "named as a sitemap by the robots.txt of a.test" in told and "today" not in told, told
    told = run("why", done.directory, web.url("third.test", "/of-a.xml")).stdout
    assert "listed in the sitemap index" in told and "today" not in told, told
    told = run("why", done.directory, "--as-if", "scope.max_redirects=10").stdout
    count = sum(state in ("fetched", "moved") for state, *_ in EXPECTED.values())
    assert f"{count} URLs were fetched; {count} of them would still be fetched." in told, told


def test_lists_of_pages_have_no_sitemap(crawled):
    _, done, _ = crawled
    told = run("export", done.directory, "--format", "sitemap").stdout
    assert "/one" in told and "cdn.test" not in told and "third.test" not in told


@pytest.mark.slow
def test_again_after_a_resume_and_a_recrawl(tmp_path):
    with Web(SITE) as web:
        begin = crawl(
            web, web.url("a.test", "/"), tmp_path / "c", *QUICK, "--exclude", "path:/excluded/", "--max-pages", 2
        )
        assert begin.status == 3
        done = run("resume", begin.directory, "--max-pages", 0, "--progress", "none")
        assert done.returncode == 0, done.stderr
        assert names(begin) == EXPECTED and verified(begin.directory) == ""
        before = len(web.log())
        time.sleep(1)  # the interval
        policy = ("--set", "revisit.policy=fixed", "--set", "revisit.interval=1")
        done = run("recrawl", begin.directory, "--once", "--progress", "none", *policy)
        assert done.returncode == 0, done.stderr
        again = {f"{hit.host.partition(':')[0]}{hit.path}" for hit in web.log()[before:]}
    assert {"cdn.test/own.xml", "third.test/of-a.xml", "a.test/one"} <= again
    assert "cdn.test/page" not in again and "third.test/of-cdn.xml" not in again
    assert verified(begin.directory) == ""


@pytest.mark.parametrize("scope", [("domain",), ("list", "--set", "scope.domains=a.test b.test")])
def test_several_sites_name_the_same(tmp_path, scope):
    pages = {
        **{(host, "/"): Answer(body=page()) for host in ("a.test", "b.test")},
        **{(host, "/robots.txt"): robots(f"Sitemap: {at('cdn.test', '/m.txt')}") for host in ("a.test", "b.test")},
        ("cdn.test", "/m.txt"): Answer(
            body=f"{at('a.test', '/one')}\n{at('b.test', '/two')}\n{at('c.test', '/no')}\n".encode()
        ),
        ("a.test", "/one"): Answer(body=page()),
        ("b.test", "/two"): Answer(body=page()),
    }
    with Web(pages) as web:
        seeds = [web.url("a.test", "/"), web.url("b.test", "/")]
        done = crawl(web, seeds, tmp_path / "c", *QUICK, "--scope", *scope)
        hits = [f"{hit.host}{hit.path}" for hit in web.log()]
    assert hits.count("cdn.test/m.txt") == 1 and {"a.test/one", "b.test/two"} <= {*hits}
    assert names(done)["c.test/no"][:2] == ("refused", f"scope: {scope[0]}")
    assert verified(tmp_path / "c") == ""


def sitemap_of(number, form):
    url = f"http://a.test:@PORT@/{form}-{number}"
    return {
        "xml": urlset(url),
        "text": f"{url}\n".encode(),
        "rss": f"<rss><channel><item><link>{url}</link></item></channel></rss>".encode(),
        "atom": f'<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="{url}"/></entry></feed>'.encode(),
        "index": index(f"http://a.test:@PORT@/xml-{number}.map"),
    }[form]


TYPES = (
    *("", "text/html", "text/html; charset=utf-8", "text/plain", "text/css", "application/octet-stream", "image/png"),
    *("application/json", "application/x-gzip-compressed", "application/pdf", "video/mp4", "application/javascript"),
)
CODED = {
    "plain": (lambda body: body, ""),
    "gz": (gzip.compress, ""),
    "gz coded": (gzip.compress, "gzip"),
    "gz twice": (lambda body: gzip.compress(gzip.compress(body)), ""),
    "gz, coded too": (lambda body: gzip.compress(gzip.compress(body)), "gzip"),
    "deflate": (zlib.compress, "deflate"),
}


@pytest.mark.parametrize(
    "coding", ["gz", *(pytest.param(each, marks=pytest.mark.slow) for each in CODED if each != "gz")]
)
def test_a_sitemap_is_one_whatever_its_type(tmp_path, coding):
    """Where robots.txt or an index calls it one; none of them is a page."""
    pack, content_coding = CODED[coding]
    with Web({("a.test", "/"): Answer(body=page())}) as first:
        port = first.port
    maps = {}
    for number, kind in enumerate(TYPES):
        for form in ("xml", "text", "rss", "atom"):
            body = pack(sitemap_of(number, form).replace(b"@PORT@", str(port).encode()))
            headers = (("Content-Type", kind), *((("Content-Encoding", content_coding),) if content_coding else ()))
            maps["a.test", f"/{form}-{number}.map"] = Answer(body=body, headers=headers)
    named = [path for _, path in maps if not path.startswith("/xml")]
    pages = {
        ("a.test", "/"): Answer(body=page()),
        ("a.test", "/robots.txt"): robots(*(f"Sitemap: {path}" for path in named), "Sitemap: /index"),
        ("a.test", "/index"): Answer(body=index(*(at("a.test", path) for _, path in maps if path not in named))),
        **maps,
    }
    with Web(pages, port=port) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *QUICK, "--set", "duplicates.soft_404=0")
        requested = {hit.path for hit in web.log()}
    expected = {f"/{form}-{number}" for form in ("xml", "text", "rss", "atom") for number in range(len(TYPES))}
    assert expected - requested == set()
    pages = done.query("SELECT count(*) FROM page JOIN url ON id = page.url WHERE sitemap AND type LIKE '%html'")
    assert pages == [(0,)]


PAGE = b"<!DOCTYPE html><html><body><a href=/real>real</a><script>\nhttps://b.test/no\n</script></body></html>"


HTML = (PAGE, PAGE.replace(b"<!DOCTYPE html><html>", b""), b"Not found\n" + PAGE)


def test_a_page_that_is_called_a_sitemap_is_none(tmp_path):
    """Its links are those of a page, or none."""
    kinds = ("text/html", "application/xml", "text/plain", "application/octet-stream", "")
    answers = [Answer(body=body, headers=(("Content-Type", kind),)) for kind in kinds for body in HTML]
    pages = {
        ("a.test", "/"): Answer(body=page()),
        ("a.test", "/robots.txt"): robots(*(f"Sitemap: /{number}.xml" for number in range(len(answers)))),
        **{("a.test", f"/{number}.xml"): answer for number, answer in enumerate(answers)},
    }
    with Web(pages) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *QUICK, "--set", "duplicates.soft_404=0")
    assert {each for each in names(done) if not each.endswith(".xml")} == {"a.test/", "a.test/real"}
