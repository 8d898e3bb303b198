"""The HTML file: valid, complete, harmless, and without empty sections."""

import base64
import hashlib
import re
import shutil
import subprocess

import html5lib
import pytest

from ttcrawl.output.layout import Row, Section
from ttcrawl.report.forms import chapters
from ttcrawl.report.html.overview import Overview, Panel
from ttcrawl.report.html.page import Chapter, Drawing, html
from ttcrawl.report.html.style import SCRIPT
from ttcrawl.report.html.table import link_html
from ttcrawl.report.part import Group
from ttcrawl.report.plots import FIGURES
from ttcrawl.report.study import PARTS

HOSTILE = '</script></style><script>alert(1)</script><img src=x onerror=y>"\x1b[31m\u202e'


def tree_of(text):
    html5lib.HTMLParser(strict=True).parse(text)
    return html5lib.parse(text, namespaceHTMLElements=False)


def section(*rows, **more):
    return Section(title="S", rows=tuple(Row(label=label, values=values) for label, *values in rows), **more)


def test_hostile_text_stays_text():
    rows = (Row(label=HOSTILE, values=(HOSTILE,)), Row(label="https://x/" + HOSTILE, values=(1,), foot=True))
    parts = Section(title=HOSTILE, rows=rows, columns=(HOSTILE,), subject=HOSTILE, how=HOSTILE)
    about = Overview(name=HOSTILE, facts=((HOSTILE, (HOSTILE,)),), problems=(HOSTILE,))
    drawing = Drawing(caption=HOSTILE, svg="<svg></svg>")
    group = Chapter(title=HOSTILE, sections=[parts], figures=[drawing])
    for names in ([HOSTILE], [HOSTILE, "two"]):
        wide = [Chapter(title=HOSTILE, sections=[parts], figures=[drawing])] if len(names) == 1 else [group]
        text = html([about] * len(names), wide, names, HOSTILE)
        tree = tree_of(text)
        assert [each.text for each in tree.iter("script")] == [SCRIPT] and not list(tree.iter("img"))
        assert "\x1b" not in text and "\u202e" not in text


@pytest.mark.parametrize(
    "text, href",
    [
        ("http://a.test/?x=1&y=%22", "http://a.test/?x=1&y=%22"),
        ("https://a.test/ and 3 more", "https://a.test/"),
        ("http://a.test/" + "x" * 300, "http://a.test/" + "x" * 300),
        ("javascript:alert(1)", None),
        ("data:text/html,x", None),
        ("ftp://a.test/", None),
        ('http://a.test/"onclick="x', None),
        ("http://a.test/<b>", None),
        ("http://a.test/\u202egpj.exe", None),
        ("http 404", None),
        ("", None),
    ],
)
def test_only_urls_of_the_web_become_links(text, href):
    links = list(tree_of(f"<!DOCTYPE html><title>x</title>{link_html(text)}").iter("a"))
    assert [each.get("href") for each in links] == ([href] if href else [])
    assert all(each.get("rel") == "noreferrer" for each in links)


def test_the_policy_admits_the_script_and_nothing_else():
    tree = tree_of(html((), [Chapter(title="g", sections=[section(("a", 1))])], ["c"], "1"))
    (policy,) = (each.get("content") for each in tree.iter("meta") if each.get("http-equiv"))
    (script,) = tree.iter("script")
    digest = base64.b64encode(hashlib.sha256(script.text.encode()).digest()).decode()
    assert policy.startswith("default-src 'none';") and f"script-src 'sha256-{digest}';" in policy


def test_empty_sections_are_left_out_and_named():
    empty = Section(title="Nothing here", rows=(Row(label="a", values=(0,)), Row(label="b", values=(None,))))
    groups = [Chapter(title="One", sections=[empty, section(("c", 1))]), Chapter(title="Two", sections=[empty])]
    text = html((), groups, ["c"], "1")
    assert ">Nothing here" not in text and ">Two<" not in text and ">One<" in text
    assert "0 or unknown: Nothing here, Nothing here." in text


@pytest.mark.parametrize(
    "one, sorts",
    [
        (section(("a", 1), ("b", 2), ("c", 3), columns=("n",), subject="site"), True),
        (section(("a", 1), ("b", 2), columns=("n",), subject="site"), False),
        (section(("a", 1), ("  of it", 2), ("c", 3), columns=("n",)), False),
    ],
)
def test_lists_sort_and_rows_with_parts_do_not(one, sorts):
    assert ('<table class="sorts"' in html((), [Chapter(title="g", sections=[one])], ["c"], "1")) == sorts


def test_sums_and_rests_stand_in_the_foot():
    rows = tuple(Row(label=label, values=(1,), foot=label == "All") for label in ("a", "b", "c", "All"))
    one = Section(title="S", rows=rows, columns=("n",), subject="site")
    tree = tree_of(html((), [Chapter(title="g", sections=[one])], ["c"], "1"))
    assert ["".join(each.itertext()).strip() for each in tree.iter("tfoot")] == ["All1"]


