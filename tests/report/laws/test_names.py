"""What grows with an exponent above 1 is called Heaps' law in no form of the report."""

from __future__ import annotations

import html
import re
import sqlite3
from contextlib import closing

import numpy as np
import pytest

from tests.report.plots.words import words
from tests.report.sample_crawl import write
from ttcrawl.cli import main
from ttcrawl.output.forms import FORMS
from ttcrawl.report.forms import render
from ttcrawl.report.study import lazy_study

N = np.arange(1, 601)
#: Distinct URLs by pages, of which all power laws have a beta above 1.
SERIES = {
    "power": 2 * N**1.2,
    "steeper and steeper": 0.02 * N**2.0 + 30,
    "finite pool": -20_000 * np.expm1(-20 * N**1.1 / 20_000),
    "end": 3 * np.minimum(N, 300) ** 1.3,
    "trap": np.where(N <= 300, 3 * N**1.1, 3 * 300**1.1 + 40 * (N - 300)),
}


def crawl(directory, distinct):
    """The sample crawl, with this growth in every column; ten links a page, so that all laws have one beta."""
    write(directory)
    rows = [(int(n), float(n), int(10 * n), int(v), 0, 0, int(v)) for n, v in zip(N, np.round(distinct), strict=True)]
    with closing(sqlite3.connect(directory / "crawl.db")) as db, db:
        db.execute("DELETE FROM growth")
        db.executemany("INSERT INTO growth VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
    return directory


def named(text: str) -> bool:
    """Whether it speaks of Heaps' law, but for saying that this is not one."""
    return "Heaps" in re.sub(r"not Heaps\W+(textquotesingle\W+)?law", "", html.unescape(text))


def forms(directory) -> dict[str, str]:
    parts = ("summary", "laws", "estimates")
    with lazy_study(directory) as crawl:
        return {form: render([crawl], ["a"], form, parts=parts) for form in (*FORMS, "html", "json")}


@pytest.mark.slow
@pytest.mark.parametrize("series", SERIES)
def test_beta_above_one_is_called_heaps_law_in_no_form(series, tmp_path):
    for form, text in forms(crawl(tmp_path / "crawl", SERIES[series])).items():
        assert "beta" in text and not named(text), form


@pytest.mark.slow
def test_beta_below_one_is_called_heaps_law_in_every_form(tmp_path):
    for form, text in forms(crawl(tmp_path / "crawl", 100 * N**0.4)).items():
        assert named(text), form


@pytest.mark.slow
@pytest.mark.parametrize("series", SERIES)
def test_nor_in_a_figure_or_what_a_crawl_prints(series, tmp_path, capsys):
    directory = str(crawl(tmp_path / "crawl", SERIES[series]))
    assert main(["plot", directory, "--what", "growth", "--what", "laws", "--out", str(tmp_path)]) == 0
    told = "".join(words(path) for path in tmp_path.glob("*.svg"))
    assert "β" in told and not named(told)
    capsys.readouterr()
    assert main(["status", directory]) == 0
    assert not named(capsys.readouterr().out)
