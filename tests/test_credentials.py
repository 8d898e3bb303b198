"""Whole crawls with cookies, logins and proxies; what is sent to whom, and what becomes of passwords on the disk."""

import base64
import gzip
import stat
import subprocess

import pytest

from tests.support.crawls.crawling import command, crawl, verified
from tests.support.crawls.preforked import run
from tests.support.web.proxies import running
from tests.support.web.site import Answer, Web, at, moved, page

FAST = ("--no-obey-delay", "--inline", "--set", "politeness.connections=1", "--set", "politeness.address_delay=0")
FETCHED = ("fetched", "http 200")
SESSION = ("Set-Cookie", "sid=abc123; Path=/; HttpOnly")
SECRET = "w0rd%2F%25"


def member(*hrefs, title=""):
    """A page for those who have the cookie."""
    return Answer(body=page(*hrefs, title=title), needs=("cookie", "sid=abc123"))


WALL = {
    ("www.a.test", "/"): Answer(body=page("/login", at("b.test", "/"))),
    ("www.a.test", "/login"): Answer(status=302, headers=(SESSION, ("Location", "/in"))),
    ("www.a.test", "/in"): member("/1", at("other.a.test", "/")),
    ("www.a.test", "/1"): member("/2"),
    ("www.a.test", "/2"): member("/3"),
    ("www.a.test", "/3"): member(),
    ("other.a.test", "/"): Answer(body=page()),
    ("b.test", "/"): Answer(headers=(("Set-Cookie", "sid=of-b; Path=/; Domain=a.test"),), body=page()),
}


def statuses(done, web):
    """URL -> status, without the port."""
    rows = done.query("SELECT url.url, status FROM url JOIN page ON page.url = url.id")
    return {url.removeprefix("http://").replace(f":{web.port}", ""): status for url, status in rows}


@pytest.mark.slow
@pytest.mark.parametrize(("mode", "status"), [("no", 401), ("host", 200), ("kept", 200)])
def test_a_login_wall(tmp_path, mode, status):
    with Web(WALL) as web:
        options = ("--scope", "any", "--set", f"fetch.cookies={mode}")
        done = crawl(web, web.url("www.a.test", "/"), tmp_path / "c", *FAST, *options)
        assert done.status == 0, done.err
        assert statuses(done, web)["www.a.test/in"] == status
        cookies = {(hit.host, hit.path): hit.head.get("cookie") for hit in web.log()}
    inside = {path: cookies.get(("www.a.test", path)) for path in ("/in", "/1", "/2", "/3")}
    assert inside == (dict.fromkeys(inside, "sid=abc123") if status == 200 else dict.fromkeys(inside) | {"/in": None})
    assert {each for (host, _), each in cookies.items() if host != "www.a.test"} == {None}
    rows = done.query("SELECT domain, path, name, value, host_only, secure, expires FROM cookie")
    assert rows == ([("www.a.test", "/", "sid", "abc123", 1, 0, None)] if mode == "kept" else [])


@pytest.mark.slow
@pytest.mark.parametrize(("mode", "requests", "status"), [("no", 1, 302), ("host", 2, 200), ("kept", 2, 200)])
def test_a_page_that_sets_a_cookie_and_redirects_to_itself(tmp_path, mode, requests, status):
    """It is requested once more, with the cookie; a page that only ever redirects to itself is not asked for ever."""
    again = Answer(status=302, headers=(SESSION, ("Location", "/for-ever")))
    pages = {
        ("www.a.test", "/"): [Answer(status=302, headers=(SESSION, ("Location", "/"))), member("/for-ever")],
        ("www.a.test", "/for-ever"): again,
    }
    with Web(pages) as web:
        done = crawl(web, web.url("www.a.test", "/"), tmp_path / "c", *FAST, "--set", f"fetch.cookies={mode}")
        asked = [hit.path for hit in web.log() if hit.path != "/robots.txt"]
    assert done.status == (0 if status == 200 else 1), done.err
    assert ("see [fetch] cookies" in done.err) == (status != 200), done.err
    assert asked == ["/"] * requests + ["/for-ever"] * (requests if status == 200 else 0)
    assert statuses(done, web)["www.a.test/"] == status
    assert verified(tmp_path / "c") == ""


