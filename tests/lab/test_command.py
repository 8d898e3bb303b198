"""`ttcrawl lab` as a user sees it: the table, JSON, CSV, files and figures, and wrong usage."""

import csv
import json

import pytest

from tests.lab.recorded import crawled_again, model, record
from ttcrawl.cli import main
from ttcrawl.recrawl.interval import POLICIES

TWO = ("--policy", "breadth", "--policy", "in-links")


@pytest.fixture(scope="module")
def crawl(tmp_path_factory):
    return record(tmp_path_factory.mktemp("record"), model())


def said(capsys, *words):
    status = main(["lab", *map(str, words)])
    out, err = capsys.readouterr()
    return status, out, err


def test_the_table_has_a_line_for_each_policy(crawl, capsys):
    status, out, _ = said(capsys, crawl, *TWO, "--trials", 2)
    assert status == 0
    title, heading, _, breadth, in_links, note = out.splitlines()
    assert title == "policy" and heading.split()[:2] == ["requests", "pages"] and "relevant" not in heading
    assert (breadth.split()[0], in_links.split()[0]) == ("breadth", "in-links")
    assert breadth.split()[2] == in_links.split()[2] == "120" and "after 30 requests" in note


def test_json_and_csv_have_all_points(crawl, capsys):
    _, as_json, _ = said(capsys, crawl, *TWO, "--format", "json")
    _, as_csv, _ = said(capsys, crawl, *TWO, "--format", "csv")
    figures, rows = json.loads(as_json), list(csv.DictReader(as_csv.splitlines()))
    assert figures["record"] == {"pages": 120, "relevant": 0, "unanswered": 0}
    assert [each["policy"] for each in figures["table"]] == ["breadth", "in-links"]
    assert [float(each["in_links"]) for each in rows] == [each["in_links"] for each in figures["points"]]


@pytest.mark.slow
def test_files_are_written_with_figures_over_each_axis(crawl, tmp_path, capsys):
    status, _, err = said(capsys, crawl, *TWO, "--out", tmp_path / "out")
    names = {each.name for each in (tmp_path / "out").iterdir()}
    figures = {f"over-{axis}.{form}" for axis in ("requests", "seconds", "bytes") for form in ("png", "svg")}
    assert status == 0 and names == {"curves.csv", "lab.json"} | figures
    assert all(name in err for name in names)


def test_max_pages_ends_each_trial(crawl, capsys):
    _, out, _ = said(capsys, crawl, *TWO, "--max-pages", 40, "--format", "json")
    assert [each["pages"] for each in json.loads(out)["table"]] == [[40], [40]]


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--policy", "deepest"], "there is no policy 'deepest'"),
        (["--set", "politeness.delay=soon"], "delay"),
        (["--policy", "breadth,politeness.dealy=1"], "dealy"),
    ],
)
def test_wrong_usage_is_one_line(crawl, capsys, words, line):
    status, out, err = said(capsys, crawl, *words)
    assert (status, out) == (2, "")
    assert line in err.splitlines()[-1]


def test_recrawl_compares_policies_for_visits(tmp_path, capsys):
    changing = crawled_again(record(tmp_path, model(hosts=1, pages=3)))
    status, out, _ = said(capsys, changing, "--recrawl", "--budget", 3)
    assert status == 0
    _, heading, _, *lines, _ = out.splitlines()
    assert heading.split() == ["visits", "changes", "seen", "of", "fresh", "%", "weighted", "%", "mean", "age", "s"]
    assert [line.split()[0] for line in lines] == [*POLICIES]
    uniform = ("--recrawl", "--policy", "uniform", "--weights", "in-links", "--trials", 2)
    both = json.loads(said(capsys, changing, *uniform, "--format", "json")[1])
    assert [(each["policy"], each["trial"], each["changes"]) for each in both] == [("uniform", 0, 3), ("uniform", 1, 3)]
    rows = list(csv.DictReader(said(capsys, changing, *uniform, "--format", "csv")[1].splitlines()))
    points = [point for each in both for point in each["points"]]
    assert [float(each["fresh"]) for each in rows] == [each["fresh"] for each in points] and len(rows) == 2 * 201


@pytest.mark.slow
def test_files_of_policies_for_visits(tmp_path, capsys):
    changing = crawled_again(record(tmp_path, model(hosts=1, pages=3)))
    assert said(capsys, changing, "--recrawl", "--trials", 2, "--out", tmp_path / "out")[0] == 0
    names = {each.name for each in (tmp_path / "out").iterdir()}
    assert names == {"recrawl.csv", "recrawl.json", "freshness.png", "freshness.svg"}


@pytest.mark.parametrize(
    "words", [["--budget", 3], ["--weights", "equal"], ["--recrawl", "--max-pages", 3], ["--recrawl", "--processes", 2]]
)
def test_options_that_do_not_go_together(crawl, capsys, words):
    assert said(capsys, crawl, *words)[0] == 2
