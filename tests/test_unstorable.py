"""What cannot be kept fails its URL: the crawl ends as if that page had failed anyhow, and can be resumed."""

import io
import json
import sqlite3
import subprocess
import zipfile
from contextlib import closing

import pytest

from tests.support.crawls.crawling import command, crawl, verified
from tests.support.web.site import Answer, Web, page
from ttcrawl.cli import main

OPTIONS = ("--set", "politeness.delay=0", "--set", "store.commit_pages=5")
#: Halves of characters, alone and in the wrong order; NUL; numbers that no column has.
ODD = '"x\\ud83dy \\ude00\\ud83d \\u0000"'
DIGITS = "9" * 30


def jsonld(text):
    return page(content=f'<script type="application/ld+json">{text}</script>')


def docx(pages):
    files = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
        "docProps/app.xml": f"<Properties><Pages>{pages}</Pages></Properties>",
        "word/document.xml": "<document><body><p><r><t>On lime trees, and on others</t></r></p></body></document>",
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return packed.getvalue()


def of_type(mime, body, *headers):
    return Answer(headers=(("Content-Type", mime), *headers), body=body if isinstance(body, bytes) else body.encode())


WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
PAGES = {
    "/author": Answer(body=jsonld(f'{{"@type": "Article", "author": {{"name": {ODD}}}, "headline": {ODD}}}')),
    "/dates": Answer(body=jsonld(f'{{"datePublished": {DIGITS}, "dateModified": {ODD}, "author": {DIGITS}}}')),
    "/type": Answer(body=jsonld(f'{{"@type": {ODD}, "keywords": [{ODD}, {DIGITS}, 1e999, null, {{}}]}}')),
    "/entities": Answer(body=page(title="&#xd83d; &#0; &#x110000;", content="<h1>&#xd83d;</h1><p lang=&#xd83d;>x")),
    "/og": Answer(body=page(content=f"<meta property=og:title content='&#xd83d;'><meta name=author content={DIGITS}>")),
    "/links": Answer(body=page(content="<a href='/&#xd83d;?\ud83d'>&#xd83d;</a>".replace("\ud83d", "%ED%A0%BD"))),
    "/pages.docx": of_type(WORD, docx(DIGITS)),
    "/minus.docx": of_type(WORD, docx(f"-{DIGITS}")),
    "/feed.json": of_type(
        "application/feed+json",
        f'{{"version": "https://jsonfeed.org/version/1.1", "title": {ODD}, "items": [{{"id": 1}}]}}',
    ),
    "/feed.xml": of_type(
        "application/rss+xml", f"<rss><channel><title>&#xd83d;</title><ttl>{DIGITS}</ttl></channel></rss>"
    ),
    "/image.svg": of_type(
        "image/svg+xml", f"<svg xmlns='http://www.w3.org/2000/svg' width='{DIGITS}' height='1e999'/>"
    ),
    "/image.gif": of_type("image/gif", b"GIF89a\xff\xff\xff\xff\0\0\0"),
    "/headers": of_type(
        "text/html; charset=\xed\xa0\xbd",
        page(),
        ("ETag", f'"{DIGITS}\xed\xa0\xbd"'),
        ("Last-Modified", DIGITS),
        ("Set-Cookie", f"a=\xed\xa0\xbd; Max-Age={DIGITS}"),
        ("Set-Cookie", f"b=c; Expires=Fri, 31 Dec {DIGITS} 00:00:00"),
        ("Content-Disposition", "attachment; filename*=utf-8''%ED%A0%BD%00"),
        ("Content-Language", "\xed\xa0\xbd"),
    ),
    "/retry": Answer(status=404, headers=(("Retry-After", DIGITS),), body=page()),
    "/moved": Answer(status=302, headers=(("Location", "/\xed\xa0\xbd?%ED%A0%BD#\xff"),)),
    "/utf16": of_type("text/html; charset=utf-16le", "<title>x\ud83dy</title>".encode("utf-16-le", "surrogatepass")),
}
ROBOTS = of_type(
    "text/plain",
    "User-agent: *\nCrawl-delay: -1e999\nDisallow: /\ud83d\nSitemap: /site\0map.xml\n".encode("utf-8", "surrogatepass"),
)
SITEMAP = of_type(
    "text/xml",
    "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>http://a.test:@PORT@/in</loc>"
    f"<priority>{DIGITS}</priority><lastmod>{DIGITS}</lastmod></url><url><loc>&#xd83d;</loc><priority>nan</priority></url></urlset>",
)


def test_whatever_pages_say_all_of_them_are_kept(tmp_path):
    web = {("a.test", path): answer for path, answer in PAGES.items()} | {
        ("a.test", "/"): Answer(body=page(*PAGES)),
        ("a.test", "/robots.txt"): ROBOTS,
        ("a.test", "/sitemap.xml"): SITEMAP,
    }
    with Web(web) as site:
        done = crawl(site, site.url("a.test", "/"), tmp_path / "c", *OPTIONS, "--files", "--set", "fetch.cookies=kept")
    assert (done.status, "cannot be kept" in done.err) == (0, False), done.err
    settled = {path: state for path in PAGES for url, state in done.states().items() if url.endswith(path)}
    assert settled.keys() == PAGES.keys()
    assert all(state in ("fetched", "moved") for state, _ in settled.values()), settled
    assert verified(tmp_path / "c") == ""
    for said in done.query("SELECT author, headings, open_graph FROM metadata"):
        "".join(said).encode()


