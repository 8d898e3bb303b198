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
