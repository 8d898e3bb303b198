"""Whole crawls behind a form: a login, a session that is lost, a login that fails; what is requested, and how often."""

import os
import signal
import subprocess

import pytest

from tests.support.crawls.crawling import Crawled, command, query, verified
from tests.support.crawls.preforked import run
from tests.support.web.members import PASSWORD, Members

LOGIN = ("GET /login", "POST /session?from=form", "GET /home")


def crawled(site, directory, *options, password=PASSWORD, form="/login", monkeypatch, verb=()):
    monkeypatch.setenv("MEMBERS_PASSWORD", password)
    line = f"{site.url(form)} user=me password=${{MEMBERS_PASSWORD}}"
    begin = verb or (
        "crawl",
        site.url("/"),
        "-d",
        directory,
        "--set",
        f"login.form={line}",
        "--set",
        "politeness.delay=0",
    )
    done = run(*begin, *site.resolve, "--inline", "--progress", "none", *options, cwd=directory.parent, timeout=60)
    return Crawled(status=done.returncode, out=done.stdout, err=done.stderr, directory=directory)


def states(done, site):
    return {url.removeprefix(site.url("")): reason for url, (_, reason) in done.states().items()}


@pytest.mark.parametrize("transport", ["curl", "urllib3"])
@pytest.mark.parametrize("after", ["/home", ""])
def test_a_login_comes_before_the_first_page(tmp_path, monkeypatch, transport, after):
    with Members(after=after) as site:
        done = crawled(site, tmp_path / "c", f"--set=fetch.transport={transport}", monkeypatch=monkeypatch)
    assert done.status == 0, done.err
    assert site.seen[0].path == "/robots.txt"
    begin = [*LOGIN] if after else [*LOGIN[:2]]
    assert site.paths()[: len(begin)] == begin
    assert sorted(site.paths()[len(begin) :]) == ["GET /", "GET /1", "GET /2", "GET /3"]
    assert states(done, site) == {
        "/": "http 200", "/1": "http 200", "/2": "http 200", "/3": "http 200", "/logout": "trap: logout"
    }  # fmt: skip
    kinds = done.query("SELECT kind, count(*) FROM visit GROUP BY kind")
    assert dict(kinds) == {"robots": 1, "login": len(begin), "page": 4}
    assert f"logged in at {site.url('/login')}" in done.err
    assert verified(tmp_path / "c") == ""


@pytest.mark.parametrize("transport", ["curl", "urllib3"])
def test_a_form_in_parts_is_sent_in_parts(tmp_path, monkeypatch, transport):
    with Members(enctype="Multipart/Form-Data", pages=1) as site:
        done = crawled(site, tmp_path / "c", f"--set=fetch.transport={transport}", monkeypatch=monkeypatch)
    assert done.status == 0, done.err
    (sent,) = [each for each in site.seen if each.method == "POST"]
    assert sent.head["content-type"].startswith("multipart/form-data; boundary=") and site.logins == 1
    assert set(states(done, site).values()) == {"http 200", "trap: logout"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("loss", "options"),
    [
        ("redirect", []),
        ("redirect", ["--set", "login.lost=url: */login?*"]),
        ("text", ["--set", "login.lost=host:a.test text: Please log in"]),
        ("status", ["--set", "login.lost=status: 401"]),
    ],
)
def test_a_lost_session_is_replaced(tmp_path, monkeypatch, loss, options):
    with Members(pages=5, lifetime=2, loss=loss) as site:
        done = crawled(site, tmp_path / "c", *options, monkeypatch=monkeypatch)
    assert done.status == 0, done.err
    assert site.logins == 3  # six pages, two for each session
    assert set(states(done, site).values()) == {"http 200", "trap: logout"}
    assert query(tmp_path / "c", "SELECT count(*) FROM page") == [(6,)]


