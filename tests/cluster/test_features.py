"""Features that name more than one process, in real rings: subject, recall, PostgreSQL, browser, logins."""

import random
from contextlib import contextmanager
from itertools import pairwise

import pytest

from tests.browser.chromium import needs_chromium
from tests.cluster.clusters import crawl_options, finished
from tests.export.postgresql.copies import differences
from tests.support.crawls.crawling import crawl, query, verified
from tests.support.crawls.postgresql import postgresql
from tests.support.crawls.preforked import run
from tests.support.faults.killing import start, until
from tests.support.web.members import PASSWORD, Members
from tests.support.web.site import Answer, Web, at, moved, page
from tests.support.web.topic_web import TERMS, some_web
from ttcrawl.cluster.route import table
from ttcrawl.topic.files import NAMES

pytestmark = pytest.mark.slow

HOSTS = [f"www.site{number}.test" for number in range(6)]
QUICKLY = ("--no-obey-delay", "--scope", "any")


def keys(**settings):
    return [part for name, value in settings.items() for part in ("--set", f"{name.replace('__', '.')}={value}")]


@contextmanager
def two(web, place, seed, *options):
    """One crawl and a cluster with two rings, in `one` and `rings`."""
    done = crawl(web, seed, place / "one", *QUICKLY, *options)
    rings = finished(place / "rings", *crawl_options(web, seed, place / "rings", 2, *QUICKLY, *options))
    assert (done.status, rings.status) == (0, 0), rings.err
    yield


def resumed(place, *options):
    for words in (("resume", "one"), ("cluster", "resume", "rings")):
        done = run(*words, "--progress", "none", *options, cwd=place, timeout=120)
        assert done.returncode == 0, done.stderr


def assert_same_subject(place):
    rows = "SELECT url, url.state, reason, depth, off_topic FROM url ORDER BY url"
    scores = "SELECT url.url, relevant, topic.score FROM topic JOIN url ON url.id = topic.url ORDER BY 1"
    assert run("cluster", "gather", "rings", "-o", "all", cwd=place).returncode == 0
    for query_ in (rows, scores):
        assert query(place / "all", query_) == query(place / "one", query_)
    assert verified(place / "all") == ""


@pytest.mark.parametrize("how", ["score --save", "resume --set"])
def test_another_subject_is_that_of_all_rings(tmp_path, how):
    pages = some_web(random.Random(35), HOSTS, 10)
    (tmp_path / "terms.txt").write_text("100: baseball=X\n-40: sundew=X\n")
    (tmp_path / "others.txt").write_text(TERMS)
    settings = keys(topic__terms=tmp_path / "terms.txt", topic__tunnel=1, duplicates__near="no")
    with Web(pages) as web, two(web, tmp_path, web.url(HOSTS[0], "/"), *settings):
        if how == "score --save":
            for directory in ("one", "rings"):
                done = run("topic", "score", directory, "--terms", "others.txt", "--save", cwd=tmp_path, timeout=60)
                assert done.returncode == 0, done.stderr
            resumed(tmp_path)
            assert_same_subject(tmp_path)
        else:
            resumed(tmp_path, *keys(topic__terms="others.txt"))
            copies = [(tmp_path / "rings" / f"ring-{ring}" / "topic" / NAMES["terms"]).read_text() for ring in (1, 2)]
            assert copies == [TERMS, TERMS]


def test_a_recall_is_that_of_all_rings(tmp_path):
    """Each ring alone finds too few; half of the pages redirect to another ring."""
    hosts = [f"www.site{number}.test" for number in range(8)]
    ring_of = table((1, 2)).ring_of
    other = {name: next(each for each in hosts if ring_of(each) != ring_of(name)) for name in hosts}
    pages = {}
    for name in hosts:
        links = [at(name, f"/{number}") for number in range(12)] + [at(each, "/") for each in hosts]
        pages[name, "/"] = Answer(body=page(*links, content="sundew"))
        for number in range(12):
            content = page(title=str(number), content=f"sundew {name} {number}")
            pages[name, f"/{number}"] = Answer(body=content) if number % 2 else moved(at(other[name], f"/to{number}"))
            pages[other[name], f"/to{number}"] = Answer(body=content)
    (tmp_path / "terms.txt").write_text(TERMS)
    with Web(pages) as web:
        held_back = [web.url(name, f"/{number}") for name in hosts for number in range(6)]
        (tmp_path / "held.txt").write_text("\n".join(held_back))
        settings = keys(
            topic__terms=tmp_path / "terms.txt",
            topic__held_back=tmp_path / "held.txt",
            topic__target_recall=0.75,
            politeness__delay=0.3,
            politeness__address_delay=0,
        )
        seeds = [web.url(name, "/") for name in hosts]
        options = crawl_options(web, seeds, tmp_path / "c", 2, "--scope", "any", *settings)
        done = finished(tmp_path / "c", *options)
    assert done.status == 3 and "stopped (target_recall)" in done.err, done.err
    fetched = {url for url, (state, _) in done.states().items() if state in ("fetched", "moved")}
    found = len(fetched & set(held_back))
    assert found >= 36 and len(fetched) < len(pages)


