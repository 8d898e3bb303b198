"""-o - is stdout, as for most programs: no file has that name."""

import pytest

from tests.library.sample_crawl import make
from ttcrawl.cli import main


@pytest.mark.parametrize(
    "words",
    [
        ("export", "--table", "urls"),
        ("report", "--section", "summary"),
        ("extract", "--css", "title=title"),
    ],
    ids=lambda words: words[0],
)
def test_a_hyphen_is_stdout(tmp_path, monkeypatch, capfd, words):
    make(tmp_path / "c")
    monkeypatch.chdir(tmp_path)
    name, *options = words
    printed = []
    for out in ([], ["-o", "-"]):
        assert main([name, "c", *options, *out]) == 0
        printed.append(capfd.readouterr().out)
    assert printed[0] and printed[0] == printed[1]
    assert [path.name for path in tmp_path.iterdir()] == ["c"]
