"""Recall by held-back pages and by two crawls, and the end of a crawl that has found enough."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress

import pytest

from tests.inspect.topic.labelled_crawl import HOST
from tests.support.web.site import Answer, Web, moved, page, robots
from ttcrawl.cli import main
from ttcrawl.topic.recall import needed


def topic(capsys, *words):
    status = main(["topic", *map(str, words)])
    return status, *capsys.readouterr()


def chain(pages):
    """A site whose pages link to the next one: page N is fetched as number N + 1."""
    site = {(HOST, f"/p/{n}"): Answer(body=page(f"/p/{n + 1}", title=f"sundew {n}")) for n in range(pages)}
    return site | {(HOST, "/"): Answer(body=page("/p/0")), (HOST, "/robots.txt"): robots()}


def crawl(web, directory, *more, command="crawl"):
    begin = [web.url(HOST, "/"), "-d", str(directory)] if command == "crawl" else [str(directory)]
    resolve = ["--set", f"fetch.resolve={' '.join(web.resolve)}"] if command == "crawl" else []
    return main([command, *begin, "--progress", "none", *resolve, "--set", "politeness.delay=0", *map(str, more)])


def finished(capsys, directory):
    capsys.readouterr()
    main(["status", str(directory), "--format", "json"])
    shown = json.loads(capsys.readouterr().out)
    return shown["state"], shown["pages"]


@pytest.mark.slow
def test_a_crawl_stops_at_its_target(capsys, tmp_path):
    """Of 100 held-back pages in a row, 57 show a recall of 0.5 with 0.9: page 57 * 2 is the last one."""
    with Web(chain(220)) as web:
        held = tmp_path / "known.txt"
        held.write_text("# known\n" + "\n".join(web.url(HOST, f"/p/{n}") for n in range(1, 200, 2)))
        target = ["--set", f"topic.held_back={held}", "--set", "topic.target_recall=0.5"]
        more = ["--set", "topic.recall_confidence=0.9", "--inline"]
        assert crawl(web, tmp_path / "crawl", *target, *more) == 3
        held.unlink()  # the crawl has a copy
        assert " --set topic.target_recall=R continues (0: no target)" in capsys.readouterr().err
        assert finished(capsys, tmp_path / "crawl") == ("target_recall", 1 + 2 * 57)
        assert crawl(web, tmp_path / "crawl", "--inline", command="resume") == 3
        assert finished(capsys, tmp_path / "crawl") == ("target_recall", 1 + 2 * 57)
        assert crawl(web, tmp_path / "crawl", "--set", "topic.target_recall=0.9", "--inline", command="resume") == 3
        assert finished(capsys, tmp_path / "crawl")[0] == "target_recall"
        assert crawl(web, tmp_path / "crawl", "--set", "topic.target_recall=0", command="resume") == 0
        assert finished(capsys, tmp_path / "crawl") == ("done", 222)  # and an error at the end of the row


@pytest.mark.slow
def test_processes_kills_and_redirects(capsys, tmp_path):
    """A crawl with several processes that is killed stops with the same number of held-back pages."""
    pages = chain(150)
    for n in range(0, 150, 10):  # held back by the URL that it had before
        pages[HOST, f"/old/{n}"] = moved(f"/new/{n}")
        pages[HOST, f"/new/{n}"] = Answer(body=page(title=f"new {n}"))
        pages[HOST, f"/p/{n}"] = Answer(body=page(f"/p/{n + 1}", f"/old/{n}", title=f"sundew {n}"))
    with Web(pages) as web:
        held = tmp_path / "known.txt"
        held.write_text("\n".join(web.url(HOST, f"/old/{n}") for n in range(0, 150, 10)))
        target = ["--set", f"topic.held_back={held}", "--set", "topic.target_recall=0.5"]
        directory = tmp_path / "crawl"
        about = [*target, "--set", "topic.recall_confidence=0.7", "--set", f"fetch.resolve={' '.join(web.resolve)}"]
        begin = ["crawl", web.url(HOST, "/"), "-d", directory, "--progress", "none", "--no-obey-delay", *about]
        process = subprocess.Popen([sys.executable, "-m", "ttcrawl", *map(str, begin)], start_new_session=True)
        while process.poll() is None and pages_of(directory) < 40:
            time.sleep(0.01)
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        assert main(["resume", str(directory), "--progress", "none"]) == 3
        capsys.readouterr()
        status, out, _ = topic(capsys, "recall", directory, "--held-back", held, "--format", "json")
    (shown,) = json.loads(out)["held_back"]
    assert status == 0 and finished(capsys, directory)[0] == "target_recall"
    least = needed(15, 0.5, 0.7)
    assert least <= shown["found"] <= least + 1  # and what was in flight


def pages_of(directory):
    with suppress(sqlite3.Error), closing(sqlite3.connect(f"file:{directory}/crawl.db?mode=ro", uri=True)) as db:
        return db.execute("SELECT count(*) FROM url WHERE state = 'fetched'").fetchone()[0]
    return 0


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"target_recall": "0.8"}, "target_recall needs held_back"),
        ({"held_back": "nowhere", "target_recall": "0.8"}, "nowhere: No such file or directory"),
        (
            {"held_back": "few", "target_recall": "0.8"},
            "13 held-back URLs cannot show a recall of 0.8 with a confidence",
        ),
        ({"held_back": "few", "target_recall": "0.8"}, "14 are needed"),
        ({"held_back": "binary"}, "binary is not a list: name a file with one URL per line"),
        ({"held_back": "few", "target_recall": "1"}, "target_recall"),
    ],
)
def test_wrong_settings(capsys, tmp_path, monkeypatch, keys, message):
    monkeypatch.chdir(tmp_path)
    lines = ["http://seed.test/", "no URL", "http://127.0.0.1/", *(f"http://seed.test/{n}" for n in range(12))]
    (tmp_path / "few").write_text("\n".join(lines))
    (tmp_path / "binary").write_bytes(b"\0\1")
    words = [word for name, value in keys.items() for word in ("--set", f"topic.{name}={value}")]
    assert main(["crawl", "http://seed.test/", "-d", "crawl", *words]) == 2
    assert message in capsys.readouterr().err and not (tmp_path / "crawl").exists()


def test_held_back_urls_that_cannot_be_found_are_named(capsys, tmp_path):
    held = tmp_path / "known.txt"
    with Web(chain(3)) as web:
        held.write_text("\n".join([web.url(HOST, "/"), "no URL", "http://other.test/", web.url(HOST, "/p/1")]))
        assert crawl(web, tmp_path / "crawl", "--set", f"topic.held_back={held}", "--inline") == 0
    err = capsys.readouterr().err
    assert "[topic] held_back: no URL is not a URL" in err and "http://other.test/ is out of scope" in err
    assert "[topic] held_back: http://a.test:" in err and "/ is a seed" in err
    status, out, _ = topic(capsys, "recall", tmp_path / "crawl", "--held-back", held)
    assert status == 0 and "recall 50.0%" in out  # what is out of scope is not found
    assert "  1 left out: no URLs\n" in out
    _, out, _ = topic(capsys, "recall", tmp_path / "crawl", "--held-back", held, "--format", "json")
    assert json.loads(out)["held_back"][0]["malformed"] == 1
