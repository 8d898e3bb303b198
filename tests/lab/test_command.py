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
    status, out, _ = said(capsys, crawl, *TWO, "--seeds", 2)
    assert status == 0
    heading, breadth, in_links, note = out.splitlines()
    assert heading.split()[:3] == ["policy", "requests", "pages"] and "relevant" not in heading
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
    heading, *lines = out.splitlines()
    assert heading.split() == ["policy", "visits", "changes", "seen", "of", "fresh", "%", "mean", "age", "s"]
    assert [line.split()[0] for line in lines] == [*POLICIES]
    _, as_json, _ = said(capsys, changing, "--recrawl", "--policy", "uniform", "--format", "json")
    (uniform,) = json.loads(as_json)
    assert (uniform["policy"], uniform["changes"]) == ("uniform", 3)


def test_a_budget_goes_with_recrawl(crawl, capsys):
    assert said(capsys, crawl, "--budget", 3)[0] == 2
