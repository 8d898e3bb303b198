"""What `--control` does: the commands' own work, under their locks."""

import subprocess
import sys

import pytest

from tests.library.sample_crawl import GONE, PRIVATE, make
from tests.support.crawls.crawling import query
from tests.support.window import window
from ttcrawl.store.lock import Lock


@pytest.fixture
def crawl(tmp_path):
    make(tmp_path / "crawl")
    return tmp_path / "crawl"


def state_of(crawl, url):
    return query(crawl, f"SELECT state FROM url WHERE url = '{url}'")[0][0]


def test_what_failed_is_queued_again(crawl):
    with window(crawl, control=True) as each:
        answer = each.post("/crawl/do/requeue", {"state": "failed"})
    assert answer.status == 200 and "1 URL is queued again" in answer.text
    assert state_of(crawl, GONE) == "queued"


def test_a_rule_is_applied(crawl):
    with window(crawl, control=True) as each:
        answer = each.post("/crawl/do/apply", {"rule": "exclude=*/queued"})
    assert answer.status == 200 and "1 URL is refused now" in answer.text


@pytest.mark.parametrize(
    ("action", "form", "message"),
    [
        ("requeue", {}, "name the URLs to queue again"),
        ("requeue", {"state": "moved"}, "URLs in state moved cannot be queued again"),
        ("apply", {}, "name a rule to apply"),
        ("apply", {"rule": "nonsense here"}, "nonsense"),
        ("stop", {}, "is not being crawled"),
    ],
)
def test_wrong_forms_say_what_to_do(crawl, action, form, message):
    with window(crawl, control=True) as each:
        answer = each.post(f"/crawl/do/{action}", form)
    assert answer.status == 400 and message in answer.text
    assert state_of(crawl, PRIVATE) == "refused"


@pytest.mark.parametrize("action", ["requeue", "apply", "go-on"])
def test_a_crawl_that_another_process_has_locked_is_left_as_it_is(crawl, action):
    lock = Lock(crawl)
    try:
        with window(crawl, control=True) as each:
            answer = each.post(f"/crawl/do/{action}", {"state": "failed", "rule": "exclude=*/b"})
    finally:
        lock.close()
    assert answer.status == 400 and "process" in answer.text
    assert state_of(crawl, GONE) == "failed"


#: A process that has the lock of a crawl until its input ends; a crawl handles SIGTERM.
HOLDER = """
import signal, sys
from pathlib import Path
from ttcrawl.store.lock import Lock
if sys.argv[2] == "crawls":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
lock = Lock(Path(sys.argv[1]))
print("locked", flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("what", ["crawls", "changes"])
def test_stop_ends_a_crawl_and_no_other_process(crawl, what):
    words = [sys.executable, "-c", HOLDER, str(crawl), what]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        process.stdout.readline()
        with window(crawl, control=True) as each:
            answer = each.post("/crawl/do/stop", {})
        if what == "crawls":
            assert answer.status == 303 and process.wait() == 0
        else:
            assert answer.status == 400 and "which does not crawl: wait for it" in answer.text
            assert process.poll() is None
        process.stdin.close()


def test_an_unknown_action_does_not_exist(crawl):
    with window(crawl, control=True) as each:
        assert each.post("/crawl/do/delete", {}).status == 404
