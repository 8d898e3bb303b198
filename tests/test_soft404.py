"""Hosts are asked for URLs that cannot exist, politely and once, and pages that say the same are marked."""

import contextlib
import random
import re
import shutil
import sqlite3
import time
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest

import ttcrawl
from tests.support.crawls.crawling import Crawled, crawl, verified
from tests.support.crawls.preforked import run
from tests.support.faults.killing import kill_all, start
from tests.support.web.site import ANY, PATH, Answer, Web, at, moved, page, robots
from ttcrawl.cli import main

PAGES = 12
ON = ("--set", "duplicates.soft_404=5", "--scope", "any")
FAST = ("--no-obey-delay", "--inline", *ON)
PROBED = re.compile(r"/ttcrawl-soft-404-[0-9a-f]{16}(\.html)?$")
WORDS = "amber bridge candle daisy ember forest garden harbour island jungle kettle lantern meadow needle orchid pebble"
DOCS = [f"/docs/page-{number}.html" for number in range(PAGES)]
LOST = ["/lost/red-fox", "/lost/old.html", "/lost/sea/", "/found?id=7"]


def text(number, words=40):
    """Honest words, others for each number."""
    return f"<p>{' '.join(random.Random(number).choices(WORDS.split(), k=words))}</p>"


def gone(path):
    words = f"Oh dear, we looked everywhere and found nothing at {path} in this house, at {number_of(path)} o'clock."
    return Answer(body=page(title="Sorry", content=f"<p>{words} Please try the search, or go home.</p>"))


def number_of(path):
    """Another time for each page."""
    return len(path)


def honest(host, *more):
    """A home page that links to pages with texts of their own, and to each URL more."""
    pages = {(host, path): Answer(body=page("/", content=text(path), title=path)) for path in DOCS}
    return {(host, "/"): Answer(body=page(*DOCS, *more, content=text(host)))} | pages


def soft(host):
    return honest(host, *LOST) | {(host, ANY): gone(PATH), (host, "/robots.txt"): robots()}


SHELL = "<p>This application needs scripts, which your browser does not run. Please switch them on and come back.</p>"
PLACEHOLDER = Answer(headers=(("Content-Type", "image/png"),), body=b"\x89PNG\r\n\x1a\n" + bytes(60))
HOSTS = {
    "honest.test": honest("honest.test", *LOST),
    "forbids.test": honest("forbids.test", *LOST) | {("forbids.test", ANY): Answer(status=403)},
    "text.test": soft("text.test"),
    # one that redirects all to its home page; some other redirects are honest
    "moved.test": honest("moved.test", *LOST, "/index.html", "/1.html")
    | {("moved.test", ANY): moved(at("moved.test", "/")), ("moved.test", "/robots.txt"): robots()}
    | {("moved.test", "/1.html"): moved("/docs/page-1.html")},
    # one that shows its home page wherever nothing is: the home page itself is honest
    "home.test": honest("home.test", *LOST)
    | {("home.test", ANY): Answer(body=page(*DOCS, *LOST, content=text("home.test")))},
    "app.test": {
        ("app.test", "/"): Answer(body=page(*DOCS, content=SHELL)),
        ("app.test", ANY): Answer(body=page(content=SHELL)),
    },
    "chance.test": honest("chance.test", *LOST) | {("chance.test", ANY): Answer(body=page(content=PATH * 40))},
    "image.test": honest("image.test", *LOST)
    | {("image.test", ANY): PLACEHOLDER, ("image.test", "/robots.txt"): robots()},
    "robots.test": soft("robots.test")
    | {("robots.test", "/robots.txt"): robots("User-agent: *", "Disallow: /*ttcrawl-soft")},
    # one of the three is forbidden, wherever they stand
    "half.test": soft("half.test")
    | {("half.test", "/robots.txt"): robots("User-agent: *", "Disallow: /*ttcrawl-soft*.html$")},
    "broken.test": honest("broken.test")
    | {("broken.test", ANY): Answer(status=500), ("broken.test", "/robots.txt"): robots()},
    "few.test": {("few.test", "/"): Answer(body=page("/1", "/2", "/3")), ("few.test", ANY): gone(PATH)},
}
SOFT = dict.fromkeys(LOST, 1.0)

