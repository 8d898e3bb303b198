"""SARIF, Markdown and annotations: every problem is there, and no text of a page is more than a text."""

import json

import pytest

from tests.inspect.check.results.report import A, broken, report
from ttcrawl.cli.check_report import FILES
from ttcrawl.inspect.check.kinds import BROKEN, DEFAULT, MISSING_TITLE, NAMES, REDIRECT, Problem
from ttcrawl.inspect.check.results.for_reviews import as_github, as_markdown, as_sarif
from ttcrawl.inspect.check.results.forms import FORMS
from ttcrawl.inspect.check.results.history import History
from ttcrawl.inspect.check.rules import Rules

EVIL = "a]\n::error::b<script>|`x` @team 100%\x1b[2J"


SICK = report(
    *(broken(f"/d/{n}") for n in range(30)),
    *(broken(f"/{n}/x") for n in range(30)),
    Problem(kind=MISSING_TITLE, url=f"{A}/t"),
    Problem(kind=REDIRECT, url=f"{A}/r", source=f"{A}/", text="x", detail=f"http 301 to {A}/"),
)


def test_forms_of_files_are_all_but_annotations():
    assert {*FILES, "github"} == FORMS.keys()


def test_sarif_has_each_problem_with_its_rule_level_page_and_identity():
    (run,) = json.loads(as_sarif(SICK, History(in_baseline=3), Rules()))["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == [name for name in NAMES if name in DEFAULT]
    assert all(rule["helpUri"].startswith("https://") for rule in rules)
    levels = {result["ruleId"]: result["level"] for result in run["results"]}
    assert levels == {BROKEN: "error", MISSING_TITLE: "warning", REDIRECT: "note"}
    places = [each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for each in run["results"]]
    assert places == [each.source or each.url for each in SICK.problems]
    assert len({each["partialFingerprints"]["problem/v1"] for each in run["results"]}) == len(SICK.problems)
    assert run["results"][0]["message"]["text"] == f"broken-link: {A}/d/0: http 404"


def test_markdown_counts_and_folds():
    lines = as_markdown(SICK, History(in_baseline=2), Rules(levels={REDIRECT: "error"})).splitlines()
    assert lines[0] == "### c: 61 errors, 1 warning in 9 pages"
    assert [line.split(" | ")[:3] for line in lines[4:7]] == [
        ["| 60", "error", "`broken-link`"],
        ["| 1", "error", "`redirect`"],
        ["| 1", "warning", "`missing-title`"],
    ]
    assert f"- {A}/d/\\* (30 URLs) http 404 on {A}/ and 29 more" in lines and "- and 11 more groups" in lines
    assert lines.count("</details>") == 3 and "2 problems in the baseline." in lines


def test_annotations_are_ten_a_level_and_the_summary_is_the_jobs(tmp_path, monkeypatch):
    summary = tmp_path / "summary"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    lines = as_github(SICK, History(), Rules()).splitlines()
    assert lines[0] == f"::error title=Broken links::{A}/d/* (30 URLs) http 404 on {A}/ and 29 more"
    assert [line.split()[0] for line in lines] == ["::error"] * 10 + ["::warning", "::notice", "c:"]
    assert summary.read_text() == as_markdown(SICK, History(), Rules()) + "\n"


@pytest.mark.parametrize("form", [as_sarif, as_markdown, as_github])
def test_a_text_of_a_page_is_a_text(form, monkeypatch):
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    plain = form(report(broken("/x", "t", "/s")), History(), Rules())
    evil = form(
        report(Problem(kind=BROKEN, url=f"{A}/{EVIL}", source=EVIL, text=EVIL, detail="http 404")), History(), Rules()
    )
    assert evil.count("\n") == plain.count("\n") and "\x1b" not in evil
    if form is as_markdown:
        assert "<script" not in evil.replace(r"\<", "") and "@team" not in evil and r"\|" in evil
    if form is as_github:
        assert "%25" in evil and evil.count("\n::") + evil.startswith("::") == 1


def test_nothing_is_wrong():
    assert as_github(report(), History(), Rules()) == "c: 0 problems in 9 pages"
    assert as_markdown(report(), History(), Rules()) == "### c: 0 problems in 9 pages\n"
    assert json.loads(as_sarif(report(), History(), Rules()))["runs"][0]["results"] == []
