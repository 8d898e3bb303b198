"""Combine's own results: the cases that its code has computed, and its term lists (tests/support/conformance.py)."""

import math

import pytest

from tests.support.conformance import cases, conformance_file
from ttcrawl.errors import CrawlFailedError
from ttcrawl.topic import combine
from ttcrawl.topic.combine_topics import listed, topics
from ttcrawl.topic.combine_url import analysis
from ttcrawl.topic.files import load, load_sites
from ttcrawl.topic.page import Page
from ttcrawl.topic.scorer import Scorer

LISTS = "combine/termlists"
ALGORITHMS = ("plain", "position")


def scorer_of(name, algorithm):
    terms = conformance_file(f"{LISTS}/{name}.txt")
    stops, sites = (terms.with_name(f"{name}.{kind}.txt") for kind in ("stopwords", "sitesOK"))
    listed = load(terms, stops if stops.exists() else None, compatible=True)
    ok = load_sites(sites, compatible=True) if sites.exists() else None
    return Scorer(listed, algorithm, sites=ok)


def page_of(case):
    return Page(
        title=case["title"] or "",
        metadata=tuple(map(tuple, case["meta"])),
        headings=tuple(case["headings"]),
        text=case["text"] or "",
        path=case["urlpath"],
        urls=(case["url"],),
    )


def near(expected):
    return pytest.approx(expected, rel=1e-9)


def parts_of(scorer, algorithm, words):
    if algorithm == "position":
        return {"joined": scorer.joined(words)}
    return {"title": words.title, "meta": words.metadata, "headings": words.headings, "text": words.text}


def check(case, scorer):
    """All of a case except `match_raw_text`: words that were not prepared, which no crawl of Combine matches."""
    words = scorer.words(page_of(case))
    converted = {name: part.decode("latin-1") for name, part in parts_of(scorer, "plain", words).items()}
    expected = {**case["converted"], "title": case["converted"]["title"] or ""}
    assert {**converted, "urlpath": words.path.decode("latin-1")} == expected
    if "error" in case:
        with pytest.raises(CrawlFailedError, match="line 1: tick @and tick: Combine divides by zero"):
            scorer.score(page_of(case))
        return
    score, hits = scorer.explain(page_of(case))
    assert score == scorer.score(page_of(case))
    assert {each.name: each.score for each in score.classes} == near(case["scores"])
    assert {each.name: each.normalised for each in score.classes} == near(case["scores_normalised"])
    sums = (score.total, score.normalised, score.kept_score)
    assert sums == near((case["total"], case["normalised"], case["kept_score"]))
    assert (score.accepted, score.site_ok) == (case["accepted"], case["site_ok"])
    matches = {name: scorer.match(text) for name, text in parts_of(scorer, case["algorithm"], words).items()}
    assert matches == {name: near(points) for name, points in case["match"].items()}
    rows = topics(score, listed(hits), case["algorithm"])
    assert [(row.notation, row.relative, row.algorithm) for row in rows] == [
        (row["class"], row["rel"], row["algorithm"]) for row in case["topics"]
    ]
    assert [row.absolute for row in rows] == near([row["abs"] for row in case["topics"]])
    assert [sorted(row.terms) for row in rows] == [sorted(row["terms"]) for row in case["topics"]]
    assert (analysis([case["url"]]) if score.accepted else {}) == case["urlanalysis"]


@pytest.mark.slow
def test_every_case_is_as_computed_by_combine():
    every, scorers = cases("combine/topic.jsonl"), {}
    assert len(every) >= 200
    for case in every:
        key = case["termlist"], case["algorithm"]
        scorer = scorers.setdefault(key, scorers.get(key) or scorer_of(*key))
        try:
            check(case, scorer)
        except AssertionError as error:
            raise AssertionError(f"{key} {case['id']}: {error}") from error


URLS = {
    "https://www.example.org/course/": {},
    "ftp://www.example.org/": {},
    "http://www.example.org": {},
    "http://example.org/": {"domain": "org"},
    "http://example.org/Home": {"domain": "org"},
    "http://example.org/a/default.asp?x=1": {"domain": "org", "start": 1},
    "http://example.org/index/x": {"domain": "org"},
    "http://www.ox.ac.uk/": {"domain": "uk", "univ": 1},
    "http://www.anu.edu.au/": {"domain": "au", "univ": 1},
    "http://www.notedu/": {"domain": "notedu"},
    "http://a.test/x/~bob": {"domain": "test"},
    "http://a.test/Personal": {"domain": "test"},
    "http://a.test/my-personal-page": {"domain": "test", "pers": 1},
    "http://a.test/pubs/1": {"domain": "test", "abs": 1},
    "http://a.test/PRODUCT?Lecture": {"domain": "test", "edu": 1, "prod": 1},
    "http://192.0.2.7:80/": {},
}