#: Something that the tables do not take, as a trigger -> the page that fails.
TRIGGERS = {
    "page": ("INSERT ON page WHEN NEW.title = 'bad'", "bad"),
    "record": ("INSERT ON metadata WHEN NEW.description = 'bad'", "bad"),
    "links": ("INSERT ON outlinks WHEN NEW.source = (SELECT id FROM url WHERE url LIKE '%/bad')", "bad"),
    "fingerprint": ("INSERT ON fingerprint WHEN NEW.url = (SELECT id FROM url WHERE url LIKE '%/bad')", "bad"),
    "a URL on it": ("INSERT ON url WHEN NEW.url LIKE '%/on-bad'", "bad"),
    "a redirect": ("INSERT ON page WHEN NEW.location != ''", "moved"),
    "a copy": ("INSERT ON page WHEN NEW.payload NOT NULL", "same-"),
}
SITE = {
    f"/{n}": Answer(body=page(f"/{n + 1}", title=f"page {n}", content=f"<p>{n} and {n * n}")) for n in range(20)
} | {
    "/": Answer(body=page("/0", "/5", "/bad", "/10", "/moved", "/same-1", "/same-2", "/15", title="seed")),
    "/bad": Answer(body=page("/on-bad", title="bad", content="<meta name=description content=bad>")),
    "/on-bad": Answer(body=page("/", title="on bad")),
    "/moved": Answer(status=302, headers=(("Location", "/there"),)),
    "/there": Answer(body=page(title="there")),
    "/same-1": Answer(body=page("/5", title="same")),
    "/same-2": Answer(body=page("/5", title="same")),
}


@pytest.fixture(scope="module")
def web():
    with Web({("a.test", path): answer for path, answer in SITE.items()}) as web:
        yield web


def sql(directory, query):
    with closing(sqlite3.connect(directory / "crawl.db")) as db, db:
        return db.execute(query).fetchall()


@pytest.mark.parametrize(
    "what",
    [each if each == "page" else pytest.param(each, marks=pytest.mark.slow) for each in TRIGGERS],
)
@pytest.mark.parametrize("mode", [(), pytest.param(("--inline",), marks=pytest.mark.slow)], ids=["ring", "inline"])
def test_a_row_that_is_refused_fails_its_url_and_no_other(web, tmp_path, what, mode):
    trigger, bad = TRIGGERS[what]
    begun = crawl(web, web.url("a.test", "/"), tmp_path / "c", *OPTIONS, "--max-pages", "1", *mode)
    assert begun.status == 3
    sql(tmp_path / "c", f"CREATE TRIGGER refuses BEFORE {trigger} BEGIN SELECT RAISE(ABORT, 'no'); END")
    resume = command("resume", tmp_path / "c", "--progress", "none", "--max-pages", "0", *mode)
    done = subprocess.run(resume, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr
    sql(tmp_path / "c", "DROP TRIGGER refuses")
    assert verified(tmp_path / "c") == ""
    failed = sql(tmp_path / "c", "SELECT url, reason FROM url WHERE state != 'fetched' AND reason NOT LIKE 'http %'")
    assert len(failed) == 1 and bad in failed[0][0] and failed[0][1] == "store: IntegrityError"
    missing = {"on-bad"} if bad == "bad" else {"there"} if bad == "moved" else set()
    fetched = {url.rpartition("/")[2] for (url,) in sql(tmp_path / "c", "SELECT url FROM url WHERE state = 'fetched'")}
    assert fetched == {path[1:] for path in SITE} - missing - {"moved", failed[0][0].rpartition("/")[2]} | {"20"}
    assert main(["why", str(tmp_path / "c"), failed[0][0]]) == 0


@pytest.mark.slow
def test_why_says_so(web, tmp_path, capsys):
    trigger, _ = TRIGGERS["page"]
    crawl(web, web.url("a.test", "/"), tmp_path / "c", *OPTIONS, "--max-pages", "1")
    sql(tmp_path / "c", f"CREATE TRIGGER refuses BEFORE {trigger} BEGIN SELECT RAISE(ABORT, 'no'); END")
    assert main(["resume", str(tmp_path / "c"), "--progress", "json", "--max-pages", "0"]) == 0
    assert main(["why", str(tmp_path / "c"), web.url("a.test", "/bad"), "--format", "json"]) == 0
    told = capsys.readouterr()
    assert "Its data could not be stored in the tables (IntegrityError)." in json.dumps(told.out)
    assert f"what came of {web.url('a.test', '/bad')} cannot be kept (IntegrityError)" in told.err
