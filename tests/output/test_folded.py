"""Tables in narrow terminals: no line is wider, and every label and value is there."""

import re
from collections import Counter

import pytest

from ttcrawl.output.layout import Row, Section
from ttcrawl.output.tables import lay_out
from ttcrawl.output.terminal import Screen, columns

SECTIONS = {
    "numbers": Section(
        title="Speed and volume",
        rows=(
            Row(label="Slowest site: requests x delay (s)", values=(4950.0,)),
            Row(label="  that site", values=("www.a-host-with-a-long-name.example.org:8080",)),
            Row(label="Bytes of bodies", values=(123_456_789,)),
        ),
        how="A note that is longer than the line, in words that fold, with a-word-that-is-longer-than-some-terminals.",
    ),
    "words": Section(
        title="Crawl",
        rows=(
            Row(label="Content starts at", values=("the start of the page",)),
            Row(label="Seeds", values=("http://日本語.example/とても長いパス/の/ページ and 39 more",)),
            Row(label="Emoji 🕷🕸 and marks e\u0301e\u0301", values=(None,)),
        ),
        prose=True,
    ),
    "wide": Section(
        title="Largest hosts",
        rows=tuple(Row(label=f"host-{n}.日本.example", values=(10**n,) * 8) for n in range(3, 9)),
        columns=("pages", "bytes", "errors", "duplicates", "moved", "failed", "refused", "queued"),
        subject="site",
    ),
}
NAMES = ["/a/crawl", "/another/crawl-of-a-long-name", "日本"]


def of_crawls(section, count):
    rows = tuple(Row(label=row.label, values=row.values * count) for row in section.rows)
    return Section(title=section.title, rows=rows, columns=section.columns, prose=section.prose, how=section.how)


def squeezed(text):
    return re.sub(r"[\s-]", "", text)


@pytest.mark.parametrize("crawls", [1, 3])
@pytest.mark.parametrize("width", [30, 40, 60, 80, 100])
@pytest.mark.parametrize("kind", SECTIONS)
def test_no_line_is_wider_and_nothing_is_lost(kind, width, crawls):
    section = of_crawls(SECTIONS[kind], crawls)
    text = lay_out([section], NAMES[:crawls], "text", Screen(width=width))
    assert max(map(columns, text.split("\n"))) <= width
    every = lay_out([section], NAMES[:crawls], "text")
    assert not Counter(squeezed(every)) - Counter(squeezed(text))
    for row in section.rows:
        for value in row.values:
            if isinstance(value, int):
                assert text.count(f"{value:,}") >= crawls * len(section.columns)
    if crawls > 1:
        assert all(squeezed(name)[:6] in squeezed(text) for name in NAMES)


def test_what_fits_is_as_before():
    for section in SECTIONS.values():
        assert lay_out([section], ["x"], "text", Screen(width=500)) == lay_out([section], ["x"], "text")


def test_labels_fold_beside_their_values():
    lines = lay_out([SECTIONS["numbers"]], ["x"], "text", Screen(width=40)).split("\n")
    assert lines[:7] == [
        "Speed and volume",
        "----------------------------------------",
        "Slowest site:                    4,950.0",
        "requests x",
        "delay (s)",
        "  that site     www.a-host-with-a-long-n",
        "                    ame.example.org:8080",
    ]


def test_columns_that_do_not_fit_follow_below():
    text = lay_out([SECTIONS["wide"]], ["x"], "text", Screen(width=40))
    assert text.count("host-3.") == text.count("host-8.") == text.count("\n\n") + 1 > 2


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
@pytest.mark.parametrize("width", [None, 40])
def test_rows_stay_in_line_where_characters_are_escaped(encoding, width):
    """The screen prints exactly what was measured: nothing is left for it to escape."""
    labels = ["plain", "Café", "日本語の題名", "ארכיון", "é" * 80, "http://a.test/" + "日" * 80]
    rows = tuple(Row(label=label, values=(number, label)) for number, label in enumerate(labels))
    section = Section(title="Tïtles", rows=rows, columns=("number", "value"), how="Über alles.")
    text = lay_out([section], ["ñame"], "text", Screen(width=width, encoding=encoding))
    assert text.encode(encoding, "backslashreplace").decode(encoding) == text
    if width:
        assert max(map(columns, text.split("\n"))) <= width
    else:
        table = text.split("\n")[3:-1]
        assert len(table) == len(labels) and len({columns(line) for line in table}) == 1