#: Host -> what it is said to be, the soft 404s.
EXPECTED = {
    "honest.test": ("honest", {}),
    "forbids.test": ("honest", {}),
    "text.test": ("soft", SOFT),
    "moved.test": ("soft", SOFT),
    "home.test": ("soft", SOFT),
    "app.test": ("all alike", {}),
    "chance.test": ("different", {}),
    "image.test": ("soft", SOFT),
    "robots.test": ("no answer", {}),
    "half.test": ("soft", SOFT),
    "broken.test": ("no answer", {}),
    "few.test": ("", {}),
}


def marks(done, host):
    """Path -> similarity."""
    rows = done.query(
        "SELECT url.url, similarity FROM soft_404 JOIN url ON url.id = soft_404.url JOIN site ON site.id = site"
        f" WHERE host LIKE '{host}%'"
    )
    return {"/" + url.split("/", 3)[3]: similarity for url, similarity in rows}


def asked(web, host):
    """Paths of the probes that came."""
    return [hit.path for hit in web.log() if hit.host == host and PROBED.search(hit.path)]


@pytest.fixture(scope="module")
def crawled(tmp_path_factory):
    """One crawl over hosts of every manner."""
    with Web({key: answer for pages in HOSTS.values() for key, answer in pages.items()}) as web:
        seeds = [web.url(host, "/") for host in HOSTS]
        options = ("--set", "fetch.retry_wait=0.01", "--set", "politeness.backoff=0.01")
        done = crawl(web, seeds, tmp_path_factory.mktemp("soft") / "c", *FAST, *options)
        assert done.status == 0, done.err
        yield done, {host: asked(web, host) for host in HOSTS}


@pytest.mark.parametrize("host", EXPECTED)
def test_manners_and_marks(crawled, host):
    done, _ = crawled
    kind, expected = EXPECTED[host]
    assert done.query(f"SELECT soft_404 FROM site WHERE host LIKE '{host}%'") == [(kind,)]
    assert marks(done, host) == expected


def test_every_host_with_so_many_pages_is_asked_for_three_urls_once(crawled):
    done, log = crawled
    wanted = dict.fromkeys(EXPECTED, 3) | {"few.test": 0, "robots.test": 0, "half.test": 2, "broken.test": 6}
    assert {host: len(paths) for host, paths in log.items()} == wanted
    assert {host: len(set(paths)) for host, paths in log.items()} == wanted | {"broken.test": 3}
    assert done.query("SELECT count(*), count(time) FROM probe") == [(33, 33)]
    assert set(done.query("SELECT reason FROM probe JOIN site ON site.id = site WHERE host LIKE 'robots.%'")) == {
        ("robots.txt",)
    }
    root, *others = sorted((re.sub("[0-9a-f]{16}", "N", path) for path in log["honest.test"]), key=len)
    beside = {path.rpartition("/")[0] for path in DOCS + LOST}  # of the page that was one too many, whichever was
    assert root == "/ttcrawl-soft-404-N"
    assert others in [[f"{place}/ttcrawl-soft-404-N{end}" for end in ("", ".html")] for place in beside]


def test_probes_are_exchanges_and_no_pages(crawled):
    done, log = crawled
    assert done.query("SELECT count(*) FROM visit WHERE kind = 'probe'") == [(sum(map(len, log.values())),)]
    assert done.query("SELECT count(*) FROM url WHERE url LIKE '%ttcrawl-soft%'") == [(0,)]
    assert done.query("SELECT count(*) FROM probe WHERE status IS NOT NULL AND length = 0") == [(0,)]
    assert verified(done.directory) == ""


