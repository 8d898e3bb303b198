"""The tables of a report as LaTeX, for `\\input` in a document."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ttcrawl.output.layout import Row, Section, explanations
from ttcrawl.output.tables import cell
from ttcrawl.output.untrusted import escape_untrusted

HEAD = "% Needs \\usepackage[T1]{fontenc} and \\usepackage{longtable}."
SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}",
    "-": "{-}",  # two would be a dash
    "[": "{[}",  # after a line break it would begin an option
    "]": "{]}",
    "*": "{*}",  # so would this
    "/": r"/\allowbreak{}",
    "…": r"\ldots{}",
}
LATIN = range(0xC0, 0x100)  # letters that the font encoding T1 has; without the two signs among them
SIGNS = "×÷"

#: After which a line may be broken: a point within the name of a host or file, a character that is written as its
#: number, and so many letters without a break.
IN_NAME = re.compile(r"(?<=[a-zA-Z])\.(?=[a-zA-Z])|U\+[0-9A-F]{4,6}(?=U\+)|[0-9A-Za-z]{40}(?=[0-9A-Za-z])")

#: Size of type, characters in a line of class article, and the gap between two columns in characters.
SIZES = (("", 68, 2.4), (r"\footnotesize", 80, 1.5), (r"\scriptsize", 86, 1.6))

#: Characters of a text that is not broken into lines, and that a label needs at least.
LONG, LABEL = 24, 20


def latex_form(parts: Sequence[Section], names: Sequence[str]) -> str:
    """Sections of crawls side by side, without a line feed at the end. Each is a longtable with a caption."""
    return "\n\n".join([HEAD, *(_table(section, names) for section in parts)])


def escape_latex(text: str) -> str:
    r"""Text in which LaTeX sees no command. Characters that the font encoding T1 lacks are written as U+XXXX.

    >>> print(escape_latex("50 % of $x_1$: café, 中"))
    50 \% of \$x\_1\$: café, U+4E2D
    """
    return IN_NAME.sub(r"\g<0>\\allowbreak{}", "".join(map(_escaped, escape_untrusted(text))))


def _escaped(character: str) -> str:
    code = ord(character)
    if character in SPECIAL:
        return SPECIAL[character]
    if 0x20 <= code < 0x7F or (code in LATIN and character not in SIGNS):
        return character
    return f"U+{code:04X}"


def _table(section: Section, names: Sequence[str]) -> str:
    size, columns = _fitting(section, names)
    rows = "".join(map(_row, section.rows))
    notes = "".join(f"\n\\par{{\\small {escape_latex(how)}}}" for how in explanations(section, names))
    table = (
        f"\\begin{{longtable}}{{{columns}}}\n"
        f"\\caption{{{escape_latex(section.title)}}}\\\\\n\\hline\n"
        f"{_head(section, names)}\\endhead\n{rows}\\hline\n\\end{{longtable}}"
    )
    return (f"{{{size}\\setlength{{\\tabcolsep}}{{3pt}}%\n{table}\n}}" if size else table) + notes


def _fitting(section: Section, names: Sequence[str]) -> tuple[str, str]:
    """The largest size of type in which a table fits the page, and its columns. Long texts are broken into lines."""
    cells = [[cell(value) for value in row.values] for row in section.rows]
    heads = [*section.columns] * len(names)
    widths = [max((len(text) for text in each), default=0) for each in zip(heads, *cells, strict=True)]
    align = "l" if section.prose else "r"
    rooms = {each: each[1] - sum(min(width, LONG) + each[2] for width in widths) for each in SIZES}
    size, characters, _ = fitting = next((each for each, room in rooms.items() if room >= LABEL), SIZES[-1])
    label = max(rooms[fitting], LABEL) / characters
    columns = "".join(align if width <= LONG else f"p{{{LONG / characters:.2f}\\linewidth}}" for width in widths)
    return size, f"p{{{min(label, 0.45):.2f}\\linewidth}}{columns}"


def _head(section: Section, names: Sequence[str]) -> str:
    lines = []
    if len(names) > 1:
        span = len(section.columns)
        lines.append("".join(f" & \\multicolumn{{{span}}}{{r}}{{{escape_latex(name)}}}" for name in names))
    if any(section.columns):
        columns = "".join(f" & {escape_latex(column)}" for column in section.columns * len(names))
        lines.append(escape_latex(section.subject) + columns)
    return "".join(f"{line} \\\\\n" for line in lines) + ("\\hline\n" if lines else "")


def _row(row: Row) -> str:
    text = row.label.lstrip(" ")
    indent = "\\quad{}" * ((len(row.label) - len(text)) // 2)
    return " & ".join([indent + escape_latex(text), *(escape_latex(cell(value)) for value in row.values)]) + " \\\\\n"
