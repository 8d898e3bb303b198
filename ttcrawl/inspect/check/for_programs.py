"""The report for programs: JSON, CSV and JUnit XML, with every problem."""

from __future__ import annotations

import csv
import io
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Collection
from dataclasses import asdict, astuple, fields
from itertools import groupby

from ttcrawl.inspect.check.health import Health
from ttcrawl.inspect.check.kinds import KINDS, Problem
from ttcrawl.output.csv_form import no_formula
from ttcrawl.output.json_form import json_form
from ttcrawl.output.untrusted import escape_untrusted


def as_json(health: Health, in_baseline: int) -> str:
    counts = Counter(each.kind for each in health.problems)
    figures = {"counts": dict(counts), "orphans_in_menus": health.orphans_in_menus, "in_baseline": in_baseline}
    return json_form(asdict(health) | figures)


def as_csv(health: Health) -> str:
    """One row for each problem. An apostrophe precedes words from pages that a spreadsheet would compute."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow([field.name for field in fields(Problem)])
    for problem in health.problems:
        cells = [escape_untrusted(cell) for cell in astuple(problem)]
        rows.writerow([no_formula(cell) for cell in cells])
    return out.getvalue().removesuffix("\n")


def as_junit(health: Health, kinds: Collection[str]) -> str:
    """One test suite for each kind that was looked for; one failed test case for each URL, or one that passed.

    The form follows the schema of Jenkins (junit-10.xsd), which GitLab and GitHub actions read too.
    """
    by_kind = {name: list(problems) for name, problems in groupby(health.problems, key=lambda each: each.kind)}
    suites = ET.Element("testsuites", name="ttcrawl check")
    for kind in KINDS:
        if kind.name not in kinds:
            continue
        urls = [list(each) for _, each in groupby(by_kind.get(kind.name, ()), key=lambda each: each.url)]
        counts = {"tests": str(max(1, len(urls))), "failures": str(len(urls)), "errors": "0"}
        suite = ET.SubElement(suites, "testsuite", {"name": kind.name, **counts})
        for of_url in urls:
            _failed(suite, of_url)
        if not urls:
            ET.SubElement(suite, "testcase", name=kind.meaning, classname=f"ttcrawl.{kind.name}")
    ET.indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(suites, encoding="unicode")


def _failed(suite: ET.Element, problems: list[Problem]) -> None:
    first = problems[0]
    name = escape_untrusted(first.url)
    case = ET.SubElement(suite, "testcase", name=name, classname=f"ttcrawl.{first.kind}")
    message = escape_untrusted(first.detail or first.text) or first.kind
    failure = ET.SubElement(case, "failure", type=first.kind, message=message)
    lines = (f"{each.where}: {each.text}" if each.text else each.where for each in problems)
    failure.text = "\n".join(map(escape_untrusted, lines))
