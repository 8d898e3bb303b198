"""A stamp tells whether a crawl was written."""

import pytest

from ttcrawl.store.stamp import stamp_of


@pytest.mark.parametrize("name", ["crawl.db", "crawl.db-wal", "config.ini"])
def test_it_changes_with_the_crawl(tmp_path, name):
    first = stamp_of(tmp_path)
    (tmp_path / name).touch()
    assert stamp_of(tmp_path) == first == stamp_of(tmp_path / "nowhere")  # a reader makes an empty log
    (tmp_path / name).write_bytes(b"x")
    assert stamp_of(tmp_path) != first
