from __future__ import annotations

import json
import textwrap
import unicodedata
from dataclasses import fields, replace

import pytest

from ttcrawl.output.layout import Row, Section, explanations
from ttcrawl.output.tables import clean, lay_out
from ttcrawl.report.html.page import Chapter, html
from ttcrawl.report.laws.heaps import Heaps
from ttcrawl.report.parts.summary import ERRORS, GROWTH, LINKS, SPEED, URLS, render
from ttcrawl.report.summary import Growth, Summary, Tally

HOSTILE = "\x1b[2J\x07a|b\r\nc\u202e\u2028\x9b<script>`*\ud800"


def crawl(**changed: object) -> Summary:
    none = Tally(total=0, distinct=0)
    summary = Summary(
        version="1.0",
        started=1_700_000_000.0,
        seconds=5025.25,
        finished="done",
        seeds=("http://a.org/", "http://b.org/"),
        scope="host",
        parser="lexbor",
        reader="compiled",
        read_by_core=3990,
        read_by_python={"frame": 10},
        obey_delay=True,
        delay=1.5,
        content_start="",
        follow="all",
        urls=12_345_678,
        pages=4321,
        linking=4000,
        requisites=300,
        only_scored=0,
        statuses={200: 4300, 404: 21},
        unread=0,
        moved=5,
        failed={"dns": 3},
        refused={"robots.txt": 77, "scope: host": 66},
        unrecorded=0,
        queued=1234,
        deleted=0,
        found=Tally(total=1_000_000, distinct=250_000),
        content=Tally(total=600_000, distinct=200_000),
        elsewhere=Tally(total=400_000, distinct=100_000),
        same_page=none,
        not_http=42,
        robots_blocked=none,
        out_of_scope=none,
        fetch_errors={"http 404": 21, "dns": 3},
        unanswered={"dns": 9},
        parse_errors=1,
        parse_rescued=2,
        parsers={"lexbor": 4000},
        requests=4400,
        bytes=123_456_789,
        archive_bytes=23_456_789,
        pages_per_second=0.86,
        politeness_floor=4950.0,
        politeness_host="a.org",
        sites=2,
        robots_requested=2,
        robots_rules=1,
        robots_unreachable=0,
        seen_tests=10,
        seen_maybe=5,
        seen_false=0,
        seen_rate_configured=0.001,
        seen_rate_observed=0.0,
        growth=Growth(pages=(1, 2), seconds=(0.5, 1.0), found=(3, 6), distinct_urls=(3, 4), in_scope=(2, 3)),
        saturation=2,
        heaps_found=Heaps(k=3.0, beta=0.5, rmse=0.25, points=3),
        heaps_pages=None,
        heaps_in_scope=None,
    )
    return replace(summary, **changed)


def cells(text: str, label: str) -> list[str]:
    """The cells of the row of this label; it must be there once."""
    (line,) = [line for line in text.splitlines() if line.strip().startswith(label)]
    return line.strip()[len(label) :].split()


def test_text_of_one_crawl() -> None:
    text = render([crawl()], ["demo"], "text")
    assert cells(text, "URLs found") == ["1,000,000", "250,000"]
    assert cells(text, "inside content") == ["600,000", "200,000"]
    assert cells(text, "Not http(s)") == ["42", "-"]
    assert cells(text, "Pages crawled") == ["4,321"]
    assert cells(text, "page requisites") == ["300"]
    assert cells(text, "other files") == ["21"]
    assert cells(text, "status 404") == ["21"]
    assert cells(text, "Time taken (s)") == ["5,025.2"]
    assert cells(text, "Time taken (h:mm:ss)") == ["1:23:45"]
    assert cells(text, "Slowest site: requests x delay (s)") == ["4,950.0"]
    assert cells(text, "Seeds") == ["http://a.org/", "and", "1", "more"]
    assert cells(text, "Power law by URLs found: K") == ["3.00"]
    assert cells(text, "Power law by pages: K") == ["-"]
    assert "ratio" not in text
    assert not text.endswith("\n")


def test_text_is_aligned() -> None:
    how = [line for note in (GROWTH, URLS, LINKS, ERRORS, SPEED) for line in textwrap.wrap(note, 98)]
    for crawls, names in (([crawl()], ["demo"]), ([crawl(), crawl(pages=9)], ["one", "a name of some length"])):
        for section in render(crawls, names, "text").split("\n\n")[1:]:  # but the first, which holds words
            head, *lines = (line for line in section.splitlines() if line.strip() not in how)
            rule = next(line for line in lines if set(line) == {"-"})
            assert {len(line) for line in lines} == {len(rule)}, section
            assert len(head) <= len(rule)


def test_how_figures_were_computed_stands_under_the_names_of_the_crawls_where_it_differs() -> None:
    row = Row(label="K", values=(1, 2, 3))
    section = Section(title="Law", rows=(row,), how="By law.", hows=("To the end.", "To 5.", "To the end."))
    names = ["one", "two", "three"]
    assert explanations(section, names) == ["By law.", "one, three: To the end.", "two: To 5."]
    assert "\n  By law.\n  one, three: To the end.\n  two: To 5." in lay_out([section], names, "text")
    assert "\n\none, three: To the end.\n\ntwo: To 5." in lay_out([section], names, "markdown")
    assert '<p class="how">two: To 5.</p>' in html((), [Chapter(title="g", sections=[section])], names, "1")
    alike = Section(title="Law", rows=(row,), hows=("To the end.",) * 3)
    assert explanations(alike, names) == ["To the end."]


