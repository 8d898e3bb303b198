"""The part of the report about relevant pages, its figure, and its series."""

import csv
import io
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

import ttcrawl
from tests.support.crawls.crawl_db import NOW, crawl_of
from ttcrawl.cli import main
from ttcrawl.config import Config, Topic, example
from ttcrawl.report.plots.drawing import plot
from ttcrawl.report.study import sections, study

RELEVANT = {1, 2, 3, 4, 5, 6, 8, 10, 20, 30}


def url(n):
    return f"http://a.test/{n}"


def topical(directory, held_back=(), target=0.0):
    """A crawl of 40 pages in a row, of which those in RELEVANT are, and one that is queued."""
    crawl_of(directory, {url(n): [url(n + 1)] for n in range(1, 41)}, states={url(15): "refused", url(16): "moved"})
    with closing(sqlite3.connect(directory / "crawl.db")) as db, db:
        db.execute("UPDATE url SET processed = ? - id, reason = 'http 200' WHERE state = 'fetched'", (NOW + 100,))
        db.execute("UPDATE url SET processed = ? + id WHERE state = 'fetched'", (NOW,))
        db.execute("UPDATE url SET reason = 'scope: host' WHERE state = 'refused'")
        db.execute("UPDATE url SET reason = 'http 404' WHERE id = 9")
        rows = [
            (n, n in RELEVANT, 1.0, "site" if n == 1 else "terms", '{"P": 3, "P.q": 1}' if n < 4 else '{"C": 1}')
            for n in range(1, 41)
            if n not in (15, 16, 40)
        ]
        db.executemany("INSERT INTO topic VALUES (?, ?, ?, NULL, ?, ?, '[]')", rows)
    settings = Topic(held_back="x" if held_back else "", target_recall=target)
    (directory / "config.ini").write_text(example(replace(Config(), topic=settings)))
    if held_back:
        (directory / "topic").mkdir()
        (directory / "topic" / "held-back.txt").write_text("\n".join(held_back))
    return directory


@pytest.fixture(scope="module")
def crawl(tmp_path_factory):
    known = ["# known", *map(url, (2, 8, 9, 15, 16, 20, 35, 41)), "http://never.test/", url(2)]
    return topical(tmp_path_factory.mktemp("topic") / "crawl", known, 0.25)


def cells(directory, capsys):
    """(Table, row, column) -> value."""
    capsys.readouterr()
    assert main(["report", str(directory), "--format", "csv"]) == 0
    rows = csv.DictReader(io.StringIO(capsys.readouterr().out))
    return {(row["table"], row["row"], row["column"]): row["value"] for row in rows}


def test_the_series_is_in_the_order_of_fetching(crawl):
    topic = study(crawl).topic
    assert (topic.fetched, topic.scored, topic.relevant) == (38, 37, 10)
    assert topic.pages[:6] == (1, 2, 3, 4, 5, 6) and topic.found[:9] == (1, 2, 3, 4, 5, 6, 6, 7, 7)
    assert topic.windows(2) == [(0, 19, 9), (19, 38, 1)]  # page 20 is the 18th that was fetched
    assert sum(found for *_, found in topic.windows(7)) == 10
    pages, shares, low, high = topic.recall()
    assert (pages, shares) == ([0, 2, 8, 18, 33, 38], [0, 1 / 8, 2 / 8, 3 / 8, 4 / 8, 4 / 8])
    assert all(a <= b <= c for a, b, c in zip(low, shares, high, strict=True))


def test_the_report(crawl, capsys):
    found = cells(crawl, capsys)

    def of(row, table="Recall, by held-back pages", column=""):
        return found[table, row, column]

    assert of("Relevant pages", "Topic") == "10" and of("Harvest rate (%)", "Topic") == "26.32"
    assert of("Pages with a score / by terms", "Topic") == "36" and of("Pages with a score / by site", "Topic") == "1"
    assert of("Relevant, class P", "Topic") == "3" and of("Relevant, class C", "Topic") == "7"
    over_time = "Harvest rate over time"
    assert of("1 of 10", over_time, "relevant") == "4" and of("1 of 10", over_time, "%") == "100.0"
    assert of("10 of 10", over_time, "up to page") == "38" and of("10 of 10", over_time, "relevant") == "0"
    assert of("Held-back pages") == "9" and of("Held-back pages / left out: error, failed or deleted") == "1"
    assert of("Held-back pages / found") == "4" and of("Held-back pages / found / judged relevant") == "3"
    assert of("Held-back pages / still queued") == "1" and of("Held-back pages / never discovered") == "1"
    assert of("Held-back pages / refused: scope: host") == "1"
    assert of("Recall (%)") == "50.0" and of("Recall (%) / 95 %") == "15.7 to 84.3" and of("Target (%)") == "25.0"


@pytest.mark.slow
def test_crawls_side_by_side(crawl, tmp_path, capsys):
    plain = crawl_of(tmp_path / "plain", {url(1): [url(2)]})
    both = sections([study(crawl), study(plain)], ["topic"])["topic"]
    assert [section.title for section in both] == ["Topic", "Harvest rate over time", "Recall, by held-back pages"]
    assert both[2].rows[0].values == (9, None)
    assert sections([study(plain)], ["topic"]) == {"topic": []}
    for form in ("text", "markdown", "html", "json", "latex"):
        assert main(["report", str(crawl), str(plain), "--format", form]) == 0
        assert ("arvest rate" in capsys.readouterr().out) or form == "json"


@pytest.mark.slow
def test_the_figure(crawl, tmp_path, capsys):
    plain = crawl_of(tmp_path / "plain", {url(1): [url(2)]})
    (path,) = plot([crawl, plain], ["topic"], tmp_path, (), formats=["svg"])
    text = path.read_text()
    assert "crawl: 10 relevant of 38 pages" in text and "crawl: 4 of 8 held-back pages found, 50%" in text
    assert "target recall 0.25" in text
    assert plot([crawl, plain], ["topic"], tmp_path / "again", (), formats=["svg"])[0].read_text() == text
    (path,) = plot([plain], ["topic"], tmp_path / "plain", (), formats=["svg"])
    assert "no page was scored" in path.read_text() and "no page was held back" in path.read_text()
    assert {each.stem for each in plot([plain], ["topic", "lsh"], tmp_path / "both", ())} == {"lsh"}
    assert main(["plot", str(crawl), "--what", "topic", "--out", str(tmp_path / "cli")]) == 0
    assert capsys.readouterr().out.split() == [str(tmp_path / "cli" / f"topic.{form}") for form in ("png", "svg")]


def test_figures_follow_the_list(crawl, tmp_path):
    """Cached figures are out of date when the list in the directory is another one."""
    directory = topical(tmp_path / "crawl", [url(2)])
    assert study(directory).topic.held_back.found == 1
    (directory / "topic" / "held-back.txt").write_text("\n".join((url(2), url(3))))
    assert study(directory).topic.held_back.found == 2


def test_python_and_a_crawl_without_a_list(tmp_path):
    directory = topical(tmp_path / "crawl")
    with ttcrawl.open(directory) as crawl:
        topic = crawl.study().topic
    assert topic.harvest_rate == 10 / 38 and topic.held_back is None and topic.recall() == ([], [], [], [])
