"""`[postgresql] url` copies a crawl while it runs, in a process of its own."""

import os
import stat
import subprocess
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from tests.export.postgresql.copies import differences
from tests.support.crawls.crawling import crawl, options_for, run
from tests.support.crawls.postgresql import PASSWORD, URL_PASSWORD, postgresql
from tests.support.faults.killing import FAST, kill, kill_all, settled, start, until
from tests.support.web.mesh import mesh
from tests.support.web.site import Answer, Web, page

HOSTS = ["a.test", "b.test"]


@pytest.fixture(scope="module")
def server():
    with postgresql() as server:
        yield server


def processes_of(directory):
    """(pid, command line) of the processes that copy a crawl."""
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = entry.read_bytes().decode().split("\0")
        except OSError:
            continue
        if "mirror" in line and str(directory) in line:
            yield int(entry.parent.name), line


def priorities(directory):
    """(Process, session) niceness of the processes that copy a crawl."""
    for pid, _ in processes_of(directory):
        session = Path(f"/proc/{pid}/autogroup").read_text().split()[-1]
        yield os.getpriority(os.PRIO_PROCESS, pid), int(session)


def files_with(*texts, within):
    """The names of the files that contain one of the texts, WARC records unpacked."""
    for path in sorted(each for each in within.rglob("*") if each.is_file()):
        data = path.read_bytes()
        if path.suffix == ".gz":
            data += subprocess.run(["gzip", "-dc", path], capture_output=True, check=True).stdout
        if any(text.encode() in data for text in texts):
            yield path.name


@pytest.mark.slow
def test_a_crawl_and_its_copy(server, tmp_path):
    server.clear()
    url = ("--set", f"postgresql.url={server.url}")
    with Web(mesh(HOSTS, 20, seed=3)) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--scope", "any", *url)
    assert done.status == 0, done.err
    assert differences(server, tmp_path / "c") == []
    log = (tmp_path / "c" / "mirror.log").read_text()
    assert stat.S_IMODE((tmp_path / "c" / "config.ini").stat().st_mode) == 0o600
    assert list(files_with(PASSWORD, URL_PASSWORD, within=tmp_path / "c")) == ["config.ini"]
    assert PASSWORD not in done.err + log and URL_PASSWORD not in done.err + log and "is in PostgreSQL" in log
    server.clear()
    assert main_mirror(tmp_path / "c") == 0  # without URL: that of config.ini
    assert differences(server, tmp_path / "c") == []


def main_mirror(directory):
    from ttcrawl.cli import main

    return main(["mirror", str(directory)])


@pytest.mark.slow
def test_a_crawl_that_is_killed_and_resumed(server, tmp_path):
    server.clear()
    options = ("--no-obey-delay", "--scope", "any", "--set", f"postgresql.url={server.url}", *FAST)
    with Web(mesh(HOSTS, 60, seed=4)) as web:
        first = start(tmp_path, "crawl", web.url("a.test", "/"), "-d", tmp_path / "c", *options_for(web), *options)
        until(lambda: settled(tmp_path / "c") > 20)
        lines = list(processes_of(tmp_path / "c"))
        kill_all(first.pid)
        first.communicate()
        second = start(tmp_path, "resume", tmp_path / "c")
        _, error = second.communicate(timeout=120)
    assert second.returncode == 0 and "Traceback" not in error, error
    assert len(lines) == 1 and not any(URL_PASSWORD in word for word in lines[0][1])
    assert differences(server, tmp_path / "c") == []
    until(lambda: not list(processes_of(tmp_path / "c")))  # that of the killed crawl follows the other, too


@pytest.mark.slow
def test_the_server_comes_later(server, tmp_path):
    """The crawl does not wait for it at its begin; at its end it does."""
    server.clear()
    server.kill()
    options = ("--no-obey-delay", "--scope", "any", "--set", f"postgresql.url={server.url}")
    with Web(mesh(HOSTS, 20, seed=5)) as web:
        done = start(tmp_path, "crawl", web.url("a.test", "/"), "-d", tmp_path / "c", *options_for(web), *options)
        until(lambda: list(priorities(tmp_path / "c")) == [(10, 19)])  # while it imports what it needs
        until(lambda: settled(tmp_path / "c") > 20)
        until(lambda: "copied as soon as possible" in (tmp_path / "c" / "mirror.log").read_text())
        until(lambda: list(priorities(tmp_path / "c")) == [(10, 0)])  # the crawl has ended: the user waits
        server.start()
        _, error = done.communicate(timeout=120)
    assert done.returncode == 0 and "is being completed" in error, error
    assert differences(server, tmp_path / "c") == []


