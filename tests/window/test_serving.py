"""`ttcrawl view` and `ttcrawl crawl --view`: what they print, and how they end."""

import http.client
import signal
import socket
import subprocess
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest

from tests.library.sample_crawl import make
from tests.support.crawls.crawling import command, options_for
from tests.support.web.site import Answer, Web, page
from ttcrawl.errors import DONE, USAGE


@contextmanager
def started(*words):
    with subprocess.Popen(command(*words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def status_of(address):
    """Of a browser without a cookie that opens an address."""
    url = urlsplit(address)
    connection = http.client.HTTPConnection(url.netloc)
    connection.request("GET", f"{url.path}?{url.query}")
    return connection.getresponse().status


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_prints_its_address_and_ends_by_a_signal(tmp_path, number):
    make(tmp_path / "crawl")
    with started("view", tmp_path / "crawl") as process:
        address = process.stdout.readline().strip()
        assert status_of(address) == 200 and status_of(address.partition("?")[0]) == 403
        process.send_signal(number)
        out, errors = process.communicate()
    assert (process.returncode, out) == (DONE, "") and "Traceback" not in errors


def test_it_listens_on_127_0_0_1_alone(tmp_path):
    make(tmp_path / "crawl")
    with started("view", tmp_path / "crawl") as process:
        port = urlsplit(process.stdout.readline()).port
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.2", port))


def test_a_port_that_is_taken_is_wrong_usage(tmp_path):
    make(tmp_path / "crawl")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        words = ("view", tmp_path / "crawl", "--port", taken.getsockname()[1])
        done = subprocess.run(command(*words), capture_output=True, text=True)
    assert done.returncode == USAGE and "choose another --port" in done.stderr


def test_a_directory_that_does_not_exist_is_wrong_usage(tmp_path):
    done = subprocess.run(command("view", tmp_path / "no"), capture_output=True, text=True)
    assert done.returncode == USAGE and "it does not exist" in done.stderr


@contextmanager
def crawl_with_window(directory):
    """(the process, its lines on stderr, the address of its window)."""
    with Web({("a.test", "/"): Answer(body=page("/b")), ("a.test", "/b"): Answer(body=page())}) as web:
        words = ["crawl", web.url("a.test", "/"), "-d", directory, "--view", "--progress", "none", *options_for(web)]
        with started(*words) as process:
            lines = iter(process.stderr.readline, "")
            yield process, lines, next(line for line in lines if "window over the crawl" in line).split()[-1]


@pytest.mark.slow
def test_the_window_beside_a_crawl_stays_until_ctrl_c(tmp_path):
    with crawl_with_window(tmp_path / "crawl") as (process, lines, address):
        assert status_of(address) == 200
        next(line for line in lines if "stays open" in line)
        assert status_of(address) == 200
        process.send_signal(signal.SIGINT)
        process.communicate()
    assert process.returncode == DONE
    with pytest.raises(ConnectionRefusedError):
        status_of(address)


@pytest.mark.slow
def test_the_window_ends_with_a_crawl_that_is_killed(tmp_path):
    with crawl_with_window(tmp_path / "crawl") as (process, _, address):
        process.kill()
        process.communicate()  # until the window, too, has ended
    with pytest.raises(ConnectionRefusedError):
        status_of(address)
