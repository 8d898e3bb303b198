"""The figures of the full report against a crawl whose pages are known, and its forms against hostile words."""

import json
import math
import re
import shutil
import sqlite3
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from contextlib import closing
from dataclasses import asdict, dataclass, fields, is_dataclass, make_dataclass, replace

import html5lib
import pytest

from tests.support.crawls.crawl_db import generated
from tests.support.crawls.crawling import crawl, options_for
from tests.support.crawls.measured import measured
from tests.support.web.site import Answer, Web, at, page, robots
from ttcrawl.cli import main
from ttcrawl.output.forms import FORMS
from ttcrawl.output.layout import Section
from ttcrawl.report.forms import render, tables
from ttcrawl.report.html.page import Drawing
from ttcrawl.report.laws.recapture import chapman
from ttcrawl.report.part import Group, part
from ttcrawl.report.parts import content, sites
from ttcrawl.report.rows import row
from ttcrawl.report.study import PARTS, Study, study
from ttcrawl.snapshot.errors import NotACrawl

PDF = Answer(headers=(("Content-Type", "application/pdf"),), body=b"%PDF-1.4\n%%EOF\n")
IMAGES = '<img src="/a.png"><img src="/b.png"><img src="/a.png" alt="again">'
EVIL = '</script><script>alert(1)</script>"\x1b[31m‮'

TOP = ("/1", "/2", "/file.pdf", "/gone", "/private/x")
WEB = {
    ("a.test", "/robots.txt"): robots("User-agent: *", "Disallow: /private"),
    ("a.test", "/"): Answer(body=page(*TOP, at("b.test", "/"), content=IMAGES)),
    ("a.test", "/1"): Answer(body=page("/same-1", "/same-2", title=EVIL)),
    ("a.test", "/2"): Answer(body=page("/1", "mailto:x@y.test", content='<img src="/c.png">')),
    ("a.test", "/same-1"): Answer(body=page("/deep")),
    ("a.test", "/same-2"): Answer(body=page("/deep")),
    ("a.test", "/deep"): Answer(body=page(title="deep")),
    ("a.test", "/file.pdf"): PDF,
    ("b.test", "/"): Answer(body=page("/x")),
    ("b.test", "/x"): Answer(body=page()),
}


@pytest.fixture(scope="module")
def crawled(tmp_path_factory):
    with Web(WEB) as web:
        place = tmp_path_factory.mktemp("study") / "c"
        done = crawl(web, web.url("a.test", "/"), place, "--scope", "any", "--no-obey-delay")
        assert done.status == 0, done.err
    return done.directory


@pytest.fixture(scope="module")
def found(crawled):
    return study(crawled)


@pytest.mark.slow
def test_the_sites(found):
    seeds, everything = found.sites.seeds, found.sites.all
    assert (seeds.sites, seeds.pages, seeds.html, seeds.duplicates) == (1, 8, 6, 1)
    assert (everything.sites, everything.pages, everything.html, everything.duplicates) == (2, 10, 8, 1)
    assert dict(seeds.binary) == dict(everything.binary) == {"PDF": 1}
    assert (seeds.disallowed, everything.disallowed) == (1, 1)


def test_the_images_that_pages_show(found):
    seeds = found.sites.seeds
    assert (seeds.images_linked, seeds.images_most, seeds.images_mean) == (3, 2, 3 / 6)
    assert seeds.images_most_on.endswith("/")


def with_floats(value, number):
    """A study, or a part of it, whose floats are all `number`."""
    if is_dataclass(value):
        names = {each.name for each in fields(value)} - {"holds_from", "holds_to"}  # positions in a series
        return replace(value, **{name: with_floats(getattr(value, name), number) for name in names})
    if isinstance(value, dict):
        return {key: with_floats(each, number) for key, each in value.items()}
    if isinstance(value, tuple):
        return tuple(with_floats(each, number) for each in value)
    return number if isinstance(value, float) else value


@pytest.fixture(scope="module")
def generated_study(tmp_path_factory):
    directory = tmp_path_factory.mktemp("generated") / "crawl"
    return study(generated(directory, urls=1200, links=3200, pages=200, hosts=5, texts=150))