CIRCLES = {
    "login": {
        ("www.a.test", "/"): [Answer(status=302, headers=(("Location", "/login"),)), member("/1")],
        ("www.a.test", "/login"): Answer(status=302, headers=(SESSION, ("Location", "/"))),
    },
    "ticket of another host": {
        ("www.a.test", "/"): [Answer(status=302, headers=(("Location", at("sso.a.test", "/")),)), member("/1")],
        ("sso.a.test", "/"): Answer(status=303, headers=(("Location", at("www.a.test", "/?ticket=1")),)),
        ("www.a.test", "/?ticket=1"): Answer(status=302, headers=(SESSION, ("Location", "/"))),
    },
    "for ever": {
        ("www.a.test", "/"): Answer(status=302, headers=(("Location", "/login"),)),
        ("www.a.test", "/login"): Answer(status=302, headers=(SESSION, ("Location", "/"))),
    },
}


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["no", "host", "kept"])
@pytest.mark.parametrize("circle", CIRCLES)
def test_redirects_in_a_circle_that_set_a_cookie(tmp_path, circle, mode):
    """The first of them is requested once more, with the cookie, and so is a login that leads to it for ever. Their
    redirects are earlier answers."""
    page_there = mode != "no" and circle != "for ever"
    with Web(CIRCLES[circle] | {("www.a.test", "/1"): member()}) as web:
        options = ("--scope", "domain", "--set", f"fetch.cookies={mode}")
        done = crawl(web, web.url("www.a.test", "/"), tmp_path / "c", *FAST, *options)
        assert done.status == (0 if page_there else 1), done.err
        asked = [hit.path for hit in web.log() if hit.host == "www.a.test"]
    assert [asked.count(path) for path in ("/", "/1")] == [1 if mode == "no" else 2, int(page_there)]
    found = statuses(done, web)
    assert [found.get(f"www.a.test{path}") for path in ("/", "/1")] == ([200, 200] if page_there else [302, None])
    earlier = done.query("SELECT status, count(*) FROM earlier_page GROUP BY 1")
    assert earlier == ([] if mode == "no" else [(302, 2 if circle == "for ever" else 1)])
    assert verified(tmp_path / "c") == ""


@pytest.mark.slow
def test_a_circle_in_which_every_redirect_sets_a_cookie(tmp_path):
    """The one without the cookie is requested once more, and none for ever."""
    circle = {"/": "/login", "/login": "/"}
    answers = {path: Answer(status=302, headers=(SESSION, ("Location", to))) for path, to in circle.items()}
    with Web({("www.a.test", path): answer for path, answer in answers.items()}) as web:
        options = ("--max-time", "20", "--set", "fetch.cookies=host")
        done = crawl(web, web.url("www.a.test", "/"), tmp_path / "c", *FAST, *options)
        asked = [hit.path for hit in web.log()]
    assert [asked.count(path) for path in circle] == [2, 1], done.err
    assert verified(tmp_path / "c") == ""


@pytest.mark.slow
def test_pages_that_were_requested_before_the_cookie_was_there(tmp_path):
    """All lead to a login of their own; only the first of these sets the cookie."""
    names = "bcd"
    there = {("www.a.test", f"/{name}"): [moved(f"/login-{name}"), member()] for name in names}
    back = {("www.a.test", f"/login-{name}"): moved(f"/{name}") for name in names}
    first = Answer(status=302, headers=(SESSION, ("Location", "/b")))
    # no circle: /new is requested once, though a request with a cookie leads to it
    others = {("www.a.test", "/old"): moved("/new"), ("www.a.test", "/new"): moved("/newest")}
    with Web(there | back | {("www.a.test", "/login-b"): first} | others) as web:
        seeds = [web.url("www.a.test", f"/{name}") for name in (*names, "new", "old")]
        done = crawl(web, seeds, tmp_path / "c", *FAST, "--set", "fetch.cookies=host")
        asked = [hit.path for hit in web.log()]
    assert [statuses(done, web)[f"www.a.test/{name}"] for name in names] == [200, 200, 200], done.err
    assert [asked.count(path) for path in ("/b", "/c", "/d", "/login-c", "/new", "/old")] == [2, 2, 2, 1, 1, 1]
    assert verified(tmp_path / "c") == ""


