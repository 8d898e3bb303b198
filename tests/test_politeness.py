"""A host that asks to be left alone, or lets nobody in, is: by the server's own log and by the record of the crawl."""

import contextlib
import json
import os
import signal
import subprocess
import time
from dataclasses import replace
from itertools import pairwise

import pytest

from tests.support.crawls.crawling import command, crawl, options_for, verified
from tests.support.crawls.other_readers import responses
from tests.support.crawls.preforked import run
from tests.support.faults.killing import start
from tests.support.web.site import Answer, Web, at, moved, page, robots

FAST = ("--set", "fetch.retry_wait=0.01", "--set", "politeness.delay=0.05")
ROBOTS = {("a.test", "/robots.txt"): Answer(status=404)}


def gaps(web, host="a.test"):
    """(path and status of the earlier, seconds until the later one came), in order."""
    hits = [hit for hit in web.log() if hit.host == host]
    return [
        ((earlier.path, earlier.status), later.arrived - (earlier.answered or earlier.arrived))
        for earlier, later in pairwise(hits)
    ]


def backoffs(done):
    return done.query("SELECT backoff, backoff_from FROM visit WHERE backoff IS NOT NULL ORDER BY id")


@pytest.mark.parametrize(
    ("status", "obey"),
    [
        (429, "--obey-delay"),
        (503, "--no-obey-delay"),
        pytest.param(429, "--no-obey-delay", marks=pytest.mark.slow),
        pytest.param(503, "--obey-delay", marks=pytest.mark.slow),
    ],
)
def test_retry_after_holds_for_the_whole_host(tmp_path, status, obey):
    busy = Answer(status=status, headers=(("Retry-After", "2"),))
    pages = ROBOTS | {
        ("a.test", "/"): Answer(body=page("/busy", *(f"/{n}" for n in range(5)))),
        ("a.test", "/busy"): [busy, Answer(body=page())],
        **{("a.test", f"/{n}"): Answer(body=page(), delay=0.05) for n in range(5)},
    }
    with Web(pages) as web:
        # one by one, so that nothing is under way when the server says it
        options = (obey, *FAST, "--set", "politeness.connections=1")
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *options)
        seen = gaps(web)
    assert done.status == 0 and {state for state, _ in done.states().values()} == {"fetched"}
    assert [gap >= 2 for (path, got), gap in seen if got == status] == [True]
    assert all(gap < 2 for (_, got), gap in seen if got != status)
    assert backoffs(done) == [(2.0, "Retry-After")]


@pytest.mark.slow
def test_without_retry_after_it_doubles(tmp_path):
    pages = ROBOTS | {("a.test", "/"): [Answer(status=503)] * 3 + [Answer(body=page())]}
    with Web(pages) as web:
        options = (*FAST, "--set", "politeness.backoff=0.25", "--set", "fetch.retries=5")
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *options)
        waited = [gap for (_, status), gap in gaps(web) if status == 503]
    assert done.status == 0 and len(waited) == 3
    for wait, least, (seconds, origin) in zip(waited, (0.25, 0.5, 1.0), backoffs(done), strict=True):
        assert least <= seconds <= wait and origin == "http 503"


@pytest.mark.slow
def test_many_failures_at_once_are_one_incident(tmp_path):
    paths = [f"/{n}" for n in range(8)]
    pages = ROBOTS | {
        ("a.test", "/"): Answer(body=page(*paths)),
        **{("a.test", path): [Answer(status=503, delay=0.3), Answer(body=page())] for path in paths},
    }
    with Web(pages) as web:
        options = ("--no-obey-delay", *FAST, "--set", "politeness.backoff=1", "--set", "politeness.connections=8")
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *options)
    assert {state for state, _ in done.states().values()} == {"fetched"}
    ((seconds, origin),) = backoffs(done)
    assert 1 <= seconds <= 1.1 and origin == "http 503"


