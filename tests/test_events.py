"""Events: every outcome in order, at least once, whatever kills the crawl or its reader."""

import json
import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.support.crawls.crawling import command, crawl, options_for, query, verified
from tests.support.crawls.preforked import run
from tests.support.faults.killing import until
from tests.support.web.mesh import mesh
from tests.support.web.site import Answer, Web, page

ROOT = Path(__file__).parent.parent
SELF = ["--set", "crawl.fetchers=1", "--set", "crawl.parsers=1", "--progress", "none"]
TABLE = "SELECT event.id, url.url, event.state, event.reason FROM event JOIN url ON url.id = event.url ORDER BY 1"


def lines(path):
    """The lines that are complete."""
    events = []
    for line in path.read_bytes().splitlines():
        try:
            events.append(json.loads(line))
        except ValueError:
            assert line.startswith(b'{"id"')
    return events


def rows(events):
    """Without those that are there again."""
    return [tuple(row) for row in sorted({(each["id"], each["url"], each["state"], each["reason"]) for each in events})]


@pytest.mark.slow
def test_every_outcome_is_a_line_in_order(tmp_path):
    pages = {
        ("a.test", "/"): Answer(body=page("/b", "/c", "/no", "http://b.test/", title="Eins")),
        ("a.test", "/b"): Answer(body=page("/", title="Zwei ä")),
        ("a.test", "/c"): Answer(status=302, headers=(("Location", "/b"),)),
    }
    with Web(pages) as web:
        options = (
            "--set",
            "politeness.delay=0",
            "--set",
            "hooks.events=events",
            "--set",
            "hooks.page=tests.support.crawls.hooks:facts",
        )
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *SELF, *options)
        events = lines(tmp_path / "events")
        assert done.status == 0 and verified(done.directory) == ""
        assert rows(events) == done.query(TABLE) and [each["id"] for each in events] == [1, 2, 3, 4]
        first, second, third, fourth = events
        assert first["url"] == web.url("a.test", "/") and first["found_on"] is None and first["depth"] == 0
        assert (first["state"], first["reason"], first["status"], first["type"], first["title"]) == (
            *("fetched", "http 200", 200, "text/html", "Eins"),
        )
        assert first["fields"]["title"] == "Eins" and first["score"] is None
        assert second["title"] == "Zwei ä" and second["found_on"] == first["url"]
        assert third["state"] == "moved" and third["location"] == "/b" and third["fields"] is None
        assert fourth["reason"] == "http 404"
        again = run("resume", done.directory, "--progress", "none", cwd=tmp_path)
        assert again.returncode == 0 and lines(tmp_path / "events") == events


@pytest.mark.slow
def test_after_a_kill_no_event_is_missing(tmp_path):
    target, directory = tmp_path / "events", tmp_path / "c"
    with Web(mesh(["a.test"], 30, seed=5)) as web:
        words = ("-d", directory, *options_for(web), *SELF, "--set", "politeness.delay=0.03")
        begin = command("crawl", web.url("a.test", "/"), *words, "--set", f"hooks.events={target}")
        for kill in (8, 16):
            process = subprocess.Popen(begin, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            until(lambda: target.exists() and len(lines(target)) >= kill)  # noqa: B023
            process.kill()
            process.wait()
            with target.open("ab") as file:
                file.write(b'{"id"')  # as if it had been killed inside a line
            begin = command("resume", directory, "--progress", "none")
        (directory / "events.position").write_text("3\n")  # an older one: some events come again
        done = run("resume", directory, "--progress", "none")
    assert done.returncode == 0, done.stderr
    assert rows(lines(target)) == query(directory, TABLE) and len(lines(target)) > len(rows(lines(target)))
    assert verified(directory) == ""


@pytest.mark.slow
def test_a_reader_that_leaves_does_not_stop_the_crawl(tmp_path):
    pipe, received = tmp_path / "pipe", []
    os.mkfifo(pipe)

    def read():
        with pipe.open() as file:
            received.append(json.loads(file.readline()))

    reader = threading.Thread(target=read)
    reader.start()
    with Web(mesh(["a.test"], 12, seed=5)) as web:
        options = ("--set", "politeness.delay=0.06", "--set", "hooks.events=pipe")
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *SELF, *options)
    reader.join()
    assert done.status == 0 and received[0]["id"] == 1 and verified(done.directory) == ""
    assert "were not written to" in done.err and "ttcrawl resume writes them" in done.err
    pipe.unlink()
    again = run("resume", done.directory, "--progress", "none", cwd=tmp_path)  # now it is a file
    assert again.returncode == 0, again.stderr
    last = done.query("SELECT max(id) FROM event")[0][0]
    assert [each["id"] for each in lines(pipe)][-1] == last


