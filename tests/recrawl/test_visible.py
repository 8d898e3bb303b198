"""Texts that look the same are the same; what a reader can see is a change."""

import time
import unicodedata

import pytest

from ttcrawl.recrawl.undated import content_digest
from ttcrawl.recrawl.visible import visible

SENTENCE = "Le café naïf: Ångström, việt, 한글, ﷽ and plain words."

SAME = [
    (unicodedata.normalize("NFC", SENTENCE), unicodedata.normalize("NFD", SENTENCE)),
    ("\u212bngstr\u00f6m", "A\u030angstro\u0308m"),  # a sign that is canonically equivalent to a letter
    ("q\u0307\u0323", "q\u0323\u0307"),  # the order of marks
    ("\u1100\u1161", "\uac00"),
    ("10\u00a0km", "10 km"),
    ("10\u202f000\u2009\u20ac", "10 000 \u20ac"),
    ("auto\u00admobile", "automobile"),
    ("a\u200bb\u2060c\ufeff", "abc"),
    ("\u200eright\u200f \u2067left\u2069", "right left"),
    ("one\r\ntwo\rthree", "one\ntwo\nthree"),
    ("one\u2028two", "one\ntwo"),
    ("many   spaces \t here  \nand", "many spaces here\nand"),
]

OTHER = [
    ("x\u00b2", "x2"),  # compatibility forms (NFKC): a reader sees the difference
    ("\ufb01n", "fin"),
    ("\uff21", "A"),
    ("\u201cquoted\u201d", '"quoted"'),
    ("a-b", "a\u2013b"),
    ("caf\u00e9", "cafe"),
    ("\u0645\u06cc\u200c\u062e", "\u0645\u06cc\u062e"),  # a joiner changes the shape of letters
    ("\u2764\ufe0f", "\u2764"),
    ("A", "a"),
    ("one two", "onetwo"),
    ("one\ntwo", "one two"),
    ("if:\n    x", "if:\nx"),  # an indentation
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_no_change(one, other):
    assert visible(one) == visible(other)
    assert content_digest(one, other) == content_digest(other, one)


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_a_change(one, other):
    assert visible(one) != visible(other)


@pytest.mark.parametrize("text", ["a" + "\u0301\u0316" * 200_000, "\u00e9" + " " * 400_000 + "x", "\r" * 400_000])
def test_hostile_texts_take_linear_time(text):
    begin = time.process_time()
    visible(text)
    assert time.process_time() - begin < 2
