"""Files of labelled pairs: tables."""

import pytest

from ttcrawl.errors import UsageError
from ttcrawl.report.tuning.labels import Label, labels

GOOD = "http://a.test/\thttp://b.test/\t"


@pytest.mark.parametrize("label, expected", [("1", 1.0), ("0", 0.0), ("0.93", 0.93), (" 1 \r", 1.0), ("1e-1", 0.1)])
def test_labels(label, expected):
    text = f"# URL, URL, label\n\n{GOOD}{label}\n"
    assert labels(text, "x") == [Label("http://a.test/", "http://b.test/", expected)]


@pytest.mark.parametrize(
    "line, why",
    [
        ("http://a.test/ http://b.test/ 1", "it has 1 fields instead of 3"),
        ("http://a.test/\thttp://b.test/", "it has 2 fields"),
        (f"{GOOD}1\tmore", "it has 4 fields"),
        ("http://a.test/\t\t1", "it has 3 fields"),
        (f"{GOOD}2", "'2' is not a label"),
        (f"{GOOD}-0.1", "'-0.1' is not a label"),
        (f"{GOOD}nan", "'nan' is not a label"),
        (f"{GOOD}inf", "'inf' is not a label"),
        (f"{GOOD}yes\x1b[2J", "is not a label"),
    ],
)
def test_a_bad_line_is_named(line, why):
    with pytest.raises(UsageError) as error:
        labels(f"{GOOD}1\n# a comment\n{line}\n", "pairs.tsv")
    said = str(error.value)
    assert said.startswith("pairs.tsv, line 3: ") and why in said and said.isprintable()


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n"])
def test_no_pair_at_all(text):
    with pytest.raises(UsageError, match=r"pairs\.tsv contains no pair"):
        labels(text, "pairs.tsv")
