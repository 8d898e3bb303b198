"""`ttcrawl try steps URL`: each step with its outcome and a picture."""

import struct

import pytest

from tests.browser.chromium import needs_chromium
from tests.browser.logins import FORM, SECRET, site
from tests.support.crawls.preforked import run
from tests.support.web.site import Answer, Web, robots


def tried(web, tmp_path, *lines, path="/login", more=()):
    value = "\n".join(f"path:/ {line}" for line in lines)
    options = ("--set", f"browser.steps={value}", "--set", f"fetch.resolve={' '.join(web.resolve)}")
    options += ("--set", "fetch.cookies=kept", "--pictures", tmp_path / "steps", *more)
    return run("try", "steps", web.url("a.test", path), *options)


@needs_chromium
@pytest.mark.slow
def test_each_step_is_told_with_a_picture(tmp_path):
    (tmp_path / "password").write_text(SECRET)
    lines = (f"fill [name=pw] = ${{file:{tmp_path}/password}}", "submit #f", "wait #none", "pause 0.1")
    with Web(site(FORM, "sid=1")) as web:
        result = tried(web, tmp_path, *lines, more=("--set", "browser.wait=1"))
    assert result.returncode == 1, result.stderr
    printed = iter(result.stdout.splitlines())
    outcomes = dict(zip(printed, printed, strict=True))
    assert list(outcomes) == [
        f"1 {lines[0]}: done",
        "2 submit #f: done",
        "3 wait #none: failed: wait #none: not possible within 1 s",
        "4 pause 0.1: done",
    ]
    pages = [("login", "Log in"), *[("in/account", "Account")] * 3]
    pictures = ["01-fill.png", "02-submit.png", "03-wait.png", "04-pause.png"]
    for line, (path, title), picture in zip(outcomes.values(), pages, pictures, strict=True):
        url = web.url("a.test", f"/{path}")
        assert line == f"  then {url} {title!r}, {tmp_path / 'steps' / picture}"
        data = (tmp_path / "steps" / picture).read_bytes()
        assert data[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">II", data[16:24]) == (1280, 720)
    assert SECRET not in result.stdout + result.stderr


@needs_chromium
@pytest.mark.slow
def test_text_says_what_was_done(tmp_path):
    with Web({("a.test", "/login"): Answer(body=FORM.encode())}) as web:
        result = tried(web, tmp_path, "fill [name=user] = me")
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("1 fill [name=user] = me: done\n  then http://a.test:"), result.stdout
    assert result.stdout.endswith(f"'Log in', {tmp_path}/steps/01-fill.png\n")


@needs_chromium
@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "status", "message"),
    [
        ("/none", 1, "status 404"),
        ("/text", 1, "is not an HTML page"),
        ("/moved", 2, "redirects to /login: try the steps there"),
        ("/forbidden", 1, "robots.txt forbids"),
    ],
)
def test_a_page_that_is_not_to_be_had_is_one_line(tmp_path, path, status, message):
    pages = {
        ("a.test", "/text"): Answer(body=b"x", headers=(("Content-Type", "text/plain"),)),
        ("a.test", "/none"): Answer(status=404, body=b"\0", headers=(("Content-Type", "image/png"),)),
        ("a.test", "/moved"): Answer(status=302, headers=(("Location", "/login"),)),
        ("a.test", "/forbidden"): Answer(body=b"<p>x"),
        ("a.test", "/robots.txt"): robots("User-agent: *", "Disallow: /forbidden"),
    }
    with Web(pages) as web:
        result = tried(web, tmp_path, "pause 0", path=path)
    assert result.returncode == status
    assert message in result.stderr and "Traceback" not in result.stderr


@needs_chromium
@pytest.mark.slow
@pytest.mark.parametrize(
    ("dripping", "message"),
    [
        ("/robots.txt", "the robots.txt of {} could not be read (incomplete): a crawl would not request it"),
        ("/login", "{} has no complete answer: timeout: total"),
    ],
)
def test_a_server_that_never_ends_its_answer_does_not_hold_the_command(tmp_path, dripping, message):
    pages = {("a.test", "/login"): Answer(body=b"<p>x")}
    pages["a.test", dripping] = Answer(body=b"<p>x", more=b"x", times=-1, drip=0.05)
    with Web(pages) as web:
        result = tried(web, tmp_path, "pause 0", more=("--set", "fetch.total_timeout=1"))
        expected = message.format(web.url("a.test", "/login"))
    assert result.returncode == 1
    assert expected in result.stderr and "Traceback" not in result.stderr


@needs_chromium
@pytest.mark.slow
def test_a_robots_txt_that_cannot_be_read_is_not_said_to_forbid(tmp_path):
    pages = {("a.test", "/robots.txt"): Answer(status=503), ("a.test", "/login"): Answer(body=b"<p>x")}
    with Web(pages) as web:
        result = tried(web, tmp_path, "pause 0")
        expected = f"the robots.txt of {web.url('a.test', '/login')} could not be read (503 for "
    assert result.returncode == 1 and expected in result.stderr


def test_no_step_for_a_page_is_said(tmp_path):
    with Web({("a.test", "/"): Answer(body=b"x")}) as web:
        result = run("try", "steps", web.url("a.test", "/"), "--set", f"fetch.resolve={' '.join(web.resolve)}")
        assert web.log() == []
    assert result.returncode == 2
    assert "no line of [browser] steps is for" in result.stderr
