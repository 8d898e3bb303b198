"""The spider and the hook of docs/from-scrapy.md find the same items."""

import csv
import re
import subprocess
from pathlib import Path

import pytest

from tests.support.crawls.crawling import options_for
from tests.support.crawls.preforked import run
from tests.support.web.site import Answer, Web

ROOT = Path(__file__).parent.parent
MANUAL = (ROOT / "docs" / "from-scrapy.md").read_text()
SCRAPY = ROOT / ".venv-bench" / "bin" / "scrapy"

SHELVES, BOOKS = (1, 2), range(1, 8)
START = "https://books.example/shelf-1"


def shelf(number):
    rows = "".join(f'<li class=book><a href="/book/{n}">{n}</a>' for n in BOOKS if n % 2 == number % 2)
    return f"<h1>Shelf {number}</h1><ul>{rows}</ul><a class=next href=/shelf-{number + 1}>next</a>".encode()


PAGES = {
    **{("a.test", f"/shelf-{number}"): Answer(body=shelf(number)) for number in SHELVES},
    ("a.test", "/shelf-3"): Answer(body=b"<h1>No more</h1>"),
    **{
        ("a.test", f"/book/{n}"): Answer(
            body=f"<h1>Book {n}</h1><p class=price>{n}.50</p><a href=/shelf-1>all</a>".encode()
        )
        for n in BOOKS
    },
}
WANTED = [{"title": f"Book {n}", "price": f"{n}.5", "shelf": f"Shelf {2 - n % 2}"} for n in BOOKS]


@pytest.fixture(scope="module")
def web():
    with Web(PAGES) as web:
        yield web


def code(name, place):
    (text,) = re.findall(rf"```python\n(# {name}\n.*?)```", MANUAL, re.DOTALL)
    (place / name).write_text(text)
    return place / name


def items(path):
    with open(path, newline="") as file:
        rows = [{name: row[name] for name in ("title", "price", "shelf")} for row in csv.DictReader(file)]
    return sorted(rows, key=lambda row: row["title"])


def test_the_hook_finds_the_books(web, tmp_path):
    code("books_hook.py", tmp_path)
    keys = ("--set", "hooks.page=books_hook:page", "--set", "politeness.delay=0")
    options = (*options_for(web), *keys, "--progress", "none", "--inline")
    done = run("crawl", web.url("a.test", "/shelf-1"), "-d", "books", *options, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    for form in ("csv", "sqlite"):
        export = ("export", "books", "--table", "fields", "--format", form, "-o", f"books.{form}")
        done = run(*export, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    assert items(tmp_path / "books.csv") == WANTED
    export = "ttcrawl export books --table fields --format csv -o books.csv"
    assert export in MANUAL and f"ttcrawl crawl {START} -d books --set hooks.page=books_hook:page" in MANUAL


@pytest.mark.slow
@pytest.mark.skipif(not SCRAPY.exists(), reason="scrapy is not installed: make bench installs it into .venv-bench")
def test_the_spider_finds_the_same_books(web, tmp_path):
    spider = code("books_spider.py", tmp_path)
    address = web.url("127.0.0.1", "/shelf-1")
    spider.write_text(spider.read_text().replace(START, address))
    command = [SCRAPY, "runspider", spider, "-O", "books.csv", "-s", "ROBOTSTXT_OBEY=False"]
    headers = ["-s", f'DEFAULT_REQUEST_HEADERS={{"Host": "a.test:{web.port}"}}', "-s", "DOWNLOAD_DELAY=0"]
    done = subprocess.run([*command, *headers], cwd=tmp_path, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    assert items(tmp_path / "books.csv") == WANTED
