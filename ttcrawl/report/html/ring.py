"""A ring of shares, with its legend as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from ttcrawl.report.html.table import text_html

#: Of a circle whose circumference is 100.
RADIUS = 15.9155
THICKNESS, GAP, LEAST = 7, 0.5, 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    label: str
    count: int
    colour: str  # a variable of the style


def ring(title: str, shares: Sequence[Share], total: str) -> str:
    """An SVG element and a table. A share is drawn with 1 % at least, so that it is seen; the table is exact."""
    shown = [each for each in shares if each.count]
    if not shown:
        return ""
    everything = sum(each.count for each in shown)
    lengths = [max(LEAST, 100 * each.count / everything) for each in shown]
    lengths = [100 * each / sum(lengths) for each in lengths]
    gap = GAP if len(shown) > 1 else 0.0
    arcs, start = "", 25.0  # at the top
    for each, length in zip(shown, lengths, strict=True):
        arcs += (
            f'<circle cx="21" cy="21" r="{RADIUS}" stroke-dasharray="{length - gap:.2f} {100 - length + gap:.2f}"'
            f' stroke-dashoffset="{start:.2f}" style="stroke: var(--{each.colour})">'
            f"<title>{text_html(each.label)}: {each.count:,}</title></circle>"
        )
        start -= length
    rows = "".join(
        f'<tr><th scope="row"><span class="key" style="background: var(--{each.colour})"></span>'
        f"{text_html(each.label)}</th><td>{each.count:,}</td><td>{_percent(each.count / everything)}</td></tr>"
        for each in shown
    )
    number, _, noun = total.partition(" ")
    return (
        f'<div class="ring"><svg role="img" aria-label="{escape(title)}" viewBox="0 0 42 42" fill="none"'
        f' stroke-width="{THICKNESS}"><desc>The table beside it has the same numbers.</desc>{arcs}'
        f'<text x="21" y="20.5">{text_html(number)}</text><text x="21" y="25">{text_html(noun)}</text></svg>'
        f'<table aria-label="{escape(title)}"><tbody>{rows}</tbody></table></div>'
    )


def _percent(share: float) -> str:
    return "&lt; 0.1 %" if share < 0.0005 else f"{100 * share:.1f} %"
