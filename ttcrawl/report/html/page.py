"""The HTML file. Its style, its script and its figures are inside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ttcrawl.output.layout import Section
from ttcrawl.output.tables import heads
from ttcrawl.report.html.again import again
from ttcrawl.report.html.beside import beside
from ttcrawl.report.html.overview import Overview, Panel
from ttcrawl.report.html.style import SCRIPT, STYLE, policy
from ttcrawl.report.html.table import is_empty, is_wide, link_html, prose_html, section_html, text_html

_WIDE = ' class="wide"'


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """A figure as an SVG element."""

    caption: str
    svg: str
    wide: bool = False  # as wide as the page


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """Sections and figures that stand together."""

    title: str
    sections: Sequence[Section]
    figures: Sequence[Drawing] = ()


@dataclass(slots=True)
class _Arranged:
    """A chapter whose sections have the figures that belong beside them, whichever chapter these came from."""

    title: str
    sections: list[tuple[Section, list[Drawing]]]
    figures: list[Drawing]  # the others


def html(overviews: Sequence[Overview], chapters: Sequence[Chapter], names: Sequence[str], version: str) -> str:
    """Return the report of crawls side by side. Figures are SVG elements; all other text is escaped.

    Sections without any figure are left out, and named at the end.
    """
    title = text_html(f"Crawl report: {', '.join(names)}")
    full = _arranged(chapters)
    if len(overviews) == 1:
        panels = overviews[0].panels
        # a wide panel leaves room for one: a list, else the growth
        index = 2 if len(panels) > 2 and panels[2].twin is None else 1
        overviews = [replace(overviews[0], panels=(*panels[:index], *_pictures(full), *panels[index:]))]
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
    problems = "".join(f"<li>{prose_html(problem)}</li>" for problem in overview.problems)
    wrong = f'<ul class="problems">{problems}</ul>' if problems else "Nothing."
    panels = "".join(map(_panel, overview.panels))
    return (
        f'<section class="cover" aria-label="{text_html(f"Overview of {overview.name}")}">\n{name}'
        f'<div class="overview">\n<dl>\n{facts}</dl>\n'
        f'<dl class="wrong">\n<dt>What is wrong</dt><dd>{wrong}</dd>\n</dl>\n</div>\n'
        + (f'<div class="panels">\n{panels}</div>\n' if panels else "")
        + "</section>\n"
    )


def _pictures(chapters: Sequence[_Arranged]) -> list[Panel]:
    """The wide figures, small."""
    wide = [figure for chapter in chapters for figure in chapter.figures if figure.wide]
    panels = [
        Panel(title="Graph", body=again(each.svg, text_html(each.caption)), note=each.caption, wide=True)
        for each in wide
    ]
    return [each for each in panels if each.body]


def _panel(panel: Panel) -> str:
    note = f"<p>{prose_html(panel.note)}</p>" if panel.note else ""
    kind = "wide panel" if panel.wide else "panel"
    one = f'<div class="{kind}">\n<p class="title">{text_html(panel.title)}</p>\n{panel.body}\n{note}</div>\n'
    return f'<div class="twins">\n{one}{_panel(panel.twin)}</div>\n' if panel.twin else one


def _lines(lines: Sequence[str]) -> str:
    return "<br>".join(map(link_html, lines))


def _arranged(chapters: Sequence[Chapter]) -> list[_Arranged]:
    """The chapters without empty sections, and without those that are left empty."""
    arranged = [
        _Arranged(each.title, [(one, []) for one in each.sections if not is_empty(one)], []) for each in chapters
    ]
    shown = [pair for each in arranged for pair in each.sections]
    titles = [section.title for section, _ in shown]
    for each, chapter in zip(arranged, chapters, strict=True):
        for figure in chapter.figures:
            index = beside(figure.caption, titles)
            (each.figures if index is None else shown[index][1]).append(figure)
    return [each for each in arranged if each.sections or each.figures]


def _chapter(anchor: str, chapter: _Arranged, names: Sequence[str]) -> str:
    """What has the same shape stands together, in the order in which the shapes come: columns are filled then."""
    shapes: dict[str, str] = {}
    for number, (section, figures) in enumerate(chapter.sections, 1):
        table = section_html(f"{anchor}-{number}", section, names)
        shape = "pair" if figures else "wide" if is_wide(section, names) else "narrow"
        item = f'<div class="pair">\n{table}<div>\n{_figures(figures)}</div>\n</div>\n' if figures else table
        shapes[shape] = shapes.get(shape, "") + item
    for figure in chapter.figures:
        shape = "wide" if figure.wide else "narrow"
        shapes[shape] = shapes.get(shape, "") + _figures([figure])
    items = "".join(shapes.values())
    return f'<h2 id="{anchor}">{text_html(chapter.title)}</h2>\n<div class="sections">\n{items}</div>\n'


def _figures(figures: Sequence[Drawing]) -> str:
    return "".join(
        f"<figure{_WIDE if figure.wide else ''}>\n<figcaption>{text_html(figure.caption)}</figcaption>\n"
        f"{figure.svg}</figure>\n"
        for figure in figures
    )
