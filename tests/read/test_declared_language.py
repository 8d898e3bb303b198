"""The declared language of a page beside the detected one: scripts, relatives, half-translated pages."""

from __future__ import annotations

import pytest

from ttcrawl.read.declared_language import decided, fraction, primary
from ttcrawl.read.function_words import LANGUAGES_OF
from ttcrawl.read.language import detected
from ttcrawl.read.language_scripts import scripts_of
from ttcrawl.read.related_languages import related
from ttcrawl.read.writing_systems import LANGUAGES

ENGLISH = "This is the first sentence of the page, and it is in English. The second one is in English as well."
GERMAN = "Dies ist der erste Satz der Seite, und er ist auf Deutsch. Der zweite ist ebenfalls auf Deutsch."
FINNISH = "Kaikki ihmiset syntyvät vapaina ja tasavertaisina arvoltaan ja oikeuksiltaan, ja heille on annettu järki."
JAPANESE = "すべての人間は、生れながらにして自由であり、かつ、尊厳と権利とについて平等である。"
GREEK = "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα."
BENGALI = "সমস্ত মানুষ স্বাধীনভাবে সমান মর্যাদা এবং অধিকার নিয়ে জন্মগ্রহণ করে। তাঁদের বিবেক এবং বুদ্ধি আছে।"
XHOSA = "Bonke abantu bazalwa bekhululekile belingana ngesidima nangokweemfanelo. Bonke abantu banesiphiwo sesazela."
ALONE = {"bo": "བོད་ཡིག་ལས་སྒྲིག་", "am": "የሰው ልጅ ሁሉ", "my": "လူတိုင်းသည်", "el": GREEK, "zh": "人人生而自由在尊严"}
SPANISH = "Todos los seres humanos nacen libres e iguales en dignidad y derechos y, dotados como están de razón."


def decision(text: str, declared: str) -> str:
    language, confidence = detected(text)
    return decided(language, confidence, declared, text)


@pytest.mark.parametrize(
    ("language", "confidence", "declared", "expected"),
    [
        ("fr", 0.5, "", ""),
        ("fr", 0.8, "", "fr"),
        ("fr", 0.5, "fr", "fr"),
        ("de", 0.85, "en", "en"),  # unlikely
        ("de", 0.95, "en", "de"),  # a template that declares en for every page
        ("de", 0.95, "jp", "de"),  # not a language
        ("de", 0.95, "ast", "de"),  # unknown to the detector, but not related
        ("", 0.0, "de", "de"),
        ("", 0.0, "", ""),
    ],
)
def test_a_declaration_wins_over_an_unlikely_detection(
    language: str, confidence: float, declared: str, expected: str
) -> None:
    assert decided(language, confidence, declared, GERMAN * 5) == expected


@pytest.mark.parametrize(
    ("declared", "language"),
    [
        *(
            ("nb", "no"),
            ("nn", "no"),
            ("nn", "da"),
            ("no", "da"),
            ("da", "no"),
            ("sr", "hr"),
            ("bs", "hr"),
            ("cnr", "hr"),
        ),
        *(
            ("sh", "sr"),
            ("hr", "sr"),
            ("ms", "id"),
            ("in", "id"),
            ("iw", "he"),
            ("ji", "yi"),
            ("mo", "ro"),
            ("fil", "tl"),
        ),
        *(
            ("ast", "es"),
            ("oc", "ca"),
            ("fur", "it"),
            ("an", "gl"),
            ("wa", "fr"),
            ("crh", "tr"),
            ("nds", "de"),
            ("sco", "en"),
        ),
        *(
            ("dz", "bo"),
            ("ti", "am"),
            ("shn", "my"),
            ("grc", "el"),
            ("lzh", "zh"),
            ("ja", "zh"),
            ("yue", "zh"),
            ("cnr", "sr"),
        ),
        *(("rue", "uk"), ("arz", "ar"), ("prs", "fa"), ("bho", "hi"), ("csb", "pl"), ("hsb", "cs"), ("vro", "et")),
    ],
)
def test_a_declaration_wins_over_a_language_that_the_detector_takes_it_for(declared: str, language: str) -> None:
    words = [word for word, languages in LANGUAGES_OF.items() if language in languages]
    text = " ".join(words) if words else ALONE[language] * 5
    assert fraction(text, language, "eo") == 1.0
    assert decided(language, 1.0, declared, text) == declared


@pytest.mark.parametrize(
    ("declared", "language"),
    [("fr", "es"), ("de", "nl"), ("ast", "en"), ("nn", "en"), ("zh", "ja"), ("ja", "ko"), ("sr", "bg"), ("mul", "de")],
)
def test_others_are_not_related(declared: str, language: str) -> None:
    assert not related(declared, language)


@pytest.mark.parametrize(
    ("text", "declared", "expected"),
    [
        (JAPANESE * 3, "zh", "ja"),
        (JAPANESE * 3, "en", "ja"),
        (JAPANESE * 3, "jp", "ja"),
        (GREEK * 3, "ru", "el"),
        (BENGALI * 3, "en", "bn"),  # several languages have this script, but English has not
        (ENGLISH * 3, "el", "en"),
        (SPANISH * 3, "ast", "ast"),
        (XHOSA * 3, "xh", "xh"),
        (ENGLISH * 3, "xh", "en"),
    ],
)
def test_the_script_of_the_declaration(text: str, declared: str, expected: str) -> None:
    assert decision(text, declared) == expected


@pytest.mark.parametrize(
    ("text", "declared"),
    [
        (GERMAN, "de"),
        (FINNISH, "fi"),
        (JAPANESE, "ja"),
        (GREEK, "el"),
        (XHOSA, "xh"),
        (BENGALI, "bn"),
        (SPANISH, "ast"),
    ],
)
@pytest.mark.parametrize("order", ["first", "last", "mixed"])
def test_a_translation_of_a_half_of_a_page(text: str, declared: str, order: str) -> None:
    own, english = [text] * 12, [ENGLISH] * 12
    both = {
        "first": own + english,
        "last": english + own,
        "mixed": [*(line for pair in zip(own, english, strict=True) for line in pair)],
    }
    assert decision("\n".join(both[order]), declared) == declared
    assert decision("\n".join(english + own[:1]), declared) == "en"


def test_the_whole_text_counts() -> None:
    """The sample of the detector ends before the German part, which is far larger."""
    text = "\n".join([ENGLISH] * 20 + [GERMAN] * 200)
    assert detected(text)[0] == "en"
    assert decision(text, "de") == "de"
    assert fraction(text, "en", "de") == pytest.approx(1 / 11, abs=0.04)
    assert fraction("\n".join([ENGLISH, GERMAN] * 20), "en", "de") == pytest.approx(0.5, abs=0.1)
    assert fraction("x" * 10_000, "en", "de") == fraction("", "en", "de") == 0.0


def test_scripts_of_languages() -> None:
    assert scripts_of("sr") == {"cyrillic", "latin"} and scripts_of("ja") == {"han", "kana"}
    assert scripts_of("en") == scripts_of("zz") == {"latin"}
    for name, languages in LANGUAGES.items():
        assert [each for each in languages if name not in scripts_of(each)] == []


@pytest.mark.parametrize(
    ("tag", "expected"), [("en-GB", "en"), ("en_GB", "en"), ("und", ""), ("zxx", ""), ("mul", ""), ("x-klingon", "")]
)
def test_a_code_of_no_language_declares_nothing(tag: str, expected: str) -> None:
    assert primary(tag) == expected
