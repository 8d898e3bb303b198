"""`ttcrawl cluster` with real processes: what rings find together, judged by the server's log and by SQL."""

import json
import random
import shutil
import signal
from collections import Counter
from itertools import pairwise

import pytest

from tests.cluster.clusters import (
    HOSTS,
    Done,
    begun,
    clustered,
    crawl_options,
    finished,
    kill_ring,
    requests,
    seed_of,
    web_of,
)
from tests.support.crawls.crawling import crawl, verified
from tests.support.crawls.preforked import run
from tests.support.faults.killing import FAST, until
from ttcrawl.cluster.route import table

#: All hosts, without delays, and so slowly that there is time to stop it.
NO_DELAY = ("--no-obey-delay", "--scope", "any")
SLOWLY = ("--scope", "any", "--set", "politeness.delay=0.2", "--set", "politeness.address_delay=0")


@pytest.fixture(scope="module")
def expected(web, tmp_path_factory):
    """URL -> state and reason in one crawl."""
    directory = tmp_path_factory.mktemp("single")
    return crawl(web, seed_of(web), directory / "c", *FAST, *NO_DELAY).states()


def fetched(states):
    return sum(state == "fetched" for state, _ in states.values())


@pytest.mark.slow
@pytest.mark.parametrize("rings", [1, 2, 3])
def test_rings_find_what_one_crawl_finds(web, expected, tmp_path, rings):
    before = len(web.log())
    done = clustered(web, tmp_path / "c", rings, *NO_DELAY)
    assert done.status == 0, done.err
    assert done.states() == expected
    assert set(Counter(requests(web, before)).values()) == {1}
    robots = Counter(each.host for each in web.log()[before:] if each.path == "/robots.txt")
    assert robots == dict.fromkeys(HOSTS, 1)
    assert [verified(tmp_path / "c" / f"ring-{ring}") for ring in done.rings()] == [""] * rings
    assert f"done: {fetched(expected)} pages, 0 queued" in done.out
    for ring in done.rings():
        files = list((tmp_path / "c" / f"ring-{ring}" / "warc").iterdir())
        assert files and all(file.name.startswith(f"c-ring-{ring}-") for file in files)
    assert "Traceback" not in done.err


@pytest.mark.slow
def test_gaps_at_an_address_that_rings_share(tmp_path):
    gap = 0.1
    delays = "--set", f"politeness.address_delay={gap}", "--set", "politeness.delay=0.2", "--scope", "any"
    with web_of(3, address="127.0.0.1") as web:
        done = clustered(web, tmp_path / "c", 2, *delays)
        assert done.status == 0, done.err
        hits = web.log()
    ring_of = table(done.rings()).ring_of
    pairs = list(pairwise(hits))
    assert sum(ring_of(before.host) != ring_of(after.host) for before, after in pairs) >= 5
    assert min(after.arrived - before.answered for before, after in pairs) >= gap


@pytest.mark.slow
def test_a_limit_of_pages_holds_for_the_whole(web, expected, tmp_path):
    stopped = clustered(web, tmp_path / "c", 2, *SLOWLY, "--max-pages", 10)
    assert stopped.status == 3, stopped.err
    assert "stopped (max_pages)" in stopped.err and "ttcrawl cluster resume" in stopped.err
    assert 10 <= fetched(stopped.states()) < fetched(expected)
    done = finished(tmp_path / "c", "cluster", "resume", tmp_path / "c", "--max-pages", 0, "--no-obey-delay")
    assert done.status == 0, done.err
    assert done.states() == expected


