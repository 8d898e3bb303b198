"""Steps that log in: the form of a page, by a POST of its own or of its script, for the pages that are crawled then."""

import os

import pytest

from tests.browser.chromium import needs_chromium
from tests.browser.logins import FORM, SCRIPT, SECRET, site
from tests.support.crawls.crawling import crawl, query, verified
from tests.support.web.site import Answer, Web


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
def test_a_secret_in_a_query_is_neither_a_link_nor_archived(tmp_path, monkeypatch):
    form = FORM.replace("method=post", "method=get").replace(
        "oninput=", "onchange=\"fetch('/q?' + this.value)\" oninput="
    )
    with Web(site(form, "sid=1")) as web:
        options = steps(f"fill [name=pw] = ${{file:{tmp_path}/password}}", "press Tab", "submit #f")
        crawled = crawled_at(web, tmp_path, monkeypatch, options)
        assert any("/q?s3cret" in hit.path for hit in web.log())  # the page did so
    for path, data in contents(crawled.directory):
        assert b"s3cret" not in data, path


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


def test_a_login_whose_cookies_are_forgotten_is_one_line_before_the_crawl(tmp_path):
    with Web(site(FORM, "sid=1")) as web:
        options = (*steps("submit #f"), "--set", "fetch.cookies=no")
        crawled = crawl(web, web.url("a.test", "/login"), tmp_path / "c", *options)
        assert web.log() == []
    assert crawled.status == 2
    assert "[browser] steps: submit sends a form, and [fetch] cookies = no forgets" in crawled.err


@needs_chromium
@pytest.mark.slow
def test_pages_in_the_browser_are_those_of_who_is_logged_in_by_a_form(tmp_path, monkeypatch):
    """[login] form logs in without a browser; the scripts of the pages behind it get its cookie."""
    monkeypatch.setenv("CRAWL_PASSWORD", SECRET)
    form = b"<form method=post action=/enter><input name=user><input type=password name=pw><button>In</button></form>"
    page = b"<p id=p></p><script>fetch('/data').then(r => r.text()).then(t => { p.innerHTML = t })</script>"
    pages = {
        ("a.test", "/login"): Answer(body=form),
        ("a.test", "/enter"): Answer(status=303, headers=(("Location", "/app"), ("Set-Cookie", "sid=1; Path=/"))),
        ("a.test", "/app"): Answer(body=page, needs=("cookie", "sid=1")),
        ("a.test", "/data"): Answer(body=b"<a href=/member>for members</a>", needs=("cookie", "sid=1")),
        ("a.test", "/member"): Answer(body=b"<p>member", needs=("cookie", "sid=1")),
    }
    with Web(pages) as web:
        login = f"login.form={web.url('a.test', '/login')} user=me pw=${{CRAWL_PASSWORD}}"
        options = ("--no-obey-delay", "--set", login, "--set", "browser.use=path:/app")
        crawled = crawl(web, web.url("a.test", "/app"), tmp_path / "c", *options)
        posts = [hit.path for hit in web.log() if hit.method == "POST"]
    assert crawled.status == 0, crawled.err
    states = {url.split("/", 3)[3]: state for url, state in crawled.states().items()}
    assert states["member"] == states["app"] == ("fetched", "http 200")
    assert posts == ["/enter"]
