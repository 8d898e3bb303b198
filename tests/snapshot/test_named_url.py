"""URLs of a crawl as people write them: completely, without the scheme, the path, or its end."""

import sqlite3
from contextlib import closing

import pytest

from tests.support.crawls.crawl_db import crawl_of
from tests.support.crawls.preforked import run
from ttcrawl.config import example
from ttcrawl.errors import UsageError
from ttcrawl.snapshot.named_url import complete, named_url, similar
from ttcrawl.snapshot.snapshot import view
from ttcrawl.web.url import canonical

#: a.test has moved from http to https; b.test is served by both, and its page / too; c.test was only linked to.
LINKS = {
    "http://a.test/": ["https://a.test/"],
    "https://a.test/": ["https://a.test/x", "https://a.test/only?q=1", "https://a.test/dir/", "http://c.test/away"],
    "https://a.test/x": [],
    "https://a.test/only?q=1": [],
    "https://a.test/dir/": [],
    "http://b.test/": [],
    "https://b.test/": [],
    "http://b.test/x": [],
    "http://127.0.0.1:81/p": [],
    "http://intranet/p": [],
    "http://d.test/a/p.html": [],
}
STATES = {"http://a.test/": "moved", "http://c.test/away": "refused"}


def crawled(directory, links=LINKS, states=STATES):
    crawl_of(directory, links, states=states)
    (directory / "config.ini").write_text(example())
    with closing(sqlite3.connect(directory / "crawl.db")) as db, db:
        db.execute("UPDATE site SET requested = 1 WHERE host != 'c.test'")
    return directory


@pytest.fixture(scope="module")
def crawl(tmp_path_factory):
    with view(crawled(tmp_path_factory.mktemp("c") / "c")) as db:
        yield db


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("http://a.test/", "http://a.test/"),
        ("HTTPS://A.test/x#y", "https://a.test/x"),
        ("a.test", "https://a.test/"),
        ("a.test/", "https://a.test/"),
        ("//a.test/x", "https://a.test/x"),
        ("  A.TEST/x  ", "https://a.test/x"),
        ("b.test/x", "http://b.test/x"),
        ("c.test/away", "http://c.test/away"),
        ("127.0.0.1:81/p", "http://127.0.0.1:81/p"),
        ("intranet/p", "http://intranet/p"),
        ("/only?q=1", "https://a.test/only?q=1"),
        ("/dir/", "https://a.test/dir/"),
        ("only?q=1", "https://a.test/only?q=1"),
        ("dir/", "https://a.test/dir/"),
        ("away", "http://c.test/away"),
        ("p.html", "http://d.test/a/p.html"),
        ("a/p.html", "http://d.test/a/p.html"),
    ],
)
def test_a_discovered_url_is_found(crawl, text, url):
    named = named_url(crawl, canonical, text)
    assert (named.url, named.id) == (url, crawl.url_id(url)) and named.id is not None
    assert canonical(named.text) == url


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("https://a.test/none", "https://a.test/none"),
        ("a.test/none", "http://a.test/none"),  # a scheme by which the host is known
        ("new.test/none", "https://new.test/none"),
        ("localhost/none", "http://localhost/none"),
        ("new.test:81", "http://new.test:81/"),
        ("intranet/none", "http://intranet/none"),
    ],
)
def test_an_undiscovered_url_is_completed(crawl, text, url):
    named = named_url(crawl, canonical, text)
    assert (named.url, named.id) == (url, None)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("b.test", "'b.test' names several URLs of this crawl; write one of them: https://b.test/, http://b.test/"),
        ("/", "write one of them: https://a.test/, https://b.test/, http://b.test/"),
        ("/x", "'/x' names several URLs of this crawl; write one of them: https://a.test/x, http://b.test/x"),
        ("x", "'x' names several URLs of this crawl; write one of them: https://a.test/x, http://b.test/x"),
        ("/none", "no URL of this crawl has the path /none, and it has 5 hosts: write HOST/none"),
        *((text, "is not an http or https URL; write the complete URL") for text in ("", "#x", "mailto:x@a.test")),
        *((text, "is not an http or https URL") for text in ("http://", "ftp://a.test/", "\0", "a b.test/", b"x")),
    ],
)
def test_what_names_no_url_or_several(crawl, text, said):
    with pytest.raises(UsageError) as error:
        named_url(crawl, canonical, text)
    assert said in str(error.value)


def test_a_path_that_was_never_discovered_is_one_of_the_only_host(tmp_path):
    crawled(tmp_path / "c", {"https://a.test/": ["http://c.test/away"]})
    with view(tmp_path / "c") as db:
        assert named_url(db, canonical, "/").url == "https://a.test/"
        assert named_url(db, canonical, "/none").url == "https://a.test/none"
        assert named_url(db, canonical, "/away").id is None  # c.test was never requested


@pytest.mark.parametrize(
    ("url", "urls"),
    [
        ("http://a.test/x", ("https://a.test/x",)),
        ("http://www.a.test/dir", ("https://a.test/dir/",)),
        ("http://www.b.test/", ("https://b.test/", "http://b.test/")),
        ("http://127.0.0.1/p", ("http://127.0.0.1:81/p",)),
        ("https://127.0.0.1:82/p/", ("http://127.0.0.1:81/p",)),
        ("https://a.test/none", ()),
        ("ftp://a.test/x", ()),
    ],
)
def test_similar_urls(crawl, url, urls):
    assert similar(crawl, url) == urls


def test_lists_are_completed_and_patterns_stay(crawl):
    texts = ["a.test/x", "*/x", "https://A.test/x", "/dir/"]
    assert complete(crawl.directory, texts) == ["https://a.test/x", "*/x", "https://A.test/x", "https://a.test/dir/"]


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        ("why c a.test/x", 0, "https://a.test/x\n  state"),
        ("why c /dir/", 0, "https://a.test/dir/\n  state"),
        ("why c https://www.a.test/x", 1, "similar     https://a.test/x\n"),
        ("why c b.test", 2, "write one of them"),
        ("page c a.test/x", 0, "https://a.test/x\n"),
        ("page c /only?q=1", 0, "https://a.test/only?q=1\n"),
        ("page c http://a.test/x", 1, "was never discovered by the crawl in c (did you mean https://a.test/x?)"),
        ("page c /x", 2, "write one of them: https://a.test/x, http://b.test/x"),
        ("duplicates c a.test/x", 1, "https://a.test/x"),
        ("requeue c --url c.test/away", 0, "1 URL"),
        ("delete c --url b.test/x --dry-run", 0, "1  URL: 1 page"),
        ("delete c --url b.test --dry-run", 2, "write one of them"),
        ("delete c --url www.a.test/x --dry-run", 2, "crawl in c (did you mean https://a.test/x?)"),
        ("requeue c --url /none", 2, "no URL of this crawl has the path /none"),
    ],
)
def test_every_command_reads_them_alike(tmp_path, words, status, said):
    crawled(tmp_path / "c")
    done = run(*words.split(), cwd=tmp_path)
    assert done.returncode == status and said in done.stdout + done.stderr, done.stderr
