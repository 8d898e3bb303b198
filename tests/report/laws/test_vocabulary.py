from __future__ import annotations

from itertools import chain

import numpy as np
import pytest

from tests.report.laws.vocabularies import vocabulary
from ttcrawl.report.laws.law import examine
from ttcrawl.report.laws.vocabulary import LONGEST, tokens


@pytest.mark.parametrize(
    "text, words",
    [
        ("", []),
        ("The cat. THE CAT!", ["the", "cat", "the", "cat"]),
        ("STRASSE Straße", ["strasse", "strasse"]),
        ("Ἀθῆναι, Москва; naïve", ["ἀθῆναι", "москва", "naïve"]),
        ("nai\u0308ve \u1fc6", ["naïve", "\u1fc6"]),
        ("हिन्दी, ไทย", ["हिन्दी", "ไทย"]),
        ("don't e-mail", ["don", "t", "e", "mail"]),
        ("1984 3.14 ٣ x86 2nd", ["x86", "2nd"]),
        ("__init__ _ ___", ["__init__"]),
        ("東京都。大阪", ["東京都", "大阪"]),
        ("a" * LONGEST + " " + "b" * (LONGEST + 1), ["a" * LONGEST]),
        ("\x00a\u202eb\ud800c", ["a", "b", "c"]),
    ],
)
def test_tokens(text, words):
    assert list(chain(*tokens(text))) == words


@pytest.mark.parametrize("text", ["naïve cafe\u0301s, x2 " * 50, "plain words only " * 50, "हिन्दी में\n" * 50])
@pytest.mark.parametrize("piece", [1, 7, 100])
def test_a_long_text_is_read_in_pieces_that_cut_no_word(text, piece):
    (whole,) = tokens(text)
    pieces = list(tokens(text, piece=piece))
    assert list(chain(*pieces)) == whole and len(pieces) > 5


def test_what_is_remembered_of_runs_is_bounded():
    texts = (" ".join(f"w{i} W{i % 7}" for i in range(page, page + 20)) for page in range(0, 200, 20))
    found = vocabulary(texts, remembered=10)
    assert found.tokens[-1] == 400 and len(found.counts) == 200 and found.counts["w0"] == 30


@pytest.mark.parametrize("most", [1, 2, 3, 5, 49, 50, 51])
def test_the_series_ends_where_the_words_that_are_held_do(most):
    """As word by word: everything up to the first word that there is no room for."""
    words = [f"w{i * i % 83}" for i in range(300)]
    found = vocabulary([" ".join(words[:100]), " ".join(words[100:])], most=most)
    seen, end = set(), len(words)
    for place, word in enumerate(words):
        if word not in seen and len(seen) == most:
            end = place
            break
        seen.add(word)
    assert (found.tokens[-1], found.words[-1], found.full) == (end, len(seen), end < len(words))


def test_the_series_over_texts():
    found = vocabulary(["a b a", "", "b c", "42", "C d"])
    assert list(zip(found.tokens, found.words, strict=True)) == [(1, 1), (2, 2), (3, 2), (4, 2), (5, 3), (6, 3), (7, 4)]
    assert found.counts == {"a": 2, "b": 2, "c": 2, "d": 1} and not found.full


def test_the_last_token_is_always_sampled():
    found = vocabulary(" ".join(f"w{i}" for i in range(j, j + 100)) for j in range(0, 5033, 100))
    assert found.tokens[-1] == 5100 and found.words[-1] == 5100 == len(found.counts)
    assert len(found.tokens) < 2000


def test_a_full_vocabulary_takes_no_more_words():
    found = vocabulary((f"word{i} common" for i in range(1000)), most=50)
    assert found.full and len(found.counts) == 50
    assert "stopped at 50" in found.how and found.words[-1] == 50


def test_nothing_to_read():
    found = vocabulary([])
    assert (found.tokens, found.words, len(found.counts), found.full) == ((), (), 0, False)


def test_the_law_of_words_drawn_by_zipfs_law():
    """Exponent 2 gives beta 1/2 (Baeza-Yates and Navarro, 2000)."""
    words = np.random.default_rng(1).zipf(2.0, 50_000)
    found = vocabulary(" ".join(f"w{w}" for w in page) for page in words.reshape(500, 100))
    law = examine(found.tokens, found.words, np.random.default_rng(0))
    assert law.leaves == "" and law.beta_interval.low <= 0.5 <= law.beta_interval.high


@pytest.mark.timeout(60)
def test_marks_without_end_take_no_more_time_than_letters():
    """As a whole this text would be normalised for hours: marks are sorted one by one."""
    assert list(chain(*tokens("a" + "\u0301\u0327" * 1_000_000 + " e\u0301"))) == ["é"]
