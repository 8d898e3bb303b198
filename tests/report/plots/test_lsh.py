"""The S-curve as a figure: of crawls with and without marks and settings."""

import shutil
import sqlite3
import warnings
from contextlib import closing
from pathlib import Path

import pytest

from tests.report.plots.words import words
from tests.support.crawls.crawl_db import crawl_of
from ttcrawl.cli import main
from ttcrawl.report.laws.lsh import Bands
from ttcrawl.report.plots.drawing import figures
from ttcrawl.report.plots.lsh import bands_text
from ttcrawl.report.study import study

A = "http://a.test/"
CONFIG = Path(__file__).parents[3] / "config.ini"


def made(directory, settings, similarities=()):
    crawl_of(directory, {f"{A}{n}": [] for n in range(len(similarities) + 1)})
    if settings is not None:
        shutil.copy(CONFIG, directory)
        with open(directory / "config.ini", "w") as file:
            file.write(settings)
    with closing(sqlite3.connect(directory / "crawl.db")) as db, db:
        rows = ((n, None, "near", 1, similarity) for n, similarity in enumerate(similarities, 2))
        db.executemany("INSERT INTO duplicate VALUES (?, ?, ?, ?, ?)", rows)
    return study(directory)


SIXTEEN = "[duplicates]\npermutations = 128\nbands = 16\n"


def drawn(crawls, tmp_path):
    names = [f"crawl {n}" for n in range(len(crawls))]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        png, svg = figures(crawls, names, ("lsh",), tmp_path / "plots", [])
    assert png.stat().st_size > 5000
    return words(svg)


@pytest.mark.slow
def test_one_crawl_with_its_neighbours(tmp_path):
    said = drawn([made(tmp_path / "a", SIXTEEN, [0.9, 0.93, 1.0])], tmp_path)
    assert "crawl 0: 16 bands of 8, marked from 0.9 on" in said and "marked from 0.9 on" in said
    assert "8 bands of 16 of the same permutations" in said and "32 bands of 4 of the same permutations" in said
    assert "Near duplicates that were found" in said and "none" not in said


@pytest.mark.slow
def test_several_crawls(tmp_path):
    crawls = [
        made(tmp_path / "a", SIXTEEN, [0.9]),
        made(tmp_path / "b", SIXTEEN.replace("16", "4")),
        made(tmp_path / "c", None),
    ]
    said = drawn(crawls, tmp_path)
    assert "crawl 0: 16 bands of 8" in said and "crawl 1: 4 bands of 32" in said
    assert "crawl 2" not in said and "of the same permutations" not in said


@pytest.mark.slow
@pytest.mark.parametrize("settings", [None, "[duplicates]\nnear = no\n"])
def test_nothing_to_draw(tmp_path, settings):
    said = drawn([made(tmp_path / "a", settings)], tmp_path)
    assert "near duplicates are not looked for, or config.ini is missing" in said and "none" in said


def test_areas_in_words():
    fine = [0.9 + (place + 0.5) / 100_000 for place in range(10_000)]
    missed = sum((1 - s**16) ** 8 for s in fine) / len(fine)
    assert f"above {100 * missed:.2f} % are missed" in bands_text(Bands(permutations=128, bands=8, verify=0.9))
    assert "above < 0.01 % are missed" in bands_text(Bands(permutations=128, bands=16, verify=0.9))


@pytest.mark.slow
def test_the_command(tmp_path, capsys):
    made(tmp_path / "a", "")
    assert main(["plot", str(tmp_path / "a"), "--what", "lsh"]) == 0
    assert [Path(line).name for line in capsys.readouterr().out.splitlines()] == ["lsh.png", "lsh.svg"]
