import sqlite3

import pytest

from ttcrawl.inspect.search.folding import fold

#: Forms that a reader takes for one word: (as written, as searched).
SAME = [
    ("classiﬁes", "classifies"),
    ("Ｆｕｌｌｗｉｄｔｈ", "fullwidth"),
    ("２０２５", "2025"),
    ("ｶﾞｲﾄﾞ", "ガイド"),
    ("zero\u200bwidth", "zerowidth"),
    ("Unter\u00adnehmen", "unternehmen"),
    ("\u202eabc\u202c", "abc"),
    ("a\ufe0f", "a"),
    ("cafe\u0301", "café"),
    ("CAFÉ", "cafe"),
    ("Straße", "STRASSE"),
    ("œuvre", "oeuvre"),
    ("Ærø", "aero"),
    ("Łódź", "lodz"),
    ("İzmir", "izmir"),
    ("ılık", "ilik"),
    ("Δίκτυο", "ΔΙΚΤΥΟ"),
    ("ὁδός", "οδοσ"),
    ("ёлка", "елка"),
    ("за\u0301мок", "замок"),
    ("شَجَرَة", "شجره"),
    ("كـتاب", "كتاب"),
    ("الكتاب", "كتاب"),
    ("والكتاب", "كتاب"),
    ("أحمد", "احمد"),
    ("שָׁלוֹם", "שלום"),
    ("①", "1"),
]
#: Those that are other words, or letters of their own.
OTHERS = [("й", "и"), ("が", "か"), ("ง่าย", "งาย"), ("हिन्दी", "हन्दी"), ("الله", "له"), ("o", "0"), ("naïve", "native")]


@pytest.mark.parametrize(("written", "searched"), SAME)
def test_forms_of_a_word(written, searched):
    assert fold(written) == fold(searched) != ""


@pytest.mark.parametrize(("written", "searched"), OTHERS)
def test_other_words(written, searched):
    assert fold(written) != fold(searched)


@pytest.mark.parametrize("written", [each for pair in SAME for each in pair])
def test_the_index_changes_no_folded_word(written):
    with sqlite3.connect(":memory:") as db:
        db.execute("CREATE VIRTUAL TABLE words USING fts5 (text, tokenize = 'unicode61 remove_diacritics 2')")
        db.execute("CREATE VIRTUAL TABLE tokens USING fts5vocab (words, row)")
        db.execute("INSERT INTO words VALUES (?)", (fold(written),))
        assert db.execute("SELECT term FROM tokens").fetchall() == [(fold(written),)]
