"""`[postgresql] url` copies a crawl while it runs, in a process of its own."""

import stat
import subprocess
import time
from pathlib import Path

import pytest

from tests.crawling import crawl, options_for
from tests.export.postgresql.copies import differences
from tests.killing import FAST, kill_all, settled, start, until
from tests.mesh import mesh
from tests.postgresql import PASSWORD, URL_PASSWORD, postgresql
from tests.site import Web

HOSTS = ["a.test", "b.test"]


@pytest.fixture(scope="module")
def server():
    with postgresql() as server:
        yield server


def processes_of(directory):
    """The command lines of the processes that copy a crawl."""
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = entry.read_bytes().decode().split("\0")
        except OSError:
            continue
        if "mirror" in line and str(directory) in line:
            yield line


def files_with(*texts, within):
    """The names of the files that contain one of the texts, WARC records unpacked."""
    for path in sorted(each for each in within.rglob("*") if each.is_file()):
        data = path.read_bytes()
        if path.suffix == ".gz":
            data += subprocess.run(["gzip", "-dc", path], capture_output=True, check=True).stdout
        if any(text.encode() in data for text in texts):
            yield path.name


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
    assert len(lines) == 1 and not any(URL_PASSWORD in word for word in lines[0])
    assert differences(server, tmp_path / "c") == []


def test_the_server_comes_later(server, tmp_path):
    """The crawl does not wait for it at its begin; at its end it does."""
    server.clear()
    server.kill()
    options = ("--no-obey-delay", "--scope", "any", "--set", f"postgresql.url={server.url}")
    with Web(mesh(HOSTS, 20, seed=5)) as web:
        done = start(tmp_path, "crawl", web.url("a.test", "/"), "-d", tmp_path / "c", *options_for(web), *options)
        until(lambda: settled(tmp_path / "c") > 20)
        until(lambda: "copied as soon as possible" in (tmp_path / "c" / "mirror.log").read_text())
        time.sleep(1)
        server.start()
        _, error = done.communicate(timeout=120)
    assert done.returncode == 0 and "is being completed" in error, error
    assert differences(server, tmp_path / "c") == []


@pytest.mark.parametrize("url", ["mysql://a/b", f"me:{URL_PASSWORD}@a/b"])
def test_a_wrong_url_is_refused_before_the_crawl(tmp_path, url):
    with Web(mesh(HOSTS, 2, seed=3)) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--set", f"postgresql.url={url}")
    assert (done.status, (tmp_path / "c").exists()) == (2, False)
    assert done.err.startswith("ttcrawl: [postgresql] url: write postgresql://") and URL_PASSWORD not in done.err
