"""SIGKILL while a browser renders: no process of it outlives the crawl, and the crawl continues."""

from pathlib import Path

import pytest

from tests.browser.chromium import descendants, needs_chromium
from tests.crawling import Crawled, options_for, verified
from tests.killing import kill, start, until
from tests.site import Answer, Web

PAGES = {
    ("a.test", "/"): Answer(body=b"<a href=/made>x</a>"),
    ("a.test", "/made"): Answer(
        body=b"<script>fetch('/data').then(() => document.write('<a href=/end>x</a>'))</script>"
    ),
    ("a.test", "/data"): Answer(body=b"data", delay=3),
    ("a.test", "/end"): Answer(body=b"<p>end"),
}


def name(pid):
    return Path(f"/proc/{pid}/comm").read_text().strip()


def alive(process):
    pid, began = process
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return False
    return fields[19] == began and fields[0] != "Z"


#: A process of a browser -> what its command contains, and what not.
PARTS = {
    "driver": ("playwright/driver/node", "\0\0"),
    "chromium": ("--remote-debugging-pipe", "--type="),
    "renderer": ("--type=renderer", "\0\0"),
    "network": ("--utility-sub-type=network.mojom.NetworkService", "\0\0"),
}


def command_of(pid):
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""  # it has just ended


@needs_chromium
@pytest.mark.slow
@pytest.mark.parametrize("victim", PARTS)
def test_a_page_is_tried_again_when_a_part_of_its_browser_is_killed(tmp_path, victim):
    contained, lacked = PARTS[victim]
    with Web(PAGES) as web:
        # a page that would be held until it is late would outlast this test
        keys = {"use": "path:/made", "max_time": 600, "pages": 1}
        options = [part for name, value in keys.items() for part in ("--set", f"browser.{name}={value}")]
        options += [*options_for(web), "--no-obey-delay", "--set", "crawl.fetchers=1"]
        process = start(tmp_path, "crawl", web.url("a.test", "/"), "-d", tmp_path / "c", *options)
        until(lambda: any(hit.path == "/data" for hit in web.log()))
        before = descendants(process.pid)
        commands = {pid: command_of(pid) for pid, _ in before}
        chosen = [pid for pid, text in commands.items() if contained in text and lacked not in text]
        assert len(chosen) == 1, commands
        kill(chosen)
        _, err = process.communicate(timeout=200)
        paths = [hit.path for hit in web.log()]
    assert process.returncode == 0, err
    assert "Traceback" not in err and "Exception" not in err, err
    done = Crawled(status=0, out="", err=err, directory=tmp_path / "c")
    assert done.query("SELECT state, reason, count(*) FROM url GROUP BY 1, 2") == [("fetched", "http 200", 3)]
    assert (paths.count("/made"), paths.count("/data")) == (1, 2)
    assert verified(done.directory) == ""
    until(lambda: not any(map(alive, before)))


@needs_chromium
@pytest.mark.slow
@pytest.mark.parametrize("victim", ["crawl", "browser"])
def test_no_browser_outlives_its_fetch_process(tmp_path, victim):
    with Web(PAGES) as web:
        options = (*options_for(web), "--no-obey-delay", "--set", "browser.use=yes")
        process = start(tmp_path, "crawl", web.url("a.test", "/"), "-d", tmp_path / "c", *options)
        until(lambda: any(hit.path == "/data" for hit in web.log()))
        before = descendants(process.pid)
        assert any("chrom" in name(pid) for pid, _ in before)
        kill([process.pid] if victim == "crawl" else [pid for pid, _ in before if name(pid) == "ttcrawl-browser"])
        if victim == "crawl":
            process.communicate()
            until(lambda: not any(map(alive, before)))
            process = start(tmp_path, "resume", tmp_path / "c")
        _, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
    done = Crawled(status=0, out="", err="", directory=tmp_path / "c")
    assert done.query("SELECT state, reason, count(*) FROM url GROUP BY 1, 2") == [("fetched", "http 200", 3)]
    assert verified(done.directory) == ""
    until(lambda: not any(map(alive, before)))