@pytest.mark.slow
def test_a_page_that_this_user_may_not_see_costs_one_login_and_not_the_crawl(tmp_path, monkeypatch):
    with Members(pages=3, denied=("/2",)) as site:
        done = crawled(site, tmp_path / "c", monkeypatch=monkeypatch)
    assert done.status == 0, done.err
    found = states(done, site)
    assert (found.pop("/2"), found.pop("/logout")) == ("login denied", "trap: logout")
    assert set(found.values()) == {"http 200"} and site.logins == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("site", "options", "reason", "why"),
    [
        ({}, {"password": "wrong"}, "login: not accepted", "has a field for a password again"),
        ({"method": "get"}, {}, "login: form by GET", "part of a URL"),
        ({"action": "http://b.test:@PORT@/x"}, {}, "login: another host", "its form is sent to http://b.test"),
        ({}, {"form": "/robots.txt"}, "login: no form", "its forms have: none"),
        ({"failing": 9}, {}, "login: http 503", "http 503"),
        ({"denied": ("/",)}, {}, "login denied", "logging in again"),
    ],
)
def test_a_login_that_fails_ends_the_crawl_of_its_host(tmp_path, monkeypatch, site, options, reason, why):
    with Members(**site) as site:
        site.action = site.action.replace("@PORT@", str(site.port))
        keys = ("--set", "fetch.retry_wait=0", "--set", "politeness.backoff=0.001")
        done = crawled(site, tmp_path / "c", *keys, monkeypatch=monkeypatch, **options)
    assert done.status != 0 and why in done.err and "Traceback" not in done.err, done.err
    assert states(done, site)["/"] == reason
    assert site.logins <= 3 and not any(each.head["host"].startswith("b.") for each in site.seen)
    if "password" in options:
        assert site.logins == 1  # many servers lock who tries again


@pytest.mark.slow
def test_a_session_outlives_the_run(tmp_path, monkeypatch):
    with Members() as site:
        first = crawled(site, tmp_path / "c", "--max-pages", "2", monkeypatch=monkeypatch)
        assert first.status == 3, first.err
        second = crawled(
            site, tmp_path / "c", "--set", "crawl.max_pages=0", verb=("resume", tmp_path / "c"), monkeypatch=monkeypatch
        )
    assert second.status == 0, second.err
    assert site.logins == 1 and set(states(second, site).values()) == {"http 200", "trap: logout"}


@pytest.mark.slow
@pytest.mark.parametrize(("request_number", "logins"), [(2, 1), (3, 2), (4, 2), (5, 1), (7, 1)])
def test_kill_9_costs_a_login_only_while_one_is_under_way(tmp_path, monkeypatch, request_number, logins):
    """The server ends all processes of the crawl when this request arrives: robots.txt, the form, what it sends ..."""
    monkeypatch.setenv("MEMBERS_PASSWORD", PASSWORD)
    with Members() as site:
        keys = {
            "login.form": f"{site.url('/login')} user=me password=${{MEMBERS_PASSWORD}}",
            "politeness.delay": "0",
            "store.commit_pages": "1",
        }
        options = [f"--set={name}={value}" for name, value in keys.items()]
        begin = command("crawl", site.url("/"), "-d", tmp_path / "c", *site.resolve, *options)
        process = subprocess.Popen(begin, start_new_session=True, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

        def kill(number):
            if number == request_number and process.returncode is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()

        site.watch = kill
        assert process.wait(60) == -signal.SIGKILL
        site.watch = lambda number: None
        done = crawled(site, tmp_path / "c", verb=("resume", tmp_path / "c"), monkeypatch=monkeypatch)
    assert done.status == 0, done.err
    assert site.logins == logins and set(states(done, site).values()) == {"http 200", "trap: logout"}
    assert verified(tmp_path / "c") == ""


@pytest.mark.slow
def test_what_shows_success(tmp_path, monkeypatch):
    with Members() as site:
        lines = "login.success=text: Log out\nurl: path:/home\ncookie: sid"
        done = crawled(site, tmp_path / "c", "--set", lines, monkeypatch=monkeypatch)
        assert done.status == 0, done.err
        done = crawled(site, tmp_path / "d", "--set", "login.success=text: Welcome back", monkeypatch=monkeypatch)
    assert "does not show text: Welcome back" in done.err and states(done, site)["/"] == "login: not accepted"


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ("https://a.test/login", "NAME=VALUE"),
        ("a.test user=me", "write the URL"),
        ("https://a.test/ user=me password=s3cret", "password is a secret"),
        ("https://a.test/ user", "a field is NAME=VALUE"),
        ("https://a.test/ a=b\nhttps://a.test/x a=b", "two logins"),
        ("https://a.test/ user=me password=${NOT_THERE}", "needs the environment variable NOT_THERE"),
    ],
)
def test_wrong_lines(tmp_path, lines, why):
    done = run("crawl", "http://a.test/", "-d", tmp_path / "c", "--set", f"login.form={lines}", cwd=tmp_path)
    assert done.returncode == 2 and why in done.stderr and "s3cret" not in done.stderr, done.stderr
