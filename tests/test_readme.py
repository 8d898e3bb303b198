"""The first screen of the README: what it shows is what comes, and it is complete on an index of packages."""

import re
import runpy
from pathlib import Path

import pytest

from tests.support.crawls.crawling import options_for
from tests.support.crawls.preforked import run
from tests.support.web.site import Answer, Web, page

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
REPORT, LIFE = re.findall(r"^```\n(.*?)^```", README, re.MULTILINE | re.DOTALL)[:2]
HOST = "docs.example"
SITE = {
    (HOST, "/robots.txt"): Answer(body=b"User-agent: *\nDisallow: /c-api/\n"),
    (HOST, "/"): Answer(body=page("/c-api/index.html", *(f"/{n}" for n in range(9)), "http://other.test/")),
    **{(HOST, f"/{n}"): Answer(body=page(f"/{n}/next")) for n in range(9)},
}


@pytest.fixture(scope="module")
def crawl(tmp_path_factory):
    """Standard output of a crawl that a limit stops, and the life of a URL that robots.txt forbids."""
    directory = tmp_path_factory.mktemp("readme")
    with Web(SITE) as web:
        options = [*options_for(web), "--no-obey-delay", "--progress", "none"]
        crawled = run("crawl", web.url(HOST, "/"), "-d", directory / "c", "--max-pages", 4, *options)
        life = run("why", directory / "c", web.url(HOST, "/c-api/index.html"))
    return crawled.stdout, life.stdout


def labels(text: str) -> list[str]:
    """The words before the values."""
    return re.findall(r"^ *(\w[\w. ]*?)(?:  +|$)", text, re.MULTILINE)


def test_a_crawl_prints_what_is_shown(crawl):
    printed, _ = crawl
    assert labels(REPORT.partition("\n\n")[0]) == labels(printed.partition("\n\n")[0])
    shown, now = (re.findall(r"ttcrawl (\w+) \S+(?: [A-Z]+)?  +(.*)", each) for each in (REPORT, printed))
    assert shown == now
    assert REPORT.startswith(re.match(r"State +stopped \(max_pages\) after ", printed)[0])


def test_why_says_what_is_shown(crawl):
    _, life = crawl
    lines = [re.sub(r"http://\S+|\d{4}-\S+ [\d:.]+", "...", line.strip()) for line in life.splitlines()]
    shown = [re.sub(r"http://\S+|\d{4}-\S+ [\d:.]+", "...", line.strip()) for line in LIFE.splitlines()]
    assert [line for line in lines if line in shown] == shown


def test_it_begins_with_what_makes_one_want_it():
    parts = (
        "uv tool install .",
        "ttcrawl demo",
        "ttcrawl crawl http",
        "```\nState",
        "```\nstate",
        "![",
        "| crawler |",
        "**Nothing is lost.**",
    )
    positions = [README.index(each) for each in (*parts, "## Install", "make demo")]
    assert positions == sorted(positions)


def test_long_descriptions_have_no_relative_links(monkeypatch):
    arguments = {}
    monkeypatch.setattr("setuptools.setup", lambda **given: arguments.update(given))
    runpy.run_path(str(ROOT / "setup.py"))
    links = re.findall(r"\]\(([^)]+)\)", arguments["long_description"])
    assert len(links) > 20 and all(each.startswith("https://") for each in links)
    assert sum("/raw/main/docs/" in each and each.endswith(".png") for each in links) >= 3
    assert {"author", "url", "project_urls", "classifiers", "keywords", "license_expression"} <= arguments.keys()
