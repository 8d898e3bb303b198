"""The forms in which a report can be had."""

from __future__ import annotations

from collections.abc import Callable

from ttcrawl.inspect.check.health import Health
from ttcrawl.inspect.check.results.for_people import Lists, text
from ttcrawl.inspect.check.results.for_programs import as_csv, as_json, as_junit
from ttcrawl.inspect.check.results.for_reviews import as_github, as_markdown, as_sarif
from ttcrawl.inspect.check.rules import Rules

#: Name -> the report; the number is that of problems in the baseline.
FORMS: dict[str, Callable[[Health, int, Rules], str]] = {
    "json": as_json,
    "csv": as_csv,
    "junit": as_junit,
    "sarif": as_sarif,
    "markdown": as_markdown,
    "github": as_github,
}


def rendered(health: Health, in_baseline: int, rules: Rules, form: str, lists: Lists) -> str:
    """`form` is a name of FORMS, or "text"; `lists` are for the text."""
    if form == "text":
        return text(health, in_baseline, rules, lists)
    return FORMS[form](health, in_baseline, rules)
