"""Parse processes are started while all have work waiting, up to the processors; what the user sets is obeyed."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.crawling import options_for, query
from tests.killing import start
from tests.site import Answer, Web, page

PAGES = 500
SITE = ("a.test", "/")


def parsers(session: int) -> int:
    """The parse processes of a crawl that leads its session, by their names; those for slow pages have a lower priority
    and do not count."""
    found, usual = 0, os.getpriority(os.PRIO_PROCESS, 0)
    for each in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            parses = (each / "comm").read_text() == "ttcrawl-parse\n" and os.getsid(int(each.name)) == session
            found += parses and os.getpriority(os.PRIO_PROCESS, int(each.name)) == usual
    return found


def heavy(number: int) -> Answer:
    """A page of some 60 KB that takes ten milliseconds."""
    links = [f"/{(number * step) % PAGES}" for step in range(1, 200)]
    return Answer(body=page(*links, content=f"<p>word{number} and more words " * 1500))


@pytest.mark.parametrize(("options", "most"), [((), len(os.sched_getaffinity(0))), (("--parsers", "1"), 1)])
def test_the_number_of_parse_processes(tmp_path: Path, options: tuple[str, ...], most: int) -> None:
    pages = {("a.test", f"/{number}"): heavy(number) for number in range(PAGES)}
    pages |= {SITE: Answer(body=page(*(f"/{number}" for number in range(PAGES)))), ("a.test", "/robots.txt"): Answer()}
    with Web(pages) as web:
        begin = (web.url(*SITE), "-d", tmp_path / "c", *options_for(web), "--no-obey-delay", *options)
        process = start(tmp_path, "crawl", *begin, "--set", "traps.same_content=0")
        seen = 0
        while process.poll() is None:
            seen = max(seen, parsers(process.pid))
            time.sleep(0.02)
    assert process.returncode == 0, process.stderr
    assert seen == most
    assert query(tmp_path / "c", "SELECT count(*) FROM page WHERE status = 200") == [(PAGES + 1,)]
