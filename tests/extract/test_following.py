"""Items of a crawl that runs, and after a kill."""

import json
import signal
import subprocess

import pytest

from tests.support.crawls.crawling import command, crawl
from tests.support.crawls.preforked import run
from tests.support.faults.killing import until
from tests.support.web.site import Answer, Web, page

PAGES = 12
SHOP = """
def page(page):
    with open("calls", "a") as calls:
        print(page.url, file=calls)
    return {"name": page.title}
"""


@pytest.fixture(scope="module")
def web():
    pages = {("a.test", "/"): Answer(body=page(*(f"/{n}" for n in range(1, PAGES)), title="P0"))}
    pages |= {("a.test", f"/{n}"): Answer(body=page("/", title=f"P{n}")) for n in range(1, PAGES)}
    with Web(pages) as web:
        yield web


def items(directory, *options):
    done = run("extract", directory, *options, cwd=directory.parent)
    assert done.returncode == 0, done.stderr
    return [json.loads(line)["name"] for line in done.stdout.splitlines()], done.stderr


@pytest.mark.slow
def test_items_grow_with_the_crawl(web, tmp_path):
    (tmp_path / "shop.py").write_text(SHOP)
    keys = ("--set", "hooks.extract=shop.py:page", "--set", "politeness.delay=0", "--max-pages", "5")
    done = crawl(web, web.url("a.test", "/"), tmp_path / "c", *keys)
    assert done.status == 3, done.err
    assert "shop.py:page: 5 items of 5 pages" in (tmp_path / "c" / "extract.log").read_text()
    done = run("resume", tmp_path / "c", "--max-pages", "0", "--progress", "none", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert f"shop.py:page: {PAGES - 5} items of {PAGES - 5} pages" in (tmp_path / "c" / "extract.log").read_text()
    names, err = items(tmp_path / "c")  # those of [hooks] extract
    assert sorted(names) == sorted(f"P{n}" for n in range(PAGES)) and "0 items of 0 new pages" in err


@pytest.mark.slow
def test_a_command_that_was_killed_goes_on(web, tmp_path):
    (tmp_path / "shop.py").write_text(SHOP)
    assert crawl(web, web.url("a.test", "/"), tmp_path / "c", "--set", "politeness.delay=0").status == 0
    words = command("extract", tmp_path / "c", "shop.py:page", "-o", "items.jsonl")
    with subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        until(lambda: (tmp_path / "calls").exists())
        process.send_signal(signal.SIGKILL)
    names, _ = items(tmp_path / "c", "shop.py:page")
    assert sorted(names) == sorted(f"P{n}" for n in range(PAGES))


def test_a_wrong_extractor_is_told_before_the_crawl(web, tmp_path):
    done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--set", "hooks.extract=nowhere.py:page")
    assert done.status == 2 and "nowhere.py:page: there is no file" in done.err and not (tmp_path / "c").exists()
