"""The lines that a crawl prints at its end: few, none too wide, and what is wrong among them."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.crawls.crawl_db import crawl_of
from ttcrawl.output.terminal import columns
from ttcrawl.report.brief import MOST_LINES, Outcome, outcome, render
from ttcrawl.report.summarize import summarize
from ttcrawl.report.summary import Growth, Tally

A, B = "http://a.test", "http://b.test"
FINE = Outcome(failed_hosts=(), hosts_failed=0, trouble="", has_text=True, disk_used=1_000_000, disk_left=10**9)
GROWTH = Growth(
    pages=(1, 2, 3, 4), seconds=(0, 1, 2, 3), found=(1, 2, 3, 4), distinct_urls=(2, 5, 8, 8), in_scope=(2, 5, 8, 8)
)


@pytest.fixture(scope="module")
def summary(tmp_path_factory):
    directory = tmp_path_factory.mktemp("brief") / "c"
    crawl_of(directory, {f"{A}/": [f"{A}/{n}" for n in range(4)], f"{A}/0": [f"{A}/9"]})
    return replace(summarize(directory), finished="done", statuses={200: 2}, seconds=4.0, growth=GROWTH, saturation=3)


def wrong(summary):
    refused = {"scope: host": 300, "trap: calendar": 40, "kind": 20, "trap: path": 2, "x\x1b[2J": 1}
    failed = {"dns": 3, "connection refused": 2}
    return replace(
        summary,
        refused=refused,
        failed=failed,
        fetch_errors=failed,
        moved=4,
        parse_errors=7,
        statuses={200: 9, 404: 1},
        relevant=3,
    )


FAILED_HOSTS = tuple((f"{'h' * 60}{n}.test", "dns") for n in range(5))
TROUBLE = Outcome(
    failed_hosts=FAILED_HOSTS, hosts_failed=9, trouble="a process died " * 9, has_text=False, disk_used=0, disk_left=5
)


def test_a_crawl_without_problems(summary):
    text = render(Path("c"), summary, FINE, 80, blocks=True)
    assert [line[:19].strip() for line in text.partition("\n\n")[0].splitlines()] == [
        *("State", "Pages crawled", "Failed", "Refused", "Still queued", "All URLs discovered", "Disk", "Growth")
    ]
    assert "State                done after 0:00:04\n" in text
    assert "█  last new URL at page 3\n" in text and "Disk                 1.0 MB of archive, 1.0 GB left\n" in text
    commands = [line.strip().split("   ")[0] for line in text.partition("Next: ")[2].splitlines()]
    assert commands == ["ttcrawl report c", "ttcrawl why c URL", "ttcrawl search c WORDS"]


def label(text, name):
    return next((line[21:] for line in text.splitlines() if line.startswith(name)), None)


SENTENCES = {
    "one of each": (
        {"pages": 3, "linking": 1, "requisites": 1, "found": Tally(total=1, distinct=1), "unrecorded": 1, "urls": 1},
        {},
        ("3 at 0.5/s: 1 HTML or document, 1 page requisite, 1 other file", "1: 1 link", "0: 1 link not recorded"),
    ),
    "visited again": ({"pages": 2, "linking": 2}, {"visits": 1}, ("2: 1 visit again", "6: 5 links", "0")),
    "no page": ({"pages": 0, "linking": 0}, {}, ("0", "6: 5 links", "0")),
}


@pytest.mark.parametrize("name", SENTENCES)
def test_numbers_agree_with_their_nouns_and_nothing_is_a_rate_of_nothing(summary, name):
    figures, ends, expected = SENTENCES[name]
    text = render(Path("c"), replace(summary, pages_per_second=0.5, **figures), replace(FINE, **ends), 100, blocks=True)
    assert tuple(label(text, each) for each in ("Pages crawled", "All URLs", "Refused")) == expected


@pytest.mark.parametrize("width", [20, 60, 80, None])
def test_a_terminal_of_ascii_gets_ascii_that_fits(summary, width):
    trouble = replace(TROUBLE, trouble="Größe… " * 20)
    text = render(Path("c"), wrong(summary), trouble, width, blocks=False)
    assert text.isascii() and "..." in text and "Growth" not in text
    assert all(len(line) <= (width or 160) for line in text.partition("\n\n")[0].splitlines())


@pytest.mark.parametrize("width", [20, 60, 80, 200, None])
def test_what_is_wrong_is_among_twelve_lines_of_any_width(summary, width):
    text = render(Path("c"), wrong(summary), TROUBLE, width, blocks=True)
    figures, _, following = text.partition("\n\n")
    lines = figures.splitlines()
    labels = [line[:19].strip() for line in lines]
    assert len([each for each in labels if each != "Growth"]) <= MOST_LINES
    expected = [
        "status",
        "Failed",
        "hosts that failed",
        "Refused",
        "links into traps",
        "Parse errors",
        "Trouble",
        "Disk",
    ]
    assert set(expected) < set(labels)
    assert all(columns(line) <= (width or 160) for line in lines) and "\x1b" not in text
    assert len(following.splitlines()) == 3


def test_details_that_do_not_fit_are_counted(summary):
    text = render(Path("c"), wrong(summary), TROUBLE, 60, blocks=True)
    assert "Refused              363: scope: host 300, and 4 more\n" in text
    assert "Failed               5: dns 3, connection refused 2\n" in text
    assert "  hosts that failed  9: hhhh" in text
    assert "  links into traps   42: trap: calendar 40, trap: path 2\n" in text
    assert "ttcrawl check c" in text and "ttcrawl graph c" in text


@pytest.mark.parametrize("width, blocks", [(None, True), (80, False)])
def test_no_sparkline_without_a_terminal_that_can_print_it(summary, width, blocks):
    assert "Growth" not in render(Path("c"), summary, FINE, width, blocks=blocks)


def test_a_host_failed_if_nothing_on_it_answered(tmp_path):
    links = {f"{A}/": [f"{A}/1", f"{B}/1", f"{B}/2"]}
    crawl_of(tmp_path, links, states={f"{A}/1": "failed", f"{B}/1": "failed", f"{B}/2": "failed"})
    with closing(sqlite3.connect(tmp_path / "crawl.db")) as db, db:
        db.execute("UPDATE url SET reason = 'dns' WHERE state = 'failed'")
        db.execute("INSERT INTO crawl (name, value) VALUES ('trouble', 'a parse process died')")
    found = outcome(tmp_path, summarize(tmp_path))
    assert (found.failed_hosts, found.hosts_failed) == ((("b.test", "dns"),), 1)
    assert found.trouble == "a parse process died" and not found.has_text and found.disk_left > 0
