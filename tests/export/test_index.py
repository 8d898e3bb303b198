"""`ttcrawl index` and `[hooks] zebra`: an index of Zebra that follows a crawl has what an export has."""

import json
import os
import signal
import subprocess
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.crawls import zebra
from tests.support.crawls.crawling import command, crawl, options_for
from tests.support.crawls.preforked import run
from tests.support.web.site import Web
from ttcrawl.cli import main


@pytest.mark.slow
def test_pages_are_in_the_index_while_they_are_crawled(tmp_path):
    zebra.index(tmp_path / "zebra")
    with Web(zebra.chain(delay=0.3)) as web, zebra.served(tmp_path / "zebra") as port:
        options = ("--no-obey-delay", "--set", f"hooks.zebra={tmp_path / 'zebra'}", "--progress", "none")
        words = command("crawl", web.url("a.test", "/"), "-d", tmp_path / "c", *options_for(web), *options)
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        counts = set()
        while process.poll() is None:
            with suppress(AssertionError):  # of an index that is empty
                counts.add(zebra.count(port, "@attr 1=text apple"))
            time.sleep(0.3)
        assert process.returncode == 0
        assert len(counts - {0, zebra.COUNT - 1}) > 1
    assert zebra.is_complete(tmp_path / "zebra", tmp_path / "c")
    assert not (tmp_path / "zebra" / "ttcrawl.xml").exists()


@pytest.mark.slow
def test_kills_lose_nothing(tmp_path):
    """Of the crawl, of the process that indexes it, and of zebraidx, in turn."""
    zebra.index(tmp_path / "zebra")
    with Web(zebra.chain(delay=0.2)) as web:
        options = ("--no-obey-delay", "--set", f"hooks.zebra={tmp_path / 'zebra'}", "--progress", "none")
        words = command("crawl", web.url("a.test", "/"), "-d", tmp_path / "c", *options_for(web), *options)
        for number in range(7):
            silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "start_new_session": True}
            process = subprocess.Popen(words, **silent)
            while not (tmp_path / "c" / "index.log").exists():
                time.sleep(0.05)
            time.sleep(1.0 + 0.37 * number)
            for pid in indexing(tmp_path / "c", tmp_path / "zebra"):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            words = command("resume", tmp_path / "c", *options_for(web), "--progress", "none")
        assert run(*words[3:], timeout=200).returncode == 0
    assert zebra.is_complete(tmp_path / "zebra", tmp_path / "c")


def indexing(directory: Path, index: Path) -> list[int]:
    """The processes that index a crawl, zebraidx among them."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            words = (process / "cmdline").read_bytes().split(b"\0")
            ours = b"index" in words and str(directory).encode() in words
            if ours or (words[0].endswith(b"zebraidx") and os.readlink(process / "cwd") == str(index)):
                found.append(int(process.name))
    return found


@pytest.mark.slow
def test_an_index_of_a_stopped_crawl(tmp_path, capsys):
    zebra.index(tmp_path / "zebra")
    with Web(zebra.chain()) as web:
        assert crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--inline").status == 0
        gone = web.url("a.test", "/7")
    words = ["index", str(tmp_path / "c"), str(tmp_path / "zebra")]
    assert main(words) == 0
    before = json.loads((tmp_path / "zebra" / "ttcrawl.position").read_text())
    assert main(words) == 0
    assert json.loads((tmp_path / "zebra" / "ttcrawl.position").read_text()) == before
    assert zebra.is_complete(tmp_path / "zebra", tmp_path / "c")
    assert main(["delete", str(tmp_path / "c"), "--url", gone, "--yes"]) == 0
    assert main(words) == 0 and zebra.is_complete(tmp_path / "zebra", tmp_path / "c")
    with Web({("a.test", "/"): replace(zebra.chain()["a.test", "/"], body=b"another")}) as web:
        assert crawl(web, web.url("a.test", "/"), tmp_path / "other", "--no-obey-delay", "--inline").status == 0
    assert main(["index", str(tmp_path / "other"), str(tmp_path / "zebra")]) == 2
    assert "has another crawl" in capsys.readouterr().err


@pytest.mark.slow
def test_a_clock_that_was_set_back(tmp_path):
    """What the index has is an hour ahead of what the crawl does next."""
    zebra.index(tmp_path / "zebra")
    position = tmp_path / "zebra" / "ttcrawl.position"
    words = ["index", str(tmp_path / "c"), str(tmp_path / "zebra")]
    with Web(zebra.chain()) as web:
        options = ("--no-obey-delay", "--inline", "--max-pages", "9")
        assert crawl(web, web.url("a.test", "/"), tmp_path / "c", *options).status == 3
        assert main(words) == 0
        values = json.loads(position.read_text())
        for name in ("recent", "complete"):
            values[name]["moment"] += 3600
        position.write_text(json.dumps(values))
        words_of_crawl = ("resume", tmp_path / "c", *options_for(web), "--inline", "--set", "crawl.max_pages=0")
        assert run(*words_of_crawl, "--progress", "none").returncode == 0
    assert main(words) == 0
    assert zebra.is_complete(tmp_path / "zebra", tmp_path / "c")


@pytest.mark.parametrize(
    ("words", "message"),
    [([], "name the directory of the index"), (["{empty}"], "has no zebra.cfg"), (["{absent}"], "has no zebra.cfg")],
)
def test_no_index(directory, tmp_path, capsys, words, message):
    zebra.need_zebra()
    (tmp_path / "empty").mkdir()
    words = [each.format(empty=tmp_path / "empty", absent=tmp_path / "absent") for each in words]
    assert main(["index", str(directory), *words]) == 2
    assert message in capsys.readouterr().err
