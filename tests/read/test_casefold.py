"""Case folding with the bytes of a text, beside Python's own."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ttcrawl.read.casefold import casefolded, casefolded_utf8

TEXTS = ["", "The URL", "“The” URL – it’s", "Straße", "ΣΊΣΥΦΟΣ", "İstanbul", "ﬁNE", "Ǆ", "Ꭰꭰ", "日本語 ABC"]
SURROGATES = ["\ud800A", "A\udc00\ud800Ä"]


@pytest.mark.parametrize("text", TEXTS + SURROGATES)
def test_as_python_does(text: str) -> None:
    assert casefolded(text) == text.casefold()


@pytest.mark.usefixtures("reader")
@pytest.mark.parametrize("text", TEXTS + SURROGATES)
def test_as_utf8(text: str) -> None:
    assert casefolded_utf8(text) == text.casefold().encode("utf-8", "replace")


@pytest.mark.slow
def test_every_character() -> None:
    for code in range(0x110000):
        assert casefolded(f"A{chr(code)}Z") == f"A{chr(code)}Z".casefold(), hex(code)


@settings(max_examples=300, derandomize=True, deadline=None, database=None)
@given(st.text(st.characters()))
def test_any_text(text: str) -> None:
    assert casefolded(text) == text.casefold()
