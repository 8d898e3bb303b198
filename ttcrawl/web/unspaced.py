"""Scripts without spaces between words: first and last code point of each range."""

from __future__ import annotations

#: Han, Hiragana, Katakana and Bopomofo, whose characters are counted as words. (Hangul has spaces.)
UNSPACED = (
    (0x3005, 0x3007),
    (0x3041, 0x30FF),
    (0x3105, 0x312F),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),
)

#: Thai and Lao, Burmese, and Khmer: their words would require a dictionary.
SOUTHEAST_ASIAN = ((0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF))
