"""Nothing is lost: kill any process, or all, at any moment, resume, and the crawl is as if nothing had happened."""

import contextlib
import os
import random
import shutil
import signal
import sqlite3
import time
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest

from tests.support.crawls.agreement import SAME
from tests.support.crawls.crawling import Crawled, crawl, options_for
from tests.support.crawls.equal_tables import everything
from tests.support.crawls.other_readers import foreign_check
from tests.support.crawls.preforked import run
from tests.support.faults.killing import FAST, GROUP, killed_crawl, start
from tests.support.long_tables import LONG
from tests.support.web.mesh import mesh
from tests.support.web.site import Answer, Web, at, page, robots

HOSTS = [f"h{n}.test" for n in range(5)]


def check(web, directory, reference, in_flight, killed):
    """Equal tables, an archive that foreign programs accept, and no more refetches than a kill can cost.

    A page whose parse process was killed is not fetched again; those that a fetch process had in hand are; and with
    the crawl process the group is lost that was not committed.
    """
    done = Crawled(status=0, out="", err="", directory=directory / "c")
    for name, query in SAME.items():
        assert done.query(query) == reference.query(query), name
    foreign_check(directory / "c" / "warc")
    verified = run("verify", directory / "c")
    assert verified.returncode == 0 and "nothing is wrong" in verified.stdout, verified.stdout + verified.stderr
    asked = Counter((hit.host, hit.path) for hit in web.log())
    refetched = sum(asked.values()) - len(asked)
    restarts = killed["crawl"] + killed["all"]
    assert refetched <= restarts * (in_flight + GROUP) + killed["fetch"] * in_flight
    return refetched


@pytest.fixture
def site():
    """A few hundred pages over five hosts with redirects, 404s and robots rules; each answer takes a moment."""
    return {key: replace(answer, delay=0.01) for key, answer in mesh(HOSTS, 60, seed=31).items()}


@pytest.mark.parametrize(
    ("seed", "pages", "connections", "kills", "reading"),
    [
        (1, 40, 2, 4, "now"),
        pytest.param(1, 120, 2, 20, "now", marks=pytest.mark.slow),
        pytest.param(1, 120, 2, 20, "later", marks=LONG),
        pytest.param(2, 600, 8, 30, "now", marks=LONG),
        pytest.param(3, 600, 8, 30, "now", marks=LONG),
        pytest.param(3, 600, 8, 30, "later", marks=LONG),
    ],
)
def test_a_crawl_that_is_killed_again_and_again(tmp_path, seed, pages, connections, kills, reading):
    site = mesh(HOSTS, pages, seed=30 + seed)
    options = ("--no-obey-delay", "--scope", "any", "--parsers", "2", "--set", f"politeness.connections={connections}")
    with Web(site) as web:
        seeds = [web.url(HOSTS[0], "/")]
        reference = crawl(web, seeds, tmp_path / "reference", *options, *FAST)
        port = web.port
    slow = {key: replace(answer, delay=0.2) for key, answer in site.items()}  # there is time to be killed
    with Web(slow, port=port) as web:
        killed = killed_crawl(web, seeds, tmp_path, kills, random.Random(seed), *options, "--reading", reading)
        refetched = check(web, tmp_path, reference, connections * len(HOSTS), killed)
    if reading == "later":
        assert run("read", tmp_path / "c").returncode == 0
        tables = everything(tmp_path / "c")
        expected = everything(reference.directory)
        # a host that was asked again after a kill has more requests
        assert all(tables[name] == expected[name] for name in expected if name not in ("probes", "hosts"))
    assert killed.total() == kills and killed["crawl"] + killed["all"] >= kills // 4 and refetched > 0


@pytest.mark.slow
def test_sitemaps_across_kills(tmp_path):
    """Each host has an index of two sitemaps, with pages that nothing else leads to."""
    site = mesh(HOSTS, 12, seed=41)
    for name in HOSTS:
        hidden = [f"/hidden/{number}" for number in range(8)]
        site |= {(name, path): Answer(body=page(title=path)) for path in hidden}
        lines = ("User-agent: *", "Disallow: /private/", "Sitemap: /index.xml")
        site[name, "/robots.txt"] = robots(*lines)
        for number in range(2):
            locs = "".join(f"<url><loc>{at(name, path)}</loc></url>" for path in hidden[number::2])
            site[name, f"/map{number}.xml"] = Answer(
                body=f"<urlset>{locs}</urlset>".encode(), headers=(("Content-Type", "text/xml"),)
            )
        nested = "".join(f"<sitemap><loc>{at(name, f'/map{number}.xml')}</loc></sitemap>" for number in range(2))
        site[name, "/index.xml"] = Answer(
            body=f"<sitemapindex>{nested}</sitemapindex>".encode(), headers=(("Content-Type", "text/xml"),)
        )
    options = ("--no-obey-delay", "--parsers", "2", "--set", "politeness.connections=2")
    with Web(site) as web:
        seeds = [web.url(host, "/") for host in HOSTS]
        reference = crawl(web, seeds, tmp_path / "reference", *options, *FAST)
        port = web.port
    assert reference.query("SELECT sitemap, count(*) FROM url WHERE sitemap GROUP BY 1") == [(1, 5), (2, 10)]
    hidden = "SELECT count(*) FROM url WHERE url LIKE '%/hidden/%' AND state = 'fetched' AND depth = 1"
    assert reference.query(hidden) == [(40,)]
    slow = {key: replace(answer, delay=0.2) for key, answer in site.items()}
    with Web(slow, port=port) as web:
        killed = killed_crawl(web, seeds, tmp_path, 3, random.Random(5), *options)
        check(web, tmp_path, reference, 2 * len(HOSTS), killed)
    done = Crawled(status=0, out="", err="", directory=tmp_path / "c")
    priorities = "SELECT url, priority, sitemap FROM url ORDER BY url"
    assert done.query(priorities) == reference.query(priorities)


