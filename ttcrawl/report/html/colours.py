"""The colours of the HTML report and of its figures, in the light and the dark scheme.

Text has a contrast of 4.5:1 to the background, figures and marks one of 3:1 (WCAG 2.2, 1.4.3 and 1.4.11). Lines of
tables and grids, and the shade below a part of a figure, are decoration. Paper is light.
"""

from __future__ import annotations

import re

#: Variable -> its light and its dark colour.
PAGE = {
    "back": ("#ffffff", "#121212"),
    "text": ("#1f1f1f", "#e6e6e6"),
    "soft": ("#5f5f5f", "#a9a9a9"),
    "link": ("#0b57d0", "#8ab4f8"),
    "visited": ("#6a3d9a", "#c58af9"),
    "mark": ("#b3541e", "#f0955f"),
    "line": ("#cfcfcf", "#444444"),
    "shade": ("#eeeeee", "#2b2b2b"),
}

#: The rectangles of a map, on which text stands.
TILES = (
    ("#cfe3f3", "#17415f"),
    ("#fbe3b9", "#553c05"),
    ("#e6d5ea", "#4d2547"),
    ("#d5e9d2", "#22472a"),
    ("#f6d5d5", "#5b2930"),
    ("#e2e2e2", "#3a3a3a"),
)

#: A colour of the files that `ttcrawl plot` writes on white -> the ones for it in the report.
FIGURES = {
    "#0072b2": ("#0072b2", "#56b4e9"),
    "#e69f00": ("#b37a00", "#e69f00"),
    "#009e73": ("#008a64", "#1fbf90"),
    "#661144": ("#661144", "#f29ac4"),
    "#c4c4c4": ("#8c8c8c", "#c4c4c4"),
    "#cc6677": ("#cc6677", "#dd7788"),
    "#d55e00": ("#d55e00", "#ff8a3d"),
    "#999999": ("#8c8c8c", "#999999"),
}

#: Axes, text, grids and backgrounds of figures look as on the page.
OF_PAGE = {"#000000": "text", "#222222": "text", "#dddddd": "line", "#ffffff": "back", "#eeeeee": "shade"}


def scheme_css() -> str:
    """The rules that give each variable its colour."""
    light, dark = (
        "".join(f" --{name}: {colours[scheme]};" for name, colours in (PAGE | _named() | _tiles()).items())
        for scheme in (0, 1)
    )
    return f":root {{{light} }}\n@media screen and (prefers-color-scheme: dark) {{ :root {{{dark} }} }}"


def _named() -> dict[str, tuple[str, str]]:
    return {_name(colour): both for colour, both in FIGURES.items()}


def _tiles() -> dict[str, tuple[str, str]]:
    return {f"t{number}": both for number, both in enumerate(TILES)}


def with_variables(svg: str) -> str:
    """An SVG whose colours follow the scheme of the page. A colour without a variable stays.

    >>> with_variables('<path style="fill: #ffffff; stroke: #0072b2"/>')
    '<path style="fill: var(--back); stroke: var(--f0072b2)"/>'
    """
    styled = re.sub(r'\b(fill|stroke)="(#[0-9a-f]{6})"', r'style="\1: \2"', svg)  # of the backgrounds of hatches
    return re.sub(r"\b(fill|stroke): (#[0-9a-f]{6})\b", lambda match: f"{match[1]}: {_paint(match[2])}", styled)


def _paint(colour: str) -> str:
    if colour in OF_PAGE:
        return f"var(--{OF_PAGE[colour]})"
    return f"var(--{_name(colour)})" if colour in FIGURES else colour


def _name(colour: str) -> str:
    return f"f{colour[1:]}"
