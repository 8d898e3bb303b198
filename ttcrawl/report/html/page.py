"""The HTML file. Its style, its script and its figures are inside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ttcrawl.output.layout import Section
from ttcrawl.output.tables import heads
from ttcrawl.report.html.overview import Overview, Panel
from ttcrawl.report.html.style import SCRIPT, STYLE, policy
from ttcrawl.report.html.table import is_empty, link_html, section_html, text_html


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """A figure as an SVG element."""

    caption: str
    svg: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """Sections and figures that stand together."""

    title: str
    sections: Sequence[Section]
    figures: Sequence[Drawing] = ()


def html(overviews: Sequence[Overview], chapters: Sequence[Chapter], names: Sequence[str], version: str) -> str:
    """Return the report of crawls side by side. Figures are SVG elements; all other text is escaped.

    Sections without any figure are left out, and named at the end.
    """
    title = text_html(f"Crawl report: {', '.join(names)}")
    full = [replace(each, sections=[one for one in each.sections if not is_empty(one)]) for each in chapters]
    full = [each for each in full if each.sections or each.figures]
    omitted = [one.title for each in chapters for one in each.sections if is_empty(one)]
    anchors = [(f"g{number}", chapter) for number, chapter in enumerate(full, 1)]
    links = "".join(f'<li><a href="#{anchor}">{text_html(chapter.title)}</a></li>' for anchor, chapter in anchors)
    note = f"<p>Left out, because every figure is 0 or unknown: {text_html(', '.join(omitted))}.</p>" if omitted else ""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy()}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n"
        + "".join(_overview(each, several=len(overviews) > 1) for each in overviews)
        + (f'<nav aria-label="Sections"><ul>{links}</ul></nav>\n' if len(full) > 1 else "")
        + "".join(_chapter(anchor, chapter, heads(names)) for anchor, chapter in anchors)
        + f"</main>\n<footer>{note}<p>Made by ttcrawl {text_html(version)}.</p></footer>\n"
        + f"<script>{SCRIPT}</script>\n</body>\n</html>\n"
    )


def _overview(overview: Overview, *, several: bool) -> str:
    name = f"<h2>{text_html(overview.name)}</h2>\n" if several else ""
    facts = "".join(f"<dt>{text_html(label)}</dt><dd>{_lines(lines)}</dd>\n" for label, lines in overview.facts)
    problems = "".join(f"<li>{text_html(problem)}</li>" for problem in overview.problems)
    wrong = f'<ul class="problems">{problems}</ul>' if problems else "Nothing."
    panels = "".join(map(_panel, overview.panels))
    return (
        f'<section class="cover" aria-label="{text_html(f"Overview of {overview.name}")}">\n{name}'
        f'<div class="overview">\n<dl>\n{facts}</dl>\n'
        f'<dl class="wrong">\n<dt>What is wrong</dt><dd>{wrong}</dd>\n</dl>\n</div>\n'
        + (f'<div class="panels">\n{panels}</div>\n' if panels else "")
        + "</section>\n"
    )


def _panel(panel: Panel) -> str:
    note = f"<p>{text_html(panel.note)}</p>" if panel.note else ""
    return f'<div class="panel">\n<p class="title">{text_html(panel.title)}</p>\n{panel.body}\n{note}</div>\n'


def _lines(lines: Sequence[str]) -> str:
    return "<br>".join(map(link_html, lines))


def _chapter(anchor: str, chapter: Chapter, names: Sequence[str]) -> str:
    tables = "".join(
        section_html(f"{anchor}-{number}", section, names) for number, section in enumerate(chapter.sections, 1)
    )
    figures = "".join(
        f"<figure>{figure.svg}<figcaption>{text_html(figure.caption)}</figcaption></figure>\n"
        for figure in chapter.figures
    )
    return f'<h2 id="{anchor}">{text_html(chapter.title)}</h2>\n<div class="sections">\n{tables}</div>\n{figures}'