@pytest.mark.slow
def test_it_is_kept_across_a_kill(tmp_path):
    pages = ROBOTS | {("a.test", "/"): [Answer(status=503, headers=(("Retry-After", "3"),)), Answer(body=page())]}
    with Web(pages) as web:
        process = start(tmp_path, "crawl", web.url("a.test", "/"), "-d", tmp_path / "c", *options_for(web), *FAST)
        end = time.monotonic() + 20
        said = {}
        while time.monotonic() < end and "backed off" not in json.dumps(said):
            time.sleep(0.1)
            with contextlib.suppress(ValueError):
                said = json.loads(run("status", tmp_path / "c", "--format", "json").stdout)
        assert said["hosts"][0]["why"] == "backed off for 3 s: Retry-After"
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate(timeout=20)
        resumed = run("resume", "c", cwd=tmp_path)
        assert resumed.returncode == 0, resumed.stderr
        assert [gap >= 3 for (_, status), gap in gaps(web) if status == 503] == [True]


def gaps_between(hits):
    """Seconds from each answer to the next request, by the log of the server."""
    return [later.arrived - (earlier.answered or earlier.arrived) for earlier, later in pairwise(hits)]


@pytest.mark.parametrize(
    ("killed", "delay", "address_delay"),
    [(True, 0.2, 0.05), pytest.param(False, 0.4, 0.1, marks=(pytest.mark.slow, pytest.mark.alone))],
)
def test_hosts_on_one_address(tmp_path, killed, delay, address_delay):
    """Both clocks, by the server's log: with redirects from host to host, and across a kill."""
    hosts = [f"{name}.test" for name in "abcdef"]
    pages = {}
    for host, other in zip(hosts, hosts[1:] + hosts[:1], strict=True):
        pages[host, "/robots.txt"] = Answer(status=404)
        pages[host, "/"] = Answer(body=page(*(f"/{n}" for n in range(4))))
        pages.update({(host, f"/{n}"): Answer(body=page()) for n in range(3)})
        pages[host, "/3"] = moved(at(other, "/2"))
    with Web(pages, address="127.0.0.1") as web:
        seeds = [web.url(host, "/") for host in hosts]
        delays = ("--set", f"politeness.delay={delay}", "--set", f"politeness.address_delay={address_delay}")
        process = start(tmp_path, "crawl", *seeds, "-d", tmp_path / "c", *delays, *options_for(web))
        if killed:
            end = time.monotonic() + 20
            while len(web.log()) < 18 and time.monotonic() < end:
                time.sleep(0.02)
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate(timeout=20)
            process = start(tmp_path, "resume", "c")
        _, errors = process.communicate(timeout=60)
        assert process.returncode == 0, errors
        log = web.log()
    assert {hit.host for hit in log} == set(hosts) and len(log) >= 36
    assert min(gaps_between(log)) >= address_delay
    for host in hosts:
        assert min(gaps_between([hit for hit in log if hit.host == host])) >= delay
    if not killed:
        # an exchange takes a few milliseconds, after which the address waits
        assert log[-1].arrived - log[0].arrived <= (len(log) - 1) * address_delay * 1.15
    told = run("report", "--politeness", "c", cwd=tmp_path).stdout
    assert "127.0.0.1" in told.split("Address")[-1] and "broken" not in told
    assert run("verify", "c", cwd=tmp_path).returncode == 0


