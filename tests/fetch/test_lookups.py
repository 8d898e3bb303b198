"""Look-ups have threads and a deadline of their own: dead name servers keep nothing else."""

import os
import socket
import threading
import time

import pytest

from tests.fetch.resolver import RESOLVER
from tests.support.crawls.crawling import crawl
from tests.support.web.site import Answer, Web, page
from ttcrawl.fetch.lookups import LookUps, TooLate, all_of


@pytest.fixture
def resolver(tmp_path, monkeypatch):
    (tmp_path / "python").mkdir()
    (tmp_path / "python" / "sitecustomize.py").write_text(RESOLVER)
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path / 'python'}:{os.environ.get('PYTHONPATH', '')}")


class Names:
    """A resolver of which the names in `dead` wait for `end`."""

    def __init__(self, *dead):
        self.dead, self.end, self.asked = dead, threading.Event(), []

    def __call__(self, name):
        self.asked.append(name)
        if name in self.dead:
            self.end.wait(20)
            raise socket.gaierror(socket.EAI_NONAME, "unknown")
        return (f"address of {name}",)


def until(condition):
    end = time.monotonic() + 20
    while not condition() and time.monotonic() < end:
        time.sleep(0.001)
    assert condition()


def test_one_that_waits_keeps_no_other():
    names = Names(*(f"dead {n}" for n in range(100)))
    found = all_of([*names.dead, "a", "b", "a"], names, 0.2)
    names.end.set()
    assert found["a"] == ("address of a",) and found["b"] == ("address of b",)
    assert all(isinstance(found[name], TooLate) for name in names.dead) and names.asked.count("a") == 1


def test_no_thread_is_left_behind():
    """A program may crawl again and again; each crawl left its threads until the end of the process."""
    before = set(threading.enumerate())
    names = Names("dead")
    all_of(["dead", "a", "b"], names, 0.2)
    names.end.set()
    until(lambda: set(threading.enumerate()) <= before)


def test_what_is_asked_for_again_waits_for_the_same_thread():
    names, now, told = Names("a"), [0.0], []
    looking = LookUps(names, 10.0, lambda: now[0])
    looking.begin("a", told.append)
    until(lambda: names.asked == ["a"])
    now[0] = 11.0
    looking.enforce()
    assert [type(each) for each in told] == [TooLate]
    looking.begin("a", told.append)
    looking.enforce()
    names.end.set()
    until(lambda: len(told) == 2)
    assert names.asked == ["a"] and isinstance(told[1], socket.gaierror)


def test_threads_are_bounded_and_used_again():
    names, now, told = Names(*"abcd"), [0.0], []
    before = {*threading.enumerate()}
    looking = LookUps(names, 10.0, lambda: now[0], threads=4)
    for name in "abcdef":
        looking.begin(name, told.append)
    until(lambda: len(names.asked) == 4)
    now[0] = 11.0
    looking.enforce()
    assert len(told) == 6, "also what never had a thread has its deadline"
    looking.begin("g", told.append)
    names.end.set()
    until(lambda: len(told) == 7)
    assert told[6] == ("address of g",) and set(names.asked) == set("abcdg")
    assert len({*threading.enumerate()} - before) == 4


@pytest.mark.slow
@pytest.mark.usefixtures("resolver")
@pytest.mark.parametrize("seeds", ["linked", "seeds"])
def test_dead_names_keep_no_healthy_host(tmp_path, seeds):
    """There are fewer threads than dead names, and each of these is looked up for 20 s, three times."""
    dead = [f"http://www.name-{n}.dead/" for n in range(100)]
    pages = {("a.alive", "/"): Answer(body=page(*(dead if seeds == "linked" else ()), *(f"/{n}" for n in range(10))))}
    pages |= {("a.alive", f"/{n}"): Answer(body=page("/", title=str(n))) for n in range(10)}
    with Web(pages, address="127.0.0.1") as web:
        options = ("--scope", "any", "--set", "crawl.threads=8", "--set", "fetch.dns_timeout=2")
        options += (
            "--set",
            "fetch.retry_wait=0.1",
            "--set",
            "politeness.delay=0.2",
            "--set",
            "safety.allow=127.0.0.0/8",
        )
        web.addresses.clear()  # nothing is named: the resolver knows
        first = [web.url("a.alive", "/"), *(dead if seeds == "seeds" else ())]
        began = time.time()
        done = crawl(web, first, tmp_path / "c", *options, timeout=300)
        assert web.log(), done.err
        last = max(hit.arrived for hit in web.log())
    states = done.states()
    assert {url: states.pop(url) for url in dead} == dict.fromkeys(dead, ("failed", "dns: timeout")), done.err
    assert len(states) == 11 and set(states.values()) == {("fetched", "http 200")}
    assert last - began < 60  # twelve look-ups of 20 s in each of eight threads took more than four minutes