@pytest.mark.slow
def test_reports_tell_them(crawled, capsys):
    done, _ = crawled
    (address,) = done.query("SELECT url FROM url WHERE url LIKE '%text.test%red-fox'")[0]
    assert main(["why", str(done.directory), address]) == 0
    assert "a soft 404: 100% similar to the answer of http://text.test:" in capsys.readouterr().out
    assert main(["report", str(done.directory)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert f"Pages {4 * len(LOST)} Redirects {len(LOST)} Hosts with soft 404s 5" in said
    with ttcrawl.open(done.directory) as opened:
        assert sum(row.soft_404 for row in opened.iter_pages()) == 5 * len(LOST)
        assert opened.pages().soft_404.sum() == 5 * len(LOST)


@pytest.mark.slow
def test_what_is_linked_from_a_probe_alone_is_no_url_and_what_a_page_links_to_is_found(tmp_path):
    """The parse process has met the link on the probe before it comes on a page."""
    late = {
        ("a.test", "/late.html"): Answer(body=page("/new", content=text(5))),
        ("a.test", "/new"): Answer(body=page()),
    }
    answer = gone(PATH)
    answer = replace(answer, body=answer.body + b'<a href="/new">new</a><a href="/never">never</a>')
    site = honest("a.test", "/late.html") | late | {("a.test", ANY): answer, ("a.test", "/robots.txt"): robots()}
    site["a.test", "/late.html"] = replace(late["a.test", "/late.html"], delay=0.5)
    with Web(site) as web:
        done = crawl(
            web, web.url("a.test", "/"), tmp_path / "c", *FAST, "--parsers", "1", "--set", "politeness.connections=8"
        )
        assert len(asked(web, "a.test")) == 3
    paths = {url.rpartition("/")[2]: state for url, (state, _) in done.states().items()}
    assert paths["new"] == "fetched" and "never" not in paths


@pytest.mark.slow
@pytest.mark.parametrize("options", [("--set", "duplicates.soft_404=0"), ("--set", "duplicates.soft_404=17"), ()])
def test_hosts_with_fewer_pages_are_not_asked(tmp_path, options):
    with Web(soft("a.test")) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", *options)
        assert asked(web, "a.test") == [] and done.query("SELECT count(*) FROM probe") == [(0,)]


@pytest.mark.slow
def test_scope_has_its_say(tmp_path):
    with Web(soft("a.test")) as web:
        crawl(web, web.url("a.test", "/"), tmp_path / "c", *FAST, "--exclude", "regex:^http://[^/]*/ttcrawl")
        assert [path.count("/") for path in asked(web, "a.test")] == [2, 2]


@pytest.mark.slow
def test_the_delay_is_kept_around_them(tmp_path):
    with Web(soft("a.test")) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *ON, "--set", "politeness.delay=0.1")
        hits = web.log()
    assert done.status == 0 and sum(bool(PROBED.search(hit.path)) for hit in hits) == 3
    assert min(later.arrived - earlier.answered for earlier, later in pairwise(hits)) >= 0.1
    assert verified(done.directory) == ""


@pytest.mark.slow
def test_the_last_page_may_be_the_one_too_many(tmp_path):
    """A crawl does not end before its probes are asked, unless a limit ends it."""
    pages = PAGES + 1
    with Web(honest("a.test")) as web:
        options = ("--no-obey-delay", "--set", f"duplicates.soft_404={pages - 1}")
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *options)
        assert done.status == 0 and len(asked(web, "a.test")) == 3
        done = crawl(web, web.url("a.test", "/"), tmp_path / "d", *options, "--max-pages", str(pages))
        assert done.status == 0 and len(asked(web, "a.test")) == 3
        assert done.query("SELECT count(*), count(time) FROM probe") == [(3, 0)]


