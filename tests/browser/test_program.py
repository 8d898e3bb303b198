"""How the browser is started: without the processes of what nobody sees."""

import subprocess
from pathlib import Path

import pytest

from tests.browser.chromium import needs_chromium
from tests.support.crawls.crawling import crawl, options_for
from tests.support.faults.killing import descendants, start, until
from tests.support.web.site import Answer, Web
from ttcrawl.browser.program import program as installed
from ttcrawl.config import Browser

PAGES = {
    ("a.test", "/"): Answer(body=b"<script>fetch('/data').then(() => document.write('<p>end'))</script>"),
    ("a.test", "/data"): Answer(body=b"data", delay=3),
}
OFF = "--disable-features="


def arguments(pid):
    try:
        # the processes of pages have one argument for all
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ").split()
    except OSError:
        return []  # it has just ended


@pytest.fixture(scope="module")
def commands(tmp_path_factory):
    """The arguments of all processes of a crawl while a page is in the browser."""
    directory = tmp_path_factory.mktemp("program") / "c"
    with Web(PAGES) as web:
        options = (*options_for(web), "--no-obey-delay", "--set", "browser.use=yes", "--set", "crawl.fetchers=1")
        process = start(directory.parent, "crawl", web.url("a.test", "/"), "-d", directory, *options)
        until(lambda: any(hit.path == "/data" for hit in web.log()))
        found = [arguments(pid) for pid, _ in descendants(process.pid)]
        _, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
    return found


@needs_chromium
@pytest.mark.slow
def test_a_page_has_one_process(commands):
    pages = sum("--type=renderer" in each for each in commands)
    version = subprocess.run([installed(Browser(use="yes")), "--version"], capture_output=True, text=True).stdout
    assert pages == 1, (
        f"{version.strip()} has {pages} processes of pages. The names of features in ttcrawl/browser/program.py are of"
        " Chromium 156; another version may have other names for those that must be off"
    )


@needs_chromium
@pytest.mark.slow
def test_the_features_that_playwright_switches_off_stay_off(commands):
    lists = [
        [set(word.removeprefix(OFF).split(",")) for word in each if word.startswith(OFF)]
        for each in commands
        if not any(word.startswith("--type=") for word in each)
    ]
    (playwright, obeyed), *_ = filter(None, lists)
    assert playwright - obeyed == set()


def counting(directory, *, then):
    """A program that writes a line, then runs this command; and the file of its lines."""
    program, lines = directory / "browser", directory / "starts"
    program.write_text(f'#!/bin/sh\necho start >> "{lines}"\n{then}\n')
    program.chmod(0o755)
    lines.touch()
    return program, lines


@needs_chromium
@pytest.mark.slow
def test_the_browser_that_is_checked_is_the_one_that_gets_pages(tmp_path):
    program, lines = counting(tmp_path, then=f'exec "{installed(Browser(use="yes"))}" "$@"')
    with Web({("a.test", "/"): Answer(body=b"<script>document.write('<p>text')</script>")}) as web:
        options = ("--set", "browser.use=yes", "--set", f"browser.program={program}", "--set", "crawl.fetchers=1")
        done = crawl(
            web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--set", "browser.pages=1", *options
        )
    assert done.status == 0, done.err
    assert done.query("SELECT way FROM browser_use") == [("browser",)]
    assert lines.read_text().splitlines() == ["start"]


@needs_chromium
def test_a_crawl_does_not_begin_with_a_browser_that_does_not_start(tmp_path):
    program, lines = counting(tmp_path, then="exit 3")
    with Web(PAGES) as web:
        options = ("--set", "browser.use=yes", "--set", f"browser.program={program}", "--set", "crawl.fetchers=1")
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *options)
        assert web.log() == []
    assert done.status == 1 and lines.read_text()
    (line,) = [each for each in done.err.splitlines() if "no browser process can be started" in each]
    assert "BrowserFailed: BrowserType.launch:" in line and "Traceback" not in done.err
