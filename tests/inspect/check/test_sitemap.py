"""`ttcrawl check SITEMAP`: exactly the pages that it lists, and all their links."""

import gzip
import json

import pytest

from tests.inspect.check.sick_site import fine, link
from tests.support.crawls.crawling import options_for
from tests.support.crawls.preforked import run
from tests.support.web.site import PORT, Answer, Web
from ttcrawl.cli.check_target import Target, target_named

SITE = "a.test"
URL = f"http://{SITE}:{PORT}"


def urlset(*paths):
    entries = "".join(f"<url><loc>{URL}{path}</loc></url>" for path in paths)
    return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'


def index(*paths):
    entries = "".join(f"<sitemap><loc>{URL}{path}</loc></sitemap>" for path in paths)
    return f'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</sitemapindex>'


PAGES = {
    (SITE, "/"): fine("front"),
    (SITE, "/one"): fine("one", link("/two") + link("/unlisted") + link("/gone")),
    (SITE, "/two"): fine("two", link("/one")),
    (SITE, "/unlisted"): fine("unlisted", link("/never")),
    (SITE, "/pages.xml"): Answer(
        body=urlset("/one", "/two", "/lost").encode(), headers=(("Content-Type", "application/xml"),)
    ),
    (SITE, "/index.xml"): Answer(body=index("/pages.xml").encode(), headers=(("Content-Type", "application/xml"),)),
}


def checked(web, target, where):
    options = (*options_for(web), "--no-obey-delay", "--progress", "none", "--only", "broken-link", "--format", "json")
    done = run("check", target, "-d", where, *options)
    return done, {hit.path for hit in web.log() if hit.method == "GET"}


def pairs(web, done):
    prefix = web.url(SITE, "")
    return {
        (each["url"].removeprefix(prefix), each["source"].removeprefix(prefix))
        for each in json.loads(done.stdout)["problems"]
    }


@pytest.mark.parametrize("path", ["/pages.xml", "/index.xml"])
def test_a_sitemap_on_the_site(tmp_path, path):
    with Web(PAGES) as web:
        done, requested = checked(web, web.url(SITE, path), tmp_path / "c")
    assert pairs(web, done) == {("/gone", "/one"), ("/lost", "/pages.xml")}, done.stderr
    assert done.returncode == 1 and json.loads(done.stdout)["pages"] == 2
    assert requested == {"/robots.txt", "/one", "/two", "/lost", "/gone", *{path, "/pages.xml"}}


LISTED = ("/one", "/two", "/lost")
IN_TEXT = "\n".join(f"{URL}{path}" for path in LISTED)


@pytest.mark.parametrize(
    ("path", "text", "pack"),
    [("/sitemap.txt", IN_TEXT, bytes), ("/sitemap.xml.gz", urlset(*LISTED), gzip.compress)],
)
def test_a_sitemap_in_text_or_gzip(tmp_path, path, text, pack):
    with Web(PAGES) as web:
        body = pack(text.replace(PORT, str(web.port)).encode())
        web.change(PAGES | {(SITE, path): Answer(body=body, headers=(("Content-Type", "application/octet-stream"),))})
        done, requested = checked(web, web.url(SITE, path), tmp_path / "c")
    assert done.stdout, done.stderr
    assert pairs(web, done) == {("/gone", "/one"), ("/lost", path)}
    assert requested == {"/robots.txt", "/one", "/two", "/lost", "/gone", path}


def test_what_is_no_sitemap_is_no_healthy_site(tmp_path):
    with Web({(SITE, "/sitemap.xml"): fine("a page", link("/one"))}) as web:
        done, _ = checked(web, web.url(SITE, "/sitemap.xml"), tmp_path / "c")
    assert done.returncode == 1 and "/sitemap.xml lists no pages: name a sitemap" in done.stderr


FORMS = {
    "sitemap.xml": lambda text: text.encode(),
    "sitemap.xml.gz": lambda text: gzip.compress(text.encode()),
    "urls.txt": lambda text: "\n".join(part.split("</loc>")[0] for part in text.split("<loc>")[1:]).encode(),
}


@pytest.mark.parametrize("name", FORMS)
def test_a_sitemap_in_a_file(tmp_path, name):
    with Web(PAGES) as web:
        (tmp_path / name).write_bytes(FORMS[name](urlset("/one", "/two", "/lost").replace(PORT, str(web.port))))
        done, requested = checked(web, tmp_path / name, tmp_path / "c")
    assert pairs(web, done) == {("/gone", "/one"), ("/lost", "")}, done.stderr
    assert requested == {"/robots.txt", "/one", "/two", "/lost", "/gone"}


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("https://a.test/sitemap.xml", Target.SITEMAP),
        ("https://a.test/x/sitemap_index.xml?x", Target.SITEMAP),
        ("http://a.test/llms.txt", Target.SEEDS),
        ("http://a.test/sitemap.xml/", Target.SEEDS),
        ("http://sitemap.xml", Target.SEEDS),
        ("http://a.test/", Target.SEEDS),
        ("a.test", Target.SEEDS),
        (f"http://a.test/{'x' * 300}", Target.SEEDS),  # no file can have such a name
        (f"http://a.test/sitemap.xml?{'x' * 300}", Target.SITEMAP),
    ],
)
def test_what_is_a_sitemap(tmp_path, text, target, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert target_named(text) is target
