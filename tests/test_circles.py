"""Redirects that lead back to where they began, over hosts and paths with cookies of their own."""

from __future__ import annotations

import os
import signal
from collections import Counter

import pytest

from tests.cluster.real_rings import BUCKETS, RealCluster
from tests.support.crawls.crawling import crawl, options_for, query, verified
from tests.support.crawls.preforked import run
from tests.support.faults.killing import FAST, start, until
from tests.support.web.site import Answer, Web, at, moved, page
from ttcrawl.cluster.route import table

A, B, C = "www.a.test", "www.b.test", "www.c.test"
FETCHED, MOVED = ("fetched", "http 200"), ("moved", "http 302")
OPTIONS = ("--no-obey-delay", "--inline", "--scope=any", "--set=politeness.connections=1", "--set=fetch.cookies=kept")


def to(location: str, *cookies: str) -> Answer:
    """A redirect that sets cookies."""
    return Answer(status=302, headers=(("Location", location), *(("Set-Cookie", each) for each in cookies)))


def wants(name: str, value: str = "1") -> Answer:
    """A page for those with this cookie."""
    return Answer(body=page(), needs=("cookie", f"{name}={value}"))


#: Pages by host and path, and for each URL its state in the end and how often it was requested.
CASES = {
    "the first sets it, the second is on another host": (
        {(A, "/"): [to(at(B, "/idp"), "s=1"), wants("s")], (B, "/idp"): to(at(A, "/"))},
        {(A, "/"): (FETCHED, 2), (B, "/idp"): (MOVED, 1)},
    ),
    "it is for the first path alone": (
        {(A, "/"): page("/in/a"), (A, "/in/a"): [to("/out", "s=1; Path=/in"), wants("s")], (A, "/out"): to("/in/a")},
        {(A, "/in/a"): (FETCHED, 2), (A, "/out"): (MOVED, 1)},
    ),
    "three hosts, each with a cookie of its own": (
        {
            (A, "/"): [to(at(B, "/"), "a=1"), to(at(B, "/")), wants("a")],
            (B, "/"): [to(at(C, "/"), "b=1"), wants("b")],
            (C, "/"): to(at(A, "/"), "c=1"),
        },
        {(A, "/"): (MOVED, 2), (B, "/"): (FETCHED, 2), (C, "/"): (MOVED, 1)},
    ),
    "three steps": (
        {
            (A, "/"): [to(at(B, f"/{step}"), f"step={step}") for step in (1, 2, 3)] + [wants("step", "3")],
            **{(B, f"/{step}"): to(at(A, "/")) for step in (1, 2, 3)},
        },
        {(A, "/"): (FETCHED, 4), (B, "/3"): (MOVED, 1)},
    ),
    "three steps of one URL": (
        {(A, "/"): [*(to("/", f"step={step}") for step in (1, 2, 3)), wants("step", "3")]},
        {(A, "/"): (FETCHED, 4)},
    ),
    "it is deleted": (
        {
            (A, "/"): Answer(headers=(("Set-Cookie", "trial=1"),), body=page("/a")),
            (A, "/a"): [to(at(B, "/"), "trial=; Max-Age=0"), Answer(body=page())],
            (B, "/"): to(at(A, "/a")),
        },
        {(A, "/a"): (FETCHED, 2), (B, "/"): (MOVED, 1)},
    ),
    "another host of the domain sets it": (
        {(A, "/"): [to(at("id.a.test", "/")), wants("s")], ("id.a.test", "/"): to(at(A, "/"), "s=1; Domain=a.test")},
        {(A, "/"): (FETCHED, 2), ("id.a.test", "/"): (MOVED, 1)},
    ),
    "it is not for http": (
        {(A, "/"): to(at(B, "/"), "s=1; Secure"), (B, "/"): to(at(A, "/"))},
        {(A, "/"): (MOVED, 1), (B, "/"): (MOVED, 1)},
    ),
    "it is not for this host": (
        {(A, "/"): to(at(B, "/"), "s=1; Domain=c.test"), (B, "/"): to(at(A, "/"))},
        {(A, "/"): (MOVED, 1), (B, "/"): (MOVED, 1)},
    ),
    "there is none": (
        {(A, "/"): to(at(B, "/")), (B, "/"): to(at(A, "/"))},
        {(A, "/"): (MOVED, 1), (B, "/"): (MOVED, 1)},
    ),
    "it stays the same": (
        {(A, "/"): to(at(B, "/"), "s=1"), (B, "/"): to(at(A, "/"))},
        {(A, "/"): (MOVED, 2), (B, "/"): (MOVED, 1)},
    ),
    "another one for ever": (
        {
            (A, "/"): [to(at(B, "/"), f"n={n}") for n in range(30)],
            (B, "/"): to(at(A, "/")),
        },
        {(A, "/"): (MOVED, 6), (B, "/"): (MOVED, 1)},
    ),
    "another one for ever, to itself": (
        {(A, "/"): [to("/", f"n={n}") for n in range(30)]},
        {(A, "/"): (MOVED, 6)},
    ),
    # by then it is known that this host never has enough of them
    "another one for ever, and later of another page": (
        {
            (A, "/"): [to("/", f"n={n}") for n in range(30)],
            (A, "/b"): [to(at(B, "/b"), f"n={n}") for n in range(50, 80)],
            (B, "/b"): to(at(A, "/b")),
            **{(C, f"/{n}"): page(f"/{n + 1}", *([at(A, "/b")] * (n == 20))) for n in range(21)},
        },
        {(A, "/"): (MOVED, 6), (A, "/b"): (MOVED, 2), (B, "/b"): (MOVED, 1)},
    ),
    "both set others for ever": (
        {
            (A, "/"): [to(at(B, "/"), f"n={n}") for n in range(30)],
            (B, "/"): [to(at(A, "/"), f"n={n}") for n in range(30)],
        },
        {(A, "/"): (MOVED, 6), (B, "/"): (MOVED, 6)},
    ),
    "robots.txt wants it": (
        {
            (A, "/robots.txt"): [
                to(at("id.a.test", "/"), "s=1"),
                Answer(headers=(("Content-Type", "text/plain"),), body=b"User-agent: *\nDisallow: /no"),
            ],
            ("id.a.test", "/"): to(at(A, "/robots.txt")),
            (A, "/"): Answer(body=page("/no")),
        },
        {(A, "/"): (FETCHED, 1), (A, "/no"): (("refused", "robots.txt"), 0)},
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_a_circle(tmp_path, case):
    pages, expected = CASES[case]
    answers = {key: Answer(body=each) if isinstance(each, bytes) else each for key, each in pages.items()}
    with Web(answers) as web:
        seeds = [web.url(A, "/"), *([web.url(C, "/0")] if (C, "/0") in pages else [])]
        done = crawl(web, seeds, tmp_path / "c", *OPTIONS, "--max-time=60")
        requests = Counter((hit.host, hit.path) for hit in web.log())
        states = done.states()
    assert {key: (states[web.url(*key)], requests[key]) for key in expected} == expected, done.err
    assert verified(tmp_path / "c") == ""


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["no", "host", "kept"])
def test_a_head_first_and_the_delays_are_kept(tmp_path, mode):
    """A redirect is an answer to HEAD as to GET. Each request waits for its turn."""
    pages = {(A, "/"): [to(at(B, "/"), "s=1"), wants("s"), wants("s")], (B, "/"): to(at(A, "/"))}
    with Web(pages) as web:
        options = ("--inline", "--scope=any", f"--set=fetch.cookies={mode}", "--set=fetch.head_first=yes")
        done = crawl(web, web.url(A, "/"), tmp_path / "c", *options, "--set=politeness.delay=0.2")
        log = [(hit.host, hit.method) for hit in web.log() if hit.path == "/"]
    heads = [(A, "HEAD"), (B, "HEAD")]
    assert log == (heads if mode == "no" else [*heads, (A, "HEAD"), (A, "GET")]), done.err
    assert done.states()[web.url(A, "/")] == (MOVED if mode == "no" else FETCHED)
    assert verified(tmp_path / "c") == ""  # with the gaps between requests
    explained = run("why", tmp_path / "c", web.url(A, "/")).stdout
    assert explained.count("302") >= 1 and ("http 200" in explained) == (mode != "no"), explained


@pytest.mark.slow
def test_a_circle_over_a_kill(tmp_path):
    """The cookie is committed with the redirect that set it; who comes back after a kill is requested with it."""
    pages = {
        (A, "/"): [to(at(B, "/"), "s=1"), wants("s")],
        (B, "/"): Answer(fate="stall"),
    }
    with Web(pages) as web:
        options = [*options_for(web), *FAST, *OPTIONS[:1], *OPTIONS[2:]]
        process = start(tmp_path, "crawl", web.url(A, "/"), "-d", tmp_path / "c", *options)
        until(lambda: any(hit.host == B and hit.path == "/" for hit in web.log()) and cookies(tmp_path / "c"))
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        web.change({(B, "/"): to(at(A, "/"))})
        resumed = run("resume", tmp_path / "c", "--progress", "none")
        requests = Counter(hit.host for hit in web.log() if hit.path == "/")
    assert query(tmp_path / "c", "SELECT state, reason FROM url ORDER BY id") == [FETCHED, MOVED], resumed.stderr
    assert requests[A] == 2
    assert verified(tmp_path / "c") == ""


def cookies(directory):
    """Whether the cookie is committed."""
    return (directory / "crawl.db").exists() and query(directory, "SELECT 1 FROM cookie")


OWNER = table(range(1, 3), buckets=BUCKETS).ring_of
FIRST, SECOND = (next(n for n in (f"www.s{i}.test" for i in range(60)) if OWNER(n) == ring) for ring in (1, 2))


@pytest.mark.slow
def test_a_circle_over_two_rings(tmp_path):
    """Each ring has the cookies of its own hosts; it learns from the other that redirects lead back."""
    pages = {
        (FIRST, "/"): [to(at(SECOND, "/"), "s=1"), wants("s")],
        (SECOND, "/"): to(at(FIRST, "/")),
        (FIRST, "/for-ever"): to(at(SECOND, "/for-ever")),
        (SECOND, "/for-ever"): to(at(FIRST, "/for-ever")),
        (FIRST, "/plain"): moved(at(SECOND, "/plain")),
        (SECOND, "/plain"): Answer(body=page()),
    }
    with Web(pages) as web:
        seeds = [web.url(FIRST, path) for path in ("/", "/for-ever", "/plain")]
        RealCluster(tmp_path / "c", web, seeds, rings=2, settings={"fetch.cookies": "kept"}).run()
        requests = Counter((hit.host, hit.path) for hit in web.log() if hit.path != "/robots.txt")
    states = dict(query(tmp_path / "c" / "ring-1", "SELECT url, state FROM url"))
    assert [states[seed] for seed in seeds] == ["fetched", "moved", "moved"]
    # /for-ever too: it has the cookie of / by the time when redirects lead back to it, or had it from the beginning
    assert requests == dict.fromkeys(pages, 1) | {(FIRST, "/"): 2, (FIRST, "/for-ever"): requests[FIRST, "/for-ever"]}
    assert requests[FIRST, "/for-ever"] <= 2
    assert [verified(tmp_path / "c" / f"ring-{ring}") for ring in (1, 2)] == ["", ""]
