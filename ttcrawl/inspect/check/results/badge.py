"""The outcome of a check as a small picture (SVG) for the page of a project."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter

from ttcrawl.inspect.check.catalogue.kind import ERROR, LEVELS, WARNING
from ttcrawl.inspect.check.health import Health
from ttcrawl.inspect.check.rules import Rules
from ttcrawl.output.number import counted

LABEL = "site check"

#: White text on these has a contrast of at least 4.5 (WCAG 2.2, success criterion 1.4.3).
GRAY, GREEN, AMBER, RED = "#555555", "#2e7d32", "#9a6700", "#c62828"

#: Pixels: height of the picture, size of the letters, space beside a text.
HEIGHT, SIZE, SPACE = 20, 11, 6

#: Width of a letter as a part of its size, in sans-serif fonts: of narrow ones, of digits and of all others. A viewer
#: stretches the text to the width (textLength), so that it fits with any font.
NARROW, DIGIT, OTHER = 0.33, 0.64, 0.61
_NARROW = frozenset("iljtfr .,:")


def as_badge(health: Health, rules: Rules) -> str:
    """The number of errors, else of warnings, else "passing"."""
    levels = Counter(rules.level(each.kind) for each in health.problems)
    worst = next((level for level in LEVELS if levels[level]), "")
    text = counted(levels[worst], worst) if worst in (ERROR, WARNING) else "passing"
    color = {ERROR: RED, WARNING: AMBER}.get(worst, GREEN)
    widths = [_width(LABEL), _width(text)]
    full = sum(widths) + 4 * SPACE
    svg = ET.Element(
        "svg",
        {"xmlns": "http://www.w3.org/2000/svg", "width": str(full), "height": str(HEIGHT), "role": "img"},
    )
    ET.SubElement(svg, "title").text = f"{LABEL}: {text}"
    left = 0
    for words, width, fill in zip((LABEL, text), widths, (GRAY, color), strict=True):
        box = {"x": str(left), "width": str(width + 2 * SPACE), "height": str(HEIGHT), "fill": fill}
        ET.SubElement(svg, "rect", box)
        letters = {"x": str(left + SPACE), "y": "14", "textLength": str(width), "fill": "#ffffff"}
        font = {"font-family": "Verdana, DejaVu Sans, Geneva, sans-serif", "font-size": str(SIZE)}
        ET.SubElement(svg, "text", letters | font).text = words
        left += width + 2 * SPACE
    return ET.tostring(svg, encoding="unicode")


def _width(text: str) -> int:
    """Pixels."""
    parts = (NARROW if letter in _NARROW else DIGIT if letter.isdigit() else OTHER for letter in text)
    return round(SIZE * sum(parts))
