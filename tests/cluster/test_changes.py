"""`ttcrawl cluster join` and `leave` with real processes, judged by the server's log and by SQL."""

import json
import os
import random
import signal
import subprocess
from collections import Counter

import pytest

from tests.cluster.clusters import (
    Done,
    begun,
    clustered,
    finished,
    kill_ring,
    requests,
    ring_process,
    seed_of,
    web_of,
)
from tests.support.crawls.crawling import command, crawl, query, verified
from tests.support.crawls.equal_tables import everything
from tests.support.crawls.preforked import run
from tests.support.faults.killing import FAST, until
from tests.support.long_tables import few

NO_DELAY = ("--no-obey-delay", "--scope", "any")


def slowly(delay):
    return ("--scope", "any", "--set", f"politeness.delay={delay}", "--set", "politeness.address_delay=0")


#: Seconds between two requests to a host, so that the crawl does not end before it has been changed.
MINUTES = slowly(4)


@pytest.fixture(scope="module")
def web():
    with web_of(10) as web:
        yield web


@pytest.fixture(scope="module")
def expected(web, tmp_path_factory):
    """URL -> state and reason in one crawl."""
    directory = tmp_path_factory.mktemp("single")
    return crawl(web, seed_of(web), directory / "c", *FAST, *NO_DELAY).states()


def cluster(action, directory, *options):
    return run("cluster", action, directory, *options, cwd=directory.parent, timeout=120)


def hurried(process, directory):
    """Stop a crawl that would take minutes, and continue it without a delay."""
    assert cluster("stop", directory).returncode == 0
    _, err = process.communicate(timeout=200)
    done = finished(directory, "cluster", "resume", directory, "--no-obey-delay")
    return Done(done.status, done.out, err + done.err, directory)


def standings(directory):
    status = json.loads(cluster("status", directory, "--format", "json").stdout)
    return {each["ring"]: each["standing"] for each in status["rings"]}


def pages(directory, ring):
    return query(directory / f"ring-{ring}", "SELECT count(*) FROM page")[0][0]


def assert_found(done, expected, web, before):
    """All was found, and all requested once."""
    assert done.status == 0 and "Traceback" not in done.err, done.err
    assert done.states() == expected
    assert set(Counter(requests(web, before)).values()) == {1}
    assert [verified(done.directory / f"ring-{ring}") for ring in done.rings()] == [""] * len(done.rings())


@pytest.mark.slow
def test_a_ring_joins_and_another_leaves_while_it_crawls(web, expected, tmp_path):
    directory, before = tmp_path / "c", len(web.log())
    process = begun(web, directory, 2, *MINUTES)
    until(lambda: len(web.log()) > before + 10)
    joined = cluster("join", directory)
    assert (joined.returncode, joined.stdout) == (0, "ring 3 has joined and owns its hosts\n"), joined.stderr
    left = cluster("leave", directory, "--ring", 1)
    assert (left.returncode, left.stdout) == (0, "ring 1 has left: others own its hosts\n"), left.stderr
    assert standings(directory) == {1: "left", 2: "", 3: ""}
    alone = pages(directory, 1)
    done = hurried(process, directory)
    assert_found(done, expected, web, before)
    assert done.members()["rings"] == [2, 3] and done.rings() == [1, 2, 3]
    assert pages(directory, 3) > 0 and pages(directory, 1) == alone > 0


@pytest.mark.slow
def test_rings_join_and_leave_while_it_is_stopped(web, expected, tmp_path):
    directory, before = tmp_path / "c", len(web.log())
    assert clustered(web, directory, 2, *NO_DELAY, "--max-pages", 20).status == 3
    resume = f"when ttcrawl cluster resume {directory} continues"
    assert cluster("join", directory).stdout == f"ring 3 joins {resume}\n"
    assert standings(directory) == {1: "", 2: "", 3: "joining"}
    refused = cluster("leave", directory, "--ring", 1)
    assert refused.returncode == 2 and "is not done: wait for it, or resume the crawl" in refused.stderr
    stopped = finished(directory, "cluster", "resume", directory, "--max-pages", 1)
    assert stopped.status == 3, stopped.err
    done = finished(directory, "cluster", "resume", directory, "--max-pages", 0)
    assert_found(done, expected, web, before)
    assert standings(directory) == {1: "", 2: "", 3: ""}
    assert cluster("leave", directory, "--ring", 2).stdout == f"ring 2 leaves {resume}\n"
    assert standings(directory) == {1: "", 2: "leaving", 3: ""}
    assert_found(finished(directory, "cluster", "resume", directory), expected, web, before)
    assert standings(directory) == {1: "", 2: "left", 3: ""}


