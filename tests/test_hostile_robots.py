"""Hosts whose robots.txt is made to cost time and memory, beside an honest one; by the log of the server."""

import signal
import sqlite3
import subprocess
import time
from contextlib import suppress
from itertools import pairwise

import pytest

from tests.support.crawls.crawling import Crawled, command, crawl, options_for
from tests.support.faults.killing import until
from tests.support.web.site import Answer, Web, page, robots

K500 = 500 * 1024
DELAY = 0.5


def filled(line):
    lines, size = ["User-agent: *"], 14
    while (size := size + len(line(len(lines))) + 1) <= K500:
        lines.append(line(len(lines)))
    return robots(*lines)


#: All of them are decided anew for each URL: parts of nearly all rules are in the paths below.
STARS = filled(lambda n: f"Disallow: /*a*{'abcdefghij'[n % 10]}*{n}z")
PLAIN = filled(lambda n: f"Disallow: /a{n}/")
PATH = "/" + "abcdefghij" * 20


def hostile(count, links):
    """So many hosts of one domain, each with links to URLs of it that are costly to decide about, and refused."""
    hosts = [f"h{number}.hostile.test" for number in range(count)]
    pages = {}
    for number, host in enumerate(hosts):
        pages[host, "/robots.txt"] = (STARS, PLAIN)[number % 2]
        path = PATH if number % 2 == 0 else ""
        pages[host, "/"] = Answer(body=page(*(f"{path}/a{n}/{n}z" for n in range(1, links)), "/end"))
        pages[host, "/end"] = Answer(body=page())
    return hosts, pages


def honest(count):
    """Pages whose words differ, or they would be a trap."""
    letters = str.maketrans("0123456789", "abcdefghij")
    pages = {("honest.test", "/"): Answer(body=page(*(f"/{number}" for number in range(count))))}
    for number in range(count):
        words = " ".join(f"{number}x{word}".translate(letters) for word in range(30))
        pages["honest.test", f"/{number}"] = Answer(body=page(content=f"<p>{words}</p>"))
    return pages


@pytest.mark.alone
@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("reading", ["rfc9309", "1996"])
def test_an_honest_host_gets_the_requests_that_its_delay_allows(tmp_path, reading):
    """It got 2 of 39, and --max-time 20 was seen after 54 s."""
    hosts, pages = hostile(20, links=400)
    seconds = 20
    with Web(pages | honest(200)) as web:
        began = time.monotonic()
        seeds = [web.url(host, "/") for host in (*hosts, "honest.test")]
        sets = [f"politeness.delay={DELAY}", "politeness.address_delay=0", f"politeness.robots={reading}"]
        options = [part for each in sets for part in ("--set", each)]
        done = crawl(web, seeds, tmp_path / "c", *options, "--max-time", seconds, timeout=120)
        took = time.monotonic() - began
        arrived = [hit.arrived for hit in web.log() if hit.host.startswith("honest.test")]
    assert done.status == 3 and took < seconds + 15
    span = seconds - 1  # the first requests wait for processes that start
    allowed = span / (DELAY + max(0.0, min(second - first for first, second in pairwise(arrived)) - DELAY))
    assert len(arrived) >= 0.9 * allowed, (len(arrived), allowed)
    assert done.query("SELECT count(*) > 500 FROM url WHERE reason = 'robots.txt'") == [(1,)]


@pytest.mark.slow
def test_ctrl_c_is_seen_while_urls_are_refused(tmp_path):
    hosts, pages = hostile(6, links=1500)
    directory = tmp_path / "c"
    with Web(pages) as web:
        seeds = [web.url(host, "/") for host in hosts]
        sets = ("--set", "politeness.delay=0.1", "--set", "politeness.address_delay=0")
        run = command("crawl", *seeds, "-d", directory, *options_for(web), "--progress", "none", *sets)
        process = subprocess.Popen(run, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        crawled = Crawled(status=3, out="", err="", directory=directory)
        until(lambda: (directory / "crawl.db").exists() and counted(crawled, "robots.txt") > 100)
        process.send_signal(signal.SIGINT)
        began = time.monotonic()
        _, err = process.communicate(timeout=60)
    assert process.returncode == 3, err
    assert time.monotonic() - began < 20
    assert counted(crawled, "") > 0  # queued


def counted(crawled, reason):
    """URLs with a reason; 0 before there are tables."""
    try:
        return crawled.query(f"SELECT count(*) FROM url WHERE reason = '{reason}'")[0][0]
    except sqlite3.OperationalError:
        return 0


def memory_of(pid):
    """Bytes of memory of a process."""
    with open(f"/proc/{pid}/status") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmRSS"))


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_memory_of_the_crawl_process_is_bounded_with_a_hundred_sub_domains(tmp_path):
    """500 KB each: it was 1,229 MB. 45 MB are the program, 64 MB the cache of the database, 24 MB rules; the rest is
    what messages and the texts in them take."""
    hosts, pages = hostile(100, links=3)
    with Web(pages) as web:
        seeds = [web.url(host, "/") for host in hosts]
        sets = ("--set", "politeness.delay=0.3", "--set", "politeness.address_delay=0")
        run = command("crawl", *seeds, "-d", tmp_path / "c", *options_for(web), "--progress", "none", *sets)
        process = subprocess.Popen(run, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        most = 0
        while process.poll() is None:
            with suppress(OSError, StopIteration):  # it ends
                most = max(most, memory_of(process.pid))
            time.sleep(0.05)
        err = process.stderr.read()
        process.stderr.close()
    assert process.returncode == 0, err
    crawled = Crawled(status=0, out="", err=err, directory=tmp_path / "c")
    assert counted(crawled, "robots.txt") == 200
    assert 0 < most < 220 << 20, most
