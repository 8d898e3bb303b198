"""Scripts without spaces between words, whose characters are counted as words.

Han, Hiragana, Katakana, Bopomofo. (Hangul has spaces; Thai, Lao, Khmer and Burmese have none, and would require a
dictionary.)
"""

#: First and last code point of each range.
RANGES = (
    (0x3005, 0x3007),
    (0x3041, 0x30FF),
    (0x3105, 0x312F),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),
)
