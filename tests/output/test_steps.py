"""Every command that reads a complete crawl shows on stderr what it reads."""

import pytest

from tests.support.crawls.crawling import crawl
from tests.support.web.site import Answer, Web, at, page
from ttcrawl.cli import main
from ttcrawl.output.display import ReadProgress

COMMANDS = {
    "report": {"links", "gaps between requests", "tokens"},
    "report --politeness": {"requests by host", "requests by address"},
    "verify": {"rules of the tables", "bytes of the archive", "saved files"},
    "aliases": {"contents by host", "pairs of hosts", "redirects between hosts"},
    "why --summary": {"URLs"},
    "why --as-if exclude=*.pdf": {"links from the seeds", "URLs"},
    "duplicates": {"duplicates"},
    "requeue --state failed": {"URLs"},
    "delete --path /none --purge --yes": {"URLs", "tables"},
    "graph --picture": {"link graph", "PageRank and components", "layout", "drawing"},
    "plot --what growth": {"links"},
}

#: Steps with a count.
COUNTED = {"requests by host", "rules of the tables", "bytes of the archive", "layout"}


@pytest.fixture(scope="module")
def crawled(tmp_path_factory):
    web = {
        ("a.test", "/"): Answer(body=page("/1", at("b.test", "/"))),
        ("a.test", "/1"): Answer(body=page("/")),
        ("b.test", "/"): Answer(body=page("/1")),
        ("b.test", "/1"): Answer(body=page("/")),
    }
    with Web(web) as web:
        place = tmp_path_factory.mktemp("progress") / "c"
        return crawl(web, web.url("a.test", "/"), place, "--scope", "any", "--no-obey-delay").directory


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_shows_its_steps(crawled, command, monkeypatch):
    shown = set()
    monkeypatch.setattr(ReadProgress, "__call__", lambda self, step, done, of: shown.add((step, done > 0)))
    name, *options = command.split()
    assert main([name, str(crawled), *options]) == 0
    assert {(step, False) for step in COMMANDS[command]} <= shown
    assert {(step, True) for step in COUNTED & COMMANDS[command]} <= shown
