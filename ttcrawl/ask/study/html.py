"""The report as one HTML file. Its style and its figures are inside; it has no script and fetches nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from ttcrawl.ask.report.layout import Row, Section, explanations
from ttcrawl.ask.report.tables import cell, heads
from ttcrawl.web.untrusted import escape_untrusted

STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .4rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .15rem .7rem; text-align: right; border-bottom: 1px solid #8884; vertical-align: top; }
th:first-child { text-align: left; font-weight: normal; white-space: pre-wrap; padding-left: 0;
  min-width: 9rem; }
thead th { font-weight: bold; border-bottom: 2px solid #8888; }
table.prose td, table.prose thead th { text-align: left; overflow-wrap: anywhere; }
p.how, footer { color: #777; font-size: .85rem; max-width: 60rem; }
figure { margin: 1.5rem 0; } figure svg { max-width: 100%; height: auto; background: #fff; }
nav ul { columns: 15rem; padding-left: 1rem; font-size: .9rem; }
@media print { nav { display: none; } body { margin: 0; max-width: none; } h2 { break-after: avoid; } }
"""


def html(parts: Sequence[Section], names: Sequence[str], figures: Iterable[tuple[str, str]], version: str) -> str:
    """`figures` are (caption, SVG element). All other text is escaped."""
    title = f"Crawl report: {', '.join(map(escape_untrusted, names))}"
    anchors = [(f"s{number}", section) for number, section in enumerate(parts, 1)]
    links = "".join(f'<li><a href="#{anchor}">{_text(section.title)}</a></li>' for anchor, section in anchors)
    images = "".join(f"<figure>{svg}<figcaption>{_text(caption)}</figcaption></figure>\n" for caption, svg in figures)
    if images:
        links += '<li><a href="#figures">Figures</a></li>'
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{_text(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{_text(title)}</h1>\n"
        f"<nav><ul>{links}</ul></nav>\n"
        + "".join(_section(anchor, section, heads(names)) for anchor, section in anchors)
        + (f'<h2 id="figures">Figures</h2>\n{images}' if images else "")
        + f"<footer>Made by ttcrawl {_text(version)}.</footer>\n</body>\n</html>\n"
    )


def _section(anchor: str, section: Section, names: Sequence[str]) -> str:
    style = ' class="prose"' if section.prose else ""
    how = "".join(f'<p class="how">{_text(paragraph)}</p>\n' for paragraph in explanations(section, names))
    return (
        f'<section>\n<h2 id="{anchor}">{_text(section.title)}</h2>\n<div class="wide"><table{style}>\n'
        f"{_head(section, names)}<tbody>\n{''.join(map(_row, section.rows))}</tbody>\n</table></div>\n{how}</section>\n"
    )


def _head(section: Section, names: Sequence[str]) -> str:
    """The names of the crawls, each over its columns, and the names of the columns. Empty if there are neither."""
    rows = []
    if len(names) > 1:
        span = len(section.columns)
        rows.append("".join(f'<th colspan="{span}" scope="colgroup">{_text(name)}</th>' for name in names))
    if any(section.columns):
        rows.append("".join(f'<th scope="col">{_text(name)}</th>' for name in section.columns * len(names)))
    lines = "".join(f'<tr><th scope="row"></th>{row}</tr>\n' for row in rows)
    return f"<thead>\n{lines}</thead>\n" if lines else ""


def _row(row: Row) -> str:
    cells = "".join(f"<td>{_text(cell(value))}</td>" for value in row.values)
    return f'<tr><th scope="row">{_text(row.label)}</th>{cells}</tr>\n'


def _text(text: str) -> str:
    return escape(escape_untrusted(text))