def test_a_wrong_database_is_reported_before_the_first_request(server, tmp_path):
    """Of a new crawl, which writes nothing, and of one that is continued, which is not changed."""
    server.clear()
    nowhere = f"postgresql.url={server.url_of('nowhere')}"
    with Web(mesh(HOSTS, 20, seed=5)) as web:
        begun = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--set", nowhere)
        assert (begun.status, (tmp_path / "c").exists(), web.log()) == (2, False, [])
        limited = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--max-pages", "3")
        assert limited.status == 3
        requests, config = len(web.log()), (tmp_path / "c" / "config.ini").read_bytes()
        continued = run("resume", tmp_path / "c", "--set", nowhere)
        assert (continued.returncode, len(web.log())) == (2, requests)
        assert (tmp_path / "c" / "config.ini").read_bytes() == config
    for error in (begun.err, continued.stderr):
        assert error.startswith("ttcrawl: [postgresql] url: PostgreSQL host=") and error.count("\n") == 1
        assert 'database "nowhere" does not exist: create it' in error and URL_PASSWORD not in error


@pytest.mark.slow
def test_the_process_that_copies_is_killed(server, tmp_path):
    server.clear()
    pages = {("a.test", f"/{n or ''}"): Answer(body=page(f"/{n + 1}", content=f"{n:b}"), delay=0.1) for n in range(900)}
    options = ("--no-obey-delay", "--set", f"postgresql.url={server.url}", *FAST)
    with Web(pages) as web:
        crawl = start(tmp_path, "crawl", web.url("a.test", "/"), "-d", tmp_path / "c", *options_for(web), *options)
        until(lambda: settled(tmp_path / "c") > 3)
        ((first, _),) = until_any(tmp_path / "c")
        kill([first])
        until(lambda: {pid for pid, _ in processes_of(tmp_path / "c")} - {first}, 60)
        web.change({key: replace(answer, body=page()) for key, answer in pages.items()})
        _, error = crawl.communicate(timeout=120)
    assert crawl.returncode == 0 and error.count("was killed: it is started again") == 1, error
    assert differences(server, tmp_path / "c") == []


def until_any(directory):
    until(lambda: list(processes_of(directory)))
    return list(processes_of(directory))


AWAY, SHARES = 60, 6


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.timeout(600)
def test_the_server_is_away_for_a_minute(server, tmp_path):
    """The crawl goes on, by the log of the web server, and the copy has each request once in the end."""
    server.clear()
    web_pages = {
        ("a.test", f"/{n or ''}"): Answer(body=page(f"/{n + 1}", title=f"page {n}", content=f"<p>{n:b}"), delay=0.2)
        for n in range(5000)
    }
    options = ("--no-obey-delay", "--set", f"postgresql.url={server.url}", *FAST)
    with Web(web_pages) as web:
        crawl = start(tmp_path, "crawl", web.url("a.test", "/"), "-d", tmp_path / "c", *options_for(web), *options)
        until(lambda: server.query("SELECT to_regclass('ttcrawl.visit')") != [(None,)], 120)
        until(lambda: server.query("SELECT count(*) FROM ttcrawl.visit")[0][0] > 3, 120)
        assert list(priorities(tmp_path / "c")) == [(10, 10)]
        server.kill()
        begin = time.time()
        time.sleep(AWAY)
        server.start()
        web.change({key: replace(answer, body=page()) for key, answer in web_pages.items()})
        _, error = crawl.communicate(timeout=400)
        requests = [hit.arrived - begin for hit in web.log()]
    assert crawl.returncode == 0, error
    served = Counter(int(moment * SHARES // AWAY) for moment in requests if 0 <= moment < AWAY)
    assert len(served) == SHARES, served
    assert differences(server, tmp_path / "c") == []
    assert server.query("SELECT count(*), count(DISTINCT id) FROM ttcrawl.visit") == [(len(requests),) * 2]


@pytest.mark.parametrize("url", ["mysql://a/b", f"me:{URL_PASSWORD}@a/b"])
def test_a_wrong_url_is_refused_before_the_crawl(tmp_path, url):
    with Web(mesh(HOSTS, 2, seed=3)) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--set", f"postgresql.url={url}")
    assert (done.status, (tmp_path / "c").exists()) == (2, False)
    assert done.err.startswith("ttcrawl: [postgresql] url: write postgresql://") and URL_PASSWORD not in done.err
