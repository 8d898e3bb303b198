"""Groups of rows are bounded by their number and by their size, and so is the memory of an export."""

import sqlite3
import zlib
from contextlib import closing

import pytest

from tests.support.crawls.crawl_db import generated, insert
from tests.support.crawls.measured import measured
from ttcrawl.export.formats.parquet import ROWS, SIZE, row_groups

TEXT = 100_000  # characters of a page


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ([], []),
        ([0] * (2 * ROWS + 1), [ROWS, ROWS, 1]),
        ([SIZE - 1, 1, 1], [2, 1]),
        ([SIZE + 1, SIZE + 1, 0], [1, 1, 1]),
    ],
)
def test_a_group_ends_by_rows_or_by_size(sizes, expected):
    found = list(row_groups(zip(range(len(sizes)), sizes, strict=True)))
    assert [len(each) for each in found] == expected
    assert [row for each in found for row in each] == list(range(len(sizes)))


def with_texts(directory, pages):
    """A crawl whose pages have texts that no two of them share."""
    crawl = generated(directory, urls=pages, links=pages, pages=pages, hosts=3)
    with closing(sqlite3.connect(crawl / "crawl.db")) as db, db:
        statement = insert(db, "text", "url", "size", "text", "main_size", "main")
        for n in range(pages):
            row = [n + 1]
            for kind in "ab":
                row += [TEXT, zlib.compress(f"{n:08} {kind}".encode() * (TEXT // 10), 1)]
            db.execute(statement, row)
    return crawl


@pytest.mark.slow
def test_the_texts_of_many_pages_are_never_in_memory_together(tmp_path):
    from pyarrow import parquet

    peaks = []
    for pages in (200, 2000):
        crawl, out = with_texts(tmp_path / f"c{pages}", pages), tmp_path / f"{pages}.parquet"
        done = measured("export", crawl, "--format", "parquet", "--text", "-o", out)
        assert done.status == 0, done.err
        table = parquet.ParquetFile(out)
        assert table.metadata.num_rows == pages and table.num_row_groups > 1
        peaks.append(done.peak)
    most = 0.25 * 2000 * 2 * TEXT / 1e6  # MB: a quarter of all texts
    assert peaks[1] - peaks[0] < most
