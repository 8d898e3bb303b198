"""Steps that log in: the form of a page, by a POST of its own or of its script, for the pages that are crawled then."""

import os

import pytest

from tests.browser.chromium import needs_chromium
from tests.browser.logins import FORM, SCRIPT, SECRET, site
from tests.support.crawls.crawling import crawl, query, verified
from tests.support.web.site import Web


def steps(*lines):
    value = "\n".join(f"path:/login {line}" for line in lines)
    options = ("--set", "browser.use=path:/login", "--set", "fetch.cookies=kept", "--set", f"browser.steps={value}")
    return ("--no-obey-delay", *options)


def crawled_at(web, tmp_path, monkeypatch, options):
    (tmp_path / "password").write_text(SECRET + "\n")
    monkeypatch.setenv("CRAWL_USER", "me")
    crawled = crawl(web, web.url("a.test", "/login"), tmp_path / "c", *options)
    assert crawled.status == 0, crawled.err
    return crawled


def contents(directory):
    from gzip import decompress

    for path in directory.rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            yield path, decompress(data) if path.suffix == ".gz" else data


@needs_chromium
@pytest.mark.slow
def test_a_form_is_filled_and_sent_and_its_cookies_are_those_of_the_crawl(tmp_path, monkeypatch):
    lines = ("fill [name=user] = ${CRAWL_USER}", f"fill [name=pw] = ${{file:{tmp_path}/password}}")
    with Web(site(FORM, "sid=1")) as web:
        options = steps(*lines, "submit #f", "wait #account")
        crawled = crawled_at(web, tmp_path, monkeypatch, options)
        hits = web.log()
    states = {url.split("/", 3)[3]: state for url, state in crawled.states().items()}
    assert states["in/private"] == ("fetched", "http 200")
    assert query(crawled.directory, "SELECT steps FROM failed_steps") == []
    assert [hit.path for hit in hits if hit.method == "POST"] == ["/enter"]
    paths = [hit.path for hit in hits if hit.method == "GET"]
    assert sorted(paths) == [
        "/in/account",
        "/in/account",
        "/in/private",
        "/login",
        "/robots.txt",
    ]  # the step's, the crawl's
    assert verified(crawled.directory) == ""
    for path, data in contents(crawled.directory):
        assert SECRET.encode() not in data, path
        assert b"pw=" not in data, path


@needs_chromium
@pytest.mark.slow
def test_a_password_that_stays_on_the_page_is_not_part_of_its_document(tmp_path, monkeypatch):
    with Web(site(FORM, "sid=1")) as web:
        options = steps(f"fill [name=pw] = ${{file:{tmp_path}/password}}")
        crawled = crawled_at(web, tmp_path, monkeypatch, options)
    for path, data in contents(crawled.directory):
        assert SECRET.encode() not in data, path


@needs_chromium
@pytest.mark.slow
def test_a_script_logs_in_when_its_button_is_submitted(tmp_path, monkeypatch):
    lines = ("fill [name=user] = me", f"fill [name=pw] = ${{file:{tmp_path}/password}}", "submit #b", "wait a")
    with Web(site(SCRIPT, "token=t1")) as web:
        crawled = crawled_at(web, tmp_path, monkeypatch, steps(*lines))
        hits = web.log()
    states = {url.split("/", 3)[3]: state for url, state in crawled.states().items()}
    assert states["private"] == ("fetched", "http 200")
    assert [hit.path for hit in hits if hit.method == "POST"] == ["/api/enter"]


@needs_chromium
@pytest.mark.slow
def test_no_other_step_sends_a_form(tmp_path, monkeypatch):
    lines = ("fill [name=user] = me", "press Enter", "click button")
    with Web(site(FORM, "sid=1")) as web:
        crawled_at(web, tmp_path, monkeypatch, steps(*lines))
        hits = web.log()
    assert {hit.method for hit in hits} == {"GET"}


def test_a_secret_that_is_missing_is_one_line_before_the_crawl(tmp_path):
    assert "CRAWL_NO_SUCH" not in os.environ
    with Web(site(FORM, "sid=1")) as web:
        options = steps("fill [name=pw] = ${CRAWL_NO_SUCH}")
        crawled = crawl(web, web.url("a.test", "/login"), tmp_path / "c", *options)
        assert web.log() == []
    assert crawled.status == 2
    assert "[browser] steps: fill [name=pw] needs the environment variable CRAWL_NO_SUCH" in crawled.err
