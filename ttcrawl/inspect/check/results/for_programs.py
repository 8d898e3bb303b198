"""The report for programs: JSON, CSV and JUnit XML, with every problem."""

from __future__ import annotations

import csv
import io
import xml.etree.ElementTree as ET
from collections import Counter
from dataclasses import asdict, astuple, fields
from itertools import groupby

from ttcrawl.inspect.check.health import Health
from ttcrawl.inspect.check.kinds import KINDS, Problem
from ttcrawl.inspect.check.results.history import History
from ttcrawl.inspect.check.rules import Rules
from ttcrawl.output.csv_form import no_formula
from ttcrawl.output.json_form import json_form
from ttcrawl.output.untrusted import escape_untrusted


def as_json(health: Health, history: History, rules: Rules) -> str:
    counts = Counter(each.kind for each in health.problems)
    figures = {
        "counts": dict(counts),
        "levels": {kind: rules.level(kind) for kind in counts},
        "orphans_in_menus": health.orphans_in_menus,
        **asdict(history),
    }
    return json_form(asdict(health) | figures)


def as_csv(health: Health, history: History, rules: Rules) -> str:
    """One row for each problem. An apostrophe precedes words from pages that a spreadsheet would compute."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow([*(field.name for field in fields(Problem)), "level"])
    for problem in health.problems:
        cells = [escape_untrusted(str(cell or "")) for cell in astuple(problem)]
        rows.writerow([*map(no_formula, cells), rules.level(problem.kind)])
    return out.getvalue().removesuffix("\n")


def as_junit(health: Health, history: History, rules: Rules) -> str:
    """One test suite for each kind that was looked for; one test case for each URL, or one that passed.

    Test cases of levels that do not fail have passed, with the problem as their output. The form follows the schema of
    Jenkins (junit-10.xsd), which GitLab and GitHub actions read too.
    """
    by_kind = {name: list(problems) for name, problems in groupby(health.problems, key=lambda each: each.kind)}
    suites = ET.Element("testsuites", name="ttcrawl check")
    for kind in KINDS:
        if kind.name not in rules.kinds:
            continue
        urls = [list(each) for _, each in groupby(by_kind.get(kind.name, ()), key=lambda each: each.url)]
        fails = rules.fails(kind.name)
        counts = {"tests": str(max(1, len(urls))), "failures": str(len(urls) if fails else 0), "errors": "0"}
        suite = ET.SubElement(suites, "testsuite", {"name": kind.name, **counts})
        for of_url in urls:
            _case(suite, of_url, fails=fails)
        if not urls:
            ET.SubElement(suite, "testcase", name=kind.meaning, classname=f"ttcrawl.{kind.name}")
    ET.indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(suites, encoding="unicode")


def _case(suite: ET.Element, problems: list[Problem], *, fails: bool) -> None:
    first = problems[0]
    name = escape_untrusted(first.url)
    case = ET.SubElement(suite, "testcase", name=name, classname=f"ttcrawl.{first.kind}")
    message = escape_untrusted(first.detail or first.text) or first.kind
    lines = [f"{each.where}: {each.text}" if each.text else each.where for each in problems]
    if fails:
        ET.SubElement(case, "failure", type=first.kind, message=message).text = "\n".join(map(escape_untrusted, lines))
    else:
        ET.SubElement(case, "system-out").text = "\n".join(map(escape_untrusted, [message, *lines]))
