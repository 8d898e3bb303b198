"""The tables as CSV and as LaTeX: complete, and harmless whatever they hold."""

import csv
import io
import re
import shutil
import subprocess

import pytest

from ttcrawl.output.forms import FORMS, tables_as
from ttcrawl.output.latex_form import escape_latex
from ttcrawl.output.layout import Row, Section

HOSTILE = [
    "plain text",
    r"\input{/etc/passwd}",
    r"\write18{rm -rf x}",
    "100 % of $5 & #1 _x_ ^y ~z",
    "{unbalanced",
    "}}",
    "\"quoted\" 'single' `tick`",
    "[option]",
    "*starred",
    "a|b\tc\nd\re",
    "<http://a.test/x_y%20z?a=1&b=2#f>",
    "--- ligatures ?` !` fi ,,",
    "café Ünïcode ×÷",
    "中文 العربية 🙂",
    "\x00\x1b[31m\u202e\ud800\u2028",
    "^^5c^^00",
    "",
    "=1+1",
    "+cmd|' /C calc'!A0",
    "@SUM(A1)",
    "-2+3",
]
PARTS = [
    Section(
        title=text,
        subject=text,
        rows=(Row(label=text, values=(text, 1, None)), Row(label=f"  {text}", values=(text, 0.1 + 0.2, -5))),
        columns=(text, "b", "c"),
        how=text,
    )
    for text in HOSTILE
]


def lines_of(parts, names):
    head, *lines = csv.reader(io.StringIO(tables_as(parts, names, "csv")))
    assert head == ["table", "row", "crawl", "column", "value"]
    return lines


def test_csv_has_every_value_once():
    rows = (
        Row(label="Pages", values=(1000, 0.1 + 0.2)),
        Row(label="  status 200", values=(7, None)),
        Row(label="    of it", values=("x", "")),
        Row(label="Words", values=(1, 2)),
    )
    one = Section(title="T", rows=rows, columns=("n",))
    assert lines_of([one], ["a", "b"]) == [
        ["T", "Pages", "a", "n", "1000"],
        ["T", "Pages", "b", "n", "0.30000000000000004"],
        ["T", "Pages / status 200", "a", "n", "7"],
        ["T", "Pages / status 200", "b", "n", ""],
        ["T", "Pages / status 200 / of it", "a", "n", "x"],
        ["T", "Pages / status 200 / of it", "b", "n", ""],
        ["T", "Words", "a", "n", "1"],
        ["T", "Words", "b", "n", "2"],
    ]


def test_no_text_in_csv_is_a_formula_or_moves_a_cursor():
    lines = lines_of(PARTS, ["=name"])
    assert len(lines) == len(HOSTILE) * 2 * 3
    for line in lines:
        assert not [text for text in line if text.startswith(("=", "+", "@"))]
        assert [text for text in line if text.startswith("-")] in ([], ["-5"])
        assert all(text.isprintable() for text in line)


@pytest.mark.parametrize("text", HOSTILE)
def test_latex_sees_no_command_in_text(text):
    known = r"\\(?:text\w+\{\}|ldots\{\}|allowbreak\{\}|[{}$&#%_])|\{[-\[\]*]\}"
    rest = re.sub(known, "", escape_latex(text))
    assert not re.search(r"[\\{}$&#%_^~<>|\"'`\[\]*-]", rest)
    assert all(each.isascii() or each.isalpha() for each in rest) and rest.isprintable()


@pytest.mark.parametrize(("text", "breaks"), [("مقالة", 4), ("中文", 1), ("a" * 100, 2), ("a" * 40, 0), ("é b. c", 0)])
def test_latex_may_break_a_line_where_no_blank_is(text, breaks):
    assert escape_latex(text).count(r"\allowbreak{}") == breaks


@pytest.mark.parametrize("names", [["one"], ["one", r"\two"]])
def test_tables_in_latex_are_balanced(names):
    parts = [Section(title="T", rows=(Row(label="  x", values=(1, 2) * len(names)),), columns=("a", "b"))]
    text = tables_as(parts, names, "latex")
    assert text.count(r"\begin{longtable}") == text.count(r"\end{longtable}") == 1
    (body,) = re.findall(r"\\endhead\n(.*)\\hline", text, re.DOTALL)
    assert body.count(" & ") == 2 * len(names) and body.startswith(r"\quad{}x & 1")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")
def test_pdflatex_compiles_hostile_tables(tmp_path):
    head = r"\documentclass{article}\usepackage[T1]{fontenc}\usepackage{longtable}\begin{document}"
    (tmp_path / "x.tex").write_text(f"{head}\n{tables_as(PARTS, ['one'], 'latex')}\n\\end{{document}}\n")
    options = ["-interaction=nonstopmode", "-halt-on-error", "x.tex"]
    done = subprocess.run(["pdflatex", *options], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")
@pytest.mark.parametrize(
    ("columns", "values"),
    [
        (("pages", "share"), (1_234_567, 0.5)),
        (
            ("pages", "bytes", "errors", "duplicates", "moved", "failed", "refused", "queued"),
            (52_900, 50_671_362, 1, 2, 3, 4, 417_700, 0),
        ),
        (("bytes", "text", "near", "for example"), (1, 2, 3, "http://www.example.org/a/longer/path/index.html")),
        (("state", "reason"), ("refused", "robots.txt: http 503, and words that break into lines " * 2)),
    ],
)
def test_tables_fit_the_page(tmp_path, columns, values):
    head = r"\documentclass{article}\usepackage[T1]{fontenc}\usepackage{longtable}\begin{document}"
    table = Section(title="T", rows=(Row(label="www.documentation.example.org", values=values),), columns=columns)
    (tmp_path / "x.tex").write_text(f"{head}\n{tables_as([table], ['one'], 'latex')}\n\\end{{document}}\n")
    for _ in range(2):  # longtable reads the widths of the first run
        done = subprocess.run(["pdflatex", "-halt-on-error", "x.tex"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:]
    assert max((float(points) for points in re.findall(r"Overfull \\hbox \((\S+)pt", done.stdout)), default=0) < 6


def test_other_forms_are_errors():
    assert all(tables_as([], ["x"], form) is not None for form in FORMS)
    with pytest.raises(ValueError, match="unknown form 'xml'"):
        tables_as([], ["x"], "xml")