def test_rings_that_cannot_leave(web, tmp_path):
    directory = tmp_path / "c"
    assert clustered(web, directory, 1, *NO_DELAY, "--max-pages", 1).status == 3
    before = (directory / "cluster.json").read_text()
    for ring, why in ((1, "the last ring cannot leave"), (7, "ring 7 owns no hosts: the rings that do are 1")):
        done = cluster("leave", directory, "--ring", ring)
        assert (done.returncode, done.stderr) == (2, f"ttcrawl: {directory}: {why}\n")
    assert (directory / "cluster.json").read_text() == before
    none = cluster("join", tmp_path)
    assert none.returncode == 2 and "contains no cluster" in none.stderr


TABLES = ("urls", "pages", "links", "metadata", "text", "duplicates")


@pytest.mark.slow
def test_rings_that_joined_and_left_are_gathered(web, tmp_path):
    one = crawl(web, seed_of(web), tmp_path / "one", *FAST, *NO_DELAY)
    directory = tmp_path / "c"
    clustered(web, directory, 2, *NO_DELAY, "--max-pages", 20)
    cluster("join", directory)
    finished(directory, "cluster", "resume", directory, "--max-pages", 50)
    cluster("leave", directory, "--ring", 1)
    assert finished(directory, "cluster", "resume", directory, "--max-pages", 0).status == 0
    assert cluster("gather", directory, "-o", tmp_path / "all").returncode == 0
    single, whole = everything(one.directory), everything(tmp_path / "all")
    for table in TABLES:
        assert whole[table] == single[table], table
    assert verified(tmp_path / "all") == ""


@pytest.mark.slow
@pytest.mark.parametrize("victim", few(1, ["ring 1", "conductor", "ring 3"]))
def test_kills_while_a_ring_joins_lose_nothing(web, expected, tmp_path, victim):
    directory, before, chance = tmp_path / "c", len(web.log()), random.Random(victim)
    process = begun(web, directory, 2, *MINUTES)
    until(lambda: len(web.log()) > before + 10)
    joining = subprocess.Popen(
        command("cluster", "join", directory), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path
    )
    until(lambda: standings(directory).get(3) == "joining" or joining.poll() is not None)
    until(lambda: chance.random() < 0.3)
    if victim == "conductor":
        process.kill()
        process.communicate()
        out, _ = joining.communicate(timeout=60)
        assert "ring 3 joins when" in out or "ring 3 has joined" in out
        done = finished(directory, "cluster", "resume", directory, "--no-obey-delay")
    else:
        until(lambda: kill_ring(directory, int(victim[-1])))
        out, _ = joining.communicate(timeout=60)
        assert out == "ring 3 has joined and owns its hosts\n"
        done = hurried(process, directory)
    assert done.status == 0, done.err
    assert done.states() == expected
    assert standings(directory) == {1: "", 2: "", 3: ""}


@pytest.mark.slow
def test_a_ring_that_hangs_is_named_and_started_again(web, expected, tmp_path):
    directory, before = tmp_path / "c", len(web.log())
    process = begun(web, directory, 2, *slowly(0.3))
    until(lambda: len(web.log()) > before + 10)
    hanging = ring_process(directory, 1)
    os.kill(hanging, signal.SIGSTOP)
    _, err = process.communicate(timeout=200)
    assert f"ring 1 (process {hanging}) has not answered for" in err
    assert f"ring 1 (process {hanging}) was killed by SIGKILL; it was started again" in err
    assert Done(process.returncode, "", err, directory).states() == expected