@pytest.mark.slow
def test_it_is_stopped_and_resumed(web, expected, tmp_path):
    directory, before = tmp_path / "c", len(web.log())
    process = begun(web, directory, 2, *SLOWLY)
    until(lambda: len(web.log()) > before + 20)
    status = run("cluster", "status", directory, "--format", "json", cwd=tmp_path, timeout=60)
    assert json.loads(status.stdout)["state"] == "running"
    stopped = run("cluster", "stop", directory, cwd=tmp_path, timeout=60)
    assert (stopped.returncode, stopped.stderr) == (0, "")
    _, err = process.communicate(timeout=60)
    assert process.returncode == 3 and "stopped (interrupted)" in err
    again = run("cluster", "stop", directory, cwd=tmp_path, timeout=60)
    assert (again.returncode, again.stderr) == (0, f"ttcrawl: {directory} is not being crawled\n")
    done = finished(directory, "cluster", "resume", directory, "--no-obey-delay")
    assert done.status == 0, done.err
    assert done.states() == expected
    assert set(Counter(requests(web, before)).values()) == {1}


@pytest.mark.slow
def test_gaps_at_a_shared_address_are_kept_when_rings_are_killed(tmp_path):
    gap, directory = 0.1, tmp_path / "c"
    delays = "--set", f"politeness.address_delay={gap}", "--set", "politeness.delay=0.2", "--scope", "any"
    with web_of(3, address="127.0.0.1") as web:
        process = begun(web, directory, 2, *delays)
        for number in range(1, 4):
            until(lambda: len(web.log()) > 12 * number or process.poll() is not None)  # noqa: B023
            kill_ring(directory, 1 + number % 2)
        _, err = process.communicate(timeout=200)
        assert process.returncode == 0 and "it was started again" in err, err
        hits = web.log()
    gaps = [after.arrived - (before.answered or before.arrived) for before, after in pairwise(hits)]
    assert min(gaps) >= gap


@pytest.mark.slow
def test_a_lost_directory_is_filled_by_the_other_rings(web, expected, tmp_path):
    directory, before = tmp_path / "c", len(web.log())
    process = begun(web, directory, 2, *SLOWLY)
    until(lambda: len(web.log()) > before + 40)
    process.send_signal(signal.SIGTERM)
    assert process.wait(60) == 3
    shutil.rmtree(directory / "ring-2")
    done = finished(directory, "cluster", "resume", directory, "--no-obey-delay")
    assert done.status == 0, done.err
    assert done.states() == expected


@pytest.mark.slow
def test_a_ring_that_fails_stops_all(web, tmp_path):
    directory = tmp_path / "c"
    assert clustered(web, directory, 2, *NO_DELAY, "--max-pages", 1).status == 3
    (directory / "ring-2" / "crawl.db").write_bytes(b"no database" * 1000)
    done = finished(directory, "cluster", "resume", directory, "--max-pages", 0)
    assert done.status == 1
    assert "ring 2: " in done.err and "is not a crawl database" in done.err


@pytest.mark.slow
def test_a_second_ctrl_c_stops_at_once(web, expected, tmp_path):
    directory, before = tmp_path / "c", len(web.log())
    process = begun(web, directory, 2, *SLOWLY)
    until(lambda: len(web.log()) > before + 10)
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 3 and "Traceback" not in err, err
    done = finished(directory, "cluster", "resume", directory, "--no-obey-delay")
    assert done.states() == expected


@pytest.mark.slow
def test_seeds_are_added_and_those_out_of_scope_change_nothing(web, tmp_path):
    directory = tmp_path / "c"
    begin = crawl_options(web, web.url(HOSTS[3], "/p/1"), directory, 2, "--no-obey-delay", "--max-depth", 0)
    assert finished(directory, *begin).status == 0
    before = (directory / "cluster.json").read_text()
    refused = finished(directory, "cluster", "resume", directory, seed_of(web), "--exclude", seed_of(web))
    assert refused.status == 2 and "out of scope" in refused.err
    assert (directory / "cluster.json").read_text() == before
    done = finished(directory, "cluster", "resume", directory, seed_of(web), "--scope", "any", "--max-depth", -1)
    assert done.status == 0, done.err
    assert done.states()[seed_of(web)][0] == "fetched"