@pytest.mark.slow
def test_a_delay_of_its_own(tmp_path):
    """[host:NAME] delay stands for the default one; what robots.txt says goes before both."""
    chain = {f"/{n}": Answer(body=page(f"/{n + 1}")) for n in range(3)}
    pages = {(host, path): answer for host in ("a.test", "www.b.test", "c.test") for path, answer in chain.items()}
    pages["c.test", "/robots.txt"] = robots("User-agent: *", "Crawl-delay: 0.2")
    (tmp_path / "own.ini").write_text(
        "[politeness]\ndelay = 0.05\n[host:*.b.test]\ndelay = 0.4\n[host:c.test]\ndelay = 0.6\n"
    )
    with Web(pages) as web:
        seeds = [web.url(host, "/0") for host in ("a.test", "www.b.test", "c.test")]
        done = crawl(web, seeds, tmp_path / "c", "-c", tmp_path / "own.ini", "--max-depth", "2")
        least = {host: min(gap for _, gap in gaps(web, host)[1:]) for host in ("a.test", "www.b.test", "c.test")}
    assert done.status == 0, done.err
    assert 0.05 <= least["a.test"] < 0.2 and 0.4 <= least["www.b.test"] < 0.6 and 0.2 <= least["c.test"] < 0.4
    said = dict(done.query("SELECT substr(host, 1, instr(host, ':') - 1), delay_from FROM site"))
    assert said == {"a.test": "default", "www.b.test": "config.ini", "c.test": "robots.txt"}
    assert run("verify", tmp_path / "c").returncode == 0


@pytest.mark.slow
def test_a_delay_that_is_read_while_the_host_is_asked(tmp_path):
    """Two hosts whose robots.txt lie on each other: the Crawl-delay of one comes while its page is under way."""
    pages = {
        ("a.both.test", "/robots.txt"): moved(at("b.both.test", "/a")),
        ("b.both.test", "/robots.txt"): moved(at("a.both.test", "/b")),
        ("b.both.test", "/a"): replace(robots("User-agent: *", "Crawl-delay: 1"), delay=0.3),
        ("a.both.test", "/b"): Answer(status=404, delay=1.0),
        **{(host, "/"): Answer(body=page()) for host in ("a.both.test", "b.both.test")},
    }
    with Web(pages) as web:
        done = crawl(web, [web.url("a.both.test", "/"), web.url("b.both.test", "/")], tmp_path / "c", *FAST)
    dues = done.query(
        "SELECT visit.delay FROM visit JOIN site ON site.id = site WHERE host LIKE 'a.%' ORDER BY started"
    )
    assert dues == [(0.05,), (0.05,), (1.0,)]
    assert run("verify", "c", cwd=tmp_path).returncode == 0


@pytest.mark.parametrize(
    ("later", "late"),
    [
        (robots("User-agent: *", "Disallow: /late", "Disallow: /no"), ("refused", "robots.txt")),
        (Answer(status=503), ("fetched", "http 200")),  # what it said last holds on
        pytest.param(Answer(fate="close"), ("fetched", "http 200"), marks=pytest.mark.slow),
        pytest.param(Answer(status=404), ("fetched", "http 200"), marks=pytest.mark.slow),
    ],
    ids=["new rules", "503", "no answer", "404"],
)
def test_robots_txt_is_read_again(tmp_path, later, late):
    chain = {("a.test", f"/{n}"): Answer(body=page(f"/{n + 1}")) for n in range(12)}
    pages = chain | {
        ("a.test", "/robots.txt"): [robots("User-agent: *", "Disallow: /no"), later],
        ("a.test", "/12"): Answer(body=page("/late", "/no")),
        ("a.test", "/late"): Answer(body=page()),
        ("a.test", "/no"): Answer(body=page()),
    }
    with Web(pages) as web:
        options = ("politeness.delay=0.1", "politeness.robots_max_age=1", "politeness.backoff=0.01")
        patience = ("politeness.robots_patience=0.2", "fetch.retry_wait=0.01", "fetch.retries=1")
        sets = [part for key in (*options, *patience) for part in ("--set", key)]
        done = crawl(web, web.url("a.test", "/0"), tmp_path / "c", *sets)
        asked = sum(hit.path == "/robots.txt" for hit in web.log())
    states = {url.rpartition("/")[2]: state for url, state in done.states().items()}
    assert states["late"] == late and asked >= 2
    if later.status != 404:
        assert states["no"] == ("refused", "robots.txt")


