"""The report of visits, against what the server counted."""

import sqlite3
from contextlib import closing

import pytest

from tests.recrawl.recrawled import Clock, recrawl, served
from tests.recrawl.servers import BEGIN, DAY, NoValidators, Server
from ttcrawl.cli import main
from ttcrawl.report.parts.recrawls import Recrawls, read, sections
from ttcrawl.report.sources import Sources
from ttcrawl.snapshot.snapshot import view

BODY = len(b"<title>0</title><p>words")


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """(directory, host -> its server)."""
    clock, directory = Clock(), tmp_path_factory.mktemp("visits") / "c"
    pages = {"a.test": Server(changes=(7.5,)), "b.test": NoValidators(changes=(2.5, 3.5)), "c.test": Server()}
    with served(pages, clock) as port:
        recrawl(directory, pages, port, clock, 9.1 * DAY)
    with closing(sqlite3.connect(directory / "crawl.db")) as db, db:
        db.execute("UPDATE revisit SET visits = 0 WHERE url = 3")
    return directory, pages


@pytest.mark.slow
def test_the_figures_are_those_of_the_server(done):
    directory, pages = done
    with view(directory) as db:
        visits = read(Sources(db))
    first, second, third = pages.values()
    unmodified = sum(each.asked - each.bodies for each in pages.values())
    assert visits.not_modified == unmodified > 6 and visits.bytes_saved == unmodified * BODY
    assert visits.visits == first.asked - 1 + second.asked - 1 and third.asked == first.asked
    assert (visits.urls, visits.changes, visits.missing, visits.silent) == (3, 3, 0, 0)
    assert BEGIN + 9.9 * DAY < visits.next < BEGIN + 10.1 * DAY
    assert visits.by_count == {0: 1, 8: 2}


def test_they_are_in_the_report(done, capsys):
    assert main(["report", str(done[0])]) == 0
    text = capsys.readouterr().out
    assert "not modified (304)" in text and "8 to 15 visits" in text and "no visit yet" in text


def test_a_crawl_without_visits_has_no_table():
    none = dict.fromkeys(
        ("visits", "not_modified", "changes", "bytes_saved", "missing", "lost_pages", "moved", "unlinked", "silent"), 0
    )
    nothing = Recrawls(urls=2, next=1.0, by_count={0: 2}, **none)
    assert sections([nothing, nothing]) == []