@pytest.mark.slow
def test_a_ring_that_is_killed_is_started_again(web, expected, tmp_path):
    directory, before = tmp_path / "c", len(web.log())
    process = begun(web, directory, 2, *SLOWLY)
    until(lambda: len(web.log()) > before + 20)
    assert kill_ring(directory, 1)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    assert "ring 1" in err and "SIGKILL; it was started again" in err
    assert Done(0, "", err, directory).states() == expected


@pytest.mark.slow
def test_rings_end_with_their_conductor_and_another_one_resumes(web, expected, tmp_path):
    directory, before = tmp_path / "c", len(web.log())
    process = begun(web, directory, 3, *SLOWLY)
    until(lambda: len(web.log()) > before + 20)
    process.kill()
    process.communicate()
    done = finished(directory, "cluster", "resume", directory, "--no-obey-delay")
    assert done.status == 0, done.err
    assert done.states() == expected


@pytest.mark.slow
def test_ctrl_c_stops_all(web, tmp_path):
    directory, before = tmp_path / "c", len(web.log())
    process = begun(web, directory, 2, *SLOWLY)
    until(lambda: len(web.log()) > before + 10)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 3 and "stopped (interrupted)" in err
    assert "Traceback" not in err


REFUSED = {
    "resume": ("resume",),
    "recrawl": ("recrawl", "--set", "revisit.policy=fixed"),
    "requeue": ("requeue", "--state", "failed"),
    "recorded": ("requeue", "--recorded"),
    "aliases": ("aliases", "--merge"),
    "read": ("read",),
}


def test_what_several_rings_cannot_do_is_refused(tmp_path):
    done = run("cluster", "crawl", "http://a.test/", "-d", "c", "--set=hooks.zebra=.", cwd=tmp_path, timeout=60)
    assert done.returncode == 2 and done.stderr.endswith("name it to ttcrawl index, also while they crawl\n"), (
        done.stderr
    )
    assert "hooks.zebra does not work with several rings: " in done.stderr
    assert not (tmp_path / "c").exists()


@pytest.mark.slow
def test_a_ring_alone_is_not_continued(web, tmp_path):
    assert clustered(web, tmp_path / "c", 1, *NO_DELAY, "--max-pages", 1).status == 3
    for command, *options in REFUSED.values():
        done = run(command, "c/ring-1", *options, cwd=tmp_path, timeout=60)
        assert (done.returncode, done.stdout) == (2, ""), command
        assert done.stderr == (
            "ttcrawl: c/ring-1 is ring 1 of a cluster, so a part of a crawl: continue the whole with"
            " ttcrawl cluster resume c or recrawl, and change it by giving c to this command\n"
        )


def test_a_cluster_that_is_there_stays(tmp_path):
    (tmp_path / "cluster.json").write_text("{}")
    done = run("cluster", "crawl", "http://nowhere.test/", "-d", tmp_path, cwd=tmp_path, timeout=60)
    assert done.returncode == 2 and "already contains a cluster" in done.stderr


@pytest.mark.slow
def test_nothing_could_be_fetched(web, tmp_path):
    options = crawl_options(web, web.url(HOSTS[0], "/gone/9"), tmp_path / "c", 2)
    done = finished(tmp_path / "c", *options)
    assert done.status == 1
    assert "no page could be fetched: the seed" in done.err


@pytest.mark.slow
def test_rings_are_killed_at_random_moments(web, expected, tmp_path):
    directory, chance, before = tmp_path / "c", random.Random(1), len(web.log())
    process = begun(web, directory, 3, *SLOWLY)
    for number in range(1, 6):
        until(lambda: len(web.log()) > before + 12 * number or process.poll() is not None)  # noqa: B023
        kill_ring(directory, chance.randint(1, 3))
    _, err = process.communicate(timeout=200)
    assert process.returncode == 0, err
    done = Done(0, "", err, directory)
    assert done.states() == expected
    assert [verified(directory / f"ring-{ring}") for ring in done.rings()] == [""] * 3
