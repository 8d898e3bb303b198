"""The sandbox of Chromium: where it does not work, one line says what to do."""

import subprocess

import pytest

from tests.browser.chromium import needs_chromium
from tests.support.crawls.crawling import crawl
from tests.support.web.site import Answer, Web
from ttcrawl.browser.program import program as installed
from ttcrawl.config import Browser

#: Who Chromium is -> how it is started: in a user namespace, whose root has no right outside.
AS = {
    "root": "unshare --user --map-root-user",
    # as in a container: nobody may make a user namespace in this one
    "user": "unshare --user --map-user=1000 --map-group=1000 --keep-caps sh -ec 'echo 0 > "
    '/proc/sys/user/max_user_namespaces; exec setpriv --inh-caps=-all --ambient-caps=-all "$0" "$@"\'',
}
PAGES = {("a.test", "/"): Answer(body=b"<script>document.write('<p>text')</script>")}


def possible():
    try:
        return subprocess.run(["sh", "-ec", f"{AS['user']} true"], capture_output=True, timeout=60).returncode == 0
    except subprocess.TimeoutExpired:
        return False


pytestmark = [needs_chromium, pytest.mark.skipif(not possible(), reason="user namespaces cannot be made here")]


def crawled(tmp_path, who, sandbox):
    """A crawl with this Chromium, and whether the server was asked."""
    program = tmp_path / "browser"
    program.write_text(f'#!/bin/sh\nexec {AS[who]} "{installed(Browser(use="yes"))}" "$@"\n')
    program.chmod(0o755)
    keys = {"use": "yes", "program": program, "pages": 1, "sandbox": sandbox}
    options = [part for name, value in keys.items() for part in ("--set", f"browser.{name}={value}")]
    with Web(PAGES) as web:
        return crawl(web, web.url("a.test", "/"), tmp_path / "c", "--set", "crawl.fetchers=1", *options), web.log()


@pytest.mark.parametrize(
    ("who", "cause"),
    [("root", "Chromium has no sandbox as root: run"), ("user", "the sandbox of Chromium does not work here: permit")],
)
def test_a_sandbox_that_does_not_work_is_one_line(tmp_path, who, cause):
    done, requests = crawled(tmp_path, who, "yes")
    assert done.status == 1 and requests == []
    (line,) = [each for each in done.err.splitlines() if "[browser] sandbox" in each]
    assert cause in line and "set [browser] sandbox = " in line
    assert not any(word in done.err for word in ("Traceback", "memory", "BrowserType"))


@pytest.mark.slow
@pytest.mark.parametrize("who", AS)
def test_without_a_sandbox_chromium_starts_anywhere(tmp_path, who):
    done, _ = crawled(tmp_path, who, "no")
    assert done.status == 0, done.err
    assert done.query("SELECT way FROM browser_use") == [("browser",)]
