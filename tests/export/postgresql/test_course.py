"""Schema crawldb: the queries of the manual give the figures of `ttcrawl report`, and pages have the right types."""

import json
import re
from dataclasses import replace
from urllib.parse import urlsplit

import pytest
from xxhash import xxh3_128_hexdigest

from tests.export.postgresql.copies import page_links
from tests.export.postgresql.queries import QUERIES
from tests.support.crawls.crawling import crawl
from tests.support.crawls.postgresql import Postgresql
from tests.support.crawls.preforked import run as forked
from tests.support.web.site import Answer, Web
from ttcrawl.cli import main
from ttcrawl.export.postgresql.crawldb import LARGEST_FILE

#: Page types of URLs with a body.
WITH_BODIES = ("HTML", "BINARY", "DUPLICATE")

WORDS = b" ".join(b"word%d" % n for n in range(80))
PDF, PNG = b"%PDF-1.4 x", b"\x89PNG\r\n\x1a\n" + bytes(20)


def html(body):
    return Answer(body=b"<html lang=en><title>T</title><p>" + body)


PAGES = {
    ("a.test", "/"): html(
        b"<a href=/1>1</a><a href=/2>2</a><a href=/copy>c</a><a href=/near>n</a><a href=/f.pdf>f</a>"
        b"<a href=/g.pdf>g</a>"
        b"<a href=/gone>g</a><a href=/old>o</a><a href=/secret>s</a><a href=/d.doc>d</a><a href=/cut>cut</a>"
        b'<a href="//never.test:PORT/">x</a><a href="//b.test:PORT/">b</a><a href="//nowhere.test:PORT/">n</a>'
        b"<img src=/i.png><img src=/i.png><img src=/j.png?x=1>" + WORDS
    ),
    ("a.test", "/1"): html(b"<img src=/i.png>one " + WORDS + b" a b c"),
    ("a.test", "/2"): html(b"two " + WORDS[::-1]),
    ("a.test", "/copy"): html(b"two " + WORDS[::-1]),
    ("a.test", "/near"): html(b"<b>two</b> " + WORDS[::-1]),
    ("a.test", "/gone"): Answer(status=404, body=b"<title>gone</title><img src=/k.png>"),
    ("a.test", "/old"): Answer(status=301, headers=(("Location", "/1"),)),
    ("a.test", "/secret"): html(b"secret"),
    ("a.test", "/robots.txt"): Answer(body=b"User-agent: *\nDisallow: /secret\nSitemap: http://a.test:PORT/map.xml\n"),
    ("a.test", "/map.xml"): Answer(
        headers=(("Content-Type", "application/xml"),),
        body=b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://a.test:PORT/2</loc></url></urlset>',
    ),
    ("a.test", "/f.pdf"): Answer(headers=(("Content-Type", "application/pdf"),), body=PDF),
    ("a.test", "/g.pdf"): Answer(headers=(("Content-Type", "application/pdf"),), body=PDF),
    ("a.test", "/d.doc"): Answer(headers=(("Content-Type", "application/msword"),), body=b"\xd0\xcf\x11\xe0doc"),
    ("b.test", "/"): html(b"\xff caf\xc3\xa9 " + WORDS + b" of b"),
}


def with_port(pages, port):
    return {key: replace(each, body=each.body.replace(b"PORT", b"%d" % port)) for key, each in pages.items()}


@pytest.fixture(scope="module", params=["done", "stopped"])
def crawled(request, running_server: Postgresql, tmp_path_factory):
    """A crawl, its copy, and its report."""
    directory = tmp_path_factory.mktemp("course") / "c"
    more = ("--max-pages", "3") if request.param == "stopped" else ()
    with Web({}) as web:
        port = web.port
    with Web(with_port(PAGES, port), port=port) as web:
        options = ("--no-obey-delay", "--scope", "any", "--set", "scope.rules=exclude host:never.test")
        options += ("--set", "sitemaps.use=robots", "--set", "fetch.retries=0")
        done = crawl(web, web.url("a.test", "/"), directory, *options, *more)
    assert done.status in (0, 3), done.err
    running_server.clear()
    assert main(["mirror", str(directory), running_server.url]) == 0
    return running_server, directory, request.param


