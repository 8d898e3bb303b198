"""`ttcrawl topic score`: files, pages of a crawl, a URL; what it prints and how it ends."""

import json

import pytest
from msgspec.structs import replace

from tests.library.sample_crawl import make
from tests.support.crawls.crawling import crawl, query
from tests.support.web.mesh import mesh
from tests.support.web.site import Answer, Web, moved, page
from ttcrawl.cli import main
from ttcrawl.inspect.topic.judges import lines_of_classes
from ttcrawl.topic.model import FORMAT, VERSION, Figures, Model, Spread, packed
from ttcrawl.topic.score import FLAT, PLAIN, ClassPoints, CutOffs, decide

LIST = "40: sundew[^\\s]*=CP.Drosera\n60: carnivorous plant=CP\n-10: baseball=CP\n"
PAGE = (
    "<!doctype html><title>Sundews</title><meta name=description content='A carnivorous plant'>"
    "<h1>Sundew</h1><p>It is a carnivorous plant; no baseball."
)


@pytest.fixture
def terms(tmp_path):
    path = tmp_path / "terms.txt"
    path.write_text(LIST)
    return path


def score(capsys, *words):
    status = main(["topic", "score", *map(str, words)])
    return status, *capsys.readouterr()


def test_a_file_is_explained(capsys, tmp_path, terms):
    (tmp_path / "page.html").write_text(PAGE)
    status, out, _ = score(capsys, tmp_path / "page.html", "--terms", terms)
    assert status == 0 and "accepted: the kept classes have" in out
    assert "    400.00      1      40  title          1  sundew[^\\s]* = CP.Drosera" in out
    status, out, _ = score(capsys, tmp_path / "page.html", "--terms", terms, "--format", "json")
    (shown,) = json.loads(out)
    assert [(each["term"], each["where"], each["points"]) for each in shown["matches"]][:2] == [
        ("sundew[^\\s]*", "title", 400),
        ("carnivorous plant", "metadata", 240),
    ]
    (tmp_path / "other.txt").write_text("nothing")
    assert score(capsys, tmp_path / "other.txt", "--terms", terms)[0] == 1


@pytest.mark.slow
def test_a_crawl(capsys, tmp_path, terms):
    make(tmp_path / "crawl")
    status, out, _ = score(capsys, tmp_path / "crawl", "--terms", terms)
    assert status == 1 and ": 0 of " in out
    terms.write_text("1000: \\w+=P\n")
    status, out, _ = score(capsys, tmp_path / "crawl", "--terms", terms, "--format", "json")
    best = json.loads(out)["best"]
    url = best[0]["url"]
    assert status == 0 and best[0]["accepted"]
    status, out, _ = score(capsys, tmp_path / "crawl", url, "--terms", terms)
    assert status == 0 and out.startswith(f"{url}\n  accepted")
    status, _, err = score(capsys, tmp_path / "crawl", "http://never.test/", "--terms", terms)
    assert status == 1 and "never.test" in err


