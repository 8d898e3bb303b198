"""Words, phrases and truncated ones in texts as pages have them, beside a search for each alone."""

import random
import re

import pytest

from tests.support.cases import one_in
from ttcrawl.topic.automaton import DETERMINISTIC
from ttcrawl.topic.matcher import Matcher
from ttcrawl.topic.patterns import MOST_MATCHES
from ttcrawl.topic.regex import at_word_boundaries
from ttcrawl.topic.text import Text
from ttcrawl.topic.words import folded, folded_bytes, joined

LETTERS = ["ab", "aoc", "abcdefghij", "aé1ß", "жщя", "a中", "\u0301ae", "0123456789", "zy"]
BETWEEN = [" "] * 8 + [", ", "\n", ".\n  ", "-", "/", "'", " - ", " -", "--", " . ", "  ", " \u201c", "\u2019"]
BEFORE, BEHIND = "(?:(?<=[ /'-])|^)", "(?=[ /'-]|$)"
SIZES = [0, 1, 2, 7, 60, 500]


def word(chance):
    longest = chance.choice([2, 3, 5, 8, 9, 20, 300])
    return "".join(chance.choices(chance.choice(LETTERS), k=chance.randint(1, longest)))


def text_of(chance, vocabulary, size):
    return "".join(chance.choice(vocabulary) + chance.choice(BETWEEN) for _ in range(size))


def needles_of(chance, vocabulary, texts):
    """Words and phrases, most of them from the texts, some with their last letters cut off or one added."""
    sources = [*texts, text_of(chance, vocabulary, 30)]
    needles = set()
    for _ in range(60):
        words = folded(chance.choice(sources)).split()
        start, count = chance.randrange(len(words) + 1), chance.choice([1, 1, 2, 2, 3, 5])
        needle = " ".join(words[start : start + count])
        cut = chance.choice([None, None, -1, -2, -5])
        needle = (needle[:cut] + chance.choice(["", "", "", "a"])).strip(" /'-")
        if needle:
            needles.add(needle)
            needles.add(needle + chance.choice(["", r"[^\s]*", r"\S*"]))
    return sorted(needles)


def one_by_one(needle, text):
    stem = re.sub(r"(\[\^\\s\]|\\S)\*$", "", needle)
    pattern = re.escape(stem) + ("" if stem == needle else "[^ ]*")
    starts = [match.start() for match in re.finditer(f"{BEFORE}{pattern}{BEHIND}", text)]
    return starts if stem == needle else starts[:MOST_MATCHES]


@pytest.mark.parametrize("others", [0, DETERMINISTIC])
@pytest.mark.parametrize("seed", one_in(4, range(20)))
def test_what_is_found_in_long_and_short_texts(seed, others):
    chance = random.Random(seed)
    vocabulary = [word(chance) for _ in range(chance.choice([3, 30, 300]))]
    texts = [text_of(chance, vocabulary, chance.choice(SIZES)) for _ in range(chance.randint(1, 4))]
    needles = needles_of(chance, vocabulary, texts)
    matcher = Matcher([*needles, *(f"x{number}" for number in range(others))], at_word_boundaries)
    words = [joined(text) for text in texts]
    expected = [{number: one_by_one(needle, text) for number, needle in enumerate(needles)} for text in words]
    counts = [{number: len(starts) for number, starts in each.items() if starts} for each in expected]
    assert matcher.counts(Text([folded_bytes(text) for text in texts])) == counts
    for raw, text, starts in zip(texts, words, expected, strict=True):
        positions = {number: [1 + text.count(" ", 0, start) for start in each] for number, each in starts.items()}
        found = matcher.positions(Text([folded_bytes(raw)]))
        assert found == {number: each for number, each in positions.items() if each}


def test_nothing_is_found_across_parts_and_in_other_words():
    matcher = Matcher(["a b", r"a b[^\s]*", "abcdefgh", "abcdefghi", r"abcdefghi[^\s]*"], at_word_boundaries)
    parts = ["x " * 300 + "a", "b", "abcdefghij", ""]
    assert matcher.counts(Text([part.encode() for part in parts])) == [{}, {}, {4: 1}, {}]
