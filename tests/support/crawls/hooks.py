"""Hooks for crawls of tests: parse processes import this module by its name."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import suppress
from types import MappingProxyType

import numpy

from ttcrawl import HookResult

KEPT = []


def facts(page):
    """All that a hook can read."""
    tree = page.tree.css_first("h1").text() if page.tree is not None and page.tree.css_first("h1") else None
    return {
        **{"url": page.url, "status": page.status, "depth": page.depth, "type": page.type, "charset": page.charset},
        **{"server": page.header("X-Name"), "body": len(page.body), "text": page.text, "main": page.main_text},
        **{"words": page.metadata.get("words"), "title": page.title, "h1": tree},
        "links": [[link.url.partition("/")[2], link.kind, link.refused, link.anchor] for link in page.links],
    }


def decide(page):
    """By the name of the page."""
    name = page.url.rpartition("/")[2]
    if name == "drop":
        return HookResult(drop="not\n wanted ", fields={"a": 1}, score=-1)
    if name == "refuse":
        return HookResult(refuse={"b": "no b"})
    if name == "refuse-all":
        return HookResult(refuse="no link")
    if name == "add":
        return HookResult(links=["added", "/added?2", "mailto:a@b.test", "http://elsewhere.test/"], score=2)
    return None


def no_archive(url):
    """A hook for URLs."""
    return "archived" if "/archive" in url else None


def hostile(page):
    """What a hook must not do, by the name of the page."""
    return HOSTILE.get(page.url.rpartition("/")[2], lambda page: None)(page)


def hostile_url(url):
    """The same for URLs."""
    name = url.rpartition("/")[2].removeprefix("to-")
    return HOSTILE[name](None) if "/to-" in url and name in HOSTILE else None


def _raise(page):
    raise ValueError("no price\nin this page")


def _swallow(page):
    while True:
        with suppress(BaseException):
            time.sleep(0.01)


def _allocate(page):
    while True:
        KEPT.append(numpy.zeros(16 << 20, "u1"))  # takes address space at once, which is what is limited


def _fork(page):
    if os.fork() == 0:
        return {"child": True}
    return {"child": False}


def _print(page):
    print("printed by a hook")
    subprocess.run(["echo", "printed by a child of a hook"], check=True)
    os.write(1, b"written by a hook\n")
    return {"printed": 1}


def _mutate(page):
    page.metadata.clear()
    page.links[0].__class__.url.__set__(page.links[0], "http://changed.test/")
    object.__setattr__(page, "url", "http://changed.test/")
    sys.modules["json"].hacked = True
    return MappingProxyType({"mutated": True})


def _recurse(page):
    return _recurse(page)


def outcome(event):
    """A hook for outcomes: appends to a file in the directory of the crawl, and fails sometimes."""
    os.write(1, b"written by a hook for outcomes\n")
    if event["id"] == 2:
        raise ValueError("two")
    if event["id"] == 3:
        time.sleep(1000)
    outcome_of(event)


def outcome_of(event):
    with open("outcomes", "a") as file:
        file.write(f"{event['id']} {event['state']}\n")


def outcome_that_keeps(event):
    if event["id"] == 3:
        _allocate(event)
    outcome_of(event)


def outcome_that_exits(event):
    os._exit(3)


HOSTILE = {
    "raise": _raise,
    "sleep": lambda page: time.sleep(1000),
    "loop": lambda page: [None for _ in iter(int, 1)],
    "swallow": _swallow,
    "allocate": _allocate,
    "fork": _fork,
    "print": _print,
    "exit": lambda page: sys.exit(3),
    "hard-exit": lambda page: os._exit(3),
    "interrupt": lambda page: (_ for _ in ()).throw(KeyboardInterrupt),
    "nonsense": lambda page: [7],
    "bad-number": lambda page: float("inf"),
    "bad-integer": lambda page: 10**10_000,
    "bad-fields": lambda page: {"a": object()},
    "bad-names": lambda page: {1: 2},
    "bad-links": lambda page: HookResult(links="http://a.test/"),
    "bad-link": lambda page: HookResult(links=[None]),
    "bad-refuse": lambda page: HookResult(refuse=3),
    "bad-drop": lambda page: HookResult(drop=True),
    "bad-score": lambda page: HookResult(score="high"),
    "bad-nan": lambda page: HookResult(score=float("nan")),
    "endless-links": lambda page: HookResult(links=iter(lambda: "/x", None)),
    "surrogates": lambda page: {"a": "\ud83d", "b": "\0", "\udc00": 1},
    "large": lambda page: {"a": "x" * (2 << 20)},
    "mutate": _mutate,
    "recurse": _recurse,
}
