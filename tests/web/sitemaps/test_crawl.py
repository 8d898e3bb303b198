"""Sitemaps in a crawl: who is asked for, in which order, and what the tables say of it."""

import gzip
from datetime import UTC, datetime

import pytest

from tests.support.crawls.crawling import Crawled, crawl, verified
from tests.support.web.site import PORT, Answer, Web, at, moved, page, robots
from tests.web.sitemaps.answers import XML, index, xml
from ttcrawl.cli import main

QUICK = ("--set", "politeness.delay=0", "--set", "politeness.address_delay=0", "--inline")
ONE = (*QUICK, "--set", "crawl.threads=1")


def urlset(*entries, host="a.test"):
    """Entries are paths, or (path, more elements)."""
    pairs = [(entry, "") if isinstance(entry, str) else entry for entry in entries]
    urls = "".join(f"<url><loc>{at(host, path)}</loc>{more}</url>" for path, more in pairs)
    return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'.encode()


def asked(web, host="a.test"):
    return [hit.path for hit in web.log() if hit.host == host]


def names(done: Crawled, port):
    """path -> (state, reason, depth, sitemap)"""
    return {
        url.replace(f"http://a.test:{port}", ""): rest
        for url, *rest in done.query("SELECT url, state, reason, depth, sitemap FROM url")
    }


@pytest.mark.slow
def test_an_index_of_a_gzipped_one_and_a_text(tmp_path):
    pages = {("a.test", f"/{name}"): Answer(body=page()) for name in ("one", "two", "three", "four", "linked")}
    pages |= {
        ("a.test", "/"): Answer(body=page("/linked", "/one")),
        ("a.test", "/robots.txt"): robots("User-agent: *", "Disallow: /shut", f"Sitemap: {at('a.test', '/index.xml')}"),
        ("a.test", "/index.xml"): xml(
            index(*(at("a.test", p) for p in ("/m.xml.gz", "/m.txt", "/index.xml", "/shut.xml")))
        ),
        ("a.test", "/m.txt"): Answer(
            body=f"{at('a.test', '/three')}\r\n\n{at('a.test', '/four')}\nno URL\n{at('b.test', '/out')}\n".encode(),
            headers=(("Content-Type", "text/plain"),),
        ),
    }
    with Web(pages) as first:
        port = first.port
    # a gzipped body cannot have the port put in afterwards
    body = gzip.compress(urlset("/one", "/two").replace(PORT.encode(), str(port).encode()))
    pages["a.test", "/m.xml.gz"] = Answer(body=body, headers=(("Content-Type", "application/x-gzip"),))
    with Web(pages, port=port) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *QUICK[:-1])  # with its processes
        hits = asked(web)
    assert (done.status, verified(tmp_path / "c")) == (0, "")
    assert sorted(hits) == sorted(
        ["/robots.txt", "/", "/index.xml", "/m.xml.gz", "/m.txt", "/one", "/two", "/three", "/four", "/linked"]
    )
    found = names(done, port)
    assert found["/index.xml"] == ["fetched", "http 200", 0, 1]
    assert found["/m.xml.gz"] == ["fetched", "http 200", 0, 2]
    assert found["/shut.xml"] == ["refused", "robots.txt", 0, 2]
    assert [found[f"/{name}"][2] for name in ("one", "two", "three", "four", "linked")] == [1] * 5
    assert found[f"http://b.test:{port}/out"][:2] == ["refused", "scope: host"]
    kinds = done.query("SELECT url, kind, count(*) FROM link JOIN url ON url.id = source GROUP BY 1, 2 ORDER BY 1")
    assert [(url.rpartition("/")[2], kind, n) for url, kind, n in kinds] == [
        *(("", "a", 2), ("index.xml", "I", 3), ("m.txt", "M", 3), ("m.xml.gz", "M", 2)),
    ]