@pytest.mark.slow
@pytest.mark.parametrize("circle", ["to itself", "over a login"])
def test_a_login_behind_a_limit_of_requests(tmp_path, circle):
    """A request that is repeated because of the limit is no request with the cookie."""
    limit = Answer(status=429, headers=(("Retry-After", "0"),))
    if circle == "to itself":
        first, login = Answer(status=302, headers=(SESSION, ("Location", "/"))), {}
    else:
        first = moved("/login")
        login = {("www.a.test", "/login"): [limit, Answer(status=302, headers=(SESSION, ("Location", "/")))]}
    with Web({("www.a.test", "/"): [limit, first, member()]} | login) as web:
        done = crawl(web, web.url("www.a.test", "/"), tmp_path / "c", *FAST, "--set", "fetch.cookies=host")
        asked = [hit.path for hit in web.log()]
    assert statuses(done, web)["www.a.test/"] == 200, done.err
    assert asked.count("/") == 3
    assert verified(tmp_path / "c") == ""


@pytest.mark.slow
@pytest.mark.parametrize(("mode", "status"), [("host", 401), ("kept", 200)])
def test_only_kept_cookies_outlive_a_run(tmp_path, mode, status):
    with Web(WALL) as web:
        options = ("--set", f"fetch.cookies={mode}", "--max-pages", "2")
        done = crawl(web, web.url("www.a.test", "/"), tmp_path / "c", *FAST, *options)
        assert done.status == 3 and "www.a.test/1" not in statuses(done, web), done.err
        run("resume", tmp_path / "c", "--max-pages", "0").check_returncode()
        assert statuses(done, web)["www.a.test/1"] == status
        assert verified(tmp_path / "c") == ""


@pytest.mark.slow
def test_a_cookie_goes_with_robots_txt_too_and_as_often_as_it_changes(tmp_path):
    """In one process as well; expired at once where the server says so."""
    pages = {
        ("www.a.test", "/"): Answer(
            headers=(
                ("Set-Cookie", "sid=1; Domain=a.test"),
                ("Set-Cookie", "x=2; Path=/1"),
                ("Set-Cookie", "bad=\x01"),
            ),
            body=page("/1"),
        ),
        ("www.a.test", "/1"): Answer(headers=(("Set-Cookie", "x=; Max-Age=0; Path=/1"),), body=page("/1/2")),
        ("www.a.test", "/1/2"): Answer(body=page(at("other.a.test", "/"))),
        ("other.a.test", "/"): Answer(body=page()),
    }
    with Web(pages) as web:
        options = ("--inline", "--scope", "any", "--set", "fetch.cookies=kept")
        assert crawl(web, web.url("www.a.test", "/"), tmp_path / "c", *FAST, *options).status == 0
        sent = {hit.host + hit.path: hit.head.get("cookie") for hit in web.log()}
    assert sent == {
        "www.a.test/robots.txt": None,
        "www.a.test/": None,
        "www.a.test/1": "x=2; sid=1",
        "www.a.test/1/2": "sid=1",
        "other.a.test/robots.txt": "sid=1",
        "other.a.test/": "sid=1",
    }


def mode_of(path):
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.slow
def test_a_login_goes_to_its_host_alone(tmp_path):
    basic = "Basic " + base64.b64encode("mé:w0rd/%".encode()).decode()
    needs = {"needs": ("authorization", basic)}
    pages = {
        ("a.test", "/robots.txt"): Answer(headers=(("Content-Type", "text/plain"),), body=b"", **needs),
        ("a.test", "/"): Answer(body=page("/1", "/away", at("b.test", "/")), **needs),
        ("a.test", "/1"): Answer(body=page(), **needs),
        ("a.test", "/away"): moved(at("b.test", "/back")),
        ("b.test", "/"): Answer(body=page()),
        ("b.test", "/back"): moved(at("a.test", "/2")),
        ("a.test", "/2"): Answer(body=page(), **needs),
    }
    with Web(pages) as web:
        for place, login in (("without", ""), ("other", "a.test:1"), ("with", f"A.test:{web.port}")):
            options = ("--set", f"fetch.login={login}=m%C3%A9:{SECRET}") if login else ()
            done = crawl(web, web.url("a.test", "/"), tmp_path / place, *FAST, "--scope", "any", *options)
            assert statuses(done, web)["a.test/"] == (200 if place == "with" else 401)
            assert SECRET not in done.out + done.err
            assert (mode_of(tmp_path / place / "config.ini") == 0o600) == bool(login)
        assert statuses(done, web) | {"a.test/1": 200, "a.test/2": 200} == statuses(done, web)
        assert {hit.head.get("authorization") for hit in web.log() if hit.host == "b.test"} == {None}
        assert b"w0rd" not in (tmp_path / "with" / "crawl.db").read_bytes()
        resumed = command("resume", tmp_path / "without", "--set", f"fetch.login=a.test=m:{SECRET}")
        done = subprocess.run(resumed, capture_output=True, text=True)
        assert done.returncode == 1 and "was answered with http 401" in done.stderr, done.stderr
        assert mode_of(tmp_path / "without" / "config.ini") == 0o600