@pytest.mark.parametrize("status", [304, *(pytest.param(status, marks=pytest.mark.slow) for status in (404, 503))])
def test_a_robots_txt_serves_once_however_soon_it_is_old(tmp_path, status):
    """Where the delay is longer than it is believed it would be asked for again and again, and nothing else."""
    first = Answer(headers=(("Content-Type", "text/plain"), ("ETag", '"1"')), body=b"User-agent: *\nCrawl-delay: 1.2\n")
    pages = {("a.test", "/robots.txt"): [first, Answer(status=status)], ("a.test", "/"): Answer(body=page("/b"))}
    with Web(pages | {("a.test", "/b"): Answer(body=page())}) as web:
        sets = ("politeness.robots_max_age=1", "politeness.robots_patience=0", "politeness.backoff=0.01")
        options = [part for key in sets for part in ("--set", key)]
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--max-time", "20", *options)
        asked = [hit.path for hit in web.log()]
    assert done.status == 0 and asked == ["/robots.txt", "/", "/robots.txt", "/b"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "condition"),
    [
        ("/robots.txt", {"if-none-match": '"1"', "if-modified-since": "Sat, 01 Jan 2000 00:00:00 GMT"}),
        ("/rules", {"if-none-match": '"1"'}),  # where a redirect leads
    ],
)
def test_robots_txt_that_has_not_changed(tmp_path, path, condition):
    """Only what was read there is named there; 304 says that it holds on, as often as it is said."""
    kept = tuple(zip(("ETag", "Last-Modified"), condition.values(), strict=False))
    text = Answer(headers=(("Content-Type", "text/plain"), *kept), body=b"User-agent: *\nDisallow: /no\n")
    chain = {("a.test", f"/{n}"): Answer(body=page(f"/{n + 1}", "/no")) for n in range(8)}
    pages = {**chain, ("a.test", "/8"): Answer(body=page()), ("a.test", "/robots.txt"): moved("/rules")}
    with Web({**pages, ("a.test", path): [text, Answer(status=304)]}) as web:
        sets = ("--set", "politeness.delay=0.15", "--set", "politeness.robots_max_age=1")
        done = crawl(web, web.url("a.test", "/0"), tmp_path / "c", *sets, "--max-pages", "4")
        assert done.status == 3, done.err
        subprocess.run(
            command("resume", tmp_path / "c", "--max-pages", "0"), check=True, capture_output=True, timeout=60
        )
        hits = [hit for hit in web.log() if "if-" in " ".join(hit.head) or hit.path == path]
    sent = [{name: hit.head[name] for name in hit.head if name.startswith("if-")} for hit in hits]
    assert sent == [{}] + [condition] * (len(sent) - 1) and len(sent) >= 2
    assert {hit.path for hit in hits} == {path}
    states = {url.rpartition("/")[2]: state for url, state in done.states().items()}
    assert states.pop("no") == ("refused", "robots.txt") and set(states.values()) == {("fetched", "http 200")}
    ((status, at, etag),) = done.query("SELECT robots_status, robots_time, robots_etag FROM site")
    ((asked,),) = done.query("SELECT max(ended) FROM visit WHERE kind = 'robots' AND status = 304")
    assert (status, etag) == (200, '"1"') and at >= asked


@pytest.mark.slow
@pytest.mark.parametrize("status", [304, 404])
def test_what_has_no_text_has_no_version(tmp_path, status):
    """Also 304, when we did not ask for it."""
    answer = Answer(status=status, headers=(("ETag", '"1"'),))
    with Web({("a.test", "/robots.txt"): answer, ("a.test", "/"): Answer(body=page())}) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *FAST)
    assert done.states() == {web.url("a.test", "/"): ("fetched", "http 200")}
    assert done.query("SELECT robots_status, robots_etag FROM site") == [(status, "")]


