"""The pages with the most problems as HTML, with their pictures."""

from __future__ import annotations

import base64
from itertools import groupby

from ttcrawl.inspect.check.catalogue.kind import LEVELS
from ttcrawl.inspect.check.kinds import KINDS, Problem
from ttcrawl.inspect.check.overview.findings import Findings, WorstPage
from ttcrawl.inspect.check.rules import Rules
from ttcrawl.output.number import counted
from ttcrawl.report.html.table import link_html, text_html

#: Kinds of a page, and URLs of a kind, that are named.
KINDS_SHOWN, URLS = 6, 2


def worst_html(findings: Findings, rules: Rules) -> str:
    """Empty if no page has an error or a warning."""
    if not findings.worst:
        return ""
    about = "Those with the most errors, then warnings; a link is counted once for each page."
    missing = f'<p class="soft">{text_html(findings.no_pictures)}.</p>\n' if findings.no_pictures else ""
    items = "".join(_page_html(each, rules) for each in findings.worst)
    return f'<p>{about}</p>\n{missing}<ol class="pages">\n{items}</ol>\n'


def _page_html(page: WorstPage, rules: Rules) -> str:
    url, weight = page.problems.url, page.problems.weight(rules)
    numbers = ", ".join(counted(number, level) for number, level in zip(weight, LEVELS, strict=True) if number)
    ranked = sorted(page.problems.problems, key=lambda each: LEVELS.index(rules.level(each.kind)))
    kinds = [list(each) for _, each in groupby(ranked, key=lambda each: each.kind)]
    items = "".join(f"<li>{_kind_html(url, each)}</li>" for each in kinds[:KINDS_SHOWN])
    rest = len(kinds) - KINDS_SHOWN
    items += f"<li>and {counted(rest, 'more kind')} of problems</li>" if rest > 0 else ""
    return (
        f'<li class="page{"" if page.picture else " plain"}">\n{_figure_html(page)}<div>\n'
        f"<h3>{text_html(page.title or url, 200)}</h3>\n<p>{link_html(url)}</p>\n<p><strong>{numbers}</strong></p>\n"
        f"<ul>{items}</ul>\n</div>\n</li>\n"
    )


def _figure_html(page: WorstPage) -> str:
    if page.picture is None:
        return ""
    data = base64.b64encode(page.picture.jpeg).decode()
    alt = text_html(f"The top of the page {page.title or page.problems.url}", 200)
    missing = page.picture.missing
    note = f"<figcaption>Without {counted(missing, 'file')} not in the archive.</figcaption>" if missing else ""
    return f'<figure><img src="data:image/jpeg;base64,{data}" width="640" height="400" alt="{alt}">{note}</figure>\n'


def _kind_html(page: str, problems: list[Problem]) -> str:
    """The problems of one kind: what is wrong, but not the URL of the page itself again."""
    title = next(kind.title for kind in KINDS if kind.name == problems[0].kind)
    shown = [" ".join(filter(None, (each.url if each.url != page else "", each.detail))) for each in problems[:URLS]]
    more = f" and {len(problems) - URLS:,} more" if len(problems) > URLS else ""
    return ": ".join(filter(None, (text_html(title), ", ".join(map(link_html, filter(None, shown)))))) + more
