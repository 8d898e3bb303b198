"""The headings of a page as column `headings` of table `metadata` has them."""

from __future__ import annotations

import msgspec

_decode = msgspec.json.Decoder(list[tuple[int, str]]).decode


def heading_texts(stored: str) -> list[str]:
    """Return the texts of a JSON array of [level, text], or of "".

    >>> heading_texts('[[1, "Title"], [2, "Part"]]'), heading_texts("")
    (['Title', 'Part'], [])
    """
    return [heading for _, heading in _decode(stored)] if stored else []
