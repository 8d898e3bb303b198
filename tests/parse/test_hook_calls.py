"""What calls of hooks leave behind: in the process, in the tables, and when their file is edited during a crawl."""

import json
import signal

import pytest

from tests.support.crawls.crawling import options_for, query, verified
from tests.support.crawls.preforked import run
from tests.support.web.site import Answer, Web, page
from ttcrawl.config import Hooks
from ttcrawl.parse.hooks.call import CalledHooks, HookFailedError, OutOfTimeError

PROCESSES, INLINE = pytest.param([], id="processes"), pytest.param(["--inline"], id="inline")

ELSEWHERE = """\
import os

def page(page):
    os.chdir("/")

def url(url):
    os.chdir("/")
"""

#: A module that can be imported once, by the process that tries it.
EDITED = """\
import pathlib

tried = pathlib.Path(__file__).with_name("tried")
if tried.exists():
    raise ValueError("edited")
tried.touch()

def page(page):
    return None
"""

ESCAPES = r"""
def page(page):
    return {"source": r'"\u0000"', "nul": "a\0b", "both": "\\\0\\u0000"}
"""


@pytest.fixture(scope="module")
def web():
    pages = {("a.test", f"/{n}"): Answer(body=page(f"/{n + 1}", content="some words " * 9 + str(n))) for n in range(5)}
    with Web(pages) as web:
        yield web


def crawled(web, directory, text, *options):
    (directory / "mine.py").write_text(text)
    settings = ("politeness.delay=0", "crawl.fetchers=1", "crawl.parsers=1", "hooks.page=mine:page", *options)
    set_all = [each for setting in settings for each in ("--set", setting)]
    begin = ("crawl", web.url("a.test", "/0"), "-d", "c", *options_for(web), *set_all, "--progress", "none")
    return lambda *more: run(*begin, *more, cwd=directory)


@pytest.mark.slow
@pytest.mark.parametrize("options", [PROCESSES, INLINE])
def test_a_hook_may_change_the_working_directory(web, tmp_path, options):
    done = crawled(web, tmp_path, ELSEWHERE, "hooks.url=mine:url", "store.warc_size=1")(*options)
    assert done.returncode == 0, done.stderr
    assert query(tmp_path / "c", "SELECT reason, count(*) FROM url GROUP BY 1 ORDER BY 2") == [
        ("http 404", 1),
        ("http 200", 5),
    ]
    assert verified(tmp_path / "c") == ""


@pytest.mark.slow
def test_a_hook_that_is_edited_during_the_crawl_is_named(web, tmp_path):
    done = crawled(web, tmp_path, EDITED)()
    assert done.returncode == 1 and "its import fails: ValueError: edited (mine.py, line 5)" in done.stderr
    assert "too little memory" not in done.stderr and "Traceback" not in done.stderr


def test_only_nul_is_replaced_in_fields(web, tmp_path):
    done = crawled(web, tmp_path, ESCAPES)("--inline", "--max-pages", "1")
    assert done.returncode == 3, done.stderr
    ((fields,),) = query(tmp_path / "c", "SELECT fields FROM fields")
    assert json.loads(fields) == {"source": r'"\u0000"', "nul": "a\ufffdb", "both": "\\\ufffd\\u0000"}


def test_an_alarm_at_the_end_of_a_hook_does_not_ring_again(monkeypatch):
    armed = []

    def setitimer(which, seconds, interval=0.0):
        armed.append(seconds)
        if armed == [1.0, 0]:
            raise OutOfTimeError  # it rings as the call returns

    monkeypatch.setattr(signal, "setitimer", setitimer)
    hooks = CalledHooks(Hooks(max_time=1.0), limited=True)
    with pytest.raises(HookFailedError, match="it took more than"):
        hooks.call(str, "returned")
    assert armed == [1.0, 0, 0]
