"""The forms of the tables of a report."""

from __future__ import annotations

from collections.abc import Sequence

from ttcrawl.output.csv_form import csv_form
from ttcrawl.output.latex_form import latex_form
from ttcrawl.output.layout import Section
from ttcrawl.output.tables import heads, lay_out
from ttcrawl.output.terminal import ANYWHERE, Screen

FORMS = ("text", "markdown", "csv", "latex")


def tables_as(parts: Sequence[Section], names: Sequence[str], form: str, screen: Screen = ANYWHERE) -> str:
    """Sections of crawls side by side in one of FORMS. Text is for a screen.

    Raises ValueError for any other form.
    """
    if form == "csv":
        return csv_form(parts, names)
    if form == "latex":
        return latex_form(parts, heads(names))
    return lay_out(parts, heads(names, screen), form, screen)
