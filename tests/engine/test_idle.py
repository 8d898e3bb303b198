"""What a crawl says while it waits for a host that cannot be reached."""

import socket
import subprocess

import pytest

from tests.support.crawls.crawling import command


def closed_port():
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        return closed.getsockname()[1]


@pytest.mark.slow
@pytest.mark.parametrize("transport", ["curl", "urllib3"])
def test_a_mistyped_port_is_said_at_once(tmp_path, transport):
    """The back-off goes on for minutes: whoever waits must know why, and what to do."""
    port = closed_port()
    options = ("--inline", "--progress", "none", f"--set=fetch.transport={transport}")
    crawl = command("crawl", f"http://127.0.0.1:{port}/", "-d", tmp_path / "c", *options)
    with subprocess.Popen(crawl, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
        lines = iter(process.stderr.readline, "")
        said = next((line for line in lines if "cannot be reached" in line), "")
        running = process.poll() is None
        process.kill()
    assert said.startswith(f"ttcrawl: 127.0.0.1:{port} cannot be reached (connection refused): check its name and port")
    assert running
