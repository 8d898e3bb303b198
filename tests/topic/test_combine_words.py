"""Words as Combine has them, in short and in long texts."""

from hypothesis import given
from hypothesis import strategies as st

from ttcrawl.topic.combine_words import converted
from ttcrawl.topic.text import SHORT


@given(
    st.text(st.sampled_from("aZ09 \u00e5\u00c4\u00e9,/'-\n\u4e2d"), min_size=1, max_size=30), st.sampled_from(["", " "])
)
def test_a_long_text_has_the_words_of_its_pieces(text, blank):
    short = converted(f"{blank}{text}", ())
    expected = b" ".join(converted(text, ()).split() * SHORT)
    first = b" " if short.startswith(b" ") else b""
    assert converted(blank + " ".join([text] * SHORT), ()) == first + expected
