"""Parts of a page in one text."""

import pytest

from ttcrawl.topic.text import SHORT, Text, squeezed


@pytest.mark.parametrize("size", [1, SHORT])
@pytest.mark.parametrize(
    ("parts", "squeezed_parts"),
    [
        ([b""], [b""]),
        ([b"", b"  ", b""], [b"", b"", b""]),
        ([b" a  b- ", b"", b"c"], [b"a b-", b"", b"c"]),
        ([b"a", b"b  c", b" "], [b"a", b"b c", b""]),
    ],
)
def test_parts(parts, squeezed_parts, size):
    text = Text([part * size for part in parts])
    expected = [b" ".join((part * size).split()) for part in parts]
    assert [text.part(number) for number in range(len(parts))] == expected
    assert [text.count(number) for number in range(len(parts))] == [max(1, len(part.split())) for part in expected]
    if size == 1:
        assert expected == squeezed_parts


def test_a_blank_at_the_beginning_stays_in_what_is_squeezed_already():
    text = Text([b" a b", b"", b" c"], is_squeezed=True)
    assert [text.part(number) for number in range(3)] == [b" a b", b"", b" c"]


def test_long_texts_are_squeezed_as_short_ones():
    text = b"  ab c   d-e " * SHORT
    assert squeezed(text) == b" %b " % b" ".join(text.split())
