"""Every figure of crawls of every size, and of a crawl that goes on meanwhile."""

import fcntl
import re
import signal
import sqlite3
import subprocess
import sys
import warnings
from contextlib import closing
from dataclasses import replace
from itertools import pairwise

import html5lib
import pytest

from tests.report.plots.words import words
from tests.support.crawls.crawl_db import crawl_of, generated
from tests.support.crawls.crawling import command, options_for
from tests.support.web.site import ANY, PATH, Answer, Web, page, robots
from ttcrawl.cli import main
from ttcrawl.report.lazily import complete
from ttcrawl.report.plots import FIGURES
from ttcrawl.report.plots.drawing import figures, inline, plot
from ttcrawl.report.plots.style import LOOKS, figure_of, powers_of_ten, short_names, size
from ttcrawl.report.study import PARTS, lazy_study, study
from ttcrawl.report.summary import Growth

GIVEN = [(100.0, 0.4)]
A = "http://a.test/"
TINY = {
    "no page": {},
    "one page": {A: [A]},
    "three": {A: [f"{A}1", "http://b.test/"], f"{A}1": [A], "http://b.test/": []},
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A crawl with texts."""
    place = tmp_path_factory.mktemp("plots") / "whole"
    return study(generated(place, urls=1000, links=4000, pages=250, hosts=12, texts=40))


@pytest.mark.slow
def test_every_figure_states_its_fit(whole, tmp_path):
    paths = figures([whole], ["whole"], FIGURES, tmp_path, GIVEN)
    drawn = set(FIGURES) - {"growth", "topic"}  # the crawl has no topic
    assert {path.stem for path in paths} == drawn and len(paths) == 2 * len(drawn)
    told = {path.stem: words(path) for path in paths if path.suffix == ".svg"}
    laws = whole.laws
    assert "whole, terms: " in told["laws"] and "given: K = 100, β = 0.4" in told["laws"]
    assert "whole, terms: " in told["zipf"]
    assert "whole, in-links: " in told["zipf"]
    assert f"whole, in: α = {laws.in_degrees.alpha:.2f}" in told["degrees"]
    ahead = whole.estimates.forecast
    assert f"another {ahead.pages:,} pages bring {ahead.expected:,.0f} new URLs" in told["discovery"]
    assert "whole: duplicates" in told["content"] and "one type" in told["content"]


READ = {
    "growth": {"links"},
    "laws": {"links", "tokens"},
    "discovery": {"links", "targets of links", "estimates"},
    "zipf": {"targets of links", "tokens"},
    "graph": {"link graph"},
    "degrees": {"link graph"},
    "content": {"kinds of links", "types and languages", "course of the crawl"},
    "lsh": {"duplicates"},
    "topic": {"relevant pages"},
}


@pytest.mark.slow
@pytest.mark.parametrize("figure", FIGURES)
def test_a_figure_reads_what_it_shows_and_no_more(figure, tmp_path):
    directory = generated(tmp_path / "crawl", urls=300, links=900, pages=120, hosts=6, texts=10)
    begun = []
    plot([directory], [figure], tmp_path, GIVEN, lambda what, done, of: begun.append(what))
    assert set(begun) - {"growth laws", "degrees"} == READ[figure]


@pytest.mark.slow
def test_the_parts_are_the_same_in_whatever_order_they_are_read(tmp_path):
    directory = generated(tmp_path / "crawl", urls=1000, links=4000, pages=250, hosts=12, texts=40)
    whole = study(directory)
    with lazy_study(directory) as parts:
        names = ["out_degrees", "by_tokens", "in_degrees", "by_pages"]
        assert [getattr(parts.laws, name) for name in names] == [getattr(whole.laws, name) for name in names]
        assert parts.estimates == whole.estimates and complete(parts.laws) == whole.laws


@pytest.mark.slow
def test_the_rate_of_a_single_page_is_not_drawn(whole, tmp_path):
    """An axis from 0 to 1 page has no whole numbers to mark it with."""
    growth = Growth(pages=(0, 1), seconds=(0.0, 0.1), found=(0, 0), distinct_urls=(1, 1), in_scope=(0, 0))
    crawl = replace(
        whole, summary=replace(whole.summary, growth=growth), estimates=replace(whole.estimates, forecast=None)
    )
    (told,) = (words(path) for path in figures([crawl], ["a"], ["discovery"], tmp_path, ()) if path.suffix == ".svg")
    assert told.count("too few pages to tell") == 1  # without a forecast, its panel would repeat the growth


@pytest.mark.slow
def test_the_law_is_drawn_where_it_holds_and_the_legend_says_where(whole, tmp_path):
    law = replace(whole.laws.by_found, holds_from=20.0, holds_to=3000.0)
    nowhere = replace(whole.laws.in_scope, holds_from=None, holds_to=None)
    crawl = replace(whole, laws=replace(whole.laws, by_found=law, in_scope=nowhere))
    (told,) = (words(path) for path in figures([crawl], ["a"], ["laws"], tmp_path, ()) if path.suffix == ".svg")
    assert re.search(r"by URLs found: .*, within 5 % from 20 to 3,000", told)
    assert "in scope: no power law within 5 % anywhere" in told


@pytest.mark.slow
def test_the_command_writes_the_formats_that_are_named(tmp_path, capsys):
    directory = crawl_of(tmp_path / "crawl", TINY["three"])
    for number in "12":
        options = ["--what", "content", "--format", "pdf", "--format", "svg", "--out", str(tmp_path / number)]
        assert main(["plot", str(directory), *options]) == 0
    paths = sorted((tmp_path / "1").iterdir())
    assert [path.name for path in paths] == ["content.pdf", "content.svg"]
    assert paths[0].read_bytes().startswith(b"%PDF-")
    assert [path.read_bytes() for path in paths] == [(tmp_path / "2" / path.name).read_bytes() for path in paths]


@pytest.mark.slow
def test_same_crawls_same_bytes(whole, tmp_path):
    what = ("discovery", "content")
    first = figures([whole], ["a"], what, tmp_path / "1", GIVEN)
    second = figures([whole], ["a"], what, tmp_path / "2", GIVEN)
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]


@pytest.mark.slow
@pytest.mark.parametrize("name", TINY)
def test_tiny_crawls_give_no_warning(tmp_path, name):
    tiny = study(crawl_of(tmp_path / "crawl", TINY[name]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(figures([tiny], ["tiny"], FIGURES, tmp_path, GIVEN)) == 14


@pytest.mark.slow
def test_all_figures_are_of_one_moment(tmp_path):
    """A crawl that is running is read once, not once for growth and again for the others."""
    directory, opened = crawl_of(tmp_path / "crawl", TINY["three"]), []
    place = str(directory)
    sys.addaudithook(
        lambda event, of: opened.append(of) if event == "sqlite3.connect" and place in str(of[0]) else None
    )
    assert len(plot([directory], ("growth", "zipf"), tmp_path, GIVEN)) == 4
    assert len(opened) == 1


@pytest.mark.slow
def test_more_crawls_than_looks(tmp_path, whole):
    tiny = study(crawl_of(tmp_path / "crawl", TINY["three"]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        paths = figures([tiny, whole] * 3, list("abcdef"), ("zipf", "content"), tmp_path, GIVEN)
    assert "f: errors" in words(paths[3])


@pytest.mark.slow
def test_in_one_page_every_name_is_there_once(tmp_path):
    crawls = [study(crawl_of(tmp_path / each, TINY["three"])) for each in "ab"]
    drawn = inline(crawls, ['x --> <b> id="evil"', "\u202e$x$"], GIVEN, PARTS)
    assert {name: [each.caption for each in panels] for name, panels in drawn.items() if panels} == {
        "graph": [FIGURES["graph"].caption],
        "degrees": ["In-degrees of pages (all links)", "Out-degrees of pages (all links)"],
        "content": ["Pages by depth", "Sizes of hosts", "Errors and duplicates during the crawl"],
    }  # the others have nothing to show
    text = "<!DOCTYPE html><title>x</title>" + "".join(each.svg for panels in drawn.values() for each in panels)
    parsed = html5lib.HTMLParser(strict=True).parse(text)
    ids = [each.get("id") for each in parsed.iter() if each.get("id")]
    assert len(ids) == len(set(ids)) > 20
    led = set(re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', text))
    assert led and {one or other for one, other in led} <= set(ids)
    assert not re.search(r'(?:href|src)="[^#]', text) and "<!--" not in text and "\u202e" not in text
    assert 'x --&gt; &lt;b&gt; id="evil"' in text


@pytest.mark.parametrize(
    ("ends", "expected"),
    [
        ((1, 30_000), ["1", "10¹", "10²", "10³", "10⁴"]),
        ((200, 700), ["200", "300", "400", "600"]),
        ((0.001, 1), ["10⁻³", "10⁻²", "10⁻¹", "1"]),
    ],
)
def test_logarithmic_axes_are_labelled_with_text(ends, expected):
    """Also where no power of ten is on the axis; mathematics would begin with $."""
    labels = []

    def drawing(figure):
        axes = figure.subplots()
        axes.plot(ends, ends)
        axes.set(xscale="log", yscale="log", xlim=ends)
        powers_of_ten(axes.xaxis, axes.yaxis)
        axis = axes.xaxis
        ticks = zip(
            [*axis.get_majorticklocs(), *axis.get_minorticklocs()],
            [*axis.get_ticklabels(), *axis.get_ticklabels(minor=True)],
            strict=True,
        )
        figure.draw_without_rendering()
        labels.extend(
            text.get_text() for at, text in sorted(ticks, key=lambda each: each[0]) if ends[0] <= at <= ends[1]
        )

    with figure_of(4, drawing):
        pass
    assert [each for each in labels if each] == expected


@pytest.mark.parametrize(
    "names, expected",
    [
        (["a/crawl"], ["crawl"]),
        (["a/one", "a/two/"], ["one", "two"]),
        (["a/crawl", "b/crawl"], ["a/crawl", "b/crawl"]),
        (["."], ["."]),
        ([], []),
    ],
)
def test_crawls_are_called_by_what_tells_them_apart(names, expected):
    assert short_names(names) == expected


def test_a_grey_copy_tells_crawls_apart():
    reds, greens, blues = ([int(colour[i : i + 2], 16) / 255 for colour, _, _ in LOOKS] for i in (1, 3, 5))
    grey = sorted(0.299 * r + 0.587 * g + 0.114 * b for r, g, b in zip(reds, greens, blues, strict=True))
    assert min(b - a for a, b in pairwise(grey)) > 0.1
    assert len({marker for _, marker, _ in LOOKS}) == len({dashes for _, _, dashes in LOOKS}) == len(LOOKS)


def test_no_crawl_hides_another():
    sizes = [size(place, 5) for place in range(5)]
    assert sizes == sorted(sizes, reverse=True) and len(set(sizes)) == 5
    assert size(0, 1) == size(4, 5) == size(9, 10)


@pytest.mark.parametrize(
    "options",
    [["--watch", each] for each in ("0", "-1", "nan", "inf", "x", "1e9")]
    + [["--heaps", each] for each in ("", "1", "1,2,3", "x,y", "nan,0.5", "0,0.5", "1,inf", "1,-1")],
)
def test_bad_values_are_one_line(tmp_path, capsys, options):
    with pytest.raises(SystemExit) as ended:
        main(["plot", str(tmp_path), *options])
    assert ended.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"ttcrawl: {options[0]}: '") and line.endswith(": see ttcrawl plot --help")


@pytest.mark.slow
def test_watch_ends_with_the_crawl(tmp_path):
    endless, last = Answer(body=page(f"{PATH}x"), delay=0.15), Answer(body=page())
    with (
        Web({("a.test", "/robots.txt"): robots(), ("a.test", ANY): endless}) as web,
        open(tmp_path / "said", "w") as said,
    ):
        options = ["-d", tmp_path / "c", "--progress", "none", "--no-obey-delay", "--set", "store.commit_seconds=0.1"]
        crawling = subprocess.Popen(command("crawl", web.url("a.test", "/"), *options, *options_for(web)), stdout=said)
        while not (tmp_path / "c" / "crawl.db").exists() or not _ready(tmp_path / "c"):
            assert crawling.poll() is None
        watch = command("plot", tmp_path / "c", "--watch", "1", "--what", "growth")
        watching = subprocess.Popen(watch, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        first = watching.stdout.readline()
        web.change({("a.test", ANY): last})  # the crawl ends only when it has been drawn
        out, err = watching.communicate(timeout=60)
        assert crawling.wait(timeout=60) == 0
        pages = sum(hit.path != "/robots.txt" for hit in web.log())
    lines = [first, *out.splitlines()]
    assert watching.returncode == 0 and len(lines) > 1, err
    assert all(" page" in line for line in lines[:-1]) and f"  {pages:,} pages; ended" in lines[-1]
    assert (tmp_path / "c" / "plots" / "growth.png").exists()


def _ready(directory):
    with closing(sqlite3.connect(directory / "crawl.db")) as db:
        try:
            return db.execute("SELECT 1 FROM crawl WHERE name = 'schema_version'").fetchone()
        except sqlite3.OperationalError:
            return None


@pytest.mark.slow
def test_ctrl_c_ends_a_watch_with_one_line(tmp_path):
    directory = crawl_of(tmp_path / "c", TINY["three"])
    with open(directory / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # as the process does that crawls here
        watching = subprocess.Popen(
            command("plot", directory, "--watch", "60", "--what", "growth"),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert " page" in watching.stdout.readline()
        watching.send_signal(signal.SIGINT)
        _, err = watching.communicate(timeout=20)
    assert (watching.returncode, err) == (3, "ttcrawl: interrupted\n")
