"""SIGKILL while a browser renders: no process of it outlives the crawl, and the crawl continues."""

import os
import signal
from contextlib import suppress
from pathlib import Path

import pytest

from tests.browser.chromium import needs_chromium
from tests.support.crawls.crawling import Crawled, options_for, verified
from tests.support.faults.killing import descendants, kill, running, start, until
from tests.support.long_tables import few
from tests.support.web.site import Answer, Web

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


#: A process of a browser -> what its command contains, and what not.
PARTS = {
    "guard": ("guard.py", "\0\0"),
    "driver": ("playwright/driver/node", "guard.py"),
    "chromium": ("--remote-debugging-pipe", "--type="),
    "renderer": ("--type=renderer", "\0\0"),
    "network": ("--utility-sub-type=network.mojom.NetworkService", "\0\0"),
    "zygote": ("--type=zygote", "\0\0"),
    "graphics": ("--type=gpu-process", "\0\0"),
}

#: Those whose death is the death of the page.
NEEDED = ("chromium", "renderer", "driver", "guard", "network")


def command_of(pid):
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""  # it has just ended


def found(leader, part):
    """The processes of a part of the browsers of a crawl."""
    contained, lacked = PARTS[part]
    commands = {pid: command_of(pid) for pid, _ in descendants(leader)}
    return [pid for pid, text in commands.items() if contained in text and lacked not in text]


@needs_chromium
@pytest.mark.slow
@pytest.mark.parametrize("victim", few(2, NEEDED))
def test_a_page_is_tried_again_when_a_part_of_its_browser_is_killed(tmp_path, victim):
    with Web(PAGES) as web:
        # a page that would be held until it is late would outlast this test
        keys = {"use": "path:/made", "max_time": 600, "pages": 1}
        options = [part for name, value in keys.items() for part in ("--set", f"browser.{name}={value}")]
        options += [*options_for(web), "--no-obey-delay", "--set", "crawl.fetchers=1"]
        process = start(tmp_path, "crawl", web.url("a.test", "/"), "-d", tmp_path / "c", *options)
        until(lambda: any(hit.path == "/data" for hit in web.log()))
        before = descendants(process.pid)
        chosen = found(process.pid, victim)
        assert len(chosen) == 1
        kill(chosen)
        _, err = process.communicate(timeout=200)
        paths = [hit.path for hit in web.log()]
    assert process.returncode == 0, err
    assert "Traceback" not in err and "Exception" not in err, err
    done = Crawled(status=0, out="", err=err, directory=tmp_path / "c")
    assert done.query("SELECT state, reason, count(*) FROM url GROUP BY 1, 2") == [("fetched", "http 200", 3)]
    assert (paths.count("/made"), paths.count("/data")) == (1, 2)
    assert verified(done.directory) == ""
    until(lambda: not any(map(running, before)))


@needs_chromium
@pytest.mark.slow
@pytest.mark.parametrize("victim", few(1, ["crawl", "browser"]))
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
            until(lambda: not any(map(running, before)))
            process = start(tmp_path, "resume", tmp_path / "c")
        _, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
    done = Crawled(status=0, out="", err="", directory=tmp_path / "c")
    assert done.query("SELECT state, reason, count(*) FROM url GROUP BY 1, 2") == [("fetched", "http 200", 3)]
    assert verified(done.directory) == ""
    until(lambda: not any(map(running, before)))


#: The same, sooner: a page has not much time.
SOON = PAGES | {("a.test", "/data"): Answer(body=b"data", delay=0.3)}


def crawl_with_one_browser(web, directory, *, seconds=10):
    """A crawl that runs, whose pages have so many seconds: enough for one on a busy machine, in the second browser."""
    keys = {"use": "yes", "max_time": seconds, "pages": 1}
    options = [part for name, value in keys.items() for part in ("--set", f"browser.{name}={value}")]
    options += [*options_for(web), "--no-obey-delay", "--set", "crawl.fetchers=1"]
    return start(directory, "crawl", web.url("a.test", "/"), "-d", directory / "c", *options)


#: When a process is killed or stopped -> what is awaited before: the crawl process, the server.
MOMENTS = {
    "start": lambda process, web: found(process.pid, "driver"),
    "load": lambda process, web: any(hit.path == "/data" for hit in web.log()),
    "between": lambda process, web: any(hit.path == "/made" for hit in web.log()),
}

#: Which process, what is done to it, and when. A renderer is that of the first page.
DISTURBED = few(
    3,
    [
        ("driver", signal.SIGKILL, "start"),
        ("driver", signal.SIGSTOP, "start"),
        ("zygote", signal.SIGKILL, "start"),
        ("chromium", signal.SIGSTOP, "load"),
        ("renderer", signal.SIGSTOP, "start"),
        ("zygote", signal.SIGSTOP, "between"),
        ("guard", signal.SIGKILL, "start"),
        ("chromium", signal.SIGKILL, "start"),
        ("chromium", signal.SIGSTOP, "start"),
        ("network", signal.SIGKILL, "start"),
        ("network", signal.SIGSTOP, "start"),
        ("graphics", signal.SIGKILL, "start"),
        ("graphics", signal.SIGSTOP, "start"),
        ("driver", signal.SIGSTOP, "load"),
        ("driver", signal.SIGSTOP, "between"),
        ("zygote", signal.SIGKILL, "between"),
    ],
)


@needs_chromium
@pytest.mark.slow
@pytest.mark.parametrize(("victim", "number", "moment"), DISTURBED)
def test_a_browser_without_one_of_its_processes_holds_no_page(tmp_path, victim, number, moment):
    """The page is read in another browser, within its time; then nothing is left of both."""
    with Web(SOON) as web:
        process = crawl_with_one_browser(web, tmp_path)
        until(lambda: MOMENTS[moment](process, web))
        until(lambda: found(process.pid, victim))
        for pid in found(process.pid, victim):
            with suppress(ProcessLookupError):
                os.kill(pid, number)
        seen = set()
        until(lambda: seen.update(descendants(process.pid)) or process.poll() is not None, 200)
        _, err = process.communicate()
    assert process.returncode == 0 and "Traceback" not in err, err
    done = Crawled(status=0, out="", err=err, directory=tmp_path / "c")
    assert done.query("SELECT state, reason, count(*) FROM url GROUP BY 1, 2") == [("fetched", "http 200", 3)]
    assert verified(done.directory) == ""
    until(lambda: not any(map(running, seen)))


#: Processes that are stopped, and which process is killed then: nothing of the browser outlives it.
LEFT = few(1, [(part, killed) for part in ("driver", "chromium", "zygote") for killed in ("crawl", "browser")])


@needs_chromium
@pytest.mark.slow
@pytest.mark.parametrize(("stopped", "killed"), LEFT)
def test_no_stopped_process_of_a_browser_outlives_its_fetch_process(tmp_path, stopped, killed):
    with Web(SOON) as web:
        process = crawl_with_one_browser(web, tmp_path)
        until(lambda: MOMENTS["load"](process, web))
        before = descendants(process.pid)
        for pid in found(process.pid, stopped):
            os.kill(pid, signal.SIGSTOP)
        kill([process.pid] if killed == "crawl" else [pid for pid, _ in before if name(pid) == "ttcrawl-browser"])
        _, err = process.communicate(timeout=200)
    assert "Traceback" not in err, err
    until(lambda: not any(map(running, before)))