def test_a_refused_login_is_one_line_without_it(tmp_path):
    for key in ("login", "proxy"):
        wrong = command("crawl", "http://a.test/", "-d", tmp_path / "c", "--set", f"fetch.{key}=me:{SECRET}@a.test")
        done = subprocess.run(wrong, capture_output=True, text=True)
        assert done.returncode == 2 and done.stderr.count("\n") == 1 and "w0rd" not in done.stderr, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("transport", ["curl", "urllib3"])
@pytest.mark.parametrize("scheme", ["http", "socks5h", "socks5"])
def test_a_crawl_through_a_proxy(tmp_path, monkeypatch, scheme, transport):
    """Names need not exist here when the proxy looks them up; what the environment says of proxies does not count."""
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.setenv(name, "*")
    pages = {
        ("a.test", "/"): Answer(body=page("/1", at("b.test", "/"), at("localhost", "/"), at("c.nowhere.test", "/"))),
        ("a.test", "/1"): Answer(body=page()),
        ("b.test", "/"): Answer(body=page()),
        ("localhost", "/"): Answer(body=page()),
    }
    with Web(pages) as web, running(scheme, login=True) as proxy:
        if scheme != "socks5":
            web.addresses = {}  # no --resolve
        options = ("--set", f"fetch.proxy={scheme}://m%C3%A9:p%3Aw@127.0.0.1:{proxy.port}", "--set", "fetch.retries=0")
        options += (f"--set=fetch.transport={transport}",)
        options += ("--set", "politeness.robots_patience=0")  # the http proxy says 502 for what it cannot reach
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *FAST, "--scope", "any", *options)
        assert done.status == 0 and mode_of(tmp_path / "c" / "config.ini") == 0o600, done.err
        states = {
            url.split("/")[2].split(":")[0] + "/" + url.split("/")[3]: state for url, state in done.states().items()
        }
        assert {hit.host for hit in web.log()} <= {"a.test", "b.test"} | (
            {"localhost"} if scheme == "socks5" else set()
        )
    assert states["a.test/"] == states["a.test/1"] == states["b.test/"] == FETCHED
    if scheme != "socks5":
        assert states["localhost/"] == ("refused", "blocked address")
        assert done.query("SELECT DISTINCT address FROM visit") == [("",)]
    if scheme == "socks5h":
        assert states["c.nowhere.test/"] == ("failed", "proxy")
        assert done.query("SELECT backoff FROM visit WHERE reason = 'proxy'") == [(None,)]
    assert proxy.log
    verified = run("verify", tmp_path / "c")
    assert verified.returncode == 0, verified.stdout


@pytest.mark.slow
def test_a_crawl_whose_proxy_is_away(tmp_path):
    """The hosts are not to blame: they are not left alone, and the crawl ends at once."""
    with Web({("a.test", "/"): Answer(body=page())}) as web:
        web.addresses = {}
        options = ("--set", "fetch.proxy=http://127.0.0.1:1", "--set", "fetch.retry_wait=0.1")
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *FAST, *options, timeout=30)
    assert done.status == 1 and "proxy" in done.err
    assert done.query("SELECT DISTINCT reason, backoff FROM visit") == [("proxy", None)]
    assert done.query("SELECT count(*) FROM visit") == [(3,)]