@pytest.mark.slow
def test_a_function_is_called_for_every_outcome(tmp_path):
    with Web(mesh(["a.test"], 12, seed=5)) as web:
        options = ("--set", "politeness.delay=0", "--set", "hooks.max_time=0.5", "--max-pages", "6")
        hook = ("--set", "hooks.outcome=tests.support.crawls.hooks:outcome")
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *SELF, *options, *hook)
        assert "outcome hook, event 2: ValueError: two (hooks.py, line" in done.err
        assert "written by a hook for outcomes\n" in done.err and "written by" not in done.out
        assert "outcome hook, event 3: it took more than [hooks] max_time" in done.err
        (done.directory / "outcome.position").write_text("4\n")  # as if it had been killed
        again = run("resume", done.directory, "--max-pages", "0", "--progress", "none", cwd=tmp_path)
    assert again.returncode == 0 and done.status == 3
    expected = [f"{id} {state}" for id, _, state, _ in done.query(TABLE) if id not in (2, 3)]
    calls = (tmp_path / "outcomes").read_text().splitlines()
    assert list(dict.fromkeys(calls)) == expected and len(calls) > len(expected) > 6
    assert verified(done.directory) == ""


@pytest.mark.slow
def test_a_function_that_ends_its_process_does_not_end_the_crawl(tmp_path):
    with Web(mesh(["a.test"], 12, seed=5)) as web:
        options = (
            "--set",
            "politeness.delay=0",
            "--set",
            "hooks.outcome=tests.support.crawls.hooks:outcome_that_exits",
        )
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *SELF, *options)
        assert done.status == 0 and "; ttcrawl resume" in done.err and "Traceback" not in done.err
        words = (
            "--progress",
            "none",
            "--set",
            "hooks.outcome=tests.support.crawls.hooks:outcome",
            "--set",
            "hooks.max_time=0.5",
        )
        again = run("resume", done.directory, *words, cwd=tmp_path)
    assert again.returncode == 0 and len((tmp_path / "outcomes").read_text().splitlines()) > 6
    assert verified(done.directory) == ""


@pytest.mark.slow
def test_a_function_that_keeps_memory_loses_one_outcome(tmp_path):
    with Web(mesh(["a.test"], 12, seed=5)) as web:
        hook = (
            "--set",
            "hooks.outcome=tests.support.crawls.hooks:outcome_that_keeps",
            "--set",
            "links.max_memory=256M",
        )
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *SELF, "--set", "politeness.delay=0", *hook)
        assert done.status == 0 and "event 3: it used more than [links] max_memory" in done.err
        assert "takes no more events; ttcrawl resume passes the others" in done.err
        again = run("resume", done.directory, "--progress", "none", cwd=tmp_path)
    assert again.returncode == 0
    expected = [f"{id} {state}" for id, _, state, _ in done.query(TABLE) if id != 3]
    assert len(expected) > 6 and (tmp_path / "outcomes").read_text().splitlines() == expected


@pytest.mark.slow
def test_the_example_of_the_manual_runs(tmp_path):
    text = (ROOT / "docs" / "hooks.md").read_text()
    (code,) = (each for each in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if each.startswith("# follow.py"))
    (tmp_path / "follow.py").write_text(code)
    os.mkfifo(tmp_path / "pipe")
    command = f"{sys.executable} follow.py < pipe"
    reader = subprocess.Popen(command, shell=True, cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    with Web(mesh(["a.test"], 5, seed=5)) as web:
        options = ("--set", "politeness.delay=0", "--set", "hooks.events=pipe")
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *SELF, *options)
    out, _ = reader.communicate(timeout=60)
    expected = [f"{state} {url}" for _, url, state, _ in done.query(TABLE)]
    assert expected and [" ".join(line.split()[:2]) for line in out.splitlines()] == expected


@pytest.mark.parametrize("target", ["nowhere/events", "."])
def test_a_target_that_is_no_file_is_reported_before_anything_is_written(tmp_path, target):
    done = run("crawl", "http://127.0.0.1:9/", "-d", "c", "--set", f"hooks.events={target}", cwd=tmp_path)
    assert done.returncode == 2 and "name a file, or a named pipe" in done.stderr and not list(tmp_path.iterdir())