def test_text_is_aligned_over_wide_characters() -> None:
    text = render([crawl(failed={"日本": 1, "e\u0301": 2, "dns": 3})], ["x"], "text")
    lines = [line for line in text.splitlines() if "日本" in line or "e\u0301" in line or line.startswith("Moved")]
    ends = [len(line) + line.count("日") + line.count("本") - line.count("\u0301") for line in lines]
    assert len(lines) == 3 and len(set(ends)) == 1


def test_side_by_side() -> None:
    slow = crawl(seconds=10_050.5, pages_per_second=0.43, failed={"timeout: read": 1}, found=Tally(total=7, distinct=6))
    text = render([crawl(), slow, crawl(pages_per_second=None)], ["one", "two", "three"], "text")
    assert cells(text, "Time taken (s)") == ["5,025.2", "10,050.5", "5,025.2"]
    ratios = [line.split()[4:] for line in text.splitlines() if "ratio to the first" in line]
    # a row only where the crawls differ: time, speed, URLs found (total and distinct)
    assert ratios == [["1", "2", "1"], ["1", "0.5", "-"], ["1", "1", "7e-06", "2.4e-05", "1", "1"]]
    assert cells(text, "URLs found") == ["1,000,000", "250,000", "7", "6", "1,000,000", "250,000"]
    assert cells(text, "Links on pages") == ["one", "two", "three"]
    assert [line.split() for line in text.splitlines() if "distinct" in line and "total" in line] == [
        ["total", "distinct"] * 3
    ]
    assert cells(text, "timeout: read") == ["0", "1", "0"]


def test_long_names_keep_their_ends() -> None:
    text = render([crawl(), crawl()], ["/a/very/long/path/to/the/crawls/of/monday", "b"], "text")
    assert "of/monday" in text and "/a/very" not in text


def test_markdown() -> None:
    text = render([crawl()], ["demo"], "markdown")
    assert "| Links on pages | total | distinct |\n| :-- | --: | --: |\n| URLs found | 1,000,000 | 250,000 |" in text
    text = render([crawl(), crawl()], ["a", "b"], "markdown")
    assert "| Links on pages | a total | a distinct | b total | b distinct |" in text


@pytest.mark.parametrize("count", [1, 3])
def test_markdown_has_a_cell_for_every_column_whatever_the_words(count: int) -> None:
    hostile = crawl(failed={HOSTILE: 1}, refused={"|": 2}, politeness_host="a|b", seeds=("http://x/|y",), scope="|")
    for table in render([hostile] * count, ["na|me"] * count, "markdown").split("\n\n"):
        assert len({line.count("|") for line in table.splitlines()}) == 1, table
    assert "<script>" not in render([hostile], ["x"], "markdown")


@pytest.mark.parametrize("form", ["text", "markdown", "json"])
def test_no_control_character_gets_through(form: str) -> None:
    hostile = crawl(
        failed={HOSTILE: 1},
        refused={HOSTILE: 1},
        unanswered={HOSTILE: 1},
        fetch_errors={HOSTILE: 1},
        parsers={HOSTILE: 1},
    )
    hostile = replace(
        hostile, politeness_host=HOSTILE, seeds=(HOSTILE,), finished=HOSTILE, scope=HOSTILE, version=HOSTILE
    )
    hostile = replace(hostile, content_start=HOSTILE, follow=HOSTILE, parser=HOSTILE)
    text = render([hostile, hostile], [HOSTILE, HOSTILE], form)
    bad = {each for each in text if unicodedata.category(each) in ("Cc", "Cf", "Cs", "Zl", "Zp")}
    assert bad <= {"\n"}
    text.encode()


def test_endless_reasons_are_cut() -> None:
    text = render([crawl(failed={f"reason {i:03}" + "x" * 1000: 1 for i in range(100)})], ["x"], "text")
    assert max(map(len, text.splitlines())) <= 100
    assert cells(text, "75 other reasons") == ["75"]


def test_json_has_everything() -> None:
    one = json.loads(render([crawl()], ["demo"], "json"))
    assert one.keys() == {"name"} | {field.name for field in fields(Summary)}
    assert one["name"] == "demo"
    assert one["found"] == {"total": 1_000_000, "distinct": 250_000}
    assert one["statuses"] == {"200": 4300, "404": 21}
    assert one["growth"]["found"] == [3, 6]
    assert one["heaps_found"]["beta"] == 0.5 and one["heaps_pages"] is None
    several = json.loads(render([crawl(), crawl(pages=1)], ["a", "b"], "json"))
    assert [(each["name"], each["pages"]) for each in several] == [("a", 4321), ("b", 1)]


@pytest.mark.parametrize("names, form", [([], "text"), (["a", "b"], "json"), (["a"], "html")])
def test_wrong_use(names: list[str], form: str) -> None:
    with pytest.raises(ValueError):
        render([crawl()], names, form)


@pytest.mark.parametrize(
    "text, shown",
    [
        ("plain", "plain"),
        ("a\tb\nc", "a\\x09b\\x0ac"),
        ("x" * 100, "x" * 59 + "…"),
        ("日" * 50, "日" * 29 + "…"),
        ("http://a.test/" + "x/" * 50 + "7", "http://a.test/…" + "x/" * 22 + "7"),
        ("http://a.test/" + "x/" * 500 + "7", "http://a.test/…" + "x/" * 22 + "7"),
        ("http://" + "日" * 50, "http://" + "日" * 23 + "…" + "日" * 3),
        ("", ""),
    ],
)
def test_clean(text: str, shown: str) -> None:
    assert clean(text) == shown