@pytest.mark.slow
def test_priority_and_then_the_date_decide_within_a_depth(tmp_path):
    today = datetime.now(UTC).date()
    entries = [
        ("/low", "<priority>0.1</priority>"),
        ("/old", "<lastmod>2004-01-01</lastmod>"),
        ("/plain", ""),
        ("/new", f"<lastmod>{today}</lastmod>"),
        ("/high-old", "<priority>1.0</priority><lastmod>2004-01-01</lastmod>"),
        ("/high-new", f"<lastmod>{today}T00:00:00Z</lastmod><priority>1.0</priority>"),
        ("/high-future", "<lastmod>2999-01-01</lastmod><priority>1.0</priority>"),  # as without a date
        ("/high-unset", "<lastmod>1970-01-01</lastmod><priority>1.0</priority>"),
        ("/wrong", "<priority>9</priority>"),
    ]
    pages = {("a.test", path): Answer(body=page("/deep")) for path, _ in entries} | {
        ("a.test", "/"): Answer(body=page("/link", "/low-but-linked")),
        ("a.test", "/deep"): Answer(body=page()),
        ("a.test", "/robots.txt"): robots(f"Sitemap: {at('a.test', '/map.xml')}"),
        ("a.test", "/map.xml"): xml(urlset(*entries, ("/low-but-linked", "<priority>0</priority>"))),
    }
    with Web(pages) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *ONE)
        hits = asked(web)
    assert (done.status, verified(tmp_path / "c")) == (0, "")
    high = ("/high-new", "/high-future", "/high-unset", "/high-old")
    order = ("/new", "/link", "/low-but-linked", "/plain", "/wrong", "/old", "/low", "/deep")
    assert hits == ["/robots.txt", "/", "/map.xml", *high, *order]


@pytest.mark.parametrize(("depth", "expected"), [(0, {"/"}), (1, {"/", "/m.xml", "/n.xml", "/one"}), (2, None)])
def test_max_depth(tmp_path, depth, expected):
    pages = {
        ("a.test", "/"): Answer(body=page()),
        ("a.test", "/robots.txt"): robots(f"Sitemap: {at('a.test', '/n.xml')}"),
        ("a.test", "/n.xml"): xml(index(at("a.test", "/m.xml"))),
        ("a.test", "/m.xml"): xml(urlset("/one")),
        ("a.test", "/one"): Answer(body=page("/two")),
    }
    with Web(pages) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *QUICK, "--max-depth", depth)
        hits = asked(web)
    assert verified(tmp_path / "c") == ""
    assert done.status == 0
    assert set(hits) - {"/robots.txt"} == (expected or {"/", "/m.xml", "/n.xml", "/one", "/two"})


@pytest.mark.slow
def test_use_no_and_yes(tmp_path):
    pages = {
        ("a.test", "/"): Answer(body=page()),
        ("b.test", "/"): Answer(body=page()),
        ("a.test", "/robots.txt"): robots(f"Sitemap: {at('a.test', '/map.xml')}"),
        ("a.test", "/map.xml"): xml(urlset("/one")),
        ("a.test", "/sitemap.xml"): xml(urlset("/three")),
        ("b.test", "/sitemap.xml"): xml(urlset("/two", host="b.test")),
    }
    asked_for = {}
    for use in ("no", "robots", "yes"):
        with Web(pages) as web:
            seeds = [web.url("a.test", "/"), web.url("b.test", "/")]
            crawl(web, seeds, tmp_path / use, *QUICK, "--set", f"sitemaps.use={use}")
            asked_for[use] = {(hit.host[0], hit.path) for hit in web.log()} - {
                (h, p) for h in "ab" for p in ("/", "/robots.txt")
            }
        assert verified(tmp_path / use) == ""
    assert asked_for == {
        "no": set(),
        "robots": {("a", "/map.xml"), ("a", "/one")},
        "yes": {("a", "/map.xml"), ("a", "/one"), ("b", "/sitemap.xml"), ("b", "/two")},
    }


