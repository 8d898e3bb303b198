"""`[store] warc_daily`: a WARC file for each day; verified, resumed and purged."""

import re

import pytest

from tests.recrawl.recrawled import Clock, recrawl, served, warc
from tests.recrawl.servers import DAY, Server
from tests.support.crawls.crawling import query, verified
from tests.support.crawls.other_readers import foreign_check
from ttcrawl.cli import main


class Other(Server):
    """A page with bytes of its own."""

    def body(self, now):
        return b"other %d" % self.version(now)


def crawled(directory, *runs, daily):
    """Runs of so many days, one after the other."""
    pages, clock = {"a.test": Server(changes=(1.5, 3.5)), "b.test": Other(changes=(2.5,))}, Clock()
    with served(pages, clock) as port:
        for days in runs:
            recrawl(directory, pages, port, clock, days * DAY, {"store.warc_daily": daily})
            assert verified(directory) == ""


def dates(directory):
    """The days of the records in each file, by its name."""
    names = {path.name for path in (directory / "warc").iterdir()}
    days = {name: set() for name in names}
    for record in warc(directory):
        days[record["file"]].add(record["WARC-Date"][:10].replace("-", ""))
    return days


def day_of(name):
    return re.fullmatch(r"crawl-(\d{8})\d{6}-0-\d{5}-localhost\.warc\.gz", name)[1]


@pytest.mark.slow
def test_each_day_has_a_file_that_is_named_by_it(tmp_path):
    crawled(tmp_path / "c", 3.1, 2.1, daily="yes")
    files = {name: days for name, days in dates(tmp_path / "c").items() if days}
    assert all(days == {day_of(name)} for name, days in files.items())
    visits = query(tmp_path / "c", "SELECT DISTINCT strftime('%Y%m%d', started, 'unixepoch') FROM visit")
    assert {day_of(name) for name in files} == {day for (day,) in visits} and len(visits) > 5
    foreign_check(tmp_path / "c" / "warc")


def test_without_it_a_run_has_one_file(tmp_path):
    crawled(tmp_path / "c", 3.1, 2.1, daily="no")
    assert sorted(map(len, dates(tmp_path / "c").values())) == [3, 4]


@pytest.mark.slow
def test_a_page_is_purged_from_the_files_of_all_days(tmp_path):
    directory = tmp_path / "c"
    crawled(directory, 4.1, daily="yes")
    assert main(["delete", str(directory), "--host", "a.test", "--yes", "--purge"]) == 0
    assert verified(directory) == ""
    urls = {record["WARC-Target-URI"] for record in warc(directory)}
    assert not [url for url in urls if "//a.test" in url and not url.endswith("/robots.txt")]
    assert len({day for days in dates(directory).values() for day in days}) == 5
    foreign_check(directory / "warc")