@pytest.mark.parametrize(("delay", "kills"), [(0.12, 3), pytest.param(0.3, 6, marks=pytest.mark.slow)])
def test_delays_are_kept_across_kills(tmp_path, delay, kills):
    site = mesh(HOSTS, 12, seed=5, crawl_delay=delay)
    with Web(site) as web:
        seeds = [web.url(host, "/") for host in HOSTS]
        reference = crawl(web, seeds, tmp_path / "reference", *FAST)
        port = web.port
    with Web(site, port=port) as web:
        killed = killed_crawl(web, seeds, tmp_path, kills, random.Random(7), victims=("crawl", "all", "fetch"))
        check(web, tmp_path, reference, len(HOSTS), killed)
        log = web.log()
    assert killed["crawl"] + killed["all"] >= kills // 3
    for host in HOSTS:
        hits = [hit for hit in log if hit.host == host]
        gaps = [later.arrived - (earlier.answered or earlier.arrived) for earlier, later in pairwise(hits)]
        assert min(gaps) >= delay


@pytest.mark.slow
def test_a_crawl_goes_on_after_ctrl_c_and_elsewhere(tmp_path, site):
    options = ("--no-obey-delay", "--scope", "any", "--set", "politeness.connections=1")
    with Web(site) as web:
        seeds = [web.url(HOSTS[0], "/")]
        reference = crawl(web, seeds, tmp_path / "reference", *options, *FAST)
        asked = len(web.log())
        process = start(tmp_path, "crawl", *seeds, "-d", tmp_path / "c", *options_for(web), *options, *FAST)
        while len(web.log()) < asked + 100:
            assert process.poll() is None
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        assert process.returncode == 3
        (tmp_path / "c").rename(tmp_path / "moved")
        resumed = run("resume", "moved", cwd=tmp_path)
        assert resumed.returncode == 0, resumed.stderr
    moved = Crawled(status=0, out="", err="", directory=tmp_path / "moved")
    assert all(moved.query(query) == reference.query(query) for query in SAME.values())


@pytest.mark.slow
def test_limits_are_raised_by_resume(tmp_path, site):
    with Web(site) as web:
        done = crawl(
            web, web.url(HOSTS[0], "/"), tmp_path / "c", "--no-obey-delay", "--scope", "any", "--max-pages", "20"
        )
        assert done.status == 3
        for options, status, pages in (((), 3, 20), (("--max-pages", "50"), 3, 50), (("--max-pages", "0"), 0, 300)):
            resumed = run("resume", "c", *options, cwd=tmp_path)
            assert resumed.returncode == status
            # 404s are pages too
            assert done.query("SELECT count(*) >= ? FROM url WHERE state = 'fetched'".replace("?", str(pages))) == [
                (1,)
            ]


@pytest.mark.slow
def test_a_live_crawl_is_not_crawled_twice(tmp_path, site):
    with Web(site) as web:
        options = (*options_for(web), "--set", "politeness.delay=0.5")
        process = start(tmp_path, "crawl", web.url(HOSTS[0], "/"), "-d", tmp_path / "c", *options)
        while not (tmp_path / "c" / "crawl.db").exists():
            time.sleep(0.02)
        time.sleep(0.3)
        for again in (("resume", "c"), ("crawl", web.url(HOSTS[0], "/"), "-d", "c")):
            second = run(*again, cwd=tmp_path)
            assert second.returncode == 2 and len(second.stderr.splitlines()) == 1, second.stderr
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate(timeout=20)
        third = run("resume", "c", "--max-time", "1", cwd=tmp_path)
        assert third.returncode == 3, third.stderr


@pytest.fixture(scope="module")
def stopped(tmp_path_factory):
    """A crawl that stopped with work left."""
    place = tmp_path_factory.mktemp("stopped") / "c"
    with Web(mesh(HOSTS, 10, seed=31)) as web:
        assert crawl(web, web.url(HOSTS[0], "/"), place, "--no-obey-delay", "--max-pages", "5").status == 3
    return place


def resumed(stopped, place, spoil):
    """What `ttcrawl resume` says of a copy of it that was spoilt."""
    shutil.copytree(stopped, place / "c")
    spoil(place / "c")
    return run("resume", "c", cwd=place)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda place: (place / "crawl.db").unlink(), "contains no crawl"),
        (lambda place: (place / "crawl.db").write_bytes(b"no database" * 100), "is not a crawl database"),
        (lambda place: (place / "config.ini").unlink(), "config.ini is missing"),
        (lambda place: next((place / "warc").iterdir()).unlink(), "is missing: restore the file"),
        (lambda place: next((place / "warc").iterdir()).write_bytes(b""), "is shorter than"),
    ],
    ids=["no database", "not a database", "no config", "no archive", "short archive"],
)
def test_what_cannot_be_resumed_says_so(tmp_path, stopped, spoil, said):
    done = resumed(stopped, tmp_path, spoil)
    assert done.returncode in (1, 2) and said in done.stderr and len(done.stderr.splitlines()) == 1, done.stderr


def newer(place):
    with contextlib.closing(sqlite3.connect(place / "crawl.db", isolation_level=None)) as db:
        db.execute("UPDATE crawl SET value = '99' WHERE name = 'schema_version'")


def test_a_newer_version_is_refused(tmp_path, stopped):
    done = resumed(stopped, tmp_path, newer)
    assert done.returncode == 2 and "version 99" in done.stderr
