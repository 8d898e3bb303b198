"""The page as HTML: one file without scripts and requests, for screens, phones and paper."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from ttcrawl import __version__
from ttcrawl.inspect.check.catalogue.kind import ERROR, LEVELS, NOTICE, WARNING
from ttcrawl.inspect.check.health import Health
from ttcrawl.inspect.check.overview.areas import AREAS
from ttcrawl.inspect.check.overview.findings import Findings, findings_of
from ttcrawl.inspect.check.overview.groups_html import kinds_html, step_html
from ttcrawl.inspect.check.overview.scores import Score
from ttcrawl.inspect.check.overview.style import POLICY, STYLE
from ttcrawl.inspect.check.overview.worst_html import worst_html
from ttcrawl.inspect.check.results.history import History
from ttcrawl.inspect.check.rules import Rules
from ttcrawl.output.number import counted
from ttcrawl.output.shell import command_line
from ttcrawl.report.html.table import prose_html, text_html
from ttcrawl.vocabulary.reason import sentence
from ttcrawl.vocabulary.state import REFUSED

HOW = (
    "A score says how many of a hundred pages have no error and no warning in its area; it is rounded down, so 100"
    " means every page. Nothing is weighed: a page with one error counts as much as a page with ten. Notices do not"
    " count. Problems that are on no page, such as those of a sitemap, stand beside the score."
)
MEANINGS = {
    ERROR: "something is broken for visitors",
    WARNING: "something harms the site",
    NOTICE: "good to know, and often right as it is",
}


def as_html(health: Health, history: History, rules: Rules) -> str:
    """The page; reads titles and pages of the crawl again. Raises NotACrawl."""
    findings = findings_of(health, rules)
    title = text_html(f"The health of {', '.join(findings.seeds[:3]) or health.directory}")
    parts = [
        ("scores", "Scores", _scores(findings)),
        ("first", "What to do first", _first(findings)),
        ("worst", "The worst pages", worst_html(findings, rules)),
        ("problems", "All problems, by area", kinds_html(health, findings, rules)),
        ("unknown", "What is not known", _unknown(health, history)),
    ]
    parts = [each for each in parts if each[2]]
    links = "".join(f'<li><a href="#{anchor}">{name}</a></li>' for anchor, name, _ in parts)
    body = "".join(f'<section>\n<h2 id="{anchor}">{name}</h2>\n{html}</section>\n' for anchor, name, html in parts)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"<header>\n<h1>{title}</h1>\n{_lead(health, history, findings)}"
        f'<nav aria-label="Parts"><ul>{links}</ul></nav>\n</header>\n<main>\n{body}</main>\n'
        f"<footer><p>Made by ttcrawl {text_html(__version__)} from {text_html(health.directory)}.</p></footer>\n"
        "</body>\n</html>\n"
    )


def _lead(health: Health, history: History, findings: Findings) -> str:
    day = f" on {datetime.fromtimestamp(findings.started, UTC):%d %B %Y}" if findings.started else ""
    since = f" {text_html(history.last_check.sentence)}." if history.last_check else ""
    fine = f"{findings.all.fine:,} of {counted(health.pages, 'page')} have no error and no warning"
    return f'<p class="lead">{fine}. The site was visited{day}.{since}</p>\n'


def _scores(findings: Findings) -> str:
    cards = [_card("All areas", "Pages without any error and warning.", findings.all)]
    cards += [_card(*AREAS[area], each) for area, each in findings.areas.items()]
    levels = "; ".join(f"{_level(level)} {MEANINGS[level]}" for level in LEVELS)
    return f'<ul class="scores">\n{"".join(cards)}</ul>\n<p>{prose_html(HOW)}</p>\n<p>{levels}.</p>\n'


def _level(level: str) -> str:
    return f'<span class="level {level}">{level}</span>'


def _card(name: str, about: str, score: Score | None) -> str:
    if score is None or score.percent is None:
        number, rest = "unknown", f"<p>{'Not looked at.' if score is None else 'No page was read.'}</p>"
    else:
        number = f"{score.percent} <small>of 100</small>"
        shares = {"errors": score.errors, "warnings": score.warnings, "fine": score.fine}
        rest = _bar(shares, score.pages) + f"<p>{'; '.join(_shares(score))}.</p>"
    return (
        f'<li>\n<h3>{text_html(name)}</h3>\n<p class="number">{number}</p>\n{rest}\n'
        f'<p class="soft">{text_html(about)}</p>\n</li>\n'
    )


def _shares(score: Score) -> Iterator[str]:
    yield f"{counted(score.errors, 'page')} with errors"
    yield f"{score.warnings:,} with warnings"
    yield f"{score.fine:,} with neither"
    if score.elsewhere:
        yield f"{counted(score.elsewhere, 'problem')} on no page"


def _bar(shares: dict[str, int], pages: int) -> str:
    """Decoration: the sentence below it has the numbers."""
    spans = "".join(
        f'<span class="{name}" style="width: {100 * number / pages:.3f}%"></span>' for name, number in shares.items()
    )
    return f'<div class="bar" aria-hidden="true">{spans}</div>\n'


def _first(findings: Findings) -> str:
    if not findings.steps:
        return "<p>Nothing: there is no error and no warning.</p>\n"
    steps = "".join(map(step_html, findings.steps))
    after = (
        f"After these, {findings.mended:,} of the {counted(findings.bad, 'page')} with errors or warnings have none."
    )
    return f'<ol class="groups">\n{steps}</ol>\n<p>{text_html(after)}</p>\n'


def _unknown(health: Health, history: History) -> str:
    lines = [
        f"{counted(number, 'URL')}: {reason}" + (f" ({meaning})" if (meaning := sentence(REFUSED, reason)) else "")
        for reason, number in health.unchecked.items()
    ]
    if health.queued:
        lines.append(
            f"{counted(health.queued, 'URL')} still queued; {command_line('resume', health.directory)} requests them"
        )
    if health.unread:
        lines.append(f"{counted(health.unread, 'page')} not read again: their fragments and images are unknown")
    left_out = {"known before": history.in_baseline, "of pages that have not changed": history.unchanged}
    lines += [f"{counted(number, 'problem')} {why}, and left out here" for why, number in left_out.items() if number]
    items = "".join(f"<li>{prose_html(each)}</li>" for each in lines)
    return f"<ul>{items}</ul>\n" if items else ""
