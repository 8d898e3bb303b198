"""Groups of problems as HTML, each kind with its reason."""

from __future__ import annotations

from html import escape
from itertools import groupby

from ttcrawl.inspect.check.catalogue.kind import Kind
from ttcrawl.inspect.check.health import Health
from ttcrawl.inspect.check.kinds import SAME_AS, Problem
from ttcrawl.inspect.check.overview.areas import AREAS
from ttcrawl.inspect.check.overview.findings import Findings
from ttcrawl.inspect.check.overview.steps import Step
from ttcrawl.inspect.check.results.groups import Fault, Group, groups
from ttcrawl.inspect.check.rules import Rules
from ttcrawl.output.number import counted
from ttcrawl.output.shell import command_line
from ttcrawl.report.html.table import link_html, prose_html, text_html

#: Groups of a kind, and examples of a group, that are shown.
GROUPS, EXAMPLES = 5, 3


def kinds_html(health: Health, findings: Findings, rules: Rules) -> str:
    """The kinds of each area that there are problems of, the worst level first."""
    problems = {name: list(each) for name, each in groupby(health.problems, key=lambda each: each.kind)}
    html = ""
    for area in findings.areas:
        kinds = [kind for kind in rules.by_level() if kind.area == area and kind.name in problems]
        if kinds:
            html += f"<h3>{AREAS[area][0]}</h3>\n"
            html += "".join(_kind_html(health.directory, kind, problems[kind.name], rules) for kind in kinds)
    return html


def _kind_html(directory: str, kind: Kind, problems: list[Problem], rules: Rules) -> str:
    level = rules.level(kind.name)
    all_groups = groups(problems)
    items = "".join(f"<li>{_group_html(kind, each)}</li>\n" for each in all_groups[:GROUPS])
    more = ""
    if len(all_groups) > GROUPS:
        count = counted(len(all_groups) - GROUPS, "more group")
        shows = command_line("check", directory, "--only", kind.name, "--all")
        more = f'<p class="soft">{prose_html(f"And {count}: {shows}")}</p>\n'
    return (
        f'<h4>{text_html(kind.title)} <span class="level {level}">{level}</span>'
        f" {len(problems):,}</h4>\n{_why(kind)}"
        f'<ul class="groups">\n{items}</ul>\n{more}'
    )


def _why(kind: Kind) -> str:
    meaning = kind.meaning[0].upper() + kind.meaning[1:]
    source = f'<a href="{escape(kind.source)}" rel="noreferrer">Source</a>'
    return f"<p>{text_html(meaning)}. {text_html(kind.why)} {source}</p>\n"


def step_html(step: Step) -> str:
    """A step: what it is, where, and how many pages it mends."""
    pages = f"on {counted(len(step.pages), 'page')}" if step.pages else "on no page"
    return (
        f'<li><strong>{text_html(step.kind.title)}</strong> <span class="level {step.level}">{step.level}</span>,'
        f" {pages}: {_group_html(step.kind, step.group)}</li>\n"
    )


def _group_html(kind: Kind, group: Group) -> str:
    """Its URL or its pattern, and examples of pages or URLs."""
    first, *others = group.faults
    detail = f" {text_html(first.detail)}" if first.detail else ""
    if others:
        items = "".join(f"<li>{_example(kind, each)}</li>" for each in group.faults[:EXAMPLES])
        return f"{text_html(group.pattern)}, {counted(len(group.faults), 'URL')}{detail}<ul>{items}</ul>"
    shown = [each for each in first.pages if each.url]
    items = "".join(f"<li>{_beside(kind)}{link_html(each.url)}{_quoted(each.texts)}</li>" for each in shown[:EXAMPLES])
    if len(shown) > EXAMPLES:
        items += f"<li>and {len(shown) - EXAMPLES:,} more</li>"
    return link_html(first.url) + detail + (f"<ul>{items}</ul>" if items else "")


def _example(kind: Kind, fault: Fault) -> str:
    """A URL of a group, and a page that shows it, or has the same."""
    pages = [each for each in fault.pages if each.url]
    first = f" {_beside(kind)}{link_html(pages[0].url)}{_quoted(pages[0].texts)}" if pages else ""
    more = f" and {len(pages) - 1:,} more" if len(pages) > 1 else ""
    return link_html(fault.url) + first + more


def _beside(kind: Kind) -> str:
    return "same as " if kind.name in SAME_AS else "on "


def _quoted(texts: tuple[str, ...]) -> str:
    return f" &ldquo;{text_html(texts[0], 80)}&rdquo;" if texts else ""