FETCHED = {
    "a page": ("/", 0, "/", ""),
    "a page that was moved": ("/moved", 0, "/", ""),
    "no page": ("/gone", 1, "", "ttcrawl: no page could be fetched: the seed {url} was answered with http 404\n"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", FETCHED)
def test_a_url_is_fetched_and_nothing_is_told_of_a_crawl(capsys, tmp_path, terms, name):
    path, expected, shown, told = FETCHED[name]
    terms.write_text("1000: \\w+=P\n")
    more = {("a.test", "/gone"): Answer(status=404), ("a.test", "/moved"): moved("/")}
    with Web(mesh(["a.test"], 3, seed=2) | more) as web:
        resolve = ["--set", f"fetch.resolve={' '.join(web.resolve)}", "--set", "politeness.delay=0"]
        status, out, err = score(capsys, web.url("a.test", path), "--terms", terms, *resolve)
    assert (status, err) == (expected, told.format(url=web.url("a.test", path)))
    assert out.startswith(f"{web.url('a.test', shown)}\n  accepted") if shown else out == ""


def write_model(path):
    one = Spread(1.0, 0.0)
    figures = Figures(folds=5, precision=one, recall=one, f1=one, average_precision=one, brier=0.0)
    numbers = {"threshold": 0.9, "bias": -0.5, "slope": 2.0, "offset": 0.1, "relevant": 10, "irrelevant": 20}
    terms = [("sundew", 1.0, 1.5), ("the bog", 1.0, 1.0)]
    about = {"format": FORMAT, "version": VERSION, "learner": "svm", "ngrams": 2, "criterion": "f1", "inputs": "00"}
    path.write_bytes(packed(Model(**about, **numbers, figures=figures, terms=terms)))


def topical(tmp_path, *settings):
    """A crawl with a subject, and what is stored: path -> relevant, score, by."""
    pages = {
        ("a.test", "/"): Answer(body=page("/b", "/c", content=f"<p>{'sundew ' * 9}")),
        ("a.test", "/b"): Answer(body=page(content="<p>A sundew and a carnivorous plant, " + "in the bog " * 40)),
        ("a.test", "/c"): Answer(body=page(content="<p>baseball")),
    }
    with Web(pages) as web:
        options = [part for each in ("topic.tunnel=-1", *settings) for part in ("--set", each)]
        assert crawl(web, web.url("a.test", "/"), tmp_path / "c", "--no-obey-delay", "--inline", *options).status == 0
    rows = query(
        tmp_path / "c", 'SELECT url.url, relevant, topic.score, "by" FROM topic JOIN url ON url.id = topic.url'
    )
    return {url: (bool(relevant), points, by) for url, relevant, points, by in rows}


OWN = {
    "a list": ("terms",),
    "a list and cut-offs": ("terms", "topic.min_total=50", "topic.min_by_words=0"),
    "a list and a country": ("terms", "topic.countries=se"),
    "a list and a site": ("terms", "sites"),
    "a model": ("model",),
    "both": ("terms", "model", "topic.min_total=50"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", OWN)
def test_a_crawl_has_its_own_rules(capsys, tmp_path, terms, name):
    write_model(tmp_path / "model.json")
    (tmp_path / "sites.txt").write_text("/c$\n")
    files = {"terms": terms, "model": tmp_path / "model.json"}
    sites = f"topic.sites_ok={tmp_path / 'sites.txt'}"
    settings = [
        f"topic.{each}={files[each]}" if each in files else sites if each == "sites" else each for each in OWN[name]
    ]
    stored = topical(tmp_path, *settings)
    status, out, err = score(capsys, tmp_path / "c", "--format", "json")
    assert status == (0 if any(relevant for relevant, *_ in stored.values()) else 1), err
    points = "margin" if "model" in OWN[name] else "kept_score"
    assert {each["url"]: (each["accepted"], each[points], each["by"]) for each in json.loads(out)["best"]} == stored
    url = next(iter(stored))
    status, out, _ = score(capsys, tmp_path / "c", url)
    assert ("margin" in out, "the kept classes have" in out) == ("model" in OWN[name], "terms" in OWN[name])


@pytest.mark.slow
def test_options_come_before_the_rules_of_a_crawl(capsys, tmp_path, terms):
    write_model(tmp_path / "model.json")
    stored = topical(tmp_path, f"topic.terms={terms}", f"topic.model={tmp_path / 'model.json'}")
    url = next(each for each in stored if each.endswith("/b"))
    terms.write_text("20: sundew=Other\n")
    _, out, _ = score(capsys, tmp_path / "c", url, "--terms", terms)  # a list alone decides
    assert "margin" not in out and "class Other: 20.00 points, 100 %, not kept: the total is under 90" in out
    status, out, _ = score(capsys, tmp_path / "c", url, "--terms", terms, "--set", "topic.min_total=20")
    assert status == 1 and "not kept: the total by words is under 0.2" in out
    more = ("--set", "topic.min_total=20", "--set", "topic.min_by_words=0")
    assert score(capsys, tmp_path / "c", url, "--terms", terms, *more)[0] == 0
    status, out, _ = score(capsys, tmp_path / "c", "--terms", terms, "--model", tmp_path / "model.json", "--save")
    assert status == 0 and (tmp_path / "c" / "topic" / "terms.txt").read_text() == "20: sundew=Other\n"
    assert query(tmp_path / "c", 'SELECT DISTINCT "by" FROM topic') == [("model",)]


@pytest.mark.slow
def test_combine_analyses_urls(capsys, tmp_path, terms):
    make(tmp_path / "crawl")
    terms.write_text("1000: [a-z]+=P\n")
    _, out, _ = score(capsys, tmp_path / "crawl", "--terms", terms, "--compatible", "--format", "json")
    url, about = next((each["url"], each["url_analysis"]) for each in json.loads(out)["best"] if each["url_analysis"])
    assert about["domain"] == url.split("/")[2].split(":")[0].rpartition(".")[2]
    _, out, _ = score(capsys, tmp_path / "crawl", url, "--terms", terms, "--compatible")
    assert f"\n  its URL: domain {about['domain']}" in out
    assert "its URL" not in score(capsys, tmp_path / "crawl", url, "--terms", terms)[1]


def points(**classes):
    """By a page of 10 words."""
    return {name: ClassPoints(value, value / 10, {}) for name, value in classes.items()}


LINES = {
    "shares": (
        points(A=190.0, B=10.0),
        PLAIN,
        ["A: 190.00 points, 95 %, kept", "B: 10.00 points, 5 %, not kept: under"],
    ),
    "too little": (points(A=60.0), PLAIN, ["A: 60.00 points, 100 %, not kept: the total is under 90"]),
    "negative": (points(A=-20.0), PLAIN, ["A: -20.00 points, not kept: the total is under 90"]),
    "beside": (
        points(A=200.0, B=-100.0),
        PLAIN,
        ["A: 200.00 points, kept", "B: -100.00 points, not kept: it has negative points"],
    ),
    "by words": (
        points(A=100.0),
        replace(PLAIN, normalised=11),
        ["A: 100.00 points, 100 %, not kept: the total by words is under 11"],
    ),
    "nothing is left": (
        points(A=5.0, B=-5.0),
        CutOffs(total=0, normalised=0, share=0),
        ["A: 5.00 points, not kept: no points", "B: -5.00 points, not kept: no points"],
    ),
}


@pytest.mark.parametrize("name", LINES)
def test_a_class_names_the_cut_off_that_failed(name):
    classes, cut, expected = LINES[name]
    lines = list(lines_of_classes(decide(classes, cut, FLAT, site_ok=False), cut))
    assert [
        line.removeprefix("  class ")[: len(start)] for line, start in zip(lines, expected, strict=True)
    ] == expected


@pytest.mark.parametrize(
    ("target", "content", "message"),
    [
        ("page.html", "wrong", "terms.txt, line 1, column 1: a line begins with a number"),
        ("missing", LIST, "No such file or directory; name a file"),
        ("binary", LIST, "is a binary file"),
        ("empty", LIST, "is not a crawl directory"),
    ],
)
def test_errors_are_one_line(capsys, tmp_path, terms, target, content, message):
    (tmp_path / "page.html").write_text(PAGE)
    (tmp_path / "binary").write_bytes(b"\x7fELF\0\1\2")
    (tmp_path / "empty").mkdir()
    terms.write_text(content)
    status, out, err = score(capsys, tmp_path / target, "--terms", terms)
    assert (status, out) == (2, "") and message in err and err.count("\n") == 1
