"""Records whose heads an earlier version wrote as they came, with a fold that ends the head for who reads them."""

import sqlite3
from contextlib import closing, redirect_stderr, redirect_stdout
from http.client import parse_headers
from io import BytesIO, StringIO

import pytest

from tests.support.crawls.crawling import options_for, verified
from tests.support.crawls.other_readers import foreign_check
from tests.support.web.site import Answer, Web, page
from ttcrawl.cli import main
from ttcrawl.fetch import head
from ttcrawl.store import warc_records

FOLDED = b"X-A: one\n \n two\r\n"
LINKS = ("/folded", "/sound", "/same-1", "/same-2", "/moved", "/large")


def answer(body, status=b"200 OK", fields=FOLDED):
    fields += b"Connection: close\r\nContent-Length: %d\r\n" % len(body)
    return Answer(fate="raw", body=b"HTTP/1.1 %b\r\nContent-Type: text/html\r\n%b\r\n%b" % (status, fields, body))


PAGES = {
    ("a.test", "/robots.txt"): answer(b"User-agent: *\nDisallow: /no\n"),
    ("a.test", "/"): Answer(body=page(*LINKS)),
    ("a.test", "/folded"): answer(page("/next", title="folded")),
    ("a.test", "/next"): answer(page(title="next")),
    ("a.test", "/sound"): Answer(body=page(title="sound")),
    ("a.test", "/same-1"): answer(page(title="same")),
    ("a.test", "/same-2"): answer(page(title="same")),
    ("a.test", "/moved"): answer(b"there", b"302 Found", FOLDED + b"Location: /next\r\n"),
    ("a.test", "/large"): answer(b"x" * 5000, fields=FOLDED),
}


def run(*arguments):
    with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()):
        return main([*map(str, arguments)]), out.getvalue()


def crawl(web, directory, *more):
    options = (
        *options_for(web),
        "--inline",
        "--no-obey-delay",
        "--progress",
        "none",
        "--set",
        "fetch.max_body=4000",
        *more,
    )
    return run("crawl", web.url("a.test", "/"), "-d", directory, *options)[0]


def rows(directory):
    with closing(sqlite3.connect(directory / "crawl.db")) as db:
        return db.execute(
            "SELECT url.url, state, reason, depth, title, length FROM url LEFT JOIN page ON page.url = url.id"
            " ORDER BY url.url"
        ).fetchall()


def test_they_are_not_written_any_more(tmp_path):
    with Web(PAGES) as web:
        assert crawl(web, tmp_path / "c") == 0
    assert verified(tmp_path / "c") == ""
    foreign_check(tmp_path / "c" / "warc")


@pytest.mark.slow
def test_where_there_are_some_repair_and_resume_heal_them(tmp_path, monkeypatch):
    with Web(PAGES) as web:
        with monkeypatch.context() as patch:  # the version that wrote them
            patch.setattr(head, "fields_of", lambda lines: parse_headers(BytesIO(lines)).items())
            patch.setattr(head, "mended", lambda lines: lines)
            patch.setattr(warc_records, "quote", lambda line, safe: line.decode("latin-1"))
            assert crawl(web, tmp_path / "c", "--set", "fetch.transport=urllib3") == 0
        spoilt = rows(tmp_path / "c")
        assert "archive: a damaged record: 6 " in verified(tmp_path / "c")  # of robots.txt and /moved too
        status, said = run("verify", tmp_path / "c", "--repair")
        assert status == 1 and "5 problems found, 5 repaired" in said  # and of their requests, and of a copy
        assert verified(tmp_path / "c") == ""
        queued = [row[0].rpartition("/")[2] for row in rows(tmp_path / "c") if row[1] == "queued"]
        assert queued == ["folded", "large", "moved", "next", "same-1", "same-2"]
        assert run("resume", tmp_path / "c", "--inline", "--progress", "none")[0] == 0
    assert verified(tmp_path / "c") == ""
    assert rows(tmp_path / "c") == spoilt