@pytest.mark.parametrize("url", URLS)
def test_what_a_url_tells(url):
    assert analysis([url]) == URLS[url]


def test_urls_of_one_page_are_analysed_together():
    assert analysis(["http://a.test/product", "https://b.test/report", "http://c.se/report"]) == {
        "domain": "se",
        "prod": 1,
        "abs": 1,
    }


def test_a_list_of_combine_is_read_without_change():
    path = conformance_file(f"{LISTS}/carnivor.txt")
    assert len(load(path, compatible=True).terms) == 1729
    terms = load(path)
    assert terms.encoding == "latin-1" and len(terms.terms) == 1718  # capitals make no other term


@pytest.mark.parametrize(
    ("line", "terms"),
    [
        (b"10: alpha=A\n", [("alpha", 10, ("A",))]),
        (b"10: alpha=AB", [("alpha", 10, ("A",))]),  # the last character, whatever it is
        (b"  -7: alpha=A\n", [("alpha", -7, ("A",))]),
        (b"10:alpha=A\n+10: alpha=A\n1.5: alpha=A\n10 : alpha=A\n#10: alpha=A\n10: alpha\n", []),
        (b"10: ab=A\n", []),
        (b"10: x=A=B\n10: xyz=A=B\n", [("xyz", 10, ("A=B",))]),
        (b"10: xyz=A, B , C,D\n", [("xyz", 10, ("A", "B", "C,D"))]),
        (b"10: xyz=A, \n10: zyx=, A\n", [("xyz", 10, ("A",)), ("zyx", 10, ("A",))]),
        (b"10: the  art\tof it=A\n", [("art it", 10, ("A",))]),
        (b"10: sm\xf6r=A\n", [("smör", 10, ("A",))]),
        (b"10: sm\xc3\xb6r=A\n", [("smÃ¶r", 10, ("A",))]),
        (b"10: (?<!a)b=A\n", []),  # left out
    ],
)
def test_lines(line, terms):
    read = combine.read(line, b"the\nof\n")
    assert [(each.text, each.weight, each.classes) for each in read.terms] == terms


def test_numbers_are_finite_for_a_page_of_one_word():
    for algorithm in ALGORITHMS:
        score = Scorer(combine.read(b"100: alpha=A\n"), algorithm).score(Page(text="alpha"))
        assert math.isfinite(score.total) and score.accepted


@pytest.mark.parametrize(
    ("term", "count"),
    [
        (r"Alen[^\s]*", 0),
        ("[A-Z]len", 0),
        ("x[A-E]+y", 0),
        (r"\xc5len", 0),
        (r".len[^\s]*", 1),
        ("[^a-z]len", 1),
        ("(?i)Y", 1),
        ("\u00e5[a-r]?len", 1),
    ],
)
def test_capitals_in_regular_expressions_match_no_letter_with_marks(term, count):
    hits = Scorer(combine.read(f"10: {term}=A\n".encode("latin-1"))).explain(Page(text="\u00e5len, x\u00e5\u00e4y y"))[
        1
    ]
    assert [each.count for each in hits] == ([count] if count else [])


LISTED = [
    # a pattern does not match itself: it is listed for each time it occurs, and with @and once for each part
    ("10: a[bc]x=A", {"text": "abx acx"}, ["a[bc]x", "a[bc]x"]),
    ("10: a[bc]x @and yyy=A", {"text": "abx yyy acx yyy"}, ["a[bc]x @and yyy"]),
    ("10: yyy @and a[bc]x=A", {"text": "abx yyy acx yyy", "title": "abx yyy abx yyy"}, ["yyy @and a[bc]x"] * 2),
    ("10: abx @and yyy=A", {"text": "abx yyy", "title": "abx yyy"}, ["abx @and yyy"]),
    ("10: a[bc]x=A, A", {"text": "abx"}, ["a[bc]x", "a[bc]x"]),
    ("10: abx=A", {"text": "abx abx", "title": "abx"}, ["abx"]),
    # a term that ends an earlier one is missing: parts come as Combine matches them, terms as they stand in the list
    ("10: red abx=A\n10: abx=A", {"text": "red abx"}, ["red abx"]),
    ("10: red abx=A\n10: abx=A", {"text": "abx", "title": "red abx"}, ["abx", "red abx"]),
    ("10: red abx=A\n10: abx=A", {"headings": ("abx",), "title": "red abx"}, ["abx", "red abx"]),
    ("10: abx=A\n10: red abx=A", {"text": "red abx", "title": "abx"}, ["abx", "red abx"]),
]


@pytest.mark.parametrize(("terms", "parts", "expected"), LISTED)
def test_terms_are_listed_as_by_combine(terms, parts, expected):
    """By its Matcher.pm: for each part, for each term of the list, unless the list so far matches the term."""
    scorer = Scorer(combine.read(f"{terms}\n".encode()))
    assert listed(scorer.explain(Page(**parts))[1]) == {"A": expected}