@pytest.mark.slow
def test_the_extension_rule_does_not_hold_for_sitemaps_also_after_a_resume(tmp_path):
    pages = {
        ("a.test", "/"): Answer(body=page("/m.gz", "/other.gz")),
        ("a.test", "/robots.txt"): robots(f"Sitemap: {at('a.test', '/m.gz')}", f"Sitemap: {at('a.test', '/n.xml')}"),
        ("a.test", "/n.xml"): moved("/k.xml"),
        ("a.test", "/k.xml"): xml(urlset("/one", "/two.xml")),
        ("a.test", "/one"): Answer(body=page()),
    }
    rule = ("--set", "scope.extensions=gz xml")
    with Web(pages) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *ONE, *rule, "--max-pages", "1")
        assert done.status == 3
        assert main(["resume", str(tmp_path / "c"), "--set", "crawl.max_pages=0", "--progress", "none"]) == 0
        hits = asked(web)
        port = web.port
    assert verified(tmp_path / "c") == ""
    assert {"/m.gz", "/n.xml", "/k.xml", "/one"} <= set(hits)
    assert len(hits) == len(set(hits) - {"/robots.txt"}) + hits.count("/robots.txt")
    found = names(done, port)
    assert found["/other.gz"][:2] == found["/two.xml"][:2] == ["refused", "scope: extension"]
    assert (found["/k.xml"][2:], found["/n.xml"][2:]) == ([0, 2], [0, 1])


@pytest.mark.slow
def test_a_thousand_and_a_loop_without_end(tmp_path):
    """Every index names a new one: hops end it, as they end redirects."""
    chain = {
        ("a.test", f"/{n}.xml"): xml(index(at("a.test", f"/{n + 1}.xml"), at("a.test", "/0.xml"))) for n in range(20)
    }
    pages = {
        ("a.test", "/"): Answer(body=page()),
        ("a.test", "/robots.txt"): robots(
            *(f"Sitemap: {at('a.test', f'/map{n}.xml')}" for n in range(1000)), "Sitemap: /0.xml"
        ),
        **{("a.test", f"/map{n}.xml"): xml(urlset(f"/only-{n % 3}")) for n in range(1000)},
        **{("a.test", f"/only-{n}"): Answer(body=page()) for n in range(3)},
        **chain,
    }
    with Web(pages) as web:
        options = (*QUICK, "--set", "duplicates.soft_404=0")  # which the host has enough URLs for
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *options)
        hits = asked(web)
        port = web.port
    assert (done.status, verified(tmp_path / "c")) == (0, "")
    assert len(hits) == len(set(hits)) == 1 + 1 + 1000 + 3 + 11
    assert names(done, port)["/11.xml"] == ["refused", "redirects", 0, 2]


@pytest.mark.slow
def test_too_long_or_broken_the_beginning_counts(tmp_path):
    long = urlset(*(f"/{n}" for n in range(2000)))
    pages = {
        ("a.test", "/"): Answer(body=page()),
        ("a.test", "/robots.txt"): robots(
            "Sitemap: /long.xml", "Sitemap: /broken.xml", "Sitemap: /page.xml", "Sitemap: /many.xml"
        ),
        ("a.test", "/long.xml"): xml(long),
        ("a.test", "/broken.xml"): xml(urlset("/whole").replace(b"</urlset>", b"<url><loc>http://a.test/<half")),
        ("a.test", "/page.xml"): Answer(body=page("/by-page")),
        ("a.test", "/many.xml"): xml(urlset(*(f"/many-{n}" for n in range(30)))),
    }
    options = ("--set", "fetch.max_body=20000", "--set", "sitemaps.max_entries=1500", "--set", "traps.urls_per_page=10")
    with Web(pages) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *QUICK, *options)
        hits = set(asked(web))
        port = web.port
    assert (done.status, verified(tmp_path / "c")) == (0, "")
    assert {"/whole", "/by-page", "/many-29", "/0", "/100"} <= hits
    assert "/1999" not in hits
    found = dict(done.query("SELECT url.url, parse_error FROM page JOIN url ON url.id = page.url WHERE sitemap"))
    base = f"http://a.test:{port}"
    assert found[f"{base}/long.xml"].startswith("only the first 20,000 bytes are kept")
    assert found[f"{base}/broken.xml"].startswith("broken XML")
    assert found[f"{base}/page.xml"] == found[f"{base}/many.xml"] == ""