@pytest.mark.parametrize("number", [math.inf, -math.inf, math.nan])
@pytest.mark.parametrize("form", ["json", *FORMS])
def test_a_figure_that_is_not_finite_is_missing(generated_study, form, number):
    """Ratios of likelihoods and sizes of a population are infinite for some crawls."""
    laws = with_floats(generated_study.laws, number)
    summary = replace(generated_study.summary, pages_per_second=number, heaps_found=None)
    text = render([replace(generated_study, laws=laws, summary=summary)], ["crawled"], form)
    assert not re.search(r"\b(inf|nan|Infinity|NaN)\b", text)
    if form == "json":
        assert json.loads(text)["laws"]["in_degrees"]["lognormal"]["ratio"] is None


def test_what_came(found):
    content = found.content
    assert content.types["text/html"].count == 8 and content.types["application/pdf"].count == 1
    sizes = content.types["text/html"]
    assert sizes.mean * sizes.count == sizes.total
    assert content.types["application/pdf"].total == content.types["application/pdf"].largest == len(PDF.body)
    assert dict(content.depths) == {0: 1, 1: 5, 2: 3, 3: 1}
    assert content.kinds["anchor"] == 12


def test_what_has_no_row_of_its_own_is_summed_up(found):
    """More types and languages than there is room for."""
    many = {
        f"application/x-{n}": content.Sizes(count=n, total=n * n, mean=n, median=n, largest=n) for n in range(1, 41)
    }
    crawl = replace(
        found.content, types=many, languages={f"l{n}": n for n in range(1, 41)}, kinds=dict.fromkeys("abc", 1)
    )
    types, _, languages, kinds = content.sections([crawl, found.content])
    assert sum(row.values[0] for row in types.rows) == sum(range(1, 41))
    assert sum(row.values[1] or 0 for row in types.rows) == sum(n * n for n in range(1, 41))
    count, total, mean, median, largest = types.rows[-1].values[:5]
    assert (mean, median, largest) == (total / count, None, 17)
    assert sum(row.values[5] for row in types.rows) == sum(each.count for each in found.content.types.values())
    assert sum(row.values[0] for row in languages.rows[:-1]) == sum(range(1, 41))
    assert [len(each.rows) for each in (types, languages)] == [25, 26] and "other" in types.rows[-1].label
    assert {row.values[0] for row in kinds.rows} == {0, 1}
    holding = replace(found.sites.all, binary={f"x-{n}": n for n in range(1, 41)})
    (section,) = sites.sections([sites.Sites(seeds=holding, all=holding)])
    total, parts = section.rows[5], [row for row in section.rows[6:] if "x-" in row.label or "other types" in row.label]
    assert total.label == "Binary files" and total.values[1] == sum(row.values[1] for row in parts) == 820
    shares = [row.values[1] for row in section.rows if row.label == "    share"]
    assert len(shares) == len(parts) and sum(shares) == pytest.approx(1) and shares[0] == 40 / 820
    none = replace(found.sites.all, binary={})
    (section,) = sites.sections([sites.Sites(seeds=none, all=holding)])
    assert [row.values[0] for row in section.rows if row.label == "    share"] == [None] * len(parts)


def test_how_it_went(found):
    course = found.course
    assert sum(each.errors for each in course.tenths) == 1
    assert sum(each.duplicates for each in course.tenths) == 1
    assert [each.pages for each in course.hosts] == [8, 2]
    assert course.tenths[-1].last == 10


def test_where_the_time_went(crawled, found):
    waiting = found.waiting
    assert waiting.network > 0 and waiting.parsing > 0 and waiting.politeness == 0


def test_the_graph(found):
    figures = found.graph.figures
    assert (figures.nodes, figures.links) == (10, 11)  # one of the 12 leads to what robots.txt forbids


def test_json_has_everything_under_the_old_names_too(found):
    told = json.loads(render([found], ["x"], "json"))
    assert told["pages"] == 10 and told["sites"]["all"]["pages"] == 10
    assert told["name"] == "x" and set(asdict(found)) - {"summary"} <= set(told)


@dataclass(frozen=True, slots=True, kw_only=True)
class Weather:
    storms: int


class WEATHER:
    """A part of the report as a file has it: see ttcrawl.report.part.PartFile."""

    @staticmethod
    def read(sources):
        return Weather(storms=3)

    @staticmethod
    def sections(crawls):
        return [Section(title="Weather", rows=(row("Storms", crawls, lambda each: each.storms),))]


