"""The language of a page, from the declared and the detected one.

The declaration is about the whole page and knows languages that a detector does not. It is wrong where a template
declares one language for every page, or where a page of a translation is not translated. So it wins unless the detected
language is likely, is another one than what the detector takes the declared one for, and makes up nearly all of the
main text.
"""

from __future__ import annotations

from ttcrawl.read.casefold import casefolded
from ttcrawl.read.function_words import LANGUAGES_OF, LISTS
from ttcrawl.read.language import SURE
from ttcrawl.read.language_scripts import scripts_of
from ttcrawl.read.related_languages import related
from ttcrawl.read.writing_systems import LANGUAGES, LATIN, SYLLABLES, script

#: Confidence from which a detected language may override the declared one, and the minimum fraction of text in it.
SURER, MOST = 0.9, 0.8

#: The pieces of a text that are compared: maximum number, and maximum and minimum characters.
PIECES, LONGEST, SHORTEST = 32, 160, 20

#: Words for one function word of a language without a list. Those with a list have one in three to ten words.
_SPARSE = 12

#: The golden ratio, as a fraction of 2**32: its multiples are spread evenly (Knuth, TAOCP 3, section 6.4, theorem S).
_GOLDEN = 2654435769

#: Letters for one syllable or ideograph, in texts of the same length.
_LETTERS = 3

#: The scripts that determine each language, by themselves.
_ALONE: dict[str, frozenset[str]] = {}
for _name, _languages in LANGUAGES.items():
    if len(_languages) == 1:
        _ALONE[_languages[0]] = _ALONE.get(_languages[0], frozenset()) | {_name}

#: Codes that name no language: undetermined, several, uncoded, no linguistic content (ISO 639-2).
_NONE = frozenset(("und", "mul", "mis", "zxx"))


def decided(language: str, confidence: float, declared: str, text: str) -> str:
    """The language of a page, "" if unknown. `language` is detected in `text` with this confidence; all of them are
    primary subtags of BCP 47."""
    if not declared:
        return language if confidence >= SURE else ""
    if not language or language == declared or _indistinct(language, declared):
        return declared
    if confidence < SURER and not _another_script(language, declared):
        return declared
    return language if fraction(text, language, declared) >= MOST else declared


def _indistinct(language: str, declared: str) -> bool:
    """Whether the detector may call a text in the declared language `language`: by its script, or as a related one."""
    written = scripts_of(declared)
    if language in _ALONE:
        return not written.isdisjoint(_ALONE[language])
    return related(declared, language) and not written.isdisjoint(scripts_of(language))


def _another_script(language: str, declared: str) -> bool:
    """Whether the script alone refutes the declaration. Latin does not: names and code are Latin on every page."""
    detected = scripts_of(language)
    return LATIN not in detected and detected.isdisjoint(scripts_of(declared))


def fraction(text: str, language: str, other: str) -> float:
    """The fraction of a text that is in `language`, from 0 to 1, where the rest is in the other one. Lines in neither
    do not count; 0.0 if all are."""
    pieces = [line[at : at + LONGEST] for line in text.split("\n") for at in range(0, len(line), LONGEST)]
    pieces = [piece for piece in pieces if len(piece) >= SHORTEST]
    sizes = [0, 0]
    for piece in _spread(pieces):
        name, _ = script(piece)
        words = casefolded(piece).split()
        count, others = _words(words, name, language), _words(words, name, other)
        if count != others:
            sizes[count < others] += len(piece) * (_LETTERS if name in SYLLABLES else 1)
    return sizes[0] / sum(sizes) if any(sizes) else 0.0


def _spread(pieces: list[str]) -> list[str]:
    """PIECES of them, evenly spread. Every second one would be of one language where the lines alternate."""
    if len(pieces) <= PIECES:
        return pieces
    return [pieces[(number * _GOLDEN % (1 << 32)) * len(pieces) >> 32] for number in range(PIECES)]


def _words(words: list[str], name: str, language: str) -> float:
    """The number of function words of a language in a text of this script, estimated for a language without a list."""
    if name not in scripts_of(language):
        return 0.0
    if (language, name) in LISTS:
        return sum(language in LANGUAGES_OF.get(word, ()) for word in words)
    return len(words) / _SPARSE


def primary(tag: str) -> str:
    """The primary subtag of a language tag: en for en-GB, and for the common en_GB; "" if it is invalid or names no
    language."""
    first = tag.replace("_", "-").partition("-")[0].strip().lower()
    valid = first.isascii() and first.isalpha() and 2 <= len(first) <= 3 and first not in _NONE
    return first if valid else ""
