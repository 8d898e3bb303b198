"""Positions in the archive are those behind the last outcome of each series."""

from ttcrawl.ring.archives import Archives
from ttcrawl.ring.messages import Archived
from ttcrawl.ring.position import Position, Run

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