@pytest.mark.parametrize("form", ["json", "html", *FORMS])
def test_a_row_of_the_table_is_a_part_in_every_form(found, monkeypatch, form):
    more = make_dataclass("More", [("weather", Weather)], bases=(Study,), frozen=True, slots=True, kw_only=True)
    figures = more(**{name: getattr(found, name) for name in PARTS}, weather=WEATHER.read(None))
    monkeypatch.setitem(sys.modules, "ttcrawl.report.parts.weather", WEATHER)
    monkeypatch.setitem(PARTS, "weather", part("weather", Group.RUN, "weather")["part"])
    text = render([figures], ["c"], form)
    if form == "json":
        assert json.loads(text)["weather"] == {"storms": 3}
    else:
        assert text.count("Storms") == 1
    if form in FORMS:
        assert tables({"c": figures}, ["weather"], form).count("Storms") == 1
    if form == "html":
        assert text.index(">Run<") < text.index("Storms") < text.index(">Sites</h2>")


@pytest.mark.parametrize("names", [["one"], ["one", EVIL]])
def test_html_is_valid_and_fetches_nothing(found, names):
    drawing = Drawing(caption="A figure & more", svg="<svg><path d='M0 0'/></svg>")
    text = render([found] * len(names), names, "html", {"growth": [drawing]})
    html5lib.HTMLParser(strict=True).parse(text)
    tree = html5lib.parse(text, namespaceHTMLElements=False)
    tags = [str(each.tag) for each in tree.iter()]
    assert not {"link", "img", "iframe", "object"} & set(tags) and tags.count("script") == 1
    assert not [
        each for each in tree.iter() if each.get("src") or (each.get("href", "#")[0] != "#" and each.tag != "a")
    ]
    assert "\x1b" not in text and "‮" not in text
    assert isinstance(tree, ElementTree.Element)


@pytest.mark.parametrize("form", ["csv", "latex"])
@pytest.mark.parametrize("more", [[], ["--politeness"]])
def test_the_command_writes_tables(crawled, capsys, form, more):
    assert main(["report", str(crawled), "--format", form, *more]) == 0
    text = capsys.readouterr().out
    assert text.startswith(
        {"csv": "table,row,crawl,column,value\n", "latex": "% Needs"}[form]
    ) and "a.test" in text.replace(r"\allowbreak{}", "")


@pytest.mark.slow
@pytest.mark.parametrize("more", [[], ["--politeness"]])
def test_the_command_writes_html(crawled, capsys, more):
    assert main(["report", str(crawled), str(crawled), "--format", "html", *more]) == 0
    text = capsys.readouterr().out
    html5lib.HTMLParser(strict=True).parse(text)
    # each panel that has data; ten pages have no laws, no forecast, and no topic
    assert "a.test" in text and text.count("<figure>") == (0 if more else 12)


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_side_by_side(found, form):
    text = render([found, found], ["one", "two"], form)
    assert text.count("one") >= 5 and "\x1b" not in text


@pytest.mark.slow
def test_a_crawl_of_nothing(tmp_path):
    with Web({("a.test", "/"): Answer(status=404)}) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay")
    nothing = study(done.directory)
    for form in ("text", "markdown", "html", "json"):
        assert render([nothing], ["c"], form)


@pytest.mark.slow
def test_the_sites_of_seeds_that_redirect(tmp_path):
    """http://a.test/ is www.a.test in truth: its pages are those of the seed's site, b.test's are not."""
    shown = page("/1", content=IMAGES)
    web = {
        ("a.test", "/"): Answer(status=301, headers=(("Location", at("www.a.test", "/")),)),
        ("www.a.test", "/"): Answer(body=page("/1", "/missing", at("b.test", "/"))),
        ("www.a.test", "/1"): Answer(body=shown),
        ("www.a.test", "/missing"): Answer(status=404, body=page(content='<img src="/sorry.png">')),
        ("b.test", "/"): Answer(body=shown),
    }
    with Web(web) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--scope", "any", "--no-obey-delay")
    sites = study(done.directory).sites
    assert (sites.seeds.sites, sites.seeds.pages, sites.seeds.html) == (1, 3, 2)
    assert (sites.all.sites, sites.all.pages, sites.all.html, sites.all.duplicates) == (2, 5, 3, 1)
    with closing(sqlite3.connect(done.directory / "crawl.db")) as db, db:  # as while it runs, or after it was killed
        db.execute("DELETE FROM by_key")
        db.execute("UPDATE crawl SET value = 0 WHERE name = 'indexed'")
    assert study(done.directory).sites == sites
    # two images on two hosts each; the one of the error page is on no HTML page that counts
    assert (sites.seeds.images_linked, sites.seeds.images_most, sites.seeds.images_mean) == (2, 2, 1)
    assert (sites.all.images_linked, sites.all.images_mean, sites.all.images_shown_mean) == (4, 4 / 3, 2)
    assert (sites.all.html_duplicates, sites.seeds.html_duplicates) == (1, 1)  # b.test/ comes first by its URL


