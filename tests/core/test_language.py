"""Function words counted in C++ beside those counted in Python."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.compiled import needs_core
from ttcrawl import core
from ttcrawl.core import native
from ttcrawl.read.function_words import LANGUAGES_OF
from ttcrawl.read.language import detected

pytestmark = needs_core

ENGLISH = "The words of this text are of one language, and it is not hard to see which one it is for you."
TEXTS = [
    *("", " ", ENGLISH, ENGLISH.upper(), "the " * 200, "der die das\nthe of and\tder\u2028die\xa0das\x1fund"),
    *(
        "İ ı I THE DER ΚΑΙ",
        "И в на не с что для",
        "the\ud800 the",
        "日本語 the",
        "x" * 3000,
        "the\u200bthe the\x00the the",
    ),
]
WORDS = st.sampled_from([*sorted(LANGUAGES_OF)[::7], "und", "the", "THE", "x", "\n", "\xa0", "\ud800", "é", "e\u0301"])


@pytest.fixture(scope="module")
def function_words():
    return native.FunctionWords(LANGUAGES_OF)


def in_python(text: str, languages: tuple[str, ...], nearest: str) -> tuple[str, int, int, int, int]:
    """As it is said in native.pyi, word by word."""
    words = text.casefold().split()
    hits = {language: sum(LANGUAGES_OF.get(word, ()).count(language) for word in words) for language in languages}
    second, count = sorted(hits.values())[-2:]
    if not count:
        return "", 0, 0, 0, len(words)
    best = nearest if hits.get(nearest) == count else max(name for name in hits if hits[name] == count)
    return best, count, second, sum(best in LANGUAGES_OF.get(word, ()) for word in set(words)), len(words)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("nearest", ["", "de", "sr", "none"])
def test_the_language_with_the_most_words(function_words, text, nearest):
    for languages in (("en", "de"), ("de", "nl", "lb", "en", "fr", "es"), ("ru", "sr", "uk"), ("ku", "none", "tl")):
        assert function_words.most(text, languages, nearest) == in_python(text, languages, nearest)


@settings(max_examples=100, derandomize=True, deadline=None, database=None)
@given(
    st.lists(WORDS, max_size=50),
    st.lists(st.sampled_from(["en", "de", "sr", "hr", "ku", "none"]), min_size=2, unique=True),
)
def test_any_words(words, languages):
    text, function_words = " ".join(words), native.FunctionWords(LANGUAGES_OF)
    assert function_words.most(text, tuple(languages), languages[0]) == in_python(text, tuple(languages), languages[0])


@pytest.mark.parametrize(
    "text", [ENGLISH, "Die Wörter in diesem Text sind nicht die des anderen, und das ist auch so."]
)
def test_both_readers_detect_the_same(text, monkeypatch):
    compiled = detected(text)
    monkeypatch.setattr(core, "native", None)
    assert compiled == detected(text) and compiled[0]


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: native.FunctionWords(), TypeError),
        (lambda: native.FunctionWords([("the", ("en",))]), TypeError),
        (lambda: native.FunctionWords({"the": "en"}), ValueError),
        (lambda: native.FunctionWords({"the": (1,)}), TypeError),
        (lambda: native.FunctionWords({1: ("en",)}), TypeError),
        (lambda: native.FunctionWords({"the": ("en",)}).most("the", ["en"], ""), TypeError),
        (lambda: native.FunctionWords({"the": ("en",)}).most("the", (1, 2), ""), TypeError),
        (lambda: native.FunctionWords({"the": ("en",)}).most("the", ("\ud800", "en"), ""), UnicodeEncodeError),
    ],
)
def test_a_wrong_argument_is_an_error_of_python(call, error):
    with pytest.raises(error):
        call()


@settings(max_examples=200, derandomize=True, deadline=None, database=None)
@given(
    st.lists(
        st.sampled_from(
            ["a b c d e f g h", "\u00e9 " * 9, "\U0001f600 " * 8, "\ud800 " * 7, "a list", "", "x" * 50, " " * 7]
        )
    ),
    st.integers(1, 9),
    st.integers(0, 60),
)
def test_long_lines(lines, spaces, most):
    text = "\n".join(lines)
    for fewest in (0, 5, most):
        joined = " ".join(line for line in text.split("\n") if line.count(" ") >= spaces)[:most]
        assert native.long_lines(text, spaces, most, fewest) == (joined if len(joined) > fewest else "")
