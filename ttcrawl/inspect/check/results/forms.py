"""The forms in which a report can be had."""

from __future__ import annotations

from collections.abc import Callable

from ttcrawl.inspect.check.health import Health
from ttcrawl.inspect.check.overview.page_html import as_html
from ttcrawl.inspect.check.results.for_people import Lists, text
from ttcrawl.inspect.check.results.for_programs import as_csv, as_json, as_junit
from ttcrawl.inspect.check.results.for_reviews import as_github, as_markdown, as_sarif
from ttcrawl.inspect.check.results.history import History
from ttcrawl.inspect.check.rules import Rules

#: Name -> the report.
FORMS: dict[str, Callable[[Health, History, Rules], str]] = {
    "json": as_json,
    "csv": as_csv,
    "junit": as_junit,
    "sarif": as_sarif,
    "markdown": as_markdown,
    "github": as_github,
    "html": as_html,
}


def rendered(health: Health, history: History, rules: Rules, form: str, lists: Lists) -> str:
    """`form` is a name of FORMS, or "text"; `lists` are for the text."""
    if form == "text":
        return text(health, history, rules, lists)
    return FORMS[form](health, history, rules)
