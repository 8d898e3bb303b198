"""Ctrl-C, SIGTERM and a closed terminal, at whatever moment: a crawl ends, loses nothing, and says how to go on."""

import os
import pty
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace

import pytest

from tests.support.crawls.crawling import Crawled, command, options_for, verified
from tests.support.crawls.preforked import run
from tests.support.faults.killing import kill_all, processes, until
from tests.support.web.mesh import mesh
from tests.support.web.site import Web
from ttcrawl.engine.run.interrupts import STOPPING, Interrupts, StopNow

HOSTS = ["a.test", "b.test"]
NUMBERS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def started(web, directory, *options, **kwargs):
    return subprocess.Popen(
        command("crawl", web.url(HOSTS[0], "/"), "-d", directory, *options_for(web), "--progress", "none", *options),
        stdout=subprocess.PIPE,
        stderr=kwargs.get("stderr", subprocess.PIPE),
        text=True,
        start_new_session=True,
    )


def ended(process):
    """(status, stdout, stderr) of what must end by itself."""
    try:
        out, err = process.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        kill_all(process.pid)
        raise
    until(lambda: not any(processes(process.pid).values()))
    return process.returncode, out, err


@pytest.mark.slow
@pytest.mark.parametrize("number", NUMBERS, ids=lambda number: number.name)
def test_a_signal_to_the_whole_group_ends_no_worker(tmp_path, number):
    """As a terminal, a service manager and timeout(1) send it: what is under way comes home, and is not asked again."""
    pages = {key: replace(answer, delay=0.2) for key, answer in mesh(HOSTS, 40, seed=5).items()}
    with Web(pages) as web:
        process = started(web, tmp_path / "c", "--no-obey-delay", "--scope", "any", "--set", "fetch.retries=0")
        until(lambda: len(web.log()) > 30)
        os.killpg(process.pid, number)
        status, out, err = ended(process)
        done = Crawled(status=status, out=out, err=err, directory=tmp_path / "c")
        assert status == 3 and "died" not in err and "Traceback" not in err
        assert done.query("SELECT value FROM crawl WHERE name = 'finished'") == [("interrupted",)]
        assert done.query("SELECT count(*) FROM url WHERE state = 'failed'") == [(0,)]
        assert f"ttcrawl resume {tmp_path / 'c'} continues" in err.splitlines()[-1]
        run("resume", tmp_path / "c", "--progress", "none").check_returncode()
        assert set(Counter((hit.host, hit.path) for hit in web.log()).values()) == {1}


@pytest.mark.slow
@pytest.mark.parametrize("count", range(3))
def test_ctrl_c_again_and_again_to_the_very_end(tmp_path, count):
    with Web(mesh(HOSTS, 10, seed=5)) as web:
        process = started(web, tmp_path / "c", "--set", "politeness.delay=0.2")
        until(lambda: len(web.log()) > count)
        while process.poll() is None:
            os.killpg(process.pid, signal.SIGINT)
        status, _, err = ended(process)
    assert status == 3 and "Traceback" not in err, err


@pytest.mark.slow
@pytest.mark.parametrize("times", [1, 3])
@pytest.mark.parametrize("moment", ["the first worker", "the first request"])
def test_ctrl_c_while_the_processes_start(tmp_path, moment, times):
    with Web(mesh(HOSTS, 10, seed=5)) as web:
        process = started(web, tmp_path / "c", "--set", "politeness.delay=0.2")
        until(
            {
                "the first worker": lambda: any(processes(process.pid)[role] for role in ("fetch", "parse")),
                "the first request": web.log,
            }[moment]
        )
        for _ in range(times):
            os.killpg(process.pid, signal.SIGINT)
            time.sleep(0.01)
        status, _, err = ended(process)
    assert status == 3 and "Traceback" not in err
    assert verified(tmp_path / "c") == ""


@pytest.mark.slow
@pytest.mark.parametrize("times", [1, 3])
@pytest.mark.parametrize("name", ["lock", "crawl.db"])
def test_ctrl_c_while_the_crawl_is_made_leaves_nothing_or_one(tmp_path, name, times):
    with Web(mesh(HOSTS, 10, seed=5)) as web:
        process = started(web, tmp_path / "c", "--set", "politeness.delay=0.2")
        until((tmp_path / "c" / name).exists)
        for _ in range(times):
            os.killpg(process.pid, signal.SIGINT)
        status, _, err = ended(process)
    assert status == 3 and "Traceback" not in err
    assert not (tmp_path / "c").exists() or verified(tmp_path / "c") == ""


