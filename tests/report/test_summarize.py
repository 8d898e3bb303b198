"""A small crawl written by hand in plain SQL, and every figure of its report worked out by hand."""

from __future__ import annotations

import dataclasses
import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.report.sample_crawl import write
from ttcrawl.report.summarize import summarize
from ttcrawl.report.summary import Growth, Summary, Tally
from ttcrawl.snapshot.errors import NotACrawl
from ttcrawl.snapshot.snapshot import View
from ttcrawl.store.schema import VERSION
from ttcrawl.store.versions import STEPS


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    return write(tmp_path / "crawl")


TRUTH = {
    "version": "1.2",
    "started": 1_700_000_000.5,
    "seconds": 41.5,  # the last sample is later than the last commit of `seconds`
    "finished": "done",
    "seeds": ("http://a.org/", "http://b.org/"),
    "scope": "host",
    "parser": "lexbor",
    "reader": "compiled",
    "read_by_core": 1,
    "read_by_python": {"control character": 3, "frame": 2},
    "obey_delay": True,
    "delay": 1.5,
    "content_start": "<!-- CONTENT -->",
    "follow": "content",
    "urls": 17,
    "pages": 4,
    "linking": 4,
    "requisites": 0,
    "only_scored": 0,
    "statuses": {200: 3, 404: 1},
    "unread": 0,
    "moved": 1,
    "failed": {"dns": 2, "timeout: read": 1},
    "unrecorded": 6,
    "refused": {
        "robots.txt": 3,
        "outside content": 1,
        "robots.txt: http 503": 1,
        "scope: host": 1,
        "scope: length": 1,
        "too large": 1,
    },
    "queued": 1,
    "deleted": 0,
    "found": Tally(total=14, distinct=7),  # 11, 22, 88, 100, 110, 120, BIG; 170 is the target of a redirect
    "content": Tally(total=9, distinct=5),  # 11, 22, 88, 100, 120
    "elsewhere": Tally(total=5, distinct=3),  # 100, 110, BIG
    "same_page": Tally(total=3, distinct=2),
    "not_http": 3,
    "robots_blocked": Tally(total=2, distinct=1),  # 88 twice; BIG is only linked where links are not followed
    "out_of_scope": Tally(total=3, distinct=2),  # 100 twice, 110
    "fetch_errors": {"dns": 2, "http 404": 1, "timeout: read": 1},
    "unanswered": {"timeout: read": 3, "dns": 1},
    "parse_errors": 2,
    "parse_rescued": 1,
    "parsers": {"lexbor": 2, "html5lib": 1},
    "requests": 16,
    "bytes": 1566,
    "archive_bytes": 345,
    "pages_per_second": 4 / 41.5,
    "politeness_floor": 10.5,  # b.org: 7 * 1.5; a.org: 5 * 2
    "politeness_host": "b.org",
    "sites": 6,
    "robots_requested": 5,
    "robots_rules": 1,
    "robots_unreachable": 2,
    "seen_tests": 100,
    "seen_maybe": 70,
    "seen_false": 2,
    "seen_rate_configured": 0.001,
    "seen_rate_observed": 2 / 32,
    "growth": Growth(
        pages=(1, 2, 3, 4),
        seconds=(1.0, 2.0, 30.0, 41.5),
        found=(9, 13, 14, 14),
        distinct_urls=(8, 12, 17, 17),
        in_scope=(4, 6, 9, None),
    ),
    "saturation": 3,
}


@pytest.mark.parametrize("figure", TRUTH)
def test_figure(crawl: Path, figure: str) -> None:
    assert getattr(summarize(crawl), figure) == TRUTH[figure]


#: Parser and error of page 15 -> (parse errors, read by a later parser), with one other page of each.
ERRORS = {
    ("", "every parser failed"): (2, 1),
    ("rss", "not well-formed"): (2, 1),
    ("urlset", "only the first 9 bytes are read"): (2, 1),
    ("lexbor", "broken gzip: incomplete"): (2, 1),
    ("regex", "lexbor: deep; html5lib: deep"): (1, 2),
    ("lexbor", "page hook: ValueError"): (1, 1),
}