def test_every_part_and_figure_stands_in_one_chapter():
    one, other = section(("a", 1)), section(("b", 1), group=Group.GRAPH)
    drawings = {name: [Drawing(caption=figure.caption, svg="")] for name, figure in FIGURES.items()}
    found = chapters({part: [one, other] if part == "summary" else [one] for part in PARTS}, drawings)
    assert [(each.title, len(each.sections), len(each.figures)) for each in found] == [
        ("Run", 5, 0),
        ("Sites", 2, 0),
        ("Topic", 1, 1),
        ("Contents", 4, 2),
        ("Links and graph", 2, 2),
        ("Growth and laws", 2, 4),
    ]


def test_a_figure_stands_beside_the_table_with_its_title():
    tables = [Section(title=title, rows=(Row(label="a", values=(1,)),)) for title in ("Degrees", "Heaps' law of words")]
    drawings = [Drawing(caption=f"{of} of words", svg=f"<svg>{of}</svg>") for of in ("Law", "Another of other kinds")]
    chapters_ = [Chapter(title="One", sections=tables), Chapter(title="Two", sections=[], figures=drawings[:1])]
    text = html((), chapters_, ["c"], "1")
    assert ">Two<" not in text  # its only figure moved
    (pair,) = re.findall(r'<div class="pair">.*?</figure>\n</div>', text, re.DOTALL)
    assert "Heaps&#x27; law of words" in pair and "<svg>Law</svg>" in pair
    alone = html((), [Chapter(title="One", sections=tables, figures=drawings[1:])], ["c"], "1")
    assert 'class="pair"' not in alone.partition("</style>")[2] and "<svg>Another" in alone


def test_a_statement_stands_above_its_table_and_the_method_below():
    one = section(("a", 1), statements=("It holds.",), hows=("By squares.",), how="Of all.")
    text = html((), [Chapter(title="g", sections=[one])], ["c"], "1").partition("</style>")[2]
    order = ["<h3", '<p class="statement">It holds.</p>', "<table", '<p class="how">Of all.</p>', "By squares."]
    assert sorted(order, key=text.index) == order and text.count("It holds.") == 1


def test_what_has_the_same_shape_stands_together():
    """A wide or paired item ends the columns, so those between two of them would leave half of the width empty."""
    titles = ("Errors by page", "Narrow", "Hosts by size", "Slim")
    tables = [Section(title=title, rows=(Row(label="a", values=(1,)),)) for title in titles]
    drawings = [Drawing(caption=title, svg="<svg></svg>") for title in titles[::2]]
    alone = Drawing(caption="Quite another", svg="<svg></svg>", wide=True)
    chapter = Chapter(title="One", sections=tables, figures=[*drawings, alone])
    headings = re.findall(r"<h3[^>]*>(.*?)</h3>", html((), [chapter], ["c"], "1"))
    assert headings == ["Errors by page", "Hosts by size", "Narrow", "Slim"]


def test_the_picture_of_the_cover_stands_before_the_last_panel():
    panels = tuple(Panel(title=title, body="b") for title in ("First", "Last"))
    about = Overview(name="c", facts=(), problems=(), panels=panels)
    svg = '<svg viewBox="0 0 9 5"><g id="g1"></g></svg>'
    figures = [Drawing(caption="Discs", svg=svg, wide=True)]
    text = html([about], [Chapter(title="g", sections=[], figures=figures)], ["c"], "1")
    titles = re.findall(r'<div class="(.*?)">\n<p class="title">(.*?)</p>', text)
    assert titles == [("panel", "First"), ("wide panel", "Graph"), ("panel", "Last")]


NODE = """
const cell = text => ({textContent: text});
const rows = ["b 2 9", "a 10 -", "c 1,000 1"].map(line => ({cells: line.split(" ").map(cell)}));
const head = () => ({childNodes: [], attributes: {}, append(button) { this.button = button; },
  getAttribute(name) { return this.attributes[name] ?? null; },
  setAttribute(name, value) { this.attributes[name] = value; },
  removeAttribute(name) { delete this.attributes[name]; }});
const heads = [head(), head(), head()];
const body = {rows, append(...sorted) { this.rows = sorted; }};
globalThis.document = {
  querySelectorAll: () => [{tHead: {rows: [{cells: heads}]}, tBodies: [body]}],
  createElement: () => ({append() {}, addEventListener(name, call) { this.click = call; }}),
};
"""
CLICKS = """
const result = [];
for (const column of [0, 0, 1, 1, 2]) {
  heads[column].button.click();
  result.push(body.rows.map(row => row.cells[0].textContent).join("") + heads[column].attributes["aria-sort"][0]);
}
console.log(result.join(" "));
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_the_script_sorts_numbers_and_words():
    done = subprocess.run(["node", "-"], input=NODE + SCRIPT + CLICKS, capture_output=True, text=True)
    assert done.stdout.split() == ["abca", "cbad", "cabd", "baca", "bcad"], done.stderr


def test_style_has_phones_and_paper():
    text = html((), [Chapter(title="g", sections=[section(("a", 1))])], ["c"], "1")
    assert "@media print" in text and re.search(r"@media \(max-width: \d+rem\)", text) and "width=device-width" in text