@pytest.mark.slow
@pytest.mark.parametrize("step", ["os.mkdir:1", "open:1", "fcntl.flock:1", "os.mkdir:2", "sql:9", "os.rename:2"])
def test_ctrl_c_at_each_step_of_making_the_crawl_leaves_one(tmp_path, step):
    place = tmp_path / "c"
    with Web(mesh(HOSTS, 10, seed=5)) as web:
        begin = ("crawl", web.url(HOSTS[0], "/"), "-d", place, *options_for(web), "--inline", "--progress", "none")
        run = [sys.executable, "-m", "tests.support.faults.killed_at", "SIGINT", step, *map(str, (place, *begin))]
        done = subprocess.run(run, capture_output=True, text=True, timeout=60)
        assert done.returncode == 3 and "Traceback" not in done.stderr, done.stderr
        assert done.stderr.splitlines()[0] == f"ttcrawl: {STOPPING}"
        assert web.log() == [] and verified(place) == ""


def test_ctrl_c_while_the_fork_server_starts(tmp_path):
    with Web(mesh(HOSTS, 10, seed=5)) as web:
        process = started(web, tmp_path / "c")
        until(lambda: processes(process.pid)["server"])
        os.killpg(process.pid, signal.SIGINT)
        status, _, err = ended(process)
    assert status == 3 and "Traceback" not in err


@pytest.mark.slow
def test_a_terminal_that_is_closed(tmp_path):
    """The crawl is told by SIGHUP, and what it has to say can no longer be written."""
    with Web(mesh(HOSTS, 40, seed=5)) as web:
        ours, theirs = pty.openpty()
        process = started(web, tmp_path / "c", "--set", "politeness.delay=0.05", stderr=theirs)
        os.close(theirs)
        until(lambda: len(web.log()) > 5)
        os.close(ours)
        os.killpg(process.pid, signal.SIGHUP)
        status, out, _ = ended(process)
    done = Crawled(status=status, out=out, err="", directory=tmp_path / "c")
    assert status == 3 and done.query("SELECT value FROM crawl WHERE name = 'finished'") == [("interrupted",)]


def test_the_first_is_told_and_led_on_the_second_ends_at_once():
    said, stopped = [], []
    before = [signal.getsignal(number) for number in NUMBERS]
    with Interrupts(said.append) as interrupts:
        interrupts.lead_to(stopped.append)
        signal.raise_signal(signal.SIGTERM)
        assert (said, stopped) == ([STOPPING], ["interrupted"])
        signal.raise_signal(signal.SIGINT)  # nothing stands under at_once
        with pytest.raises(StopNow), interrupts.interruptible():
            raise AssertionError("not reached")
    with Interrupts(said.append) as interrupts, pytest.raises(StopNow), interrupts.interruptible():
        for number in NUMBERS[:2]:
            signal.raise_signal(number)
        raise AssertionError("not reached")
    assert [signal.getsignal(number) for number in NUMBERS] == before


class Finalized:
    """Sends a signal while it is finalized, where no exception leads anywhere."""

    def __del__(self):
        signal.raise_signal(signal.SIGINT)
        time.sleep(0)  # the handler runs here


def test_one_that_comes_while_an_object_is_finalized(capfd):
    before = sys.unraisablehook
    with Interrupts(lambda line: None) as interrupts:
        interrupts.lead_to(lambda reason: None)
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(StopNow), interrupts.interruptible():
            del (finalized := [Finalized()])[0]
            time.sleep(5)
    assert not finalized and capfd.readouterr().err == ""
    assert sys.unraisablehook == before


def test_one_that_comes_before_there_is_anything_to_stop():
    stopped = []
    with Interrupts(lambda text: None) as interrupts:
        signal.raise_signal(signal.SIGINT)
        with interrupts.interruptible():
            interrupts.lead_to(stopped.append)
    assert stopped == ["interrupted"]


def test_one_that_comes_while_a_line_is_written():
    def busy(text):
        raise RuntimeError("reentrant call")

    with Interrupts(busy):
        signal.raise_signal(signal.SIGINT)


def test_nohup_is_respected():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with Interrupts(print):
            assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)