@pytest.mark.parametrize(("page", "counts"), ERRORS.items(), ids=map(str, ERRORS))
def test_only_html_has_later_parsers(crawl: Path, page: tuple[str, str], counts: tuple[int, int]) -> None:
    with closing(sqlite3.connect(crawl / "crawl.db")) as db, db:
        db.execute("UPDATE page SET parser = ?, parse_error = ? WHERE url = 15", page)
    summary = summarize(crawl)
    assert (summary.parse_errors, summary.parse_rescued) == counts


def test_every_figure_has_a_truth() -> None:
    assert {field.name for field in dataclasses.fields(Summary)} == TRUTH.keys() | {
        "relevant",
        "heaps_found",
        "heaps_pages",
        "heaps_in_scope",
    }


def test_most_frequent_first(crawl: Path) -> None:
    summary = summarize(crawl)
    for counts in (summary.refused, summary.fetch_errors, summary.unanswered, summary.parsers, summary.statuses):
        assert list(counts.values()) == sorted(counts.values(), reverse=True)


def test_fits_are_of_the_series(tmp_path: Path, crawl: Path) -> None:
    short = summarize(crawl)
    assert short.heaps_found is short.heaps_pages is short.heaps_in_scope is None  # four pages follow every law
    directory = write(tmp_path / "long", fill=False, follow="all")
    rows = [(n, 1.0 * n, 9 * min(n, 99), 10 * n, None if n == 100 else 4 * n) for n in range(1, 101)]
    with closing(sqlite3.connect(directory / "crawl.db")) as db, db:
        db.executemany("INSERT INTO growth VALUES (?, ?, ?, ?, 0, 0, ?)", rows[:-1])
    fewer = summarize(directory)
    assert fewer.heaps_found is fewer.heaps_pages is fewer.heaps_in_scope is None  # 99 pages
    with closing(sqlite3.connect(directory / "crawl.db")) as db, db:
        db.executemany("INSERT INTO growth VALUES (?, ?, ?, ?, 0, 0, ?)", rows[-1:])
    summary = summarize(directory)
    assert (
        summary.heaps_found is not None and summary.heaps_found.points == 98
    )  # two samples share the URLs found, and one has under 20 URLs
    assert summary.heaps_pages is not None and summary.heaps_pages.points == 99
    assert summary.heaps_pages.at(4) == pytest.approx(40, abs=0.1)
    assert summary.heaps_in_scope is not None and summary.heaps_in_scope.points == 95  # one sample was not counted


def test_links_elsewhere_are_blocked_only_where_they_are_followed(tmp_path: Path) -> None:
    summary = summarize(write(tmp_path / "all", follow="all"))
    assert summary.robots_blocked == Tally(total=4, distinct=2)  # and BIG, twice
    assert summary.out_of_scope == Tally(total=3, distinct=2)


def test_delay_that_is_not_obeyed(tmp_path: Path) -> None:
    directory = write(tmp_path / "fast", obey_delay="no")
    with sqlite3.connect(directory / "crawl.db") as db:
        db.execute("UPDATE site SET delay = 0 WHERE delay IS NOT NULL")
    db.close()
    summary = summarize(directory)
    assert (summary.politeness_floor, summary.politeness_host, summary.obey_delay) == (0.0, "", False)


def test_link_fold_agrees_with_the_view(crawl: Path) -> None:
    summary, db = summarize(crawl), View(crawl)
    total, distinct = db.execute("SELECT count(*), count(DISTINCT target) FROM link WHERE kind != 'R'").fetchone()
    db.close()
    assert total == summary.found.total - summary.same_page.total
    assert distinct == summary.found.distinct


def test_empty_crawl(tmp_path: Path) -> None:
    summary = summarize(write(tmp_path / "empty", fill=False))
    assert (summary.pages, summary.urls, summary.requests, summary.seconds) == (0, 0, 0, 0.0)
    assert summary.found == Tally(total=0, distinct=0)
    assert summary.seeds == () and summary.finished == ""
    assert summary.pages_per_second is summary.saturation is summary.seen_rate_observed is None
    assert summary.heaps_found is summary.heaps_pages is None


def test_crawl_without_archive(crawl: Path) -> None:
    for path in (crawl / "warc").iterdir():
        path.unlink()
    (crawl / "warc").rmdir()
    assert summarize(crawl).archive_bytes == 0


# -- while somebody writes --------------------------------------------------------------------------------------------