def test_errors_for_long_enough_are_as_good_as_absence(tmp_path):
    with Web({("a.test", "/robots.txt"): Answer(status=500), ("a.test", "/"): Answer(body=page())}) as web:
        sets = ("--set", "politeness.backoff=0.3", "--set", "politeness.robots_absent_after=1")
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *FAST, *sets)
        arrived = {hit.path: hit.arrived for hit in web.log()}
        first = min(hit.arrived for hit in web.log())
    assert done.states() == {web.url("a.test", "/"): ("fetched", "http 200")}
    assert arrived["/"] - first >= 1


@pytest.mark.slow
def test_a_robots_txt_on_a_host_that_is_silent_is_not_asked_for_by_each(tmp_path):
    """Every attempt would double the time the silent host is left alone, for which all of them wait."""
    hosts = [f"{name}.test" for name in "abcdef"]
    pages = {(host, "/robots.txt"): moved("http://dead.test:9/robots.txt") for host in hosts}
    with Web(pages) as web:
        seeds = [web.url(host, "/") for host in hosts]
        sets = ("--resolve", "dead.test:9:127.0.0.99", "--set", "politeness.backoff=0.1", "--max-time", "20")
        done = crawl(web, seeds, tmp_path / "c", *FAST, *sets)
    assert set(done.states().values()) == {("failed", "connection refused")} and "max_time" not in done.out
    assert done.query("SELECT count(*) <= 4 FROM visit WHERE status IS NULL") == [(1,)]


@pytest.mark.slow
def test_a_missing_contact_is_told(tmp_path):
    with Web(ROBOTS | {("a.test", "/"): Answer(body=page())}) as web:
        without = crawl(web, web.url("a.test", "/"), tmp_path / "a", *FAST)
        named = crawl(web, web.url("a.test", "/"), tmp_path / "b", *FAST, "--set", "agent.contact=https://me.test/bot")
        agents = {hit.agent for hit in web.log()}
    assert "no contact is set" in without.err and "no contact" not in named.err
    assert len(agents) == 2 and any("(+https://me.test/bot)" in agent for agent in agents)


@pytest.mark.slow
@pytest.mark.parametrize("status", [429, 503])
def test_urls_that_are_always_busy_and_a_sitemap_too(tmp_path, status):
    """The first one is taken for the host; then a page that was well is requested, and it is known whose it is."""
    busy = ("/busy/1", "/busy/2", "/busy/3", "/map.xml")
    pages = {
        ("a.test", "/robots.txt"): robots("User-agent: *", f"Sitemap: {at('a.test', '/map.xml')}"),
        ("a.test", "/"): Answer(body=page(*busy[:3], *(f"/{n}" for n in range(20)))),
        **{("a.test", path): Answer(status=status) for path in busy},
        **{("a.test", f"/{n}"): Answer(body=page(title=f"number {n}")) for n in range(20)},
    }
    keys = ("--set", "politeness.backoff=2", "--set", "traps.same_content=0", "--set", "duplicates.soft_404=0")
    with Web(pages) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *FAST, *keys)
        hits = [hit.path for hit in web.log()]
        waited = [path for (path, _), gap in gaps(web) if gap > 1.5]
    assert done.status == 0, done.err
    assert done.query("SELECT reason, attempts, count(*) FROM url GROUP BY reason ORDER BY 3") == [
        (f"http {status}", 3, 4),
        ("http 200", 1, 21),
    ]
    assert waited == ["/map.xml"] and len(backoffs(done)) == 1
    assert all(hits.count(path) == 3 for path in busy) and hits.count("/busy/1") == 3
    checks = done.query("SELECT url, status FROM visit WHERE kind = 'check'")
    assert checks and {found for _, found in checks} == {200} and not any("busy" in url for url, _ in checks)
    assert len(hits) == 1 + 21 + 4 * 3 + len(checks) == done.query("SELECT sum(requests) FROM visit")[0][0]
    assert verified(done.directory) == ""
    told = run("why", done.directory, checks[0][0]).stdout
    assert "http 200 (check of the host)" in told
    # it is in the archive as well
    assert len(list(responses(done.directory))) == len(hits)
