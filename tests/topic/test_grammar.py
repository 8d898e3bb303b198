"""Term lists: what a line may say, and what is wrong with one, with line and column."""

import time

import pytest

from ttcrawl.errors import UsageError
from ttcrawl.topic import grammar
from ttcrawl.topic.files import load, load_sites
from ttcrawl.topic.literals import literal
from ttcrawl.topic.page import Page
from ttcrawl.topic.scorer import Scorer


def read(*lines, stop_words=()):
    return grammar.read("\n".join(lines), "list.txt", stop_words)


@pytest.mark.parametrize(
    ("line", "weight", "needles", "classes"),
    [
        ("40: pitcher plant=CP", 40, ("pitcher plant",), ("CP",)),
        ("  -10:Pitcher @and BASEBALL = CP , Sport", -10, ("pitcher", "baseball"), ("CP", "Sport")),
        ("1.5: x=A,B", 1.5, ("x",), ("A", "B")),
        ("+2 : Café-Bar, 2=A.B", 2, ("café-bar 2",), ("A.B",)),
        ("2: tick @and tick=A", 2, ("tick",), ("A",)),
        (r"2: D\S+ [A-Z]x=A", 2, (r"d\S+ [a-z]x",), ("A",)),
        ("2: 机器=A", 2, ("机 器",), ("A",)),
        ("2: bank of norway=A", 2, ("bank norway",), ("A",)),
    ],
)
def test_terms(line, weight, needles, classes):
    (term,) = read("# comment", "", line, stop_words={"of"}).terms
    assert (term.weight, term.needles, term.classes, term.line) == (weight, needles, classes, 3)


@pytest.mark.parametrize(
    ("line", "column", "message"),
    [
        ("pitcher=CP", 1, "begins with a number"),
        (f" -{'9' * 300}: pitcher=A", 2, "the weight is not between -1e+12 and 1e+12"),
        ("1000000000000.5: pitcher=A", 1, "the weight is not between"),
        ("40: pitcher", 12, "the classes are missing"),
        ("40: pitcher=", 13, "a class is missing"),
        ("40: pitcher=A, ,B", 16, "a class is missing"),
        ("40: =A", 5, "a term is missing"),
        ("40: a @and =A", 12, "a term is missing"),
        ("40: a@and b=A", 6, "@and stands between two blanks"),
        ("40: !!!=A", 5, "no word that could match"),
        ("40: of=A", 5, "no word that could match"),
        ("40: x=A=B", 8, "a class has no ="),
        ("40: x=A..B", 7, "a level is missing"),
        ("40: x(y=A", 5, "missing ): x(y"),
        ("40: a @and x**=A", 13, "bad repetition operator: **"),
        (r"40: (a)\1=A", 8, "no back-references"),
        ("40: a(?!b)=A", 6, "look-ahead"),
        ("40: (?<=a)b=A", 5, "look-around cannot be matched in linear time"),
        ("40: ((a{100}){100}){100}=A", 5, "too much memory"),
        ("40: x\x00y=A", 6, "control character"),
        (f"40: {'x' * 5000}=A", 4001, "longer than 4,000"),
    ],
)
def test_errors_have_line_and_column(line, column, message):
    with pytest.raises(UsageError) as error:
        read("1: fine=A", line, stop_words={"of"})
    assert str(error.value).startswith(f"list.txt, line 2, column {column}: ") and message in str(error.value)
    assert "\n" not in str(error.value)


def test_all_errors_are_reported_up_to_a_limit():
    with pytest.raises(UsageError, match=r"line 1, .*line 10, .*; and 90 more errors$"):
        read(*["wrong"] * 100)


def test_points_of_the_largest_weights_are_finite():
    hits = Scorer(read("1000000000000: a=A", "-1000000000000: b=A")).score(Page(text="a b " * 10_000, title="a"))
    assert hits.total == 1e13 and [each.score for each in hits.classes] == [1e13]


def test_a_term_counts_once():
    assert len(read("75: aldrovanda=CP", "75: ALDROVANDA=CP", "75: aldrovanda=Other").terms) == 2
    with pytest.raises(UsageError, match="line 2, column 1: this term has weight 75 in line 1"):
        read("75: aldrovanda=CP", "70: Aldrovanda=CP")


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"", "no terms"), (b"# only\n", "no terms"), (b"\x7fELF\0\0\0", "binary file"), (b"\xff\xfe1\0:\0", "binary")],
)
def test_files_that_are_no_lists(tmp_path, content, message):
    path = tmp_path / "list.txt"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=message):
        load(path)
    with pytest.raises(UsageError, match="name a readable file"):
        load(tmp_path / "missing")


def test_encodings(tmp_path):
    path = tmp_path / "list.txt"
    for data, encoding in (("10: smör=A".encode(), "utf-8"), ("10: smör=A".encode("latin-1"), "latin-1")):
        path.write_bytes(data)
        terms = load(path)
        assert (terms.terms[0].text, terms.encoding) == ("smör", encoding)
    path.write_bytes(b"\xef\xbb\xbf10: a=A\r\n10: b=B\r\n")
    assert [term.classes for term in load(path).terms] == [("A",), ("B",)]


KINDS = ("word{}", "word{} phrase", r"word{}[^\s]*", "word{} @and other{}")


@pytest.mark.slow
def test_a_hundred_thousand_terms_load_in_seconds():
    since = time.process_time()
    scorer = Scorer(read(*[f"1: {KINDS[n % 4].format(n, n)}=C{n % 50}" for n in range(100_000)]))
    assert time.process_time() - since < 60
    hits = scorer.explain(Page(text="word400 word401 phrase word402s word403 other403 word404x"))[1]
    assert sorted(hit.term.line for hit in hits) == [401, 402, 403, 404]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (r"u\.?\s*wightiana", "wightiana"),
        ("colou?r", "colo"),
        ("abcd+ef", "abcd"),
        ("abcd*ef", "abc"),
        ("abcd{0,2}ef", "abc"),
        ("(cats?|dogs?)", ""),
        ("cat|dog", ""),
        ("(?i)cats", ""),
        ("abc[xyz]defg", "defg"),
        (r"abc\)def", "abc)def"),
        (r"\x41bcd", ""),
        ("^start$", "start"),
        ("(ab)*cdef", "cdef"),
        ("[]x]abc", "abc"),
    ],
)
def test_literals(pattern, expected):
    assert literal(pattern) == expected


def test_sites(tmp_path):
    path = tmp_path / "sites.txt"
    path.write_text("# always\n\n\\.edu/\n^https://a\\.test/x$\n")
    sites = load_sites(path)
    assert sites.match(["http://b.test/", "http://c.edu/x"]) and sites.match(["https://a.test/x"])
    assert not sites.match(["http://c.EDU/x", "https://a.test/xy"])
    path.write_text("ok\n a(b\n")
    with pytest.raises(UsageError, match="line 2, column 2: missing"):
        load_sites(path)