@pytest.mark.slow
def test_why_says_who_named_it(tmp_path, capsys):
    pages = {
        ("a.test", "/"): Answer(body=page("/feed.xml", "/shown")),
        ("a.test", "/robots.txt"): robots(f"Sitemap: {at('a.test', '/index.xml')}"),
        ("a.test", "/index.xml"): xml(index(at("a.test", "/m.xml"))),
        ("a.test", "/m.xml"): xml(urlset("/one")),
        ("a.test", "/feed.xml"): Answer(
            body=b"<rss><channel><title>News</title><item><title>Five  things</title><link>/five</link></item>",
            headers=(("Content-Type", "application/rss+xml"),),
        ),
    }
    with Web(pages) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *QUICK)
        url = web.url("a.test", "")
    assert done.status == 0
    told = {}
    for path in ("/index.xml", "/m.xml", "/one", "/five", "/shown"):
        assert main(["why", str(tmp_path / "c"), f"{url}{path}"]) == 0
        told[path] = capsys.readouterr().out
    assert ", named as a sitemap by the robots.txt of a.test:" in told["/index.xml"]
    assert f", listed in the sitemap index {url}/index.xml" in told["/m.xml"]
    assert f", listed in the sitemap {url}/m.xml" in told["/one"]
    assert f", in the feed {url}/feed.xml" in told["/five"]
    assert f", on {url}/\n" in told["/shown"]
    assert main(["why", str(tmp_path / "c"), "--as-if", "crawl.max_depth=5"]) == 0
    assert "0" in capsys.readouterr().out
    (anchors,) = done.query("SELECT anchor FROM link WHERE kind = 'e'")
    assert anchors == ("Five things",)
    (title,) = done.query("SELECT title FROM page WHERE parser = 'rss'")
    assert title == ("News",)


@pytest.mark.slow
def test_where_hosts_are_not_bounded_only_the_seeds_domains_count(tmp_path):
    """Else a sitemap of every host that is met would begin at the distance of a seed again, whatever max_depth."""
    pages = {
        ("a.test", "/"): Answer(body=page(at("b.test", "/"), at("www.a.test", "/"))),
        ("a.test", "/robots.txt"): robots(f"Sitemap: {at('b.test', '/of-a.xml')}"),
        ("b.test", "/of-a.xml"): xml(urlset("/listed", host="b.test")),
        ("b.test", "/robots.txt"): robots(f"Sitemap: {at('b.test', '/of-b.xml')}"),
        ("b.test", "/of-b.xml"): xml(urlset("/no", host="b.test")),
        ("www.a.test", "/robots.txt"): robots(f"Sitemap: {at('www.a.test', '/map.xml')}"),
        ("www.a.test", "/map.xml"): xml(urlset("/yes", host="www.a.test")),
    }
    with Web(pages) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *QUICK, "--scope", "any", "--max-depth", "2")
        hits = {(hit.host, hit.path) for hit in web.log()}
    assert (done.status, verified(tmp_path / "c")) == (0, "")
    assert {("b.test", "/of-a.xml"), ("b.test", "/listed"), ("www.a.test", "/yes")} <= hits
    assert not hits & {("b.test", "/of-b.xml"), ("b.test", "/no")}


@pytest.mark.slow
def test_what_is_wanted_of_pages_is_not_asked_of_sitemaps(tmp_path):
    """Neither their type, nor a HEAD first; and a page that says so of itself has its links followed by nobody."""
    shut = Answer(body=urlset("/shut"), headers=(*XML, ("X-Robots-Tag", "noindex, nofollow")))
    pages = {
        ("a.test", "/"): Answer(body=page()),
        ("a.test", "/robots.txt"): robots("Sitemap: /map.xml", "Sitemap: /shut.xml"),
        ("a.test", "/map.xml"): xml(urlset("/one", "/two.xml")),
        ("a.test", "/shut.xml"): shut,
        ("a.test", "/one"): Answer(body=page()),
        ("a.test", "/two.xml"): xml(urlset("/three")),
    }
    options = ("--set", "fetch.types=text/html", "--set", "fetch.head_first=yes")
    with Web(pages) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *QUICK, *options)
        hits = [(hit.method, hit.path) for hit in web.log()]
        port = web.port
    assert (done.status, verified(tmp_path / "c")) == (0, "")
    assert hits.count(("HEAD", "/map.xml")) == 0 and hits.count(("GET", "/map.xml")) == 1
    found = names(done, port)
    assert found["/two.xml"][:2] == ["refused", "type"]
    assert found["/shut"][:3] == ["refused", "nofollow", None]
    assert "/three" not in found