@pytest.mark.slow
def test_kills_change_nothing(tmp_path):
    """Marks are the same, and what was answered and committed is not asked again."""
    slow = {key: replace(answer, delay=0.05) for key, answer in soft("a.test").items()}
    with Web(slow) as web:
        seed = web.url("a.test", "/")
        reference = crawl(web, seed, tmp_path / "reference", *FAST)
        before = len(web.log())
        options = [part for entry in web.resolve for part in ("--resolve", entry)]
        process = start(tmp_path, "crawl", seed, "-d", tmp_path / "c", *options, *ON, "--set", "politeness.delay=0.05")
        kills, lives = 0, []
        while True:
            while not (tmp_path / "c" / "crawl.db").exists() and process.poll() is None:
                time.sleep(0.01)  # a directory is made before a crawl can be killed
            time.sleep(0.7)
            if process.poll() is not None:
                break
            kill_all(process.pid)
            process.wait(10)
            kills += 1
            lives.append((settled(tmp_path / "c"), len(web.log())))
            process = start(tmp_path, "resume", tmp_path / "c")
            if kills == 4:
                break
        _, err = process.communicate(timeout=60)
        assert process.returncode == 0, err
        log = [hit.path for hit in web.log()]
        times = Counter(path for path in log[before:] if PROBED.search(path))
        again = [path for known, begun in lives for path in log[begun:] if path in known]
    done = Crawled(status=0, out="", err="", directory=tmp_path / "c")
    assert kills == 4 and len(times) == 3 and again == []  # the same three URLs in all lives
    assert marks(done, "a.test") == marks(reference, "a.test") == SOFT
    verdict = run("verify", tmp_path / "c")
    assert verdict.returncode == 0, verdict.stdout


def settled(directory):
    """URLs of the probes whose answers are committed."""
    if not (directory / "crawl.db").exists():
        return set()
    done = Crawled(status=0, out="", err="", directory=directory)
    return {"/" + url.split("/", 3)[3] for (url,) in done.query("SELECT url FROM probe WHERE time IS NOT NULL")}


@pytest.mark.slow
def test_a_limit_leaves_them_for_the_next_run(tmp_path):
    with Web(soft("a.test")) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *FAST, "--max-pages", "6")
        assert done.status == 3 and asked(web, "a.test") == []
        before = set(done.query("SELECT url FROM probe"))
        assert main(["resume", str(tmp_path / "c"), "--set", "crawl.max_pages=0", "--progress", "none"]) == 0
        assert {(web.url("a.test", path),) for path in asked(web, "a.test")} == before and len(before) == 3
    assert marks(done, "a.test") == SOFT


@pytest.mark.slow
def test_no_crawl_waits_for_them_alone_where_the_host_asks_to_be_left_alone(tmp_path):
    busy = Answer(status=503, headers=(("Retry-After", "3600"),))
    with Web(honest("a.test") | {("a.test", ANY): busy, ("a.test", "/robots.txt"): robots()}) as web:
        # the last page is the one too many
        done = crawl(
            web,
            web.url("a.test", "/"),
            tmp_path / "c",
            "--set",
            "politeness.delay=0.01",
            "--set",
            f"duplicates.soft_404={PAGES}",
            timeout=60,
        )
        assert done.status == 0 and len(asked(web, "a.test")) == 1
    rows = done.query("SELECT count(*), count(time), count(status) FROM probe")
    assert rows == [(3, 3, 1)]
    assert done.query("SELECT soft_404 FROM site") == [("no answer",)]


@pytest.mark.slow
def test_marks_on_the_wrong_host_are_found_and_made_anew(crawled, tmp_path):
    done, _ = crawled
    shutil.copytree(done.directory, tmp_path / "c")
    with contextlib.closing(sqlite3.connect(tmp_path / "c" / "crawl.db", isolation_level=None)) as db:
        db.execute(
            "UPDATE soft_404 SET probe = (SELECT max(id) FROM probe WHERE site != (SELECT min(site) FROM probe))"
        )
    assert "soft_404: of another host than the probe: " in verified(tmp_path / "c")
    assert main(["verify", "--repair", str(tmp_path / "c")]) == 1
    assert main(["resume", str(tmp_path / "c"), "--progress", "none"]) == 0
    again = replace(done, directory=tmp_path / "c")
    assert {host: marks(again, host) for host in HOSTS} == {host: marks(done, host) for host in HOSTS}
    assert verified(tmp_path / "c") == ""
