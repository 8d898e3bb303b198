from __future__ import annotations

import shutil
import subprocess
import sys
import warnings
from pathlib import Path
from xml.etree import ElementTree

import pytest

from ttcrawl.report.plots.growth import growth
from ttcrawl.report.summarize import summarize
from ttcrawl.report.summary import Summary
from ttcrawl.store.schema import TABLES, VERSION


def crawl(directory: Path, samples: list[tuple[int, int, int]]) -> Summary:
    """A crawl of which only the series is known: (pages, found, distinct URLs), a tenth of the URLs in scope."""
    import sqlite3

    directory.mkdir()
    db = sqlite3.connect(directory / "crawl.db")
    db.executescript(TABLES)
    db.execute("INSERT INTO crawl VALUES ('schema_version', ?)", (str(VERSION),))
    rows = [(pages, pages * 1.0, found, distinct, distinct // 10) for pages, found, distinct in samples]
    db.executemany("INSERT INTO growth VALUES (?, ?, ?, ?, 0, 0, ?)", rows)
    db.commit()
    db.close()
    return summarize(directory)


@pytest.fixture(scope="module")
def campus(tmp_path_factory: pytest.TempPathFactory) -> Summary:
    series = [(p, 20 * p, min(1500, round(10 * (20 * p) ** 0.6))) for p in range(1, 300)]
    return crawl(tmp_path_factory.mktemp("crawl") / "campus", series)


@pytest.fixture(scope="module")
def drawn(campus: Summary, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Its figures, under the name x."""
    return growth([campus], ["x"], tmp_path_factory.mktemp("drawn"))


def words(svg: Path) -> str:
    """The text of an SVG: matplotlib draws the letters as paths and keeps the words in comments."""
    parser = ElementTree.XMLParser(target=ElementTree.TreeBuilder(insert_comments=True))
    root = ElementTree.parse(svg, parser).getroot()
    return "\n".join(each.text or "" for each in root.iter() if each.tag is ElementTree.Comment)


@pytest.mark.slow
def test_files(campus: Summary, tmp_path: Path) -> None:
    out = tmp_path / "deep" / "plots"
    assert growth([campus], ["campus"], out, [(100, 0.4)]) == [out / "growth.png", out / "growth.svg"]
    png = (out / "growth.png").read_bytes()
    assert png.startswith(b"\x89PNG\r\n\x1a\n") and len(png) > 20_000
    assert int.from_bytes(png[16:20], "big") > 1500  # pixels wide: good for print
    told = words(out / "growth.svg")
    law = campus.heaps_found
    assert law is not None
    assert f"campus: fit K = {law.k:.4g}, β = {law.beta:.3f}" in told
    scoped = campus.heaps_in_scope
    assert scoped is not None and f"campus in scope: fit K = {scoped.k:.4g}, β = {scoped.beta:.3f}" in told
    assert "given: K = 100, β = 0.4" in told and "Distinct URLs in scope by pages" in told
    assert f"last new URL at page {campus.saturation:,} of 299" in told
    for label in ("Distinct URLs", "URLs found (link occurrences)", "Pages crawled", "6,000"):
        assert label in told


@pytest.mark.slow
def test_same_crawls_same_bytes(campus: Summary, drawn: list[Path], tmp_path: Path) -> None:
    for one, other in zip(drawn, growth([campus], ["x"], tmp_path / "again"), strict=True):
        assert one.read_bytes() == other.read_bytes()


@pytest.mark.slow
def test_writing_again_replaces(campus: Summary, drawn: list[Path], tmp_path: Path) -> None:
    out = shutil.copytree(drawn[0].parent, tmp_path / "out")
    assert growth([campus], ["y"], out)[0].read_bytes() != drawn[0].read_bytes()
    assert sorted(each.name for each in out.iterdir()) == sorted(each.name for each in drawn)


@pytest.mark.slow
def test_side_by_side(campus: Summary, tmp_path: Path) -> None:
    others = [crawl(tmp_path / f"{i}", [(p, 30 * p, 7 * p + i) for p in range(1, 120)]) for i in range(6)]
    names = [f"crawl {i}" for i in range(6)]
    told = words(growth([campus, *others], ["campus", *names], tmp_path / "out", [(100, 0.4), (44, 0.49)])[1])
    for name in ["campus", *names]:
        assert f"{name}: measured" in told and f"{name}: fit" in told
    assert "crawl 0: last new URL" not in told  # it still found URLs when it ended


SERIES = {
    "empty": [],
    "one page": [(1, 5, 6)],
    "two pages": [(1, 5, 6), (2, 9, 8)],
    "no links": [(p, 0, 1) for p in range(1, 5)],
    "one link": [(p, 1, 2) for p in range(1, 5)],
    "zeros": [(0, 0, 0)],
    "millions": [(p * 1000, p * 10**7, p * 10**6) for p in range(1, 20)],
}


@pytest.mark.slow
@pytest.mark.parametrize("series", SERIES)
def test_any_series_can_be_drawn_without_a_warning(series: str, tmp_path: Path) -> None:
    summary = crawl(tmp_path / "crawl", SERIES[series])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        paths = growth([summary], ["x"], tmp_path / "out", [(100, 0.4)])
    assert all(path.stat().st_size > 5000 for path in paths)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["$x$", r"$\frac{", "_hidden", "a\x1b[31mb\nc", "<b>&amp;", "x" * 500, ""])
def test_any_name_is_only_text(name: str, campus: Summary, tmp_path: Path) -> None:
    told = words(growth([campus], [name], tmp_path / "out")[1])
    assert ": measured" in told
    assert "\x1b" not in told


def test_no_crawl_and_too_few_names(campus: Summary, tmp_path: Path) -> None:
    assert all(path.exists() for path in growth([], [], tmp_path / "out"))
    with pytest.raises(ValueError, match="names"):
        growth([campus], [], tmp_path / "out")


@pytest.mark.slow
def test_neither_pyplot_nor_settings_of_matplotlib_are_touched(campus: Summary, tmp_path: Path) -> None:
    import matplotlib

    before = dict(matplotlib.rcParams)
    growth([campus], ["x"], tmp_path / "out")
    assert dict(matplotlib.rcParams) == before


def test_heavy_libraries_come_late() -> None:
    code = (
        "import sys, ttcrawl.report.plots.growth, ttcrawl.output.tables;"
        " print({'matplotlib', 'numpy'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