@pytest.mark.slow
def test_duplicates_feeds_and_sitemaps(tmp_path):
    """Pages 0 to 5 are linked, by the start page or the feed, 3 to 8 are in the sitemap; 1, 2 and 8 say the same."""
    entries = "".join(f"<item><link>{at('a.test', f'/{n}')}</link></item>" for n in (4, 5))
    listed = "".join(f"<url><loc>{at('a.test', f'/{n}')}</loc></url>" for n in range(3, 9))
    feed = f'<?xml version="1.0"?><rss version="2.0"><channel><title>f</title>{entries}</channel></rss>'
    sitemap = f'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{listed}</urlset>'
    kinds = {"feed": "application/rss+xml", "map": "application/xml"}
    feed_at, map_at = (
        Answer(headers=(("Content-Type", kinds[name]),), body=text.encode())
        for name, text in (("feed", feed), ("map", sitemap))
    )
    web = {
        ("a.test", "/robots.txt"): robots("User-agent: *", f"Sitemap: {at('a.test', '/map.xml')}"),
        ("a.test", "/map.xml"): map_at,
        ("a.test", "/feed"): feed_at,
        ("a.test", "/"): Answer(body=page("/0", "/1", "/2", "/3", "/feed")),
    } | {("a.test", f"/{n}"): Answer(body=page(title="same" if n in (1, 2, 8) else str(n))) for n in range(9)}
    with Web(web) as web:
        done = crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay")
    found = study(done.directory)
    assert found.sites.all.html == 10 and found.sites.all.duplicates == found.sites.all.html_duplicates == 2
    assert found.sites.all.images_shown_mean is None
    assert sum(each.duplicates for each in found.course.tenths) == 2
    assert found.content.kinds["entry"] == 2 and found.content.kinds["sitemap"] == 6
    # by links: 0 to 5 and the feed; by the sitemap: 3 to 8
    (size,) = found.estimates.sites.values()
    assert size == chapman(6, 7, 3)


def test_a_damaged_crawl_is_one_line(crawled, tmp_path):
    for number, damage in enumerate(
        ("DELETE FROM site", "UPDATE outlinks SET targets = '[1, \"x\"]'", "UPDATE page SET length = 'x', status = 'y'")
    ):
        copy = tmp_path / str(number)
        copy.mkdir()
        shutil.copy(crawled / "crawl.db", copy)
        with closing(sqlite3.connect(copy / "crawl.db")) as db, db:
            db.execute(damage)
        with pytest.raises(NotACrawl, match="is damaged"):
            study(copy)


@pytest.mark.parametrize(
    "options", [["--section", "summary"], pytest.param(["--format", "html"], marks=pytest.mark.slow)]
)
def test_a_number_that_no_crawl_has_is_printed(crawled, tmp_path, capsys, options):
    for number in ("1e300", "inf", "nan"):
        copy = shutil.copytree(crawled, tmp_path / number)
        with closing(sqlite3.connect(copy / "crawl.db")) as db, db:
            db.execute("UPDATE crawl SET value = ? WHERE name IN ('seconds', 'started')", (number,))
        assert main(["report", str(copy), *options]) == 0
        assert f"{float(number):g} s" in capsys.readouterr().out