@pytest.mark.slow
def test_as_if_plays_sitemaps_again(tmp_path, capsys):
    """With the rules it had, nothing changes; with one that excludes a page, what only the sitemap lists stays."""
    pages = {
        ("a.test", "/"): Answer(body=page("/linked")),
        ("a.test", "/robots.txt"): robots("Sitemap: /index.gz"),
        ("a.test", "/index.gz"): xml(index(at("a.test", "/m.gz"))),
        ("a.test", "/m.gz"): xml(urlset("/one")),
        **{("a.test", path): Answer(body=page()) for path in ("/linked", "/one")},
    }
    with Web(pages) as web:
        crawl(web, web.url("a.test", "/"), tmp_path / "c", *QUICK, "--set", "scope.extensions=gz")
    said = {}
    for rule in ("crawl.max_depth=9", "exclude=*/linked", "exclude=*/index.gz"):
        assert main(["why", str(tmp_path / "c"), "--as-if", rule]) == 0
        said[rule] = capsys.readouterr().out
    assert "/one" not in said["crawl.max_depth=9"] + said["exclude=*/linked"]
    assert "/linked" in said["exclude=*/linked"] and "/m.gz" not in said["exclude=*/linked"]
    assert "/one" in said["exclude=*/index.gz"] and "/m.gz" in said["exclude=*/index.gz"]
    assert "/linked" not in said["exclude=*/index.gz"]


JSON = b'{"version": "https://jsonfeed.org/version/1.1", "title": "J", "items": [{"id": "1", "url": "/%s"}]}'
RSS = (
    b'<rss version="2.0"><channel><title>R</title><item><link>http://a.test:@PORT@/of-rss</link></item></channel></rss>'
)


def feeds():
    feed, plain = (("Content-Type", "application/feed+json"),), (("Content-Type", "application/json; charset=utf-8"),)
    return {
        ("a.test", "/"): Answer(body=page("/feed", "/json", "/data", "/rss")),
        ("a.test", "/robots.txt"): robots("Sitemap: /map.rss", "Sitemap: /map.json"),
        ("a.test", "/feed"): Answer(body=JSON % b"of-feed", headers=(*feed, ("Link", "</header>; rel=next"))),
        ("a.test", "/json"): Answer(body=b" " + JSON % b"of-json", headers=plain),
        ("a.test", "/data"): Answer(body=b'{"url": "/no"}', headers=plain),
        ("a.test", "/rss"): xml(RSS),
        ("a.test", "/map.rss"): xml(RSS.replace(b"of-rss", b"of-map")),
        ("a.test", "/map.json"): Answer(body=JSON % b"of-map-too", headers=feed),
    }


@pytest.mark.slow
@pytest.mark.parametrize("read", [True, False])
def test_feeds_of_every_form_are_read_or_files(tmp_path, read):
    options = () if read else ("--set", "sitemaps.feeds=no")
    with Web(feeds()) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *QUICK, *options)
        found = names(done, web.port)
    assert (done.status, verified(tmp_path / "c")) == (0, "")
    assert {"/of-map", "/of-map-too"} <= set(found)
    listed = {"/of-feed", "/of-json", "/of-rss"}
    assert listed & set(found) == (listed if read else set()) and "/no" not in found
    assert "/header" in found
    files = {
        url.rpartition("/")[2] for (url,) in done.query("SELECT url.url FROM document JOIN url ON id = document.url")
    }
    assert files == ({"data"} if read else {"data", "feed", "json", "rss"})
    assert done.query("SELECT count(*) FROM page WHERE parse_error != ''") == [(0,)]
