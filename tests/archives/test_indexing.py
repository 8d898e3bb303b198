"""The processes that index archives."""

import sqlite3
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing

import pytest

from ttcrawl.archives import indexing
from ttcrawl.archives.indexing import Task, fill
from ttcrawl.errors import CrawlFailedError
from ttcrawl.output.steps import silent
from ttcrawl.store.archive_index import ArchiveIndex


class Failing:
    """A pool whose processes end with an error."""

    def __init__(self, error):
        self.error = error

    def __call__(self, *_):
        return self

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def shutdown(self, **_):
        pass

    def submit(self, *_):
        future = Future()
        future.set_exception(self.error)
        return future


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (BrokenProcessPool("a process has died"), "has died, .*with fewer --parsers"),
        (sqlite3.OperationalError("database or disk is full"), "import.db: database or disk is full; make room"),
    ],
)
def test_what_ends_the_processes_of_an_import_is_one_line(tmp_path, monkeypatch, error, words):
    monkeypatch.setattr(indexing, "ProcessPoolExecutor", Failing(error))
    with closing(ArchiveIndex(tmp_path / "import.db")) as index, pytest.raises(CrawlFailedError, match=words):
        fill(index, [Task(file=1, path=tmp_path / "a", size=1)], 1, silent)
