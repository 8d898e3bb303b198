import pytest

from ttcrawl.inspect.search.snippet import snippet

TEXT = "Zero one two three, four.  Five\nsix (seven) eight nine ten."

CASES = (
    ("", ["x"], 5, ""),
    ("...", ["x"], 5, ""),
    (TEXT, ["nowhere"], 3, "Zero one two ..."),
    (TEXT, [], 3, "Zero one two ..."),
    (TEXT, ["zero"], 3, "[Zero] one two ..."),
    (TEXT, ["ten"], 3, "... eight nine [ten]"),
    (TEXT, ["five", "seven"], 4, "... four. [Five] six ([seven] ..."),
    (TEXT, ["s*"], 4, "... Five [six] ([seven]) eight ..."),
    (TEXT, ["three", "eight"], 6, "... [three], four. Five six (seven) [eight] ..."),
    ("na\u00efve Gr\u00f6\u00dfe", ["naive", "grosse"], 9, "[na\u00efve] [Gr\u00f6\u00dfe]"),
    ("a zero\u200bwidth cafe\u0301s", ["zerowidth", "cafes"], 9, "a [zero\u200bwidth] [cafe\u0301s]"),
)


@pytest.mark.parametrize("text,words,most,expected", CASES)
def test_snippets(text, words, most, expected):
    assert snippet(text, words, lambda word: f"[{word}]", most) == expected


def test_a_word_that_a_long_text_repeats():
    """Comparing each place with all others would need hours."""
    text = "one two " * 100_000 + "one two three"
    assert snippet(text, ["one", "two", "three"], lambda word: f"[{word}]", 3) == "... [one] [two] [three]"
