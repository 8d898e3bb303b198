"""Names of WARC files: of this version and of earlier ones, beyond five digits, of any directory and machine."""

import pytest

from ttcrawl.config import Config
from ttcrawl.engine.run.archive import run_of
from ttcrawl.engine.run.directory import positions
from ttcrawl.ring.messages import Archived
from ttcrawl.ring.position import LONGEST, Archives, Position, Run, is_name, series_and_number, with_number

RUN = Run(id="urn:uuid:1", crawl="site", time="20261123035512", host="crawler.example.org")
NAME = "site-20261123035512-3-00007-crawler.example.org.warc.gz"

NAMES = {
    NAME: (3, 7),
    "ttcrawl-0-00000.warc.gz": (0, 0),
    "ttcrawl-12-100000.warc.gz": (12, 100_000),
    "site-20261123035512-3-100000-h.warc.gz": (3, 100_000),
    "a-20261123035512-1-00001-b-20261123035512-3-00007-h.warc.gz": (3, 7),
    "ttcrawl-20261123035512-12345-00000-h.warc.gz": (12_345, 0),
}

NO_NAMES = (
    "other.warc.gz",
    "../ttcrawl-0-00000.warc.gz",
    "ttcrawl-0-0000.warc.gz",
    "ttcrawl-0-00000.warc",
    "site-20261123035512-3-00007-.warc.gz",
    "site-2026112303551-3-00007-h.warc.gz",
    "s/ite-20261123035512-3-00007-h.warc.gz",
    "IAH-20261123035512345-00000-1~h~8443.warc.gz",
    "ttcrawl-٠-00000.warc.gz",
)


def test_a_name_has_crawl_time_series_number_and_host():
    assert Position(series=3, number=7, run=RUN).file == NAME


@pytest.mark.parametrize("cluster", ["news", "n" * 200])
def test_files_of_rings_have_different_names(tmp_path, cluster):
    places = [tmp_path / cluster / f"ring-{number}" for number in range(1, 4)]
    runs = [run_of(place, "urn:uuid:1", Config(), [], 0.0, ring=True) for place in places]
    files = {Position(series=0, run=run).file for run in runs}
    assert len(files) == 3 and all(is_name(file) for file in files)
    assert all(run.crawl.startswith(cluster[:50]) for run in runs)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_read(name):
    assert is_name(name) and series_and_number(name) == NAMES[name]
    assert series_and_number(with_number(name, 100_001)) == (NAMES[name][0], 100_001)


@pytest.mark.parametrize("name", NO_NAMES)
def test_what_is_no_name(name):
    assert not is_name(name)
    for read in (series_and_number, lambda file: with_number(file, 1)):
        with pytest.raises(ValueError, match="not the name of a WARC file"):
            read(name)


@pytest.mark.parametrize(
    ("crawl", "host"),
    [
        ("", ""),
        ("..", ".."),
        ("-d", "a-b"),
        ("über uns", "rechner_ü"),
        ("a/b\nc", "h\r\nx"),
        ("\udcff", "\udcff"),
        ("x" * 300, "y" * 300),
        ("a-20261123035512-0-00000-b", "a-20261123035512-0-00000-b"),
    ],
)
def test_any_directory_and_machine_has_a_name(crawl, host):
    position = Position(series=3, number=100_000, run=Run(crawl=crawl, time="20261123035512", host=host))
    assert is_name(position.file) and series_and_number(position.file) == (3, 100_000)
    assert position.file.isascii() and position.file[0] not in "-." and len(position.file) < 2 * LONGEST + 60


def test_a_run_begins_behind_all_files_of_each_series():
    files = ["ttcrawl-0-00003.warc.gz", NAME, "site-20261123035512-3-99999-h.warc.gz"]
    files += ["site-20261124035512-3-100000-h.warc.gz", "ttcrawl-9-00000.warc.gz"]
    found = positions(files, 4, RUN)
    assert [(each.series, each.number, each.end) for each in found] == [
        (0, 4, 0),
        (1, 0, 0),
        (2, 0, 0),
        (3, 100_001, 0),
    ]
    assert all(each.run is RUN for each in found)


def test_the_number_after_a_record_beyond_five_digits():
    position = Position(series=3, number=99_999, run=RUN).next_file()
    assert position.number == 100_000
    after = position.after(Archived(file=position.file, offset=10, length=5))
    assert after == Position(series=3, number=100_000, end=15, run=RUN)


#: Seconds since the epoch: 23 November 2026, 03:55:12 UTC, when RUN began.
BEGIN = 1_795_406_112


@pytest.mark.parametrize(
    ("moment", "time"),
    [
        (BEGIN, None),
        (BEGIN + 72_287.9, None),  # 23:59:59.9
        (BEGIN + 72_288, "20261124000000"),
        (BEGIN + 80_000, "20261124020832"),
        (BEGIN - 86_400, None),  # requested before midnight, answered after it
    ],
)
def test_a_day_begins_a_file_that_has_its_time(moment, time):
    position = Position(series=3, number=7, end=99, run=RUN).next_day(moment)
    file = None if time is None else f"site-{time}-3-00008-crawler.example.org.warc.gz"
    assert (position and position.file) == file
    if position is not None:
        assert position.end == 0 and position.run.id == RUN.id
        archived = Archived(file=position.file, offset=5, length=6)
        behind = Position(series=3, number=7, run=RUN).after(archived)  # as the crawl process follows it
        assert (behind.file, behind.end) == (position.file, 11)
        assert behind.next_day(moment) is None


FIRST, SECOND = Position(series=0).file, Position(series=0, number=1).file


def test_each_series_continues_behind_its_last_record():
    archives = Archives([Position(series=0, run=Run(id="r")), Position(series=1, number=3, end=7)])
    archives.add(0, Archived(file=FIRST, offset=0, length=10))
    archives.add(0, Archived(file=SECOND, offset=5, length=1))
    for _ in range(2):
        assert archives.end(0) == Position(series=0, number=1, end=6, run=Run(id="r"))
        assert archives.end(1) == Position(series=1, number=3, end=7)


def test_files_that_have_grown_are_named_once():
    archives = Archives([Position(series=0)])
    archives.add(0, Archived(file=FIRST, offset=0, length=10))
    archives.add(0, Archived(file=FIRST, offset=10, length=5))
    assert archives.grown() == {FIRST: 15}
    assert archives.grown() == {}
