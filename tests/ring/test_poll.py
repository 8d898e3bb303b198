"""Waiting for messages to the microsecond, however many files are open."""

import contextlib
import fcntl
import math
import os
import resource
import signal
import socket
import statistics
import subprocess
import threading
import time
from functools import partial

import pytest

from tests.support.crawls.crawling import command, options_for, verified
from tests.support.web.mesh import mesh
from tests.support.web.site import Web
from ttcrawl.ring import poll

BY_PPOLL, BY_POLL = partial(poll.readable, limit=-1), partial(poll.readable, limit=-1, ppoll=None)
WAYS = [poll.readable, BY_PPOLL, BY_POLL] if poll.PPOLL else [poll.readable, BY_POLL]
PRECISE = WAYS[:-1]


@pytest.fixture
def many():
    """1,100 open files."""
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    if limits[1] < 4096:
        pytest.skip("so many files may not be opened here")
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, limits[1]))
    files = [os.open(os.devnull, os.O_RDONLY) for _ in range(1100)]
    yield files
    for each in files:
        os.close(each)
    resource.setrlimit(resource.RLIMIT_NOFILE, limits)


def pairs(stack, count):
    made = [socket.socketpair() for _ in range(count)]
    for pair in made:
        for each in pair:
            stack.enter_context(each)
    return made


@pytest.mark.parametrize("way", WAYS)
def test_what_is_readable_is_named(many, way):
    with contextlib.ExitStack() as stack:
        (one, other), (closed, gone), (idle, _) = pairs(stack, 3)
        assert min(each.fileno() for each in (one, closed, idle)) > poll.LIMIT
        files = [one.fileno(), closed.fileno(), idle.fileno()]
        assert way(files, 0) == []
        other.send(b"x")
        gone.close()
        assert sorted(way(files, 30)) == sorted(files[:2])
        assert way([], 0.01) == []


@pytest.mark.parametrize("way", WAYS)
def test_it_ends_as_soon_as_something_comes(way):
    with contextlib.ExitStack() as stack:
        ((one, other),) = pairs(stack, 1)
        threading.Timer(0.05, other.send, [b"x"]).start()
        assert way([one.fileno()], 60) == [one.fileno()]


@pytest.mark.skipif(poll.PPOLL is None, reason="this system's C library has no ppoll")
def test_a_signal_ends_it(many):
    came = []
    before = signal.signal(signal.SIGALRM, lambda *_: came.append(True))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with contextlib.ExitStack() as stack:
            ((one, _),) = pairs(stack, 1)
            assert BY_PPOLL([one.fileno()], 60) == [] and came
    finally:
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("way", PRECISE)
def test_it_is_never_early_and_not_whole_milliseconds_late(way):
    """The best of many: what a busy machine adds is not ours. In whole milliseconds 20.3 would be 21."""
    with contextlib.ExitStack() as stack:
        ((one, _),) = pairs(stack, 1)
        late = [math.inf]
        while min(late) >= 0.0005 and len(late) <= 200:
            began = time.monotonic()
            way([one.fileno()], 0.0203)
            late.append(time.monotonic() - began - 0.0203)
    assert -1e-6 < min(late) < 0.0005, statistics.median(late)


@pytest.mark.slow
def test_a_crawl_that_is_started_with_many_open_files(tmp_path, many):
    """As from a server that has leaked them."""
    for each in many:
        fcntl.fcntl(each, fcntl.F_SETFD, 0)  # the crawl has them too
    with Web(mesh(["a.test"], 30, seed=1)) as web:
        options = (*options_for(web), "--no-obey-delay", "--progress", "none")
        crawl = command("crawl", web.url("a.test", "/"), "-d", tmp_path / "c", *options)
        done = subprocess.run(crawl, close_fds=False, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr
    assert verified(tmp_path / "c") == ""