def test_each_ring_copies_itself_into_postgresql(tmp_path):
    with postgresql() as server, Web(some_web(random.Random(1), HOSTS, 8)) as web:
        server.clear()
        seed, url = web.url(HOSTS[0], "/"), keys(postgresql__url=server.url)
        done = finished(tmp_path / "c", *crawl_options(web, seed, tmp_path / "c", 2, *QUICKLY, *url))
        assert done.status == 0, done.err
        rows = server.query("SELECT crawl, directory, seed FROM ttcrawl.mirror ORDER BY directory")
        assert [(directory, told) for _, directory, told in rows] == [
            (str(tmp_path / "c" / f"ring-{ring}"), f"{seed} (ring {ring})") for ring in (1, 2)
        ]
        for ring, (crawl_, *_) in enumerate(rows, 1):
            assert differences(server, tmp_path / "c" / f"ring-{ring}", crawl_) == []
        again = run("mirror", "c", cwd=tmp_path, timeout=60)
        assert again.returncode == 0 and again.stderr.count(" is in ") == 2, again.stderr


@needs_chromium
def test_rings_keep_the_delay_of_a_host_that_scripts_request_something_from(tmp_path):
    delay, ring_of = 0.5, table((1, 2)).ring_of
    first, other = HOSTS[0], next(name for name in HOSTS if ring_of(name) != ring_of(HOSTS[0]))
    head = (("Content-Type", "application/json"), ("Access-Control-Allow-Origin", "*"))
    site = {
        ("api.test", f"/x?{name}{number}"): Answer(body=b"1", headers=head)
        for name in (first, other)
        for number in "12"
    }
    for name in (first, other):
        site[name, "/"] = Answer(body=page("/1", "/2"))
        for number in "12":
            script = f"fetch('{at('api.test', f'/x?{name}{number}')}').catch(() => 0)"
            site[name, f"/{number}"] = Answer(body=f"<p>{name} {number}<script>{script}</script>".encode())
    with Web(site) as web:
        settings = keys(browser__use="regex:/[12]$", browser__resources="all", browser__scrolls=0)
        settings += keys(politeness__delay=delay, politeness__address_delay=0)
        seeds = [web.url(name, "/") for name in (first, other)]
        done = finished(tmp_path / "c", *crawl_options(web, seeds, tmp_path / "c", 2, *settings))
        assert done.status == 0, done.err
        data = sorted(
            (hit for hit in web.log() if hit.host == "api.test" and "?" in hit.path), key=lambda hit: hit.arrived
        )
    assert len(data) == 4
    assert min(after.arrived - before.answered for before, after in pairwise(data)) >= delay
    assert {first in hit.path for hit in data} == {True, False}


def test_the_new_owner_of_a_host_logs_in_before_its_first_page(tmp_path, monkeypatch):
    monkeypatch.setenv("MEMBERS_PASSWORD", PASSWORD)
    owner = table((1, 2)).ring_of("a.test")
    with Members(pages=16) as site:
        form = f"{site.url('/login')} user=me password=${{MEMBERS_PASSWORD}}"
        settings = keys(login__form=form, politeness__delay=0.3)
        options = ("cluster", "crawl", site.url("/"), "-d", "c", "--rings", 2, *site.resolve, *settings)
        process = start(tmp_path, *options)
        until(lambda: len(site.paths()) > 6)
        left = run("cluster", "leave", "c", "--ring", owner, cwd=tmp_path, timeout=60)
        assert left.returncode == 0, left.stderr
        _, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
    assert site.logins == 2 and err.count("logged in at") == 2
    pages = [path for path in site.paths() if path not in ("GET /login", "POST /session?from=form", "GET /home")]
    assert len(pages) == len(set(pages)) == 17
    states = [
        query(tmp_path / "c" / f"ring-{ring}", "SELECT url FROM url WHERE reason = 'http 200'") for ring in (1, 2)
    ]
    assert all(states) and sum(map(len, states)) == 17