@pytest.fixture
def writer(crawl: Path) -> Iterator[sqlite3.Connection]:
    db = sqlite3.connect(crawl / "crawl.db", isolation_level=None)
    db.execute("BEGIN IMMEDIATE")
    yield db
    db.close()


def test_running_crawl_shows_what_is_committed(crawl: Path, writer: sqlite3.Connection) -> None:
    writer.execute("UPDATE url SET state = 'fetched' WHERE id = 13")
    assert summarize(crawl).pages == 4
    writer.execute("COMMIT")
    writer.execute("BEGIN IMMEDIATE")
    assert (summarize(crawl).pages, summarize(crawl).queued) == (5, 0)


def test_writer_is_not_kept_from_committing_by_a_reader(crawl: Path, writer: sqlite3.Connection) -> None:
    reader = View(crawl)
    before = reader.execute("SELECT count(*) FROM visit").fetchone()
    writer.execute("DELETE FROM visit")
    writer.execute("COMMIT")
    assert reader.execute("SELECT count(*) FROM visit").fetchone() == before
    reader.close()


def test_killed_crawl_is_read_from_its_log(crawl: Path) -> None:
    killed = (
        "import os, sqlite3, sys\n"
        "db = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "db.execute('DELETE FROM visit')\n"
        "os._exit(0)\n"
    )
    subprocess.run([sys.executable, "-c", killed, str(crawl / "crawl.db")], check=True)
    assert (crawl / "crawl.db-wal").stat().st_size
    assert summarize(crawl).requests == 0


def test_nothing_can_be_written(crawl: Path) -> None:
    db = View(crawl)
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        db.execute("DELETE FROM visit")
    db.close()


def test_reading_changes_no_byte(crawl: Path) -> None:
    before = (crawl / "crawl.db").read_bytes()
    summarize(crawl)
    assert (crawl / "crawl.db").read_bytes() == before


@pytest.fixture
def nobody() -> Iterator[None]:
    """Not to be root, who may write everywhere."""
    if os.geteuid() != 0:
        yield
        return
    os.setresuid(65534, 65534, 0)
    yield
    os.setresuid(0, 0, 0)


def test_directory_that_we_cannot_write(nobody: None) -> None:
    with tempfile.TemporaryDirectory() as place:  # pytest's own directories are closed to others
        crawl = write(Path(place) / "crawl")
        crawl.chmod(0o555)
        assert summarize(crawl).pages == 4
        assert sorted(path.name for path in crawl.iterdir()) == ["crawl.db", "warc"]
        crawl.chmod(0o755)


@pytest.mark.parametrize("name", ["a b", "100%", "what?mode=rw", "x#y", "ü€", "%41", "a&b;c'd\"e"])
def test_odd_directory_names(tmp_path: Path, name: str) -> None:
    assert summarize(write(tmp_path / name)).pages == 4


def test_relative_directory(crawl: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(crawl.parent)
    assert summarize(Path("crawl")).pages == 4


# -- what is no crawl -------------------------------------------------------------------------------------------------


def test_no_directory(tmp_path: Path) -> None:
    with pytest.raises(NotACrawl, match="does not exist"):
        summarize(tmp_path / "missing")
    assert list(tmp_path.iterdir()) == []


def test_directory_without_database(tmp_path: Path) -> None:
    with pytest.raises(NotACrawl, match=r"contains no crawl\.db"):
        summarize(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(NotACrawl, match="give the directory"):
        summarize(tmp_path / "file")


@pytest.mark.parametrize("content", [b"", b"no database at all, but long enough to look at" * 100])
def test_something_else_in_its_place(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "crawl.db").write_bytes(content)
    with pytest.raises(NotACrawl, match="not a crawl database") as caught:
        summarize(tmp_path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("version", [VERSION + 1, min(STEPS) - 1, "", "x"])
def test_tables_of_another_version(tmp_path: Path, version: object) -> None:
    with pytest.raises(NotACrawl, match="that wrote it"):
        summarize(write(tmp_path / "new", schema_version=version))


def test_damaged_rows(crawl: Path) -> None:
    db = sqlite3.connect(crawl / "crawl.db", isolation_level=None)
    db.execute("UPDATE outlinks SET targets = '[1, 2'")
    db.close()
    with pytest.raises(NotACrawl, match="is damaged"):
        summarize(crawl)