@pytest.mark.slow
def test_the_end_of_a_crawl_needs_no_heavy_library(tmp_path):
    """Its report is the short one; the full one is asked for when it is wanted. (Shingles are compared by numpy.)"""
    code = (
        "import sys; from ttcrawl.cli import main; status = main(sys.argv[1:]);"
        "print(status, {'scipy', 'matplotlib', 'pandas', 'igraph'} & set(sys.modules))"
    )
    with Web(WEB) as web:
        options = ["-d", tmp_path / "c", *options_for(web), "--progress", "none", "--no-obey-delay", "--inline"]
        options = ["crawl", web.url("a.test", "/"), *map(str, options)]
        done = subprocess.run([sys.executable, "-c", code, *options], capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout.endswith("\n0 set()\n"), done.stderr
    assert "Power law by pages" in (tmp_path / "c" / "report.txt").read_text()


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """A crawl with something in every part of the report, whose titles, hosts and reasons are hostile to LaTeX."""
    place = generated(tmp_path_factory.mktemp("hostile") / "c", urls=1000, links=4000, pages=250, hosts=12, texts=40)
    words = r"\input{x} $_^&%#~{} ‮ תיק 日本 " + EVIL
    with closing(sqlite3.connect(place / "crawl.db")) as db, db:
        db.execute("UPDATE page SET title = ?", (words,))
        db.execute("UPDATE site SET host = host || ? WHERE id % 3 = 0", ("_&%.example",))
        db.execute("UPDATE url SET state = 'failed', reason = ? WHERE id > 990", (words,))
        add = """INSERT INTO topic VALUES (?, ?, 9, NULL, 'terms', '{"A_&%": 9}', '[]')"""
        db.executemany(add, ((page, page % 3 == 0) for page in range(1, 251)))
        add_rarities(db, words)
    return study(place)


def add_rarities(db: sqlite3.Connection, words: str) -> None:
    """What few crawls have: pages in a browser, visits by recrawl, soft 404s, and patterns of URLs that repeat."""
    use = "INSERT INTO browser_use VALUES (?, ?, ?, NULL, 1.5, 7, 4096, 3, 60)"
    db.executemany(use, ((page, ("static", "browser")[page % 2], words[: 9 * (page % 3)]) for page in range(1, 31)))
    visits = "INSERT INTO revisit (url, next, visited, visits, not_modified, changes) VALUES (?, 2e9, 1.7e9, ?, 1, 1)"
    db.executemany(visits, ((page, page % 7) for page in range(1, 31)))
    db.execute("INSERT INTO probe (id, site, url, time, status) VALUES (1, 1, ?, 1.7e9, 200)", (words,))
    db.execute("UPDATE site SET soft_404 = 'soft' WHERE id = 1")
    db.execute("INSERT INTO soft_404 VALUES (5, 1, 0.95)")
    db.executemany("INSERT INTO pattern VALUES (?, ?, 90, 80, 1, 7, 20)", ((site, words) for site in range(1, 4)))
    db.execute("INSERT INTO audit SELECT id, ? FROM url WHERE state = 'fetched' LIMIT 9", (words,))


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")
@pytest.mark.parametrize("name", PARTS)
def test_each_section_compiles_alone(hostile, tmp_path, name):
    head = r"\documentclass{article}\usepackage[T1]{fontenc}\usepackage{longtable}\begin{document}"
    table = tables({"one_&%": hostile}, [name], "latex")
    (tmp_path / "x.tex").write_text(f"{head}\nText.\n{table}\n\\end{{document}}\n")
    options = ["-interaction=nonstopmode", "-halt-on-error", "x.tex"]
    done = subprocess.run(["pdflatex", *options], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:]
    assert any(section.rows for section in PARTS[name].file.sections([getattr(hostile, name)]))


@pytest.mark.alone
@pytest.mark.slow
@pytest.mark.long
@pytest.mark.timeout(900)
def test_a_million_urls_and_ten_million_links(tmp_path):
    sizes = {"urls": 1_000_000, "links": 10_000_000, "pages": 400_000, "hosts": 2000, "texts": 50_000}
    generated(tmp_path / "crawl", **sizes)
    done = measured("report", tmp_path / "crawl", "--format", "json")
    told = json.loads(done.out)
    print(f"\nreport of 1 million URLs, 10 million links: {done.seconds:.0f} s of work, {done.peak:.0f} MB")
    assert done.status == 0 and told["urls"] == 1_000_000 and told["content"]["words"] == 300 * sizes["texts"]
    assert told["graph"]["figures"]["nodes"] == told["sites"]["all"]["html"] == 400_000
    assert done.seconds < 60 and done.peak < 1024