@pytest.fixture
def report(crawled, capsys):
    assert main(["report", str(crawled[1]), "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def codes(binary):
    """The binary files of the report by type, by the codes of the course."""
    return {{"PDF": "PDF", "Word (doc)": "DOC"}[name]: count for name, count in binary.items()}


def of_page(query, url):
    return query.strip().rstrip(";").replace("http://example.org/", url)


@pytest.mark.slow
def test_the_queries_of_the_manual_give_the_figures_of_the_report(crawled, report):
    server, directory, how = crawled
    home, *_ = report["seeds"]
    answers = {name: server.query(of_page(query, home)) for name, query in QUERIES.items()}
    one = {name: rows[0][0] for name, rows in answers.items() if len(rows) == 1 and len(rows[0]) == 1}
    everywhere, statuses = report["sites"]["all"], {int(each): n for each, n in report["statuses"].items()}
    expected = {
        "sites": everywhere["sites"],
        "pages": everywhere["pages"],
        "html": everywhere["html"],
        "duplicates": everywhere["html_duplicates"],
        "images": everywhere["images_linked"],
        "images_mean": pytest.approx(everywhere["images_mean"]),
        "images_shown_mean": pytest.approx(everywhere["images_shown_mean"]),
        "queue": report["queued"],
        "links": len(page_links(directory)),
        "known_sites": len({urlsplit(url).hostname for (url,) in server.query("SELECT url FROM crawldb.page")}),
    }
    assert one == expected
    assert dict(answers["binary"]) == codes(everywhere["binary"])
    assert dict(answers["errors"]) == {status: count for status, count in statuses.items() if status >= 400}
    assert answers["hosts"] == [(each["host"], each["pages"]) for each in report["course"]["hosts"] if each["pages"]]
    types = dict(answers["types"])
    assert types.get("DISALLOWED", 0) == everywhere["disallowed"]
    assert types.get("REDIRECT", 0) == report["moved"]
    assert dict(answers["states"]).get("moved", 0) == report["moved"]
    assert {status: count for status, count in answers["statuses"] if not 300 <= status < 400} == statuses
    assert len(answers["outlinks"]) == sum(source == 1 for source, _ in page_links(directory))
    assert len(QUERIES) == 21 and (how == "stopped" or min(one["duplicates"], one["images"], len(types)) > 1)


@pytest.mark.parametrize("crawled", ["done"], indirect=True)
def test_every_url_has_its_type_and_content(crawled):
    server, _, _ = crawled
    rows = server.query("SELECT url, page_type_code, data_type_code, html_content, http_status_code FROM crawldb.page")
    pages = {re.sub(r":\d+", "", url): values for url, *values in rows}
    types = {url.removeprefix("http://"): type for url, (type, *_) in pages.items()}
    assert types == {
        **{"a.test/": "HTML", "a.test/1": "HTML", "a.test/2": "HTML", "a.test/copy": "DUPLICATE"},
        **{"a.test/near": "DUPLICATE", "a.test/gone": "HTML", "a.test/old": "REDIRECT", "a.test/secret": "DISALLOWED"},
        **{"a.test/f.pdf": "BINARY", "a.test/g.pdf": "BINARY", "a.test/d.doc": "BINARY", "a.test/map.xml": "BINARY"},
        **{"a.test/cut": "HTML", "b.test/": "HTML", "nowhere.test/": "DOMAIN_ERROR"},
    }
    assert pages["http://b.test/"][2] == PAGES["b.test", "/"].body.decode("utf-8", "replace")
    assert pages["http://a.test/copy"] == ["DUPLICATE", None, None, 200]
    assert pages["http://a.test/map.xml"] == ["BINARY", "XML", None, 200]
    ((robots, sitemap),) = server.query("SELECT robots_content, sitemap_content FROM crawldb.site WHERE domain ~ '^a'")
    assert "Disallow: /secret" in robots and sitemap.startswith("<urlset")


@pytest.mark.parametrize("crawled", ["done"], indirect=True)
def test_every_row_with_a_body_has_the_hash_of_its_bytes(crawled):
    server, _, _ = crawled
    rows = server.query("SELECT url, page_type_code, html_content_hash FROM crawldb.page")
    hashes = {re.sub(r"http://|:\d+", "", url): digest for url, code, digest in rows if code in WITH_BODIES}
    port = urlsplit(rows[0][0]).port
    bodies = {f"{host}{path}": page.body for (host, path), page in with_port(PAGES, port).items()}
    expected = {url: xxh3_128_hexdigest(bodies[url]) for url in hashes if url in bodies}
    assert {url: digest for url, digest in hashes.items() if url in bodies} == expected and len(expected) == 11
    assert [code for _, code, digest in rows if code not in WITH_BODIES and digest] == []


@pytest.mark.slow
def test_a_body_without_a_byte_has_no_hash_and_files_are_no_duplicates(server, tmp_path):
    files = {"/a.png": PNG, "/b.png": PNG, "/a.pdf": PDF, "/b.pdf": PDF, "/a.txt": WORDS, "/b.txt": WORDS}
    types = {"png": "image/png", "pdf": "application/pdf", "txt": "text/plain"}
    pages = {
        ("a.test", "/"): html(b"".join(b"<a href=%s>f</a>" % path.encode() for path in (*files, "/e.html", "/f.html"))),
        ("a.test", "/e.html"): Answer(),
        ("a.test", "/f.html"): Answer(),
        **{
            ("a.test", path): Answer(headers=(("Content-Type", types[path[3:]]),), body=body)
            for path, body in files.items()
        },
    }
    with Web(pages) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--files")
    assert done.status == 0, done.err
    assert main(["mirror", str(tmp_path / "c"), server.url]) == 0
    rows = server.query("SELECT url, page_type_code, html_content_hash FROM crawldb.page")
    of = {re.sub(r"http://a.test:\d+", "", url): values for url, *values in rows}
    assert {url: code for url, (code, _) in of.items() if url in files} == dict.fromkeys(files, "BINARY")
    assert {url: digest for url, (_, digest) in of.items() if url in files} == {
        url: xxh3_128_hexdigest(body) for url, body in files.items()
    }
    assert of["/e.html"][1] is None and of["/f.html"][1] is None
    duplicates = "SELECT count(*) FROM crawldb.page WHERE page_type_code = 'DUPLICATE'"
    assert server.query(duplicates) == [(0,)] and server.query("SELECT count(*) FROM ttcrawl.duplicate") == [(3,)]
    # a file does not link to the file that has the same bytes
    assert server.query("SELECT count(*) FROM crawldb.link WHERE from_page != 1") == [(0,)]
    types = dict(server.query("SELECT data_type_code, count(*) FROM crawldb.page_data GROUP BY 1"))
    assert types == {"PNG": 2, "PDF": 2}


@pytest.mark.slow
def test_files_that_are_not_downloaded_are_binary(server, tmp_path):
    """Those whose type or length the server stated; pages that are too large are not."""
    paths = ("/a.pdf", "/b", "/large.pdf", "/large.txt", "/large.html", "/chunks.pdf", "/i.png", "/page")
    pages = {
        ("a.test", "/"): html(b"".join(b"<a href=%s>f</a>" % path.encode() for path in paths) + b"<img src=/i.png>"),
        ("a.test", "/a.pdf"): Answer(headers=(("Content-Type", "application/pdf"),), body=PDF * 100),
        ("a.test", "/b"): Answer(headers=(("Content-Type", "application/msword"),), body=PDF * 10),
        ("a.test", "/large.pdf"): Answer(headers=(("Content-Type", "application/pdf"),), body=PDF * 1000),
        ("a.test", "/large.txt"): Answer(headers=(("Content-Type", "text/plain"),), body=PDF * 1000),
        ("a.test", "/large.html"): Answer(headers=(("Content-Type", "text/html"),), body=PDF * 1000),
        ("a.test", "/chunks.pdf"): Answer(
            headers=(("Content-Type", "application/pdf"), ("Transfer-Encoding", "chunked")), body=b"1\r\nx\r\n0\r\n\r\n"
        ),
        ("a.test", "/i.png"): Answer(headers=(("Content-Type", "image/png"),), body=PNG),
        ("a.test", "/page"): html(b"page " + WORDS),
    }
    keys = ("--set", "fetch.max_body=2k", "--set", "scope.extensions=", "--set", "duplicates.exact=no")
    with Web(pages) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--no-files", *keys)
    assert done.status == 0, done.err
    assert main(["mirror", str(tmp_path / "c"), server.url]) == 0
    query = (
        "SELECT url, page_type_code, page_data.data_type_code, page_data.data_size, page_data.data, downloaded,"
        " http_status_code, html_content_hash IS NULL"
        " FROM crawldb.page LEFT JOIN crawldb.page_data ON page.id = page_id"
    )
    found = {re.sub(r"http://a.test:\d+", "", url): tuple(values) for url, *values in server.query(query)}
    page = ("HTML", None, None, None, True, 200, False)
    of_file = {"/a.pdf": ("PDF", 1000), "/b": ("DOC", 100), "/large.pdf": ("PDF", 10_000), "/chunks.pdf": ("PDF", None)}
    of_file |= {"/i.png": ("PNG", len(PNG)), "/large.txt": (None, None)}
    files = {path: ("BINARY", *values, None, False, 200, True) for path, values in of_file.items()}
    assert found == {"/": page, "/page": page, **files}
    everywhere = json.loads(forked("report", tmp_path / "c", "--format", "json").stdout)["sites"]["all"]
    counts = dict(server.query(QUERIES["binary"]))
    assert counts == {"PDF": 3, "DOC": 1, "PNG": 1}
    assert everywhere["binary"] == {"PDF": 3, "Word (doc)": 1, "image/png": 1} and everywhere["not_downloaded"] == 5
    assert server.query(QUERIES["pages"]) == [(everywhere["pages"],)] == [(2,)]
    assert server.query(QUERIES["sites"]) == [(everywhere["sites"],)]


@pytest.mark.slow
def test_failures_have_the_types_of_the_course(server, tmp_path):
    pages = {
        ("a.test", "/"): html(b"<a href=//b.test:PORT/>b</a><a href=//c.test:PORT/>c</a><a href=/1>1</a>" + WORDS),
        ("a.test", "/1"): html(b"one " + WORDS[::-1]),
        ("b.test", "/"): Answer(fate="stall"),
        ("c.test", "/"): Answer(fate="reset"),
    }
    with Web({}) as web:
        port = web.port
    with Web(with_port(pages, port), port=port) as web:
        options = ("--no-obey-delay", "--scope", "any", "--set", "fetch.retries=0", "--set", "fetch.read_timeout=2")
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *options)
    assert done.status == 0, done.err
    assert main(["mirror", str(tmp_path / "c"), server.url]) == 0
    rows = server.query("SELECT url, page_type_code, http_status_code, html_content, lsh_hash FROM crawldb.page")
    of = {re.sub(r"http://|:\d+", "", url): values for url, *values in rows}
    assert of["b.test/"] == ["TIMEOUT", None, None, None] and of["c.test/"] == ["WEBDRIVER_ERROR", None, None, None]
    signatures = dict(done.query("SELECT url.url, signature FROM fingerprint JOIN url ON url.id = fingerprint.url"))
    hashes = {url: lsh_hash for url, *_, lsh_hash in rows if lsh_hash is not None}
    assert hashes == {url: signature.hex() for url, signature in signatures.items()} and len(hashes) == 2


@pytest.mark.slow
def test_saved_files_have_their_bytes(server, tmp_path):
    files = ("--files", "--set", "files.max_size=20000000", "--set", "fetch.max_body=20000000")
    large = Answer(headers=(("Content-Type", "application/pdf"),), body=PDF + bytes(LARGEST_FILE))
    pages = {
        ("a.test", "/"): html(b"<img src=/i.png><a href=/f.pdf>f</a><a href=/large.pdf>l</a>" + WORDS),
        ("a.test", "/i.png"): Answer(headers=(("Content-Type", "image/png"),), body=PNG),
        ("a.test", "/f.pdf"): PAGES["a.test", "/f.pdf"],
        ("a.test", "/large.pdf"): large,
    }
    query = "SELECT url, page_data.data FROM crawldb.page_data JOIN crawldb.page ON page.id = page_id"
    for options, expected in (files, {"/i.png": PNG, "/f.pdf": PDF}), ((), {}):
        directory = tmp_path / f"c{len(options)}"
        with Web(pages) as web:
            done = crawl(web, web.url("a.test", "/"), directory, "--no-obey-delay", *options)
        assert done.status == 0, done.err
        server.clear()
        assert main(["mirror", str(directory), server.url]) == 0
        found = {re.sub(r".*:\d+", "", url): bytes(data) for url, data in server.query(query) if data is not None}
        assert found == expected
        ((image,),) = server.query("SELECT data FROM crawldb.image")
        assert image == expected.get("/i.png")


LEADS = (
    ("page", "page.site_id", "site", "id"),
    ("page", "page.page_type_code", "page_type", "code"),
    ("page_data", "page_data.page_id", "page", "id"),
    ("page_data", "page_data.data_type_code", "data_type", "code"),
    ("image", "image.page_id", "page", "id"),
    ("link", "link.from_page", "page", "id"),
    ("link", "link.to_page", "page", "id"),
)


def test_the_rows_lead_to_each_other(crawled):
    server, _, _ = crawled
    for table, column, other, key in LEADS:
        missing = f"SELECT count(*) FROM crawldb.{table} LEFT JOIN crawldb.{other} AS other ON other.{key} = {column}"
        assert server.query(f"{missing} WHERE other.{key} IS NULL") == [(0,)], (table, other)
    for query in (
        "SELECT count(*) - count(DISTINCT (from_page, to_page)) FROM crawldb.link",
        "SELECT count(*) - count(DISTINCT id) FROM crawldb.image",
        "SELECT count(*) FROM crawldb.page WHERE page_type_code = 'DUPLICATE' AND id NOT IN"
        " (SELECT from_page FROM crawldb.link JOIN ttcrawl.duplicate ON (url, duplicate_of) = (from_page, to_page))",
    ):
        assert server.query(query) == [(0,)], query
    assert {name for (name,) in server.query("SELECT filename FROM crawldb.image")} == {"i.png", "j.png"}
