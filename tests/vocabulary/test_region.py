"""Regions: letters of their own, and tables that lead from letter to letter."""

import pytest

from ttcrawl.vocabulary.region import (
    CONTENT,
    MARK_DUPLICATE,
    OBEY,
    RECORDED,
    REGIONS,
    REOPEN,
    STOP_ALL,
    followed,
    letters,
    mask,
)

BY_LETTER = {each.letter: each for each in REGIONS}


def test_letters_and_names_are_their_own():
    for of in ("letter", "name", "sentence"):
        assert len({getattr(each, of) for each in REGIONS}) == len(REGIONS)
    assert (ord("c"), ord("r")) == (CONTENT, RECORDED)


@pytest.mark.parametrize("table", [STOP_ALL, OBEY, REOPEN, MARK_DUPLICATE])
def test_a_link_stays_in_its_region(table):
    for before, after in ((each, BY_LETTER[each.letter.encode().translate(table).decode()]) for each in REGIONS):
        assert before.content == after.content and before.recorded == after.recorded


@pytest.mark.parametrize(
    ("table", "before", "after"),
    [
        (STOP_ALL, b"ceCEnodfr", b"nononodfr"),
        (OBEY, b"ceCEno", b"cenono"),
        (REOPEN, b"nocedf", b"cecedf"),
        (MARK_DUPLICATE, b"ceCEnor", b"dfdfnor"),
    ],
)
def test_from_letter_to_letter(table, before, after):
    assert before.translate(table) == after


def test_which_are_followed():
    assert followed(everywhere=True) == b"ceCE"
    assert followed(everywhere=False) == b"cC"
    assert letters(lambda region: region.recorded) == b"r"


def test_a_mask_selects():
    assert b"cednr".translate(mask(lambda region: region.content)) == b"\1\0\1\1\0"
