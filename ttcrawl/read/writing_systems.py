"""The script of a text. Some scripts determine the language; for others there are several candidates."""

from __future__ import annotations

from array import array
from collections import Counter

LATIN, HAN, KANA, HANGUL = "latin", "han", "kana", "hangul"

#: First and last code point of the blocks of each script (Unicode, Blocks.txt); the table has steps of 16 code points.
_BLOCKS = {
    LATIN: "0040-007F 00C0-02AF 1E00-1EFF",
    "greek": "0370-03FF 1F00-1FFF",
    "cyrillic": "0400-052F",
    "armenian": "0530-058F",
    "hebrew": "0590-05FF FB10-FB4F",
    "arabic": "0600-06FF 0750-077F 08A0-08FF FB50-FDFF FE70-FEFF",
    "thaana": "0780-07BF",
    "devanagari": "0900-097F",
    "bengali": "0980-09FF",
    "gurmukhi": "0A00-0A7F",
    "gujarati": "0A80-0AFF",
    "oriya": "0B00-0B7F",
    "tamil": "0B80-0BFF",
    "telugu": "0C00-0C7F",
    "kannada": "0C80-0CFF",
    "malayalam": "0D00-0D7F",
    "sinhala": "0D80-0DFF",
    "thai": "0E00-0E7F",
    "lao": "0E80-0EFF",
    "tibetan": "0F00-0FFF",
    "myanmar": "1000-109F",
    "georgian": "10A0-10FF 1C90-1CBF",
    "ethiopic": "1200-139F",
    "khmer": "1780-17FF",
    HANGUL: "1100-11FF 3130-318F AC00-D7AF",
    KANA: "3040-30FF 31F0-31FF FF60-FF9F",
    HAN: "3400-4DBF 4E00-9FFF D840-D88F F900-FAFF",  # beyond the first plane by the first half of a surrogate pair
}
_LANGUAGES = {
    LATIN: (
        "en de fr es it pt nl sv pl vi ro cs hu fi tr da no id ca eu hr sk lt sl et gl lv eo sq is ga af cy la az uz br"
        " jv fy lb fo gd mt mg so sw tl tk ku ha io rm sc vo"
    ),
    "cyrillic": "ru uk bg sr mk be kk ky tg tt mn ba ce cv",
    "arabic": "ar fa ur ps sd ug ku",
    "hebrew": "he yi",
    "devanagari": "hi mr ne sa",
    "bengali": "bn as",
    "greek": "el",
    "armenian": "hy",
    "thaana": "dv",
    "gurmukhi": "pa",
    "gujarati": "gu",
    "oriya": "or",
    "tamil": "ta",
    "telugu": "te",
    "kannada": "kn",
    "malayalam": "ml",
    "sinhala": "si",
    "thai": "th",
    "lao": "lo",
    "tibetan": "bo",
    "myanmar": "my",
    "georgian": "ka",
    "ethiopic": "am",
    "khmer": "km",
    HANGUL: "ko",
    KANA: "ja",
    HAN: "zh",
}
#: The languages of each script that can be distinguished (ISO 639).
LANGUAGES = {name: tuple(languages.split()) for name, languages in _LANGUAGES.items()}

#: Weight of a letter: highest for syllables and words, lowest for Latin, because names and code are Latin on every
#: page.
SYLLABLES = frozenset((HAN, KANA, HANGUL))
_WEIGHTS = {name: 4 if name in SYLLABLES else 1 if name == LATIN else 2 for name in _BLOCKS}

#: Fraction of Kana among Han and Kana letters: with fewer it is Chinese with some Kana.
_KANA = 0.05

#: Code points in the sample, and the fraction of non-ASCII bytes below which a text is Latin.
_SAMPLE, _FEW = 500, 0.1


def _tables() -> tuple[bytes, list[str]]:
    names = ["", *_BLOCKS]
    table = bytearray(4096)
    for number, blocks in enumerate(_BLOCKS.values(), 1):
        for block in blocks.split():
            first, last = (int(code, 16) >> 4 for code in block.split("-"))
            table[first : last + 1] = bytes([number]) * (last - first + 1)
    return bytes(table), names


_TABLE, _NAMES = _tables()
_HIGH = bytes(range(128, 256))


def script(text: str) -> tuple[str, float]:
    """(the dominant script, its fraction of the weights); ("", 0.0) without letters."""
    if text.isascii():
        return LATIN, 1.0
    data = text.encode("utf-8", "replace")
    if len(data) - len(data.translate(None, _HIGH)) < _FEW * len(data):
        return LATIN, 1.0
    units = array("H", text[:: len(text) // _SAMPLE + 1].encode("utf-16-le", "replace"))
    blocks = Counter(_TABLE[unit >> 4] for unit in units)
    del blocks[0]
    counts = Counter({_NAMES[number]: count * _WEIGHTS[_NAMES[number]] for number, count in blocks.items()})
    han = counts.pop(HAN, 0)
    if han and counts[KANA] < _KANA * han:
        counts[HAN] = han + counts.pop(KANA, 0)
    else:  # Korean contains some too
        counts[KANA if counts[KANA] >= counts[HANGUL] else HANGUL] += han
    name, most = max(counts.items(), key=lambda item: item[1], default=("", 0))
    return (name, most / counts.total()) if most else ("", 0.0)