@pytest.mark.slow
def test_a_secret_header_is_in_no_file_of_a_crawl(tmp_path, monkeypatch):
    """It goes to its host alone, also after a redirect to another one, and again when the crawl continues."""
    monkeypatch.setenv("TOKEN", SECRET)
    pages = {
        ("a.test", "/"): Answer(body=page("/1", at("b.test", "/"), "/moved")),
        ("a.test", "/1"): Answer(body=page("/2"), needs=("authorization", f"Bearer {SECRET}")),
        ("a.test", "/2"): Answer(body=page()),
        ("a.test", "/moved"): moved(at("b.test", "/end")),
        ("b.test", "/"): Answer(body=page()),
        ("b.test", "/end"): Answer(body=page()),
    }
    with Web(pages) as web:
        options = ("--scope", "any", "--header", "host:a.test Authorization: Bearer ${TOKEN}", "--max-pages", "2")
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *FAST, *options)
        assert done.status == 3, done.err
        monkeypatch.delenv("TOKEN")
        line = command("resume", tmp_path / "c", "--max-pages", "0", "--no-obey-delay")
        missing = subprocess.run(line, capture_output=True, text=True, timeout=60)
        assert missing.returncode == 2 and "needs the environment variable TOKEN" in missing.stderr
        monkeypatch.setenv("TOKEN", SECRET)
        assert subprocess.run(line, capture_output=True, timeout=60).returncode == 0
        heads = {(hit.host, hit.path): hit.head.get("authorization") for hit in web.log()}
    assert {value for (host, _), value in heads.items() if host == "a.test"} == {f"Bearer {SECRET}"}
    assert {value for (host, _), value in heads.items() if host != "a.test"} == {None} and ("b.test", "/end") in heads
    assert statuses(done, web)["a.test/2"] == 200 and verified(tmp_path / "c") == ""
    assert secrets_in(tmp_path / "c") == []


def secrets_in(directory):
    """The files with the secret."""
    files = [path for path in directory.rglob("*") if path.is_file()]
    data = {path: gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes() for path in files}
    return [path for path in files if SECRET.encode() in data[path]]


@pytest.mark.slow
def test_cookies_of_a_file_are_sent_and_in_no_file_of_a_crawl(tmp_path):
    """The server replaces one of them: that one is kept, and written with the others."""
    inside = {"needs": ("cookie", f"sid={SECRET}")}
    pages = {
        ("a.test", "/"): Answer(body=page("/1", at("b.test", "/")), **inside),
        ("a.test", "/1"): Answer(body=page(), headers=(("Set-Cookie", "theme=dark"),), **inside),
        ("b.test", "/"): Answer(body=page()),
    }
    given = tmp_path / "cookies.txt"
    (tmp_path / "saved.txt").write_text("of an earlier crawl, for all to read\n")
    given.write_text(f"a.test\tFALSE\t/\tFALSE\t0\tsid\t{SECRET}\n")
    with Web(pages) as web:
        options = ("--scope", "any", "--cookies", given, "--save-cookies", tmp_path / "saved.txt")
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *FAST, *options)
        assert done.status == 0, done.err
        assert set(statuses(done, web).values()) == {200}
        assert {hit.head.get("cookie") for hit in web.log() if hit.host == "b.test"} == {None}
    lines = (tmp_path / "saved.txt").read_text().splitlines()[1:]
    assert [line.split("\t")[5:] for line in lines] == [["sid", SECRET], ["theme", "dark"]]
    assert stat.S_IMODE((tmp_path / "saved.txt").stat().st_mode) == 0o600
    assert secrets_in(tmp_path / "c") == []


def test_a_file_of_cookies_that_cannot_be_used(tmp_path):
    (tmp_path / "bad.txt").write_text("a.test sid abc\n")
    for name, said in (("bad.txt", "line 1: a line has 7 fields"), ("none.txt", "No such file")):
        line = command("crawl", "http://a.test/", "-d", tmp_path / "c", "--cookies", tmp_path / name)
        done = subprocess.run(line, capture_output=True, text=True, timeout=60)
        assert done.returncode == 2 and said in done.stderr and "abc" not in done.stderr
    assert not (tmp_path / "c").exists()
