"""Processes whose crawl process is gone before they begin, or whose fork server dies."""

import random
import subprocess
import sys
import time
from dataclasses import replace

import pytest
from msgspec.msgpack import Decoder

from tests.support.cases import some_fast
from tests.support.crawls.crawling import Crawled, verified
from tests.support.crawls.mesh_crawls import HOSTS, running, truth
from tests.support.faults.killing import kill, processes, until
from tests.support.long_tables import LONG, few
from tests.support.web.mesh import mesh
from tests.support.web.site import Web
from ttcrawl.ring.channel import Channel, pair
from ttcrawl.ring.pool import Worker

GONE = """
import socket, sys
from pathlib import Path
from ttcrawl.ring.clock import SteadyClock
from ttcrawl.config import read
from ttcrawl.ring.pool import live
from ttcrawl.config.compiled import compile_scope
from ttcrawl.ring.slots import Slots
from ttcrawl.ring.position import Position

config, (ours, theirs) = read(None), socket.socketpair()
ours.close()
fetch = (Slots(1, 1), config, SteadyClock.start(), frozenset())
parse = (Slots(1, 1), config, compile_scope(config.scope, [], []), Path(sys.argv[2]), Position(series=0))
live(sys.argv[1], 0, theirs, *(fetch if sys.argv[1] == "fetch" else parse))
"""


@pytest.mark.parametrize("role", some_fast(["fetch", "parse"], "fetch"))
def test_they_end_and_say_nothing(tmp_path, role):
    done = subprocess.run([sys.executable, "-c", GONE, role, tmp_path], capture_output=True, text=True, timeout=20)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


DYING = """
import os, select, signal, sys
from multiprocessing import forkserver, popen_forkserver
from ttcrawl.ring import pool
from ttcrawl.ring.clock import SteadyClock
from ttcrawl.config import read
from ttcrawl.errors import CrawlFailedError
from ttcrawl.ring.slots import Slots

moment, times = sys.argv[1], int(sys.argv[2])
server, connect = forkserver._forkserver, forkserver.connect_to_new_process


def kill():
    global times
    if times:
        times -= 1
        os.kill(server._forkserver_pid, signal.SIGKILL)
        os.waitid(os.P_PID, server._forkserver_pid, os.WEXITED | os.WNOWAIT)


def connect_and_die(fds):
    if moment != "after it was asked":
        kill()
        return connect(fds)
    ends = connect(fds)
    kill()
    return ends


popen_forkserver.forkserver.connect_to_new_process = connect_and_die

if __name__ == "__main__":
    try:
        worker = pool.Worker(0, "fetch", lambda: (Slots(1, 1), read(None), SteadyClock.start(), frozenset()))
    except CrawlFailedError as error:
        sys.exit(str(error))
    select.select([worker.socket], [], [])
    print(*(type(each).__name__ for each in worker.receive()))
    worker.stop()
"""


@pytest.mark.slow
@pytest.mark.parametrize("moment", ["before it is asked", "after it was asked"])
@pytest.mark.parametrize("times", [1, 4, 99])
def test_the_fork_server_dies_while_a_worker_is_started(tmp_path, moment, times):
    (tmp_path / "dying.py").write_text(DYING)
    run = [sys.executable, tmp_path / "dying.py", moment, str(times)]
    done = subprocess.run(run, capture_output=True, text=True, timeout=60)
    if times < 99 or moment != "after it was asked":  # multiprocessing itself starts one that is not there
        assert (done.returncode, done.stdout, done.stderr) == (0, "Ready\n", "")
    else:
        assert done.returncode == 1 and done.stderr.startswith("no fetch process can be started: ")
        assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("kills", [1, pytest.param(3, marks=pytest.mark.slow), pytest.param(20, marks=LONG)])
def test_the_fork_server_dies_again_and_again(tmp_path, kills):
    """All processes of the crawl die with it, whatever they are at: the crawl goes on, and nothing is lost."""
    pages = mesh(HOSTS, 8 * kills, seed=11)
    rng = random.Random(kills)
    options = ("--no-obey-delay", "--scope", "any", "--fetchers", "2", "--parsers", "2", "--set", "fetch.retries=99")
    slow = {key: replace(answer, delay=0.1) for key, answer in pages.items()}
    with Web(slow) as web:
        process = running(web, tmp_path / "c", *options, "--set", "fetch.retry_wait=0.05")
        for _ in range(kills):
            asked = len(web.log()) + rng.randrange(12)
            until(lambda asked=asked: len(web.log()) > asked)
            time.sleep(rng.uniform(0, 0.2))
            # requests of processes that were killed with the last one may arrive before the next one runs
            until(lambda: processes(process.pid)["server"])
            kill(processes(process.pid)["server"])
        out, err = process.communicate(timeout=100)
        assert process.returncode == 0 and "Traceback" not in err and "Warning" not in err, err
        done = Crawled(status=0, out=out, err=err, directory=tmp_path / "c")
        assert done.states() == truth(web, pages)
        assert err.count("it was replaced") >= kills
    assert verified(tmp_path / "c") == ""


@pytest.mark.slow
@pytest.mark.parametrize("milliseconds", few(4, [200, 500, 800, 1100, 100, 300, 400, 600, 700, 900, 1000, 1200, 1300]))
def test_the_fork_server_dies_while_the_crawl_begins(tmp_path, milliseconds):
    pages = mesh(HOSTS[:1], 5, seed=11)
    with Web(pages) as web:
        process = running(web, tmp_path / "c", "--no-obey-delay", "--fetchers", "2", "--parsers", "2")
        time.sleep(milliseconds / 1000)
        kill(processes(process.pid)["server"])
        out, err = process.communicate(timeout=100)
        assert process.returncode == 0 and "Traceback" not in err and "Warning" not in err, err
        assert Crawled(status=0, out=out, err=err, directory=tmp_path / "c").states() == truth(web, pages)


class Deaf(Worker):
    """Its process reads nothing until the test does."""

    def start(self):
        self.socket, self.theirs = pair()


def test_a_process_that_reads_nothing_does_not_stop_the_crawl():
    """A page may keep a parser busy for minutes, and cookies of others that wait for it may be large."""
    worker, sent = Deaf(0, "parse", tuple), [bytes([number]) * 50_000 for number in range(40)]
    with worker.socket, worker.theirs:
        for token, message in enumerate(sent):
            worker.send(token, message)
            complete = worker.flush()
        assert not complete and list(worker.tokens) == list(range(40))
        channel = Channel(worker.theirs, Decoder(bytes))
        for message in sent:
            worker.flush()
            assert channel.receive() == message
        assert worker.flush()
