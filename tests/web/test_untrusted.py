"""What comes from the web moves no cursor, breaks no line and no table, wherever it is printed."""

import sqlite3
import unicodedata
from contextlib import closing

import pytest

from tests.support.crawls.crawling import crawl
from tests.support.crawls.preforked import run
from tests.support.web.site import Answer, Web, moved, page, robots
from ttcrawl.output.untrusted import escape_untrusted

TABLE = {
    "": "",
    "plain, with blanks": "plain, with blanks",
    "日本 é e\u0301 🎉 \u00a0\u3000": "日本 é e\u0301 🎉 \u00a0\u3000",
    "\x1b[2J\x1b]0;title\x07": r"\x1b[2J\x1b]0;title\x07",
    "a\r\nb\tc\x00": r"a\x0d\x0ab\x09c\x00",
    "\x7f\x85\x9b31m": r"\x7f\x85\x9b31m",
    "\u200e\u200f\u202a\u202b\u202c\u202d\u202e": r"\u200e\u200f\u202a\u202b\u202c\u202d\u202e",
    "\u2066\u2067\u2068\u2069\u061c": r"\u2066\u2067\u2068\u2069\u061c",
    "\u2028\u2029\ufeff\u200b": r"\u2028\u2029\ufeff\u200b",
    "\ud800\ue000\U000e0001": r"\ud800\ue000\U000e0001",
    "a|b\\c": "a|b\\c",
}


@pytest.mark.parametrize(("text", "wanted"), TABLE.items(), ids=map(ascii, TABLE))
def test_shown(text, wanted):
    assert escape_untrusted(text) == wanted and escape_untrusted(wanted) == wanted


EVIL = "\x1b[31m\x9b2J\x07\u202ex|y\u2066\u2028\x85"
RAW = EVIL.encode().decode("latin-1")  # as the test server writes header values
SITE = {
    ("a.test", "/robots.txt"): robots(f"# {EVIL}", "User-agent: *", f"Disallow: /{EVIL}", f"Sitemap: {EVIL}"),
    ("a.test", "/"): Answer(
        body=page(
            f"/{EVIL}", "/moved", "/coding", "/status", "/type", title=EVIL, content=f"<a href='//{EVIL}.test/'>"
        ),
        headers=(("X-Evil", RAW), ("Last-Modified", RAW), ("ETag", RAW), ("X-Robots-Tag", RAW)),
    ),
    ("a.test", "/moved"): moved(f"http://{RAW}/"),
    ("a.test", "/coding"): Answer(headers=(("Content-Encoding", RAW),), body=b"x"),
    ("a.test", "/status"): Answer(
        fate="raw", body=f"HTTP/1.1 200 {EVIL}\r\n{EVIL}: {EVIL}\r\n{EVIL}\r\n\r\nx".encode()
    ),
    ("a.test", "/type"): Answer(headers=(("Content-Type", f"text/html; charset={RAW}"),), body=EVIL.encode()),
    ("b.test", "/robots.txt"): Answer(fate="raw", body=EVIL.encode() * 9),
    ("b.test", "/"): moved(f"/{RAW}"),
    ("c.test", "/"): moved(f"foo:{RAW}"),
}


def controls(text):
    return {ascii(each) for each in text if unicodedata.category(each)[0] == "C" or each in "\u2028\u2029"} - {"'\\n'"}


#: What no crawl writes, but a damaged or forged database may hold.
SPOIL = (
    "UPDATE url SET url = url || char(27, 10, 8238)",
    "UPDATE site SET host = host || char(27, 10, 8238), robots_reason = char(27, 10)",
    "UPDATE visit SET url = url || char(27), reason = char(27, 8238) || '|', status = NULL",
    "UPDATE url SET state = 'queued' WHERE id = 1",
    "INSERT INTO queue SELECT site, priority, id FROM url WHERE id = 1",
    "INSERT OR REPLACE INTO crawl VALUES ('trouble', char(27, 10, 8238))",
    "UPDATE crawl SET value = 'failed: ' || char(27, 10, 8238) WHERE name = 'finished'",
)
READERS = (
    *(("report", "--format", form) for form in ("text", "markdown", "json")),
    *(("report", "--politeness", "--format", form) for form in ("text", "markdown", "json")),
    *(("status", "--format", form) for form in ("text", "json")),
    ("verify",),
)


@pytest.fixture(scope="module")
def crawls(tmp_path_factory):
    """One that brings pages, and two that fail at their seeds."""
    place = tmp_path_factory.mktemp("shown")
    options = ("--no-obey-delay", "--set", "fetch.retries=0", "--progress", "plain")
    with Web(SITE) as web:
        both = crawl(web, [web.url("a.test", "/"), web.url("b.test", "/")], place / "c", *options)
        return both, [crawl(web, web.url(host, "/"), place / host, *options) for host in ("b.test", "c.test")]


@pytest.mark.slow
def test_what_a_crawl_says(crawls):
    both, failed = crawls
    assert both.status == 0 and len(both.states()) > 6
    assert [each.status for each in failed] == [1, 1] and all(each.err for each in failed)
    came = both.query("SELECT count(*) FROM page WHERE instr(title || location || etag, char(27))")
    assert came[0][0] > 0
    for each in (both, *failed):
        assert not controls(each.out) and not controls(each.err), each


@pytest.mark.slow
@pytest.mark.parametrize("spoil", [(), SPOIL], ids=["as crawled", "spoilt"])
def test_what_is_said_of_a_crawl(crawls, spoil):
    with closing(sqlite3.connect(crawls[0].directory / "crawl.db")) as db, db:
        for query in spoil:
            db.execute(query)
    for words in READERS:
        done = run(*words, crawls[0].directory, timeout=60)
        assert done.stdout and not controls(done.stdout) and not done.stderr, (words, done)
        for table in done.stdout.strip().split("\n\n") if "markdown" in words else ():
            assert len({line.count("|") for line in table.splitlines()}) == 1, table
