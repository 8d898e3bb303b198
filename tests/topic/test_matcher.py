"""All terms at once, and words of long texts, beside the straightforward way: one by one."""

import re
import subprocess
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttcrawl.topic import combine
from ttcrawl.topic.automaton import DETERMINISTIC
from ttcrawl.topic.matcher import Matcher
from ttcrawl.topic.regex import at_perl_boundaries, at_word_boundaries
from ttcrawl.topic.text import Text, squeezed
from ttcrawl.topic.words import folded, folded_bytes, joined

BEFORE, BEHIND = "(?:(?<=[ /'-])|^)", "(?=[ /'-]|$)"
WORDS = st.text("ab/'-", min_size=1, max_size=4).filter(lambda word: "a" in word or "b" in word)
PHRASES = st.lists(st.one_of(WORDS, st.just("é")), min_size=1, max_size=3).map(" ".join)
EXPRESSIONS = st.one_of(
    st.tuples(PHRASES, st.sampled_from([r"[^\s]*", r"\S*", "[ab]+", "b?a", ".b"])).map("".join),
    st.sampled_from([r"[^ ]+", "a.b", r"abb\s*a", "(?:ab)+", "aab[^\\s]*", "aab\\S*", "é[^\\s]*b"]),
)
NEEDLES = st.lists(st.one_of(PHRASES, EXPRESSIONS), min_size=1, max_size=8, unique=True)
TEXTS = st.lists(st.lists(st.one_of(WORDS, st.just("é")), max_size=30).map(" ".join), min_size=1, max_size=4)


def text_of(*parts):
    return Text([part.encode() for part in parts])


def matches(needle, text):
    return re.finditer(f"{BEFORE}(?:{needle}){BEHIND}", text)


@pytest.mark.slow
@given(NEEDLES, TEXTS)
def test_all_needles_match_as_one_by_one(needles, texts):
    matcher = Matcher(needles, at_word_boundaries)
    expected = [{index: sum(1 for _ in matches(each, text)) for index, each in enumerate(needles)} for text in texts]
    found = [{index: count for index, count in each.items() if count} for each in expected]
    assert matcher.counts(text_of(*texts)) == found
    for text in texts:
        starts = {index: [match.start() for match in matches(each, text)] for index, each in enumerate(needles)}
        words = {index: [1 + text.count(" ", 0, start) for start in each] for index, each in starts.items() if each}
        assert matcher.positions(text_of(text)) == words


COMBINE_WORDS = st.text("ab1\u00e5/'-", min_size=1, max_size=4)
TRUNCATED = st.lists(COMBINE_WORDS, min_size=1, max_size=2).map(lambda words: " ".join(words) + r"[^\s]*")
COMBINE_TEXTS = st.lists(COMBINE_WORDS, max_size=30).map(" ".join)


@pytest.mark.slow
@given(st.lists(TRUNCATED, min_size=1, max_size=8, unique=True), COMBINE_TEXTS, st.sampled_from(["", " "]))
def test_truncated_words_match_as_the_expressions_of_combine(needles, text, blank):
    matcher = Matcher(needles, at_perl_boundaries, combine.STAND_INS, "latin-1")
    found = {index: len(re.findall(rf"\b{each}\b", blank + text)) for index, each in enumerate(needles)}
    data = Text([(blank + text).encode("latin-1")], is_squeezed=True)
    assert matcher.counts(data) == [{index: count for index, count in found.items() if count}]


def test_a_long_list_matches_the_same():
    needles = ["a b", "b", "b-a", "ab[^\\s]*", "a.?b"]
    others = [f"x{number}" for number in range(DETERMINISTIC)]
    for matcher in (Matcher(needles, at_word_boundaries), Matcher([*needles, *others], at_word_boundaries)):
        assert matcher.counts(text_of("a b-a", "", "abba ab b")) == [{0: 1, 1: 1, 2: 1, 4: 1}, {}, {1: 1, 3: 2, 4: 1}]


def one_by_one(text):
    """The words of a text, character by character."""
    text = unicodedata.normalize("NFC", text)
    folds = [folded(each) for each in text]
    return " ".join("".join(folds).split())


@given(st.text(st.one_of(st.characters(), st.sampled_from("aé \u0301\u1161\u1100\u212b中ß.-'"))))
def test_words_of_short_and_of_long_texts(text):
    words = one_by_one(text)
    assert joined(text) == words
    assert squeezed(folded_bytes(f"{text} {text}")).decode().strip() == f"{words} {words}".strip()


@pytest.mark.slow
def test_two_characters_that_compose_are_folded_as_one():
    pairs = [unicodedata.decomposition(chr(point)).split() for point in range(sys.maxunicode + 1)]
    both = ["".join(chr(int(each, 16)) for each in pair) for pair in pairs if len(pair) == 2 and "<" not in pair[0]]
    for text in [*both, "\u1100\u1161", "\uac00\u11a8"]:
        assert folded(text) == folded(unicodedata.normalize("NFC", text))


@pytest.mark.slow
def test_a_crawl_without_a_subject_loads_no_arrays():
    code = "import sys, ttcrawl.parse.worker, ttcrawl.engine.topic.copies; print('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False\n"
