"""The whole command on the test web: complete, each URL once, polite by the server's log, the same inline."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from urllib.parse import urlsplit

import pytest

from tests.support.cases import some_fast
from tests.support.crawls.crawling import Crawled, crawl, options_for
from tests.support.crawls.mesh_crawls import HOSTS, running, truth
from tests.support.crawls.other_readers import foreign_check
from tests.support.crawls.preforked import run
from tests.support.faults.killing import cpu_seconds, kill, kill_all, processes, settled, start, until
from tests.support.web.bombs import SLOW_TO_PARSE, gzipped
from tests.support.web.mesh import mesh
from tests.support.web.site import PORT, Answer, Web, at, moved, page, robots
from ttcrawl.cli import main
from ttcrawl.ring.messages import Archived
from ttcrawl.ring.stuck import STRIKES
from ttcrawl.store.warc import read

SMALL = ("--set", "frontier.urls_per_host=3", "--set", "frontier.hosts=2")
OVER_URLLIB3 = ("--inline", "--set=fetch.transport=urllib3")
MODES = [(), ("--inline",), OVER_URLLIB3, ("--fetchers", "2", "--parsers", "2", *SMALL)]


@pytest.mark.parametrize(
    "options", some_fast(MODES, *MODES[:2]), ids=["pools", "inline", "inline over urllib3", "small memory"]
)
def test_a_mesh_is_crawled_completely_and_each_url_once(tmp_path, options):
    pages = mesh(HOSTS, 30, seed=1)
    with Web(pages) as web:
        done = crawl(web, web.url(HOSTS[0], "/"), tmp_path / "c", "--no-obey-delay", "--scope", "any", *options)
        assert done.status == 0, done.err
        assert done.states() == truth(web, pages)
        asked = Counter((hit.host, hit.path) for hit in web.log())
    assert set(asked.values()) == {1}
    assert {key for key in pages if not key[1].startswith("/private")} == set(asked)
    assert done.query("SELECT count(*) FROM visit") == [(len(asked),)]
    assert done.query("SELECT value FROM crawl WHERE name = 'finished'") == [("done",)]


@pytest.mark.slow
def test_the_inline_mode_gives_the_same_order_every_time(tmp_path):
    orders = []
    for name in "ab":
        with Web(mesh(HOSTS, 20, seed=2), port=orders[0][1] if orders else 0) as web:
            options = ("--no-obey-delay", "--scope", "any", "--inline")
            done = crawl(web, web.url(HOSTS[0], "/"), tmp_path / name, *options)
            orders.append((done.query("SELECT url FROM visit ORDER BY id"), web.port))
    assert orders[0] == orders[1]


@pytest.mark.slow
@pytest.mark.parametrize(("most", "rows"), [(0, 3 + 51), (20, 3 + 20)])
def test_the_rows_of_refused_urls_can_be_bounded(tmp_path, most, rows):
    """What is not recorded is counted, each link to it."""
    away = [f"http://away{n}.test/" for n in range(50)]
    pages = {
        ("a.test", "/"): Answer(body=page("/1", *away[:25], "/far")),
        ("a.test", "/1"): Answer(body=page("/2", *away)),
        ("a.test", "/2"): Answer(body=page(*away[45:])),
    }
    with Web(pages) as web:
        settings = ("--set", f"frontier.refused={most}", "--exclude", "path:/far")
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", *settings)
    assert done.status == 0, done.err
    ((told,),) = done.query("SELECT value FROM crawl WHERE name = 'total_unrecorded'")
    assert len(done.states()) == rows and (int(told) > 0) == (most > 0)
    assert ("not recorded" in done.out) == (most > 0)
    verified = run("verify", tmp_path / "c")
    assert verified.returncode == 0, verified.stdout


@pytest.mark.parametrize(
    ("delay", "pages", "exact"),
    [(0.1, 12, False), pytest.param(0.25, 25, True, marks=[pytest.mark.slow, pytest.mark.alone])],
)
def test_politeness_by_the_servers_log(tmp_path, delay, pages, exact):
    """Eight hosts, a delay from the end of one exchange to the next: no gap shorter, and no time lost."""
    rounds = [politeness_of_one_crawl(tmp_path / str(n), delay, pages) for n in range(3 if exact else 1)]
    if exact:  # others keep the machine busy at times, and that makes no crawl faster
        assert min(ratio for ratio, _ in rounds) <= 1.02, rounds
        assert min(outside for _, outside in rounds) < 1, rounds


def politeness_of_one_crawl(directory, delay, pages):
    """How long the host with the most pages took from its first to its last request, in terms of its delays; and the
    seconds of the crawl before the first request and after the last answer, which depend on the machine."""
    directory.mkdir()
    hosts = [f"d{n}.test" for n in range(8)]
    with Web(mesh(hosts, pages, seed=3, crawl_delay=delay)) as web:
        done = crawl(web, [web.url(host, "/") for host in hosts], directory / "c")
        assert done.status == 0, done.err
        log = web.log()
    by_host = {host: [hit for hit in log if hit.host == host] for host in hosts}
    for hits in by_host.values():
        assert min(later.arrived - earlier.answered for earlier, later in pairwise(hits)) >= delay
    longest = max(by_host.values(), key=len)
    middle = (log[0].arrived + log[-1].arrived) / 2
    assert sum(hits[0].arrived < middle < hits[-1].arrived for hits in by_host.values()) == len(hosts)
    (seconds,) = done.query("SELECT CAST(value AS REAL) FROM crawl WHERE name = 'seconds'")[0]
    ratio = (longest[-1].arrived - longest[0].arrived) / ((len(longest) - 1) * delay)
    return ratio, seconds - (max(hit.answered for hit in log) - log[0].arrived)


@pytest.mark.slow
def test_politeness_when_few_hosts_are_in_memory(tmp_path):
    """Hosts leave memory and come back, and their clocks with them."""
    pages = mesh(HOSTS, 10, seed=9, crawl_delay=0.05)
    with Web(pages) as web:
        done = crawl(web, web.url(HOSTS[0], "/"), tmp_path / "c", "--scope", "any", *SMALL)
        assert done.status == 0 and done.states() == truth(web, pages)
        log = web.log()
    for host in HOSTS:
        hits = [hit for hit in log if hit.host == host]
        assert [hit.path for hit in hits].count("/robots.txt") == 1
        assert min(later.arrived - earlier.answered for earlier, later in pairwise(hits)) >= 0.05


def test_the_archive_gives_back_what_was_served(tmp_path):
    pages = mesh(HOSTS, 20, seed=8)
    with Web(pages) as web:
        options = ("--no-obey-delay", "--scope", "any", "--set", "store.warc_size=4k", "--parsers", "2")
        done = crawl(web, web.url(HOSTS[0], "/"), tmp_path / "c", *options)
        port = str(web.port).encode()
    rows = done.query("SELECT url.url, file, offset, size FROM page JOIN url ON url.id = page.url WHERE status < 300")
    assert len(rows) == len(HOSTS) * 20
    for url, file, offset, size in rows:
        served = pages[urlsplit(url).hostname, urlsplit(url).path].body.replace(PORT.encode(), port)
        assert read(tmp_path / "c" / "warc", Archived(file=file, offset=offset, length=size)) == served
    assert len(list((tmp_path / "c" / "warc").iterdir())) > 4
    foreign_check(tmp_path / "c" / "warc")


@pytest.mark.slow
@pytest.mark.parametrize("options", MODES[:3], ids=["pools", "inline", "inline over urllib3"])
def test_links_inside_and_outside_of_content_regions(tmp_path, options):
    """`/both` is met outside first, where it is not followed, and inside on a later page, where it is."""
    pages = {
        ("a.test", "/"): Answer(body=page("/outside", "/both", content='<!--C--><a href="/in">in</a><!--/C-->')),
        ("a.test", "/in"): Answer(body=page("/outside", content='<!--C--><a href="/both#x">both</a><!--/C-->')),
        ("a.test", "/both"): Answer(body=page("/in")),
    }
    regions = ("--set", "links.content_start=<!--C-->", "--set", "links.content_end=<!--/C-->")
    with Web(pages) as web:
        options = ("--no-obey-delay", *regions, *options)
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *options)
        both = crawl(web, web.url("a.test", "/"), tmp_path / "d", "--set", "links.follow=all", *options)
    states = {urlsplit(url).path: state for url, state in done.states().items()}
    fetched = ("fetched", "http 200")
    assert states == {"/": fetched, "/in": fetched, "/both": fetched, "/outside": ("refused", "outside content")}
    assert done.query("SELECT region, count(*), count(DISTINCT target) FROM link GROUP BY region") == [
        ("c", 2, 2),
        ("e", 4, 3),
    ]
    assert {urlsplit(url).path: state[0] for url, state in both.states().items()}["/outside"] == "fetched"


@pytest.mark.slow
def test_a_page_that_breaks_the_parser_is_recorded_and_the_crawl_goes_on(tmp_path):
    """A parser cannot be interrupted: a process that is too long over a page is replaced, and the page has failed."""
    pages = {
        ("a.test", "/"): Answer(body=page("/deep", "/torn", "/nested", *(f"/{n}" for n in range(40)))),
        ("a.test", "/deep"): Answer(body=SLOW_TO_PARSE),
        ("a.test", "/nested"): Answer(body=b"<div>" * 50_000 + b"<a href=/0>"),
        ("a.test", "/torn"): Answer(body=gzipped(page("/x"))[:-9], headers=(("Content-Encoding", "gzip"),)),
        **{("a.test", f"/{n}"): Answer(body=page("/")) for n in range(40)},
    }
    with Web(pages) as web:
        options = ("--no-obey-delay", "--set", "links.max_time=0.5")
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *options)
        assert done.states().pop(web.url("a.test", "/deep")) == ("failed", "parse process stuck")
        hits = Counter(hit.path for hit in web.log())
    assert done.status == 0 and set(hits.values()) == {1}
    named = [line for line in done.err.splitlines() if "stuck after" in line and "/deep" in line]
    # more than one where five seconds of the clock pass before half a second of the processor
    assert 1 <= len(named) <= STRIKES and all(line.startswith("ttcrawl: parse process ") for line in named)
    assert "/deep" in done.query("SELECT value FROM crawl WHERE name = 'trouble'")[0][0]
    assert done.query("SELECT count(*) FROM url WHERE state = 'fetched'") == [(44,)]  # /x too
    nested = "SELECT parser, parse_error, links FROM page JOIN url ON url.id = page.url WHERE url.url LIKE '%/nested'"
    assert done.query(nested) == [("regex", "lexbor: elements are nested more than 512 deep", 1)]
    (error,) = done.query("SELECT parse_error FROM page JOIN url ON url.id = page.url WHERE url.url LIKE '%/torn'")
    assert error == ("broken gzip: it ends too early",)


def test_without_delay_robots_still_holds(tmp_path):
    pages = {
        ("a.test", "/robots.txt"): robots("User-agent: *", "Crawl-delay: 30", "Disallow: /no"),
        ("a.test", "/"): Answer(body=page("/no", "/yes")),
        ("a.test", "/yes"): Answer(body=page("/")),
    }
    with Web(pages) as web:
        began = time.monotonic()
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay")
        assert time.monotonic() - began < 20 and done.status == 0
        assert done.states()[web.url("a.test", "/no")] == ("refused", "robots.txt")
        paths = [hit.path for hit in web.log()]
        assert paths[0] == "/robots.txt" and "/no" not in paths


@pytest.mark.parametrize(
    ("answers", "state", "robots_asked"),
    [
        ([Answer(status=404)], ("fetched", "http 200"), 1),
        ([Answer(status=403)], ("fetched", "http 200"), 1),
        ([Answer(status=503), Answer(status=404)], ("fetched", "http 200"), 2),
        ([Answer(status=503)], ("refused", "robots.txt: http 503"), range(3, 10)),
        ([Answer(status=500), Answer(status=502), Answer(body=b"")], ("fetched", "http 200"), 3),
        ([Answer(fate="close")], ("failed", "disconnected"), 3),
        ([moved(at("b.test", "/robots.txt"))], ("refused", "robots.txt"), 1),
        ([moved("/robots.txt")], ("fetched", "http 200"), 6),
        ([Answer(body=b"User-agent: *\nDisallow: /\n" + b"#" * (11 << 20))], ("refused", "robots.txt"), 1),
    ],
    ids=["404", "403", "503 then 404", "503", "500 then 200", "closed", "moved", "loop", "huge"],
)
def test_what_robots_answers(tmp_path, answers, state, robots_asked):
    pages = {
        ("a.test", "/robots.txt"): answers,
        ("b.test", "/robots.txt"): robots("User-agent: *", "Disallow: /"),
        ("a.test", "/"): Answer(body=page()),
    }
    with Web(pages) as web:
        fast = ("--no-obey-delay", "--set", "fetch.retry_wait=0.05", "--set", "politeness.backoff=0.05")
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *fast, "--set", "politeness.robots_patience=0.5")
        assert done.states() == {web.url("a.test", "/"): state}
        asked = sum(hit.path == "/robots.txt" and hit.host == "a.test" for hit in web.log())
        assert asked in robots_asked if isinstance(robots_asked, range) else asked == robots_asked
    assert done.status == (0 if state[0] == "fetched" else 1)


@pytest.mark.slow
@pytest.mark.parametrize("options", MODES[:3], ids=["pools", "inline", "inline over urllib3"])
def test_failures_are_tried_again_and_then_settled(tmp_path, options):
    pages = {
        ("a.test", "/"): Answer(body=page("/flaky", "/closed", "/busy", "/gone", "/loop", "/out", "/ftp")),
        ("a.test", "/flaky"): [Answer(fate="reset"), Answer(body=page("/late"))],
        ("a.test", "/late"): Answer(body=page()),
        ("a.test", "/closed"): Answer(fate="close"),
        ("a.test", "/busy"): Answer(status=503, body=b"busy"),
        ("a.test", "/loop"): moved("/loop2"),
        ("a.test", "/loop2"): moved("/loop"),
        ("a.test", "/out"): moved("http://elsewhere.test/"),
        ("a.test", "/ftp"): moved("ftp://a.test/"),
    }
    with Web(pages) as web:
        fast = ("--no-obey-delay", "--set", "fetch.retry_wait=0.05", "--set", "politeness.backoff=0.05")
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *fast, *options)
        states = {urlsplit(url).path: state for url, state in done.states().items() if "a.test" in url}
        asked = Counter(hit.path for hit in web.log())
    assert done.status == 0
    assert states == {
        "/": ("fetched", "http 200"),
        "/flaky": ("fetched", "http 200"),
        "/late": ("fetched", "http 200"),
        "/closed": ("failed", "disconnected"),
        "/busy": ("fetched", "http 503"),
        "/gone": ("fetched", "http 404"),
        "/loop": ("moved", "http 301"),
        "/loop2": ("moved", "http 301"),
        "/out": ("moved", "http 301"),
        "/ftp": ("failed", "redirect to no http URL"),
    }
    assert done.states()["http://elsewhere.test/"] == ("refused", "scope: host")
    attempts = {urlsplit(url).path: tries for url, tries in done.query("SELECT url, attempts FROM url")}
    # a kept connection that breaks costs another request, and no attempt
    assert attempts["/flaky"] in (1, 2) and (attempts["/closed"], attempts["/busy"], attempts["/loop"]) == (3, 3, 1)
    assert asked["/busy"] == 3 <= asked["/closed"] <= 6
    visits = done.query("SELECT url, sum(requests) FROM visit WHERE address != '' GROUP BY url")
    assert {urlsplit(url).path: requests for url, requests in visits} == asked


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "finished", "pages"),
    [
        (("--max-pages", "7"), "max_pages", 7),
        (("--max-time", "1"), "max_time", None),
        (("--max-depth", "1"), "done", None),
    ],
)
def test_limits(tmp_path, options, finished, pages):
    with Web(mesh(HOSTS, 40, seed=4)) as web:
        slow = ("--no-obey-delay",) if finished != "max_time" else ("--set", "politeness.delay=0.2")
        done = crawl(web, web.url(HOSTS[0], "/"), tmp_path / "c", *slow, *options)
    assert done.status == (0 if finished == "done" else 3)
    assert done.query("SELECT value FROM crawl WHERE name = 'finished'") == [(finished,)]
    if pages:
        assert done.query("SELECT count(*) FROM url WHERE state = 'fetched'") == [(pages,)]
    if finished == "done":
        depths = dict(done.query("SELECT depth, group_concat(DISTINCT state) FROM url GROUP BY depth"))
        assert depths[2] == "refused" and max(depths) == 2


def test_ctrl_c_drains_and_commits(tmp_path):
    pages = {
        key: Answer(status=a.status, headers=a.headers, body=a.body, delay=0.3)
        for key, a in mesh(HOSTS, 40, seed=5).items()
    }
    with Web(pages) as web:
        process = running(web, tmp_path / "c", "--no-obey-delay", "--scope", "any")
        until(lambda: len(web.log()) > 30)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all processes of the group
        out, err = process.communicate(timeout=30)
        hits = web.log()
    assert process.returncode == 3 and "Ctrl-C again" in err and "Traceback" not in err
    done = Crawled(status=3, out=out, err=err, directory=tmp_path / "c")
    assert done.query("SELECT value FROM crawl WHERE name = 'finished'") == [("interrupted",)]
    # every exchange that the server answered is known
    assert done.query("SELECT count(*) FROM visit")[0][0] == len(hits)
    assert done.query("SELECT count(*) FROM url WHERE state = 'queued'")[0][0] > 0


@pytest.mark.slow
def test_a_second_ctrl_c_stops_at_once(tmp_path):
    pages = mesh(HOSTS, 40, seed=5)
    pages[HOSTS[0], "/"] = Answer(body=pages[HOSTS[0], "/"].body + page("/stall"))
    pages[HOSTS[0], "/stall"] = Answer(fate="stall")
    with Web(pages) as web:
        process = running(web, tmp_path / "c", "--no-obey-delay", "--scope", "any")
        until(lambda: any(hit.path == "/stall" for hit in web.log()))
        process.send_signal(signal.SIGINT)
        time.sleep(0.5)
        assert process.poll() is None  # it waits for what is in flight
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert time.monotonic() - began < 20 and process.returncode == 3 and "Traceback" not in err


@pytest.mark.parametrize("role", some_fast(["fetch", "parse"], "fetch"))
def test_a_killed_process_is_replaced_and_nothing_is_lost(tmp_path, role):
    """Kill the processes of one role again and again; which is which is told by what they have imported late."""
    pages = {
        key: Answer(status=a.status, headers=a.headers, body=a.body, delay=0.02)
        for key, a in mesh(HOSTS, 40, seed=6).items()
    }
    with Web(pages) as web:
        options = ("--no-obey-delay", "--scope", "any", "--set", "fetch.retry_wait=0.05", "--set", "fetch.retries=9")
        often = ("--set", "crawl.threads=4", "--set", "store.commit_seconds=0.05")
        process = running(web, tmp_path / "c", *options, *often)
        kills = more = 0
        while process.poll() is None and kills < 6:
            # what the last one had at hand is through by then: nobody loses the same page three times
            until(lambda more=more: settled(tmp_path / "c") > more or process.poll() is not None)
            victims = processes(process.pid)[role]
            kill(victims)
            kills += len(victims)
            more = settled(tmp_path / "c") + 15
        out, err = process.communicate(timeout=60)
        assert kills >= 3 and process.returncode == 0, err
        done = Crawled(status=0, out=out, err=err, directory=tmp_path / "c")
        assert done.states() == truth(web, pages)
        if role == "parse":  # what was fetched is not fetched again
            assert set(Counter((hit.host, hit.path) for hit in web.log()).values()) == {1}


@pytest.mark.slow
def test_progress_as_json_lines(tmp_path, capsys):
    """The last one has the figures of the end; how often others come is up to tests/output/test_display.py."""
    with Web(mesh(HOSTS, 40, seed=7)) as web:
        options = ("--set", "politeness.delay=0.05", "--max-pages", "20", "--progress", "json", "--inline")
        assert main(["crawl", web.url(HOSTS[0], "/"), "-d", str(tmp_path / "c"), *options_for(web), *options]) == 3
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert lines[-1]["pages"] == 20 and [each["pages"] for each in lines] == sorted(each["pages"] for each in lines)
    assert {"queued", "hosts_locked", "hosts_waiting", "errors"} <= lines[-1].keys()


@pytest.mark.slow
def test_a_page_that_needs_too_much_memory_is_all_that_is_lost(tmp_path):
    pages = {
        ("a.test", "/"): Answer(body=page("/wide", *(f"/{n}" for n in range(20)))),
        ("a.test", "/wide"): Answer(body=b"<p x=y>z</p>" * 150_000),
        **{("a.test", f"/{n}"): Answer(body=page("/")) for n in range(20)},
    }
    with Web(pages) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--set", "links.max_memory=10m")
    assert done.status == 0 and "Traceback" not in done.err
    rows = done.query(
        "SELECT state, url.reason, parse_error FROM url LEFT JOIN page ON page.url = url.id WHERE url.url LIKE '%/wide'"
    )
    assert rows[0][0] == "failed" or rows[0][2] != ""
    assert done.query("SELECT count(*) FROM url WHERE state = 'fetched' AND url.url NOT LIKE '%/wide'") == [(21,)]


def raw(head, body=b""):
    return Answer(fate="raw", body=head.encode("latin-1") + b"Connection: close\r\n\r\n" + body)


@pytest.mark.slow
@pytest.mark.parametrize("options", MODES[:3], ids=["pools", "inline", "inline over urllib3"])
def test_odd_answers_of_real_servers(tmp_path, options):
    """Each page is fetched, archived so that other programs read it, and its link is found."""
    html = b'<a href="/found/%s">x</a>'
    odd = {
        "phrase": raw("HTTP/1.1 200 P\xe1gina n\xe3o vazia\r\nContent-Type: text/html\r\n", html % b"phrase"),
        "header": raw("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX: \xe9=\xe9;\xff\r\n", html % b"header"),
        "hints": raw("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\n", html % b"hints"),
        "members": Answer(headers=(("Content-Encoding", "gzip"),), body=gzipped(b"<p>") + gzipped(html % b"members")),
        "coding": Answer(headers=(("Content-Encoding", "utf-8"),), body=html % b"coding"),
        "not-gzip": Answer(headers=(("Content-Encoding", "gzip"),), body=html % b"not-gzip"),
        "bom": raw("HTTP/1.1 200 OK\r\n", b"\xef\xbb\xbf" + html % b"bom"),
        "50%": Answer(body=html % b"percent"),
        "caf%C3%A9-50%-%zz": Answer(body=html % b"cafe"),
    }
    pages = {("a.test", f"/{path.replace('50%', '50%25').replace('%zz', '%25zz')}"): a for path, a in odd.items()}
    pages["a.test", "/"] = Answer(body=page(*(f"/{path}" for path in odd)))
    with Web(pages) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", *options)
        states = done.states()
    assert done.status == 0 and "Traceback" not in done.err
    for path in odd:
        assert states[web.url("a.test", f"/{path}")] == ("fetched", "http 200")
    found = {urlsplit(url).path for url in states if "/found/" in url}
    names = ["phrase", "header", "hints", "members", "coding", "not-gzip", "bom", "percent", "cafe"]
    assert found == {f"/found/{name}" for name in names}
    for file in (tmp_path / "c" / "warc").iterdir():
        checked = subprocess.run([sys.executable, "-m", "warcio.cli", "check", file], capture_output=True)
        assert checked.returncode == 0, checked.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("coding", "body", "state"),
    [
        ("utf-8", b"User-agent: *\nDisallow: /\n", "robots.txt"),
        ("gzip", b"User-agent: *\nDisallow: /\n", "robots.txt"),
        ("gzip", gzipped(b"User-agent: *\nDisallow: /\n"), "robots.txt"),
        ("gzip", gzipped(b"User-agent: *\nDisallow: /\n")[:-9], "robots.txt: broken content coding"),
        ("br", b"\x0b\x02\x80", "robots.txt: broken content coding"),
    ],
)
def test_robots_in_a_content_coding(tmp_path, coding, body, state):
    pages = {
        ("a.test", "/robots.txt"): Answer(headers=(("Content-Encoding", coding),), body=body),
        ("a.test", "/"): Answer(body=page()),
    }
    with Web(pages) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay")
        assert done.states() == {web.url("a.test", "/"): ("refused", state)}


@pytest.mark.slow
def test_waiting_costs_nothing(tmp_path):
    """A slow server, and as many pages under way as are wanted: the crawl process sleeps."""
    pages = {key: replace(answer, delay=1.0) for key, answer in mesh(HOSTS[:1], 20, seed=1).items()}
    with Web(pages) as web:
        process = running(web, tmp_path / "c", "--no-obey-delay", "--max-pages", "2")
        until(lambda: len(web.log()) >= 1)
        before = cpu_seconds(process.pid)
        time.sleep(1)
        assert cpu_seconds(process.pid) - before < 0.25
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)


@pytest.mark.slow
def test_no_process_outlives_a_killed_crawl(tmp_path):
    """Not even a parser that is lost in a page: it is stopped there, so it cannot end by itself."""
    slow = {("a.test", f"/{n}"): Answer(body=SLOW_TO_PARSE + b"%d" % n) for n in range(20)}
    pages = {("a.test", "/"): Answer(body=page(*(path for _, path in slow)))}
    with Web(pages | slow) as web:
        process = start(tmp_path, "crawl", web.url("a.test", "/"), "-d", "c", *options_for(web), "--no-obey-delay")
        until(lambda: any(cpu_seconds(pid) > 0.3 for pid in processes(process.pid)["parse"]))
        for pid in processes(process.pid)["parse"]:
            if cpu_seconds(pid) > 0.3:  # others may be about to start
                os.kill(pid, signal.SIGSTOP)
        process.kill()
        try:
            until(lambda: not any(processes(process.pid).values()))
        finally:
            kill_all(process.pid)
        process.communicate(timeout=60)
